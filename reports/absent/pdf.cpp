#include "data/errors.h"
#include "reports/paper.h"

namespace weir::reports {

bool can_write_pdf() { return false; }

std::string decision_pdf(const Decision&, Language) {
  throw data::SystemError(
      "this build of Weir writes no PDF: build it with qt6-base-dev, libqpdf-dev and WEIR_REPORTS=AUTO");
}

}  // namespace weir::reports

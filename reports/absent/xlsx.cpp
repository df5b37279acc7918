#include "data/errors.h"
#include "reports/paper.h"

namespace weir::reports {

bool can_write_xlsx() { return false; }

std::string decision_xlsx(const Decision&, Language) {
  throw data::SystemError("this build of Weir writes no XLSX: build it with libxlsxwriter-dev and WEIR_REPORTS=AUTO");
}

}  // namespace weir::reports

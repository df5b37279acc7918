#include "data/errors.h"
#include "reports/paper.h"

namespace weir::reports {

bool can_write_pdf() { return false; }

std::string decision_pdf(const Decision&, Language) { throw data::SystemError("PDF: being built"); }

}  // namespace weir::reports

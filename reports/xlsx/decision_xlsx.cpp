#include "data/errors.h"
#include "reports/paper.h"

namespace weir::reports {

bool can_write_xlsx() { return false; }

std::string decision_xlsx(const Decision&, Language) { throw data::SystemError("XLSX: being built"); }

}  // namespace weir::reports

#include "reports/paper.h"
#include "reports/qt/paint_scene.h"
#include "reports/qt/pdf.h"

namespace weir::reports {

bool can_write_pdf() { return true; }

std::string decision_pdf(const Decision& decision, Language language) {
  qt::ensure_application();
  return qt::document_pdf(document::decision_document(decision, language));
}

}  // namespace weir::reports

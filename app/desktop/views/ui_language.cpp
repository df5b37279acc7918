#include "app/desktop/views/ui_language.h"

#include <QCoreApplication>
#include <memory>

#include "app/desktop/models/text.h"
#include "app/desktop/models/translator.h"

namespace weir::desktop {
namespace {

std::unique_ptr<Translator>& installed() {
  static std::unique_ptr<Translator> translator;
  return translator;
}

}  // namespace

reports::Language ui_language() { return installed() ? installed()->language() : reports::Language::en; }

void set_ui_language(reports::Language language) {
  if (installed() && installed()->language() == language) return;
  if (installed()) QCoreApplication::removeTranslator(installed().get());
  installed() = std::make_unique<Translator>(language);
  QCoreApplication::installTranslator(installed().get());
}

QString in_ui_language(const QString& english) { return words(ui_language(), english); }
QString in_ui_language(const std::string& english) { return words(ui_language(), english); }

QString list_separator() {
  return ui_language() == reports::Language::zh_CN ? QStringLiteral("、") : QStringLiteral(", ");
}

}  // namespace weir::desktop

#include "app/desktop/models/translator.h"

namespace weir::desktop {

Translator::Translator(reports::Language language, QObject* parent) : QTranslator(parent), language_(language) {}

QString Translator::translate(const char*, const char* source, const char*, int) const {
  const std::string words = reports::say(language_, source);
  // An empty answer means "not mine": Qt then shows the English source text.
  return words == source ? QString() : QString::fromStdString(words);
}

}  // namespace weir::desktop

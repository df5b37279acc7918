#pragma once

#include <QTranslator>

#include "reports/language.h"

namespace weir::desktop {

/// Qt's tr() on the same tables of words as the rest of Weir (data/language). Install one and replace it to switch the
/// language; the entry's key is the text inside tr(), places as Qt writes them: "%1 of %2".
class Translator : public QTranslator {
  Q_OBJECT

 public:
  explicit Translator(reports::Language language, QObject* parent = nullptr);
  reports::Language language() const { return language_; }
  bool isEmpty() const override { return false; }
  QString translate(const char* context, const char* source, const char* disambiguation, int n) const override;

 private:
  reports::Language language_;
};

}  // namespace weir::desktop

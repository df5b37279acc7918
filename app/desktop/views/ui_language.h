#pragma once

#include <QString>

#include "reports/language.h"

namespace weir::desktop {

/// The language the interface speaks now. Set before the widgets are made; a switch makes them anew.
reports::Language ui_language();
void set_ui_language(reports::Language language);

/// A finished sentence of the rooms below, in that language.
QString in_ui_language(const QString& english);
QString in_ui_language(const std::string& english);
/// Between the entries of an enumeration.
QString list_separator();

}  // namespace weir::desktop

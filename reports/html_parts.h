#pragma once

#include <string>
#include <string_view>

#include "reports/document.h"

/// Pieces of the HTML page. All text is escaped here; nothing refers to another file.
namespace weir::reports::html {

/// The style sheet: tokens of the light theme, a screen layout and A4 print rules with page numbers in the document's
/// language.
std::string style_sheet(const document::Document& document);

/// A 9 px drawn mark for where a number comes from, with its word as accessible name.
std::string mark(data::Evidence evidence, Language language);
/// A 14 px marker of an option. Decoration next to the words that say the same: hidden from screen readers.
std::string option_marker(const document::Marker& marker);
/// A strip from P10 to P90 on the scale of its column with a tick at the value.
std::string range_strip(const document::Strip& strip, const document::Column& column, std::string_view words);
/// One bar in parts, and below it how many inputs are known how.
std::string evidence_bar(const document::EvidenceBar& bar, Language language);

std::string table(const document::Table& table, Language language);
/// Figures are numbered through the document: `count` is that of the last one.
std::string figures(const document::Figures& figures, Language language, int& count);

}  // namespace weir::reports::html

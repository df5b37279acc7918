#pragma once

#include <string>
#include <vector>

/// What Qt cannot put into a PDF.
namespace weir::reports::qt::pdf {

struct OutlineEntry {
  std::string title;
  std::size_t page = 0;  ///< from 0
  double y = 0;          ///< pt from the top of the page
};

struct About {
  std::string title, subject;
  std::string language;  ///< "en", "zh-CN"
  std::string date;      ///< "2026-05-01"
};

/// Adds outline, language and title, replaces what depends on the clock by the date, and packs the file.
std::string finish(const std::string& pdf, const About& about, const std::vector<OutlineEntry>& outline);

}  // namespace weir::reports::qt::pdf

#include <algorithm>
#include <array>

#include "reports/format.h"

namespace weir::reports {
namespace {

struct CodePoint {
  char32_t value = 0;
  std::size_t length = 1;
  bool valid = true;
};

CodePoint decode(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte(at);
  if (lead < 0x80) return {lead, 1, true};
  const std::size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : lead >= 0xC0 ? 2 : 0;
  if (length == 0 || lead > 0xF4 || at + length > text.size()) return {0xFFFD, 1, false};
  char32_t value = lead & (0x7FU >> length);
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(at + i) & 0xC0U) != 0x80U) return {0xFFFD, 1, false};
    value = (value << 6U) | (byte(at + i) & 0x3FU);
  }
  return {value, length, true};
}

int columns_of(char32_t c) {
  // Combining marks and zero-width characters, then the wide blocks of Unicode's EastAsianWidth (W and F).
  if ((c >= 0x300 && c <= 0x36F) || (c >= 0x200B && c <= 0x200F) || c == 0xFEFF) return 0;
  constexpr std::array<std::array<char32_t, 2>, 9> kWide = {{{0x1100, 0x115F},
                                                             {0x2E80, 0x303E},
                                                             {0x3041, 0xA4CF},
                                                             {0xAC00, 0xD7A3},
                                                             {0xF900, 0xFAFF},
                                                             {0xFE30, 0xFE4F},
                                                             {0xFF00, 0xFF60},
                                                             {0x1F300, 0x1FAFF},
                                                             {0x20000, 0x3FFFD}}};
  return std::any_of(kWide.begin(), kWide.end(), [&](const auto& r) { return c >= r[0] && c <= r[1]; }) ? 2 : 1;
}

}  // namespace

int display_width(std::string_view utf8) {
  int width = 0;
  for (std::size_t at = 0; at < utf8.size();) {
    const CodePoint c = decode(utf8, at);
    width += columns_of(c.value);
    at += c.length;
  }
  return width;
}

std::string cut_to_width(std::string_view utf8, int width) {
  if (display_width(utf8) <= width) return std::string(utf8);
  const int room = std::max(0, width - 3);
  int used = 0;
  std::size_t at = 0;
  while (at < utf8.size()) {
    const CodePoint c = decode(utf8, at);
    if (used + columns_of(c.value) > room) break;
    used += columns_of(c.value);
    at += c.length;
  }
  return std::string(utf8.substr(0, at)) + std::string(static_cast<std::size_t>(std::clamp(width, 0, 3)), '.');
}

std::string escape_markup(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const CodePoint c = decode(text, at);
    const bool allowed = c.valid && (c.value >= 0x20 || c.value == '\t' || c.value == '\n' || c.value == '\r') &&
                         !(c.value >= 0xD800 && c.value <= 0xDFFF) && c.value != 0xFFFE && c.value != 0xFFFF;
    if (!allowed) {
      out += "\ufffd";
    } else if (c.value == '&') {
      out += "&amp;";
    } else if (c.value == '<') {
      out += "&lt;";
    } else if (c.value == '>') {
      out += "&gt;";
    } else if (c.value == '"') {
      out += "&quot;";
    } else if (c.value == '\'') {
      out += "&#39;";
    } else {
      out += text.substr(at, c.length);
    }
    at += c.length;
  }
  return out;
}

}  // namespace weir::reports

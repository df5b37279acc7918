#include <algorithm>
#include <string_view>
#include <vector>

#include "reports/format.h"
#include "reports/text_table.h"

namespace weir::reports {
namespace {

std::size_t length_at(std::string_view text, std::size_t at) {
  const auto lead = static_cast<unsigned char>(text[at]);
  const std::size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : lead >= 0xC0 ? 2 : 1;
  return std::min(length, text.size() - at);
}

bool is_one_of(std::string_view character, std::string_view all) {
  return character.size() > 1 && all.find(character) != std::string_view::npos;
}

/// Characters of Chinese between which a line may break: all that take two columns.
bool is_wide(std::string_view character) { return character.size() > 1 && display_width(character) == 2; }
bool never_starts_a_line(std::string_view c) { return is_one_of(c, "，。：；、！？）》」』】”’…"); }
bool never_ends_a_line(std::string_view c) { return is_one_of(c, "（《「『【“‘"); }

/// A piece that a line break never divides, and how many blanks stand before it.
struct Piece {
  std::string text;
  int blanks = 0;
};

std::vector<Piece> pieces_of(std::string_view text) {
  std::vector<Piece> pieces;
  int blanks = 0;
  bool joined = false;  // joined: the next character belongs to the last piece
  std::string_view before;
  for (std::size_t at = 0; at < text.size();) {
    const std::string_view c = text.substr(at, length_at(text, at));
    at += c.size();
    if (c == " ") {
      ++blanks;
      joined = false;
      continue;
    }
    const bool may_break = is_wide(c) || is_wide(before);
    if (joined && (!may_break || never_starts_a_line(c) || never_ends_a_line(before))) {
      pieces.back().text += c;
    } else {
      pieces.push_back({std::string(c), blanks});
    }
    blanks = 0;
    joined = true;
    before = c;
  }
  return pieces;
}

}  // namespace

std::string wrap_text(const std::string& text, int width, const std::string& first) {
  const int indent = display_width(first);
  std::string out = first;
  int used = indent;
  bool start = true;
  for (const Piece& piece : pieces_of(text)) {
    const int needed = display_width(piece.text);
    if (!start && used + piece.blanks + needed > width) {
      out += "\n" + std::string(static_cast<std::size_t>(indent), ' ');
      used = indent;
    } else {
      out += std::string(static_cast<std::size_t>(piece.blanks), ' ');
      used += piece.blanks;
    }
    out += piece.text;
    used += needed;
    start = false;
  }
  return out + "\n";
}

}  // namespace weir::reports

#include "reports/charts/scene.h"

#include "reports/format.h"

namespace weir::reports::charts {
namespace {

/// Advance widths of Noto Sans in em, by group of letters.
double advance_em(char c) {
  switch (c) {
    case 'i':
    case 'j':
    case 'l':
    case 'I':
    case '.':
    case ',':
    case ':':
    case ';':
    case '\'':
    case '|':
    case '!':
      return 0.28;
    case ' ':
      return 0.26;
    case 'f':
    case 't':
    case 'r':
    case '(':
    case ')':
    case '-':
    case '/':
      return 0.38;
    case 'm':
    case 'w':
    case 'M':
    case 'W':
    case '%':
    case '@':
      return 0.92;
    default:
      break;
  }
  if (c >= '0' && c <= '9') return 0.573;
  if (c >= 'A' && c <= 'Z') return 0.67;
  return 0.58;
}

}  // namespace

double text_width(const std::string& text, double size, bool bold) {
  double em = 0;
  std::string other;
  for (const char c : text) {
    if (static_cast<unsigned char>(c) < 0x80) {
      em += advance_em(c);
    } else {
      other += c;
    }
  }
  em += 0.58 * display_width(other);
  return em * size * (bold ? 1.06 : 1.0);
}

}  // namespace weir::reports::charts

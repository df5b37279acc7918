#include "reports/charts/scene.h"

#include <array>
#include <cstdint>

#include "reports/format.h"

namespace weir::reports::charts {
namespace {

using Widths = std::array<std::uint16_t, 95>;

/// Advance widths of Noto Sans in thousandths of an em, from U+0020 to U+007E.
constexpr Widths kRegular = {260, 269, 408, 646, 572, 831, 732, 225, 300, 300, 551, 572, 268, 322, 268, 372,
                             572, 572, 572, 572, 572, 572, 572, 572, 572, 572, 268, 268, 572, 572, 572, 434,
                             899, 639, 650, 632, 730, 556, 519, 728, 741, 339, 273, 619, 524, 907, 760, 781,
                             605, 781, 622, 549, 556, 731, 600, 930, 586, 566, 572, 329, 372, 329, 572, 444,
                             281, 561, 615, 480, 615, 564, 344, 615, 618, 258, 258, 534, 258, 935, 618, 605,
                             615, 615, 413, 479, 361, 618, 508, 786, 529, 510, 470, 380, 551, 380, 572};
constexpr Widths kBold = {260, 286, 472, 646, 572, 901, 750, 266, 339, 339, 545, 572, 285, 322, 285, 413,
                          572, 572, 572, 572, 572, 572, 572, 572, 572, 572, 285, 285, 572, 572, 572, 477,
                          897, 690, 672, 637, 740, 560, 549, 724, 765, 389, 331, 664, 565, 943, 813, 796,
                          628, 796, 660, 551, 579, 756, 650, 967, 667, 624, 579, 331, 413, 331, 572, 411,
                          362, 604, 633, 514, 633, 591, 387, 633, 657, 305, 305, 620, 305, 982, 657, 619,
                          633, 633, 454, 497, 434, 657, 569, 856, 578, 569, 488, 394, 551, 394, 572};

/// Signs beyond ASCII that charts use, and what stands for the rest: Han characters fill one em, letters about 0.6.
double other_em(std::string_view sign) {
  if (sign == "\u00a0") return 0.26;
  if (sign == "\u2009" || sign == "\u202f") return 0.166;
  if (sign == "\u00b7") return 0.285;
  if (sign == "\u2013") return 0.5;
  if (sign == "\u2212") return 0.8;  // Noto Sans has none: it comes from whatever other font is installed
  if (sign == "\u2026") return 0.85;
  if (sign == "\u00d7" || sign == "\u00b1" || sign == "\u00a5" || sign == "\u20ac" || sign == "\u00a3") return 0.572;
  if (sign == "\u00b5") return 0.66;
  // The arrows and signs of comparison come from the Han font.
  if (sign.size() == 3 && sign[0] == '\xe2') return 1.0;
  return display_width(sign) == 2 ? 1.0 : 0.62 * display_width(sign);
}

}  // namespace

double text_width(const std::string& text, double size, bool bold) {
  const Widths& widths = bold ? kBold : kRegular;
  double em = 0;
  for (std::size_t at = 0; at < text.size();) {
    const auto lead = static_cast<unsigned char>(text[at]);
    std::size_t length = 1;
    if (lead < 0x80) {
      if (lead >= 0x20 && lead < 0x7F) em += widths[lead - 0x20U] / 1000.0;
    } else {
      while (at + length < text.size() && (static_cast<unsigned char>(text[at + length]) & 0xC0U) == 0x80U) ++length;
      em += other_em(std::string_view(text).substr(at, length));
    }
    at += length;
  }
  return em * size;
}

}  // namespace weir::reports::charts

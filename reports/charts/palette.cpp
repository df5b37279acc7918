#include "reports/charts/palette.h"

#include <algorithm>
#include <cmath>

namespace weir::reports::charts {
namespace {

constexpr Colour rgb(std::uint32_t hex) {
  return {static_cast<std::uint8_t>(hex >> 16U), static_cast<std::uint8_t>(hex >> 8U & 0xFFU),
          static_cast<std::uint8_t>(hex & 0xFFU)};
}

double linear(std::uint8_t channel) {
  const double c = channel / 255.0;
  return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
}

}  // namespace

Colour colour(Role role, Theme theme) {
  const bool light = theme == Theme::light;
  switch (role) {
    case Role::none:
    case Role::canvas:
      return light ? rgb(0xFFFFFF) : rgb(0x1E1F22);
    case Role::text:
      return light ? rgb(0x1C2024) : rgb(0xE7E8EA);
    case Role::text_secondary:
      return light ? rgb(0x565D66) : rgb(0xA6ABB3);
    case Role::control:
      return light ? rgb(0x868D96) : rgb(0x787E87);
    case Role::grid:
      return light ? rgb(0xE8EAED) : rgb(0x2D3034);
    case Role::problem:
      return light ? rgb(0xA84300) : rgb(0xF0A35E);
    case Role::owned:
    case Role::neutral:
      return light ? rgb(0x0072B2) : rgb(0x56B4E9);
    case Role::rented:
      return light ? rgb(0xD55E00) : rgb(0xE69F00);
    case Role::hybrid:
      return rgb(0xCC79A7);
    case Role::fourth:
      return rgb(0x009E73);
  }
  return {};
}

std::string to_hex(Colour c) {
  constexpr char kDigits[] = "0123456789ABCDEF";
  std::string out = "#";
  for (const std::uint8_t channel : {c.red, c.green, c.blue}) {
    out += kDigits[channel >> 4U];
    out += kDigits[channel & 0xFU];
  }
  return out;
}

double luminance(Colour c) { return 0.2126 * linear(c.red) + 0.7152 * linear(c.green) + 0.0722 * linear(c.blue); }

double contrast(Colour a, Colour b) {
  const double la = luminance(a);
  const double lb = luminance(b);
  return (std::max(la, lb) + 0.05) / (std::min(la, lb) + 0.05);
}

}  // namespace weir::reports::charts

#include "reports/charts/palette.h"

#include <algorithm>
#include <array>
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
    case Role::ink:
      return rgb(0x000000);
    case Role::chalk:
      return rgb(0xFFFFFF);
  }
  return {};
}

Colour cividis(double share) {
  constexpr std::array<std::uint32_t, 9> kSteps = {0x002051, 0x11366C, 0x3C4D6E, 0x62646F, 0x7F7C75,
                                                   0x9A9478, 0xBBAF71, 0xE2CB5C, 0xFDEA45};
  const double at = std::clamp(share, 0.0, 1.0) * (kSteps.size() - 1);
  const auto step = std::min(static_cast<std::size_t>(at), kSteps.size() - 2);
  const Colour a = rgb(kSteps[step]);
  const Colour b = rgb(kSteps[step + 1]);
  const double t = at - static_cast<double>(step);
  const auto mixed = [t](std::uint8_t from, std::uint8_t to) {
    return static_cast<std::uint8_t>(std::lround(from + t * (to - from)));
  };
  return {mixed(a.red, b.red), mixed(a.green, b.green), mixed(a.blue, b.blue)};
}

Colour fill_colour(const Fill& fill, Theme theme) {
  return fill.shade >= 0 ? cividis(fill.shade) : colour(fill.role, theme);
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

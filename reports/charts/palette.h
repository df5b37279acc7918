#pragma once

#include <cstdint>
#include <string>

#include "reports/charts/scene.h"

namespace weir::reports::charts {

struct Colour {
  std::uint8_t red = 0, green = 0, blue = 0;
  bool operator==(const Colour&) const = default;
};

enum class Theme { light, dark };

/// Colours after Okabe and Ito, in two sets because the raw set does not reach 3:1 on white. Role::none is the canvas.
Colour colour(Role role, Theme theme);
/// The scale of heat maps, cividis: dark blue at 0, yellow at 1; orders by lightness, also without colour vision.
Colour cividis(double share);
/// The colour of a fill, by shade or by role.
Colour fill_colour(const Fill& fill, Theme theme);
/// "#0072B2"
std::string to_hex(Colour colour);

/// Relative luminance and contrast ratio of WCAG 2.2.
double luminance(Colour colour);
double contrast(Colour a, Colour b);

}  // namespace weir::reports::charts

#pragma once

#include <string>
#include <vector>

#include "reports/charts/clip.h"
#include "reports/charts/scene.h"

namespace weir::reports::charts {

/// The space that a text takes.
Box text_box(const Text& text);

/// One place that a label could stand at.
struct Place {
  Point at;
  Anchor anchor = Anchor::start;
  double cost = 0;  ///< how unwelcome it is as such; crossing a grid line costs 1, a curve 20
};
/// Adds lines of text, below each other, at the place where they hide least of what the scene already holds and stay
/// inside `within`; the first of equally good ones. The first `main_lines` are set like `style`, the others plain and
/// secondary. Nothing is added where every place is outside or on another text. Returns whether it was added.
bool place_text(Scene& scene, const Text& style, const std::vector<std::string>& lines,
                const std::vector<Place>& places, const Box& within, std::size_t main_lines = 1);

/// Eight places around a mark, right of it first.
std::vector<Place> places_around(Point mark, double gap);

}  // namespace weir::reports::charts

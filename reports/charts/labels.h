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
};
/// Adds a text at the place where it hides least of what the scene already holds and stays inside `within`; the first
/// of equally good ones. Lines of text stand below each other, the first in the style of `style`, the others
/// secondary. Nothing is added where it would lie on another text or outside. Returns whether it was added.
bool place_text(Scene& scene, const Text& style, const std::vector<std::string>& lines,
                const std::vector<Place>& places, const Box& within);

/// Eight places around a mark, right of it first.
std::vector<Place> places_around(Point mark, double gap);

}  // namespace weir::reports::charts

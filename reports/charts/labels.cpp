#include "reports/charts/labels.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "reports/charts/frame.h"

namespace weir::reports::charts {
namespace {

constexpr double kForbidden = 1e6;

Box grown(const Box& box, double by) { return {box.left - by, box.top - by, box.right + by, box.bottom + by}; }

/// What it costs to lie on each kind of mark.
class Clutter {
 public:
  explicit Clutter(const Box& box) : box_(box) {}

  void operator()(const Text& text) {
    if (text_box(text).overlaps(grown(box_, 2))) sum_ += kForbidden;
  }
  void operator()(const Line& line) {
    if (clip_segment(line.from, line.to, grown(box_, 1))) sum_ += line.stroke.role == Role::grid ? 1 : 12;
  }
  void operator()(const Polyline& line) {
    if (line.stroke.role != Role::canvas) outline(line.points, false, 20);
  }
  void operator()(const Polygon& area) {
    // An edge of a faint band disturbs less than a marker.
    outline(area.points, true, area.fill.opacity < 0.5 ? 6 : 60);
  }
  void operator()(const Rect& rect) {
    const Box box{rect.x, rect.y, rect.x + rect.width, rect.y + rect.height};
    if (rect.fill.opacity >= 0.5 && rect.fill.role != Role::canvas && box.overlaps(box_)) sum_ += 40;
  }
  void operator()(const Circle& circle) {
    const Point c = circle.centre;
    const double r = circle.radius + 2;
    if (Box{c.x - r, c.y - r, c.x + r, c.y + r}.overlaps(box_)) sum_ += 60;
  }
  double sum() const { return sum_; }

 private:
  void outline(const std::vector<Point>& points, bool closed, double cost) {
    const Box wide = grown(box_, 2);
    const std::size_t count = points.size();
    for (std::size_t i = 0; i + (closed ? 0 : 1) < count; ++i) {
      if (!clip_segment(points[i], points[(i + 1) % count], wide)) continue;
      sum_ += cost;
      return;
    }
  }

  Box box_;
  double sum_ = 0;
};

double clutter(const Scene& scene, const Box& box) {
  Clutter count(box);
  for (const Primitive& item : scene.items) std::visit(count, item);
  return count.sum();
}

}  // namespace

Box text_box(const Text& text) {
  const double width = text_width(text.text, text.size, text.bold);
  const double left = text.anchor == Anchor::start    ? text.at.x
                      : text.anchor == Anchor::middle ? text.at.x - width / 2
                                                      : text.at.x - width;
  return {left, text.at.y - 0.82 * text.size, left + width, text.at.y + 0.22 * text.size};
}

bool place_text(Scene& scene, const Text& style, const std::vector<std::string>& lines,
                const std::vector<Place>& places, const Box& within, std::size_t main_lines) {
  const auto line_at = [&](const Place& place, std::size_t i) {
    Text text = style;
    text.text = lines[i];
    text.at = {place.at.x, place.at.y + static_cast<double>(i) * kLineHeight};
    text.anchor = place.anchor;
    if (i >= main_lines) {
      text.bold = false;
      text.role = Role::text_secondary;
    }
    return text;
  };
  const Place* best = nullptr;
  double least = kForbidden;
  for (const Place& place : places) {
    double cost = place.cost;
    for (std::size_t i = 0; i < lines.size(); ++i) {
      const Box box = text_box(line_at(place, i));
      const bool inside =
          box.left >= within.left && box.right <= within.right && box.top >= within.top && box.bottom <= within.bottom;
      cost += inside ? clutter(scene, box) : kForbidden;
    }
    if (cost < least) {
      least = cost;
      best = &place;
    }
  }
  if (best == nullptr) return false;
  for (std::size_t i = 0; i < lines.size(); ++i) scene.add(line_at(*best, i));
  return true;
}

std::vector<Place> places_around(Point p, double gap) {
  const double diagonal = gap * 0.75;
  return {{{p.x + gap, p.y + 4}, Anchor::start},
          {{p.x - gap, p.y + 4}, Anchor::end},
          {{p.x, p.y - gap - 1}, Anchor::middle},
          {{p.x, p.y + gap + 9}, Anchor::middle},
          {{p.x + diagonal, p.y - diagonal}, Anchor::start},
          {{p.x - diagonal, p.y - diagonal}, Anchor::end},
          {{p.x + diagonal, p.y + diagonal + 8}, Anchor::start},
          {{p.x - diagonal, p.y + diagonal + 8}, Anchor::end}};
}

}  // namespace weir::reports::charts

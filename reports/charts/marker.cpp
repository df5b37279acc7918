#include <cmath>

#include "reports/charts/figures.h"

namespace weir::reports::charts {
namespace {

std::vector<Point> outline(Point c, double r, Shape shape) {
  switch (shape) {
    case Shape::square: {
      const double h = r * 0.9;
      return {{c.x - h, c.y - h}, {c.x + h, c.y - h}, {c.x + h, c.y + h}, {c.x - h, c.y + h}};
    }
    case Shape::diamond: {
      const double h = r * 1.25;
      return {{c.x, c.y - h}, {c.x + h, c.y}, {c.x, c.y + h}, {c.x - h, c.y}};
    }
    case Shape::triangle_down: {
      const double h = r * 1.15;
      return {{c.x - h, c.y - h * 0.8}, {c.x + h, c.y - h * 0.8}, {c.x, c.y + h}};
    }
    case Shape::triangle_up: {
      const double h = r * 1.15;
      return {{c.x - h, c.y + h * 0.8}, {c.x + h, c.y + h * 0.8}, {c.x, c.y - h}};
    }
    case Shape::pentagon: {
      std::vector<Point> points;
      for (int i = 0; i < 5; ++i) {
        const double angle = -1.5707963267948966 + i * 1.2566370614359172;
        points.push_back({c.x + 1.15 * r * std::cos(angle), c.y + 1.15 * r * std::sin(angle)});
      }
      return points;
    }
    case Shape::cross: {
      const double a = r * 1.1;
      const double b = r * 0.4;
      return {{c.x - b, c.y - a}, {c.x + b, c.y - a}, {c.x + b, c.y - b}, {c.x + a, c.y - b},
              {c.x + a, c.y + b}, {c.x + b, c.y + b}, {c.x + b, c.y + a}, {c.x - b, c.y + a},
              {c.x - b, c.y + b}, {c.x - a, c.y + b}, {c.x - a, c.y - b}, {c.x - b, c.y - b}};
    }
    case Shape::circle:
      break;
  }
  return {};
}

}  // namespace

void draw_marker(Scene& scene, Point centre, double radius, Shape shape, Role role, bool hollow) {
  const Fill fill{hollow ? Role::canvas : role, 1};
  const Stroke stroke{role, hollow ? 1.5 : 1, Dash::solid};
  if (shape == Shape::circle) {
    scene.add(Circle{centre, radius, fill, stroke});
  } else {
    scene.add(Polygon{outline(centre, radius, shape), fill, stroke});
  }
}

}  // namespace weir::reports::charts

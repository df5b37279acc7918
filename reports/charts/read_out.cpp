#include "reports/charts/read_out.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string_view>

#include "reports/charts/frame.h"

namespace weir::reports::charts {
namespace {

constexpr std::string_view kGap = "\u2003";

using Iterator = std::vector<Point>::const_iterator;

bool on(const Rect& area, Point p) {
  return p.x >= area.x && p.x <= area.x + area.width && p.y >= area.y && p.y <= area.y + area.height;
}

/// The first point right of x, and the one before it.
Iterator after(const ReadableSeries& series, double x) {
  return std::upper_bound(series.points.begin(), series.points.end(), x,
                          [](double value, const Point& p) { return value < p.x; });
}

double nearest_x(const ReadableSeries& series, double x) {
  if (series.points.empty()) return x;
  const Iterator next = after(series, x);
  if (next == series.points.begin()) return next->x;
  const Iterator before = next - 1;
  if (next == series.points.end()) return before->x;
  return next->x - x < x - before->x ? next->x : before->x;
}

struct Nearest {
  const ReadableSeries* series = nullptr;
  Point point;
};

/// Of all points that stand alone the nearest one that is shown.
Nearest nearest_point(const Plot& plot, Point px) {
  Nearest nearest;
  double least = std::numeric_limits<double>::infinity();
  for (const ReadableSeries& series : plot.series) {
    if (!series.scattered) continue;
    for (const Point& p : series.points) {
      const Point at = pixel_at(plot, p);
      const double distance = std::hypot(at.x - px.x, at.y - px.y);
      if (distance >= least || !on(plot.area, at)) continue;
      least = distance;
      nearest = {&series, p};
    }
  }
  return nearest;
}

std::string joined(const ReadOut& read) {
  // Wide spaces keep the fields apart; they are fields, not parts of a sentence.
  std::string line = read.x_text;
  for (const ReadValue& value : read.values) {
    if (!line.empty()) line += kGap;
    line += value.label.empty() ? value.text : value.label + " " + value.text;
  }
  return line;
}

void read_nearest(const Plot& plot, Point px, ReadOut& read) {
  const Nearest nearest = nearest_point(plot, px);
  if (nearest.series == nullptr) return;
  const Point at = pixel_at(plot, nearest.point);
  read.x = nearest.point.x;
  read.rule_x = at.x;
  read.values.push_back({nearest.series->label, plot.y_text ? plot.y_text(nearest.point.y) : "", nearest.point.y, at,
                         nearest.series->role});
}

void read_lines(const Plot& plot, Point px, ReadOut& read) {
  read.x = data_at(plot, px).x;
  if (plot.snaps_x && !plot.series.empty()) {
    const double low = std::min(plot.x.low, plot.x.high);
    const double high = std::max(plot.x.low, plot.x.high);
    const double snapped = nearest_x(plot.series.front(), read.x);
    if (snapped >= low && snapped <= high) read.x = snapped;
  }
  read.rule_x = pixel_at(plot, {read.x, plot.y.low}).x;
  for (const ReadableSeries& series : plot.series) {
    const auto value = value_of(series, read.x, plot.x, plot.y);
    if (!value) continue;
    read.values.push_back(
        {series.label, plot.y_text ? plot.y_text(*value) : "", *value, pixel_at(plot, {read.x, *value}), series.role});
  }
}

/// As many whole fields as the width holds, and a sign where some are left out.
std::string fitted(const std::string& line, double width) {
  if (text_width(line, kTextSize) <= width) return line;
  const std::string rest = std::string(kGap) + "\u2026";
  std::size_t end = line.rfind(kGap);
  while (end != std::string::npos && end > 0) {
    const std::string shown = line.substr(0, end) + rest;
    if (text_width(shown, kTextSize) <= width) return shown;
    end = line.rfind(kGap, end - 1);
  }
  return line;
}

}  // namespace

double value_at(const Scale& scale, double share) {
  if (scale.logarithmic) return scale.low * std::pow(scale.high / scale.low, share);
  return scale.low + share * (scale.high - scale.low);
}

double share_of(const Scale& scale, double value) {
  if (scale.logarithmic) return std::log(value / scale.low) / std::log(scale.high / scale.low);
  return (value - scale.low) / (scale.high - scale.low);
}

Point data_at(const Plot& plot, Point px) {
  return {value_at(plot.x, (px.x - plot.area.x) / plot.area.width),
          value_at(plot.y, 1 - (px.y - plot.area.y) / plot.area.height)};
}

Point pixel_at(const Plot& plot, Point data) {
  return {plot.area.x + share_of(plot.x, data.x) * plot.area.width,
          plot.area.y + (1 - share_of(plot.y, data.y)) * plot.area.height};
}

std::optional<double> value_of(const ReadableSeries& series, double x, const Scale& x_scale, const Scale& y_scale) {
  const Iterator next = after(series, x);
  if (next == series.points.begin()) return std::nullopt;
  const Point before = *(next - 1);
  if (!std::isfinite(before.y)) return std::nullopt;
  if (next == series.points.end()) return x == before.x ? std::optional(before.y) : std::nullopt;
  if (series.steps || x == before.x) return before.y;
  if (!std::isfinite(next->y)) return std::nullopt;
  // Straight on the paper: on a logarithmic axis that is straight in the logarithm.
  const auto place = [&](double value) { return x_scale.logarithmic ? std::log(value) : value; };
  if (x_scale.logarithmic && !(before.x > 0)) return next->y;
  const double t = (place(x) - place(before.x)) / (place(next->x) - place(before.x));
  if (y_scale.logarithmic && before.y > 0 && next->y > 0) return before.y * std::pow(next->y / before.y, t);
  return before.y + t * (next->y - before.y);
}

std::optional<ReadOut> read_out(const Scene& scene, Point px) {
  for (std::size_t i = 0; i < scene.plots.size(); ++i) {
    const Plot& plot = scene.plots[i];
    if (!on(plot.area, px)) continue;
    ReadOut read;
    read.plot = i;
    if (plot.text_at) {
      const Point at = data_at(plot, px);
      read.x = at.x;
      read.rule_x = px.x;
      read.line = plot.text_at(at);
      if (read.line.empty()) return std::nullopt;
      return read;
    }
    const bool scattered =
        std::any_of(plot.series.begin(), plot.series.end(), [](const ReadableSeries& s) { return s.scattered; });
    if (scattered) {
      read_nearest(plot, px, read);
    } else {
      read_lines(plot, px, read);
    }
    if (read.values.empty()) return std::nullopt;
    if (plot.x_text) read.x_text = plot.x_text(read.x);
    read.line = joined(read);
    return read;
  }
  return std::nullopt;
}

Scene read_out_marks(const Scene& scene, const ReadOut& read) {
  Scene marks{scene.width, scene.height, scene.title, read.line, {}, {}};
  const Plot& plot = scene.plots[read.plot];
  if (!read.values.empty()) {
    const double x = std::floor(read.rule_x) + 0.5;
    marks.add(Line{{x, plot.area.y}, {x, plot.area.y + plot.area.height}, {Role::text_secondary, 1, Dash::solid}});
  }
  for (const ReadValue& value : read.values) {
    if (on(plot.area, value.at)) {
      marks.add(Circle{value.at, 3.5, {Role::canvas, 1}, {value.role, 1.75, Dash::solid}});
    }
  }
  // Right of the title where there is room, else over the title: the line repeats what the title says.
  const bool beside = text_width(read.line, kTextSize) + 4 <= plot.read_out.width;
  const Rect& strip = plot.read_out;
  if (!beside) marks.add(Rect{0, strip.y, scene.width, strip.height, {Role::canvas, 1}, {}, 0});
  marks.add(Text{{beside ? scene.width - 2 : 0, strip.y + 12},
                 fitted(read.line, scene.width),
                 kTextSize,
                 beside ? Anchor::end : Anchor::start,
                 Role::text,
                 false,
                 false});
  return marks;
}

}  // namespace weir::reports::charts

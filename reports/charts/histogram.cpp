#include "reports/charts/histogram.h"

#include <algorithm>
#include <cmath>

#include "reports/charts/frame.h"
#include "reports/charts/labels.h"
#include "reports/charts/legend.h"
#include "reports/charts/words.h"
#include "reports/format.h"

namespace weir::reports::charts {
namespace {

void draw_bins(Scene& scene, const Frame& frame, const Histogram& data) {
  for (std::size_t i = 0; i < data.shares.size(); ++i) {
    const double from = std::max(frame.left(), frame.x(data.edges[i]));
    const double to = std::min(frame.right(), frame.x(data.edges[i + 1]));
    // Bars end on whole pixels with one pixel between them; bins narrower than that touch.
    const double left = std::round(from);
    const double right = std::round(to) - (to - from >= 3 ? 1 : 0);
    const double top = std::max(frame.top(), frame.y(data.shares[i]));
    if (right > left && data.shares[i] > 0) {
      draw_bar(scene, left, top, right - left, frame.bottom() - top, data.role, Hatch::none);
    }
  }
}

/// Upright rules that reach above the plot to their labels, which stand left of them where there is room.
void draw_rules(Scene& scene, const Frame& frame, const std::vector<Rule>& rules) {
  const double top = frame.top() - 18;
  for (const Rule& rule : rules) {
    const double at = std::floor(frame.x(rule.value)) + 0.5;
    if (at < frame.left() || at > frame.right()) continue;
    scene.add(
        Line{{at, top}, {at, frame.bottom()}, {Role::text, kTargetPen, rule.dashed ? Dash::dotted : Dash::solid}});
  }
  for (const Rule& rule : rules) {
    const double at = frame.x(rule.value);
    if (at < frame.left() || at > frame.right()) continue;
    const std::vector<Place> places = {{{at - 5, top + 9}, Anchor::end},  {{at + 5, top + 9}, Anchor::start},
                                       {{at - 5, top + 24}, Anchor::end}, {{at + 5, top + 24}, Anchor::start},
                                       {{at - 5, top + 39}, Anchor::end}, {{at + 5, top + 39}, Anchor::start}};
    place_text(scene, Text{{}, "", kTextSize, Anchor::start, Role::text, false, true}, {rule.label}, places,
               {0, top - 4, scene.width, frame.bottom()});
  }
}

std::string bin_text(const Histogram& data, std::size_t bin) {
  const auto number = [](double value) { return trimmed(value, 3, Spelling::typographic); };
  return number(data.edges[bin]) + "–" + number(data.edges[bin + 1]) + (data.unit.empty() ? "" : "\u00a0" + data.unit);
}

Plot plot_of(const Histogram& data, const Frame& frame, double width) {
  Plot plot = frame.plot(true, false);
  plot.x_name = data.x_title;
  plot.y_name = data.title;
  plot.read_out = read_out_strip(data.title, width);
  plot.text_at = [data](Point at) {
    const auto edge = std::upper_bound(data.edges.begin(), data.edges.end(), at.x);
    if (edge == data.edges.begin() || edge == data.edges.end()) return std::string();
    const auto bin = static_cast<std::size_t>(edge - data.edges.begin() - 1);
    return bin_text(data, bin) + "\u2003" + percent(data.shares[bin], 1) + "\u00a0%";
  };
  return plot;
}

std::string summary_of(const Histogram& data, Language language) {
  if (data.shares.empty()) return say(language, "There is nothing to draw.");
  const auto most = std::max_element(data.shares.begin(), data.shares.end());
  std::string text = say(
      language, "Most often {range}: {share} %. ",
      {{"range", bin_text(data, static_cast<std::size_t>(most - data.shares.begin()))}, {"share", percent(*most, 1)}});
  for (const Rule& rule : data.rules) text += rule.label + full_stop(language);
  return text;
}

}  // namespace

Scene histogram(const Histogram& data, const Layout& layout) {
  const Language language = layout.language;
  Scene scene{layout.width, layout.height, data.title, summary_of(data, language), {}, {}};
  double top = draw_title(scene, data.title, layout.width);
  if (data.shares.empty() || data.edges.size() != data.shares.size() + 1) return scene;
  if (!data.rules.empty()) top += 16;
  const double height = layout.height - top - kFooterHeight;
  const double most = *std::max_element(data.shares.begin(), data.shares.end());
  const Range all{data.edges.front(), data.edges.back()};
  const int wanted = ticks_for(layout.width, 64, 8);
  Axis x = data.logarithmic ? log_axis(all, layout.x_view, wanted, log_title(data.x_title, language))
                            : linear_axis(all, layout.x_view, wanted, data.x_title);
  const int levels = std::min(4, ticks_for(height, 36));
  Axis y = share_axis(from_zero(most, levels), std::nullopt, levels);
  const double left = label_width(y.ticks) + 8;
  const double right = right_margin(x);  // before x is moved
  const Frame frame({left, top, layout.width - left - right, height, {}, {}, 0}, std::move(x), std::move(y));

  frame.draw_grid(scene);
  draw_bins(scene, frame, data);
  draw_rules(scene, frame, data.rules);
  frame.draw_x_axis(scene);
  scene.plots.push_back(plot_of(data, frame, layout.width));
  return scene;
}

std::vector<double> bin_edges(double low, double high, int count, bool logarithmic) {
  std::vector<double> edges;
  for (int i = 0; i <= count; ++i) {
    const double t = static_cast<double>(i) / count;
    edges.push_back(logarithmic ? low * std::pow(high / low, t) : low + t * (high - low));
  }
  edges.front() = low;
  edges.back() = high;
  return edges;
}

std::vector<double> bin_shares(const std::vector<double>& values, const std::vector<double>& edges) {
  std::vector<double> shares(edges.size() < 2 ? 0 : edges.size() - 1, 0);
  if (shares.empty() || values.empty()) return shares;
  for (const double value : values) {
    auto edge = std::upper_bound(edges.begin(), edges.end(), value);
    if (edge == edges.end() && value == edges.back()) --edge;
    if (edge == edges.begin() || edge == edges.end()) continue;
    shares[static_cast<std::size_t>(edge - edges.begin() - 1)] += 1;
  }
  for (double& share : shares) share /= static_cast<double>(values.size());
  return shares;
}

}  // namespace weir::reports::charts

#include <algorithm>
#include <numeric>

#include "reports/charts/svg.h"
#include "reports/decision_view.h"
#include "reports/html_parts.h"

namespace weir::reports::html {
namespace {

using charts::Role;

std::string hex(Role role) { return charts::to_hex(charts::colour(role, charts::Theme::light)); }

std::string mark_shape(data::Evidence evidence) {
  const std::string grey = hex(Role::text_secondary);
  switch (evidence) {
    case data::Evidence::measured_here:
      return "<circle cx=\"5\" cy=\"5\" r=\"4\" fill=\"" + grey + "\"/>";
    case data::Evidence::measured_elsewhere:
      return "<circle cx=\"5\" cy=\"5\" r=\"3.5\" fill=\"none\" stroke=\"" + grey +
             "\"/><path d=\"M5 1.5A3.5 3.5 0 0 0 5 8.5Z\" fill=\"" + grey + "\"/>";
    case data::Evidence::fitted:
      return "<circle cx=\"5\" cy=\"5\" r=\"3.5\" fill=\"none\" stroke=\"" + grey +
             "\"/><path d=\"M1.5 5A3.5 3.5 0 0 0 8.5 5Z\" fill=\"" + grey + "\"/>";
    case data::Evidence::datasheet:
      return "<circle cx=\"5\" cy=\"5\" r=\"3.4\" fill=\"none\" stroke=\"" + grey + "\" stroke-width=\"1.3\"/>";
    case data::Evidence::assumption:
      break;
  }
  return "<path d=\"M5 1.2L9 8.6H1Z\" fill=\"none\" stroke=\"" + hex(Role::problem) + "\" stroke-width=\"1.3\"/>";
}

/// Darker is better known; assumptions are hollow, in the colour of problems.
struct Part {
  const char* fill;
  std::string stroke;
};

Part bar_part(data::Evidence evidence) {
  switch (evidence) {
    case data::Evidence::measured_here:
      return {"#565D66", "#565D66"};
    case data::Evidence::measured_elsewhere:
      return {"#868D96", "#565D66"};
    case data::Evidence::fitted:
      return {"#B3B8BF", "#565D66"};
    case data::Evidence::datasheet:
      return {"#DADDE1", "#565D66"};
    case data::Evidence::assumption:
      break;
  }
  return {"#FFFFFF", hex(Role::problem)};
}

}  // namespace

std::string mark(data::Evidence evidence, Language language) {
  const std::string word = escape_markup(evidence_long_word(evidence, language));
  return "<svg class=\"mark\" width=\"10\" height=\"10\" viewBox=\"0 0 10 10\" role=\"img\" aria-label=\"" + word +
         "\"><title>" + word + "</title>" + mark_shape(evidence) + "</svg>";
}

std::string option_marker(const document::Marker& marker) {
  charts::Scene scene;
  scene.width = scene.height = 14;
  charts::draw_marker(scene, {7, 7}, 4.6, marker.shape, marker.role, marker.hollow);
  std::string svg = charts::to_svg(scene, "m");
  const std::size_t body = svg.find("</desc>") + 7;
  return "<svg class=\"marker\" width=\"14\" height=\"14\" viewBox=\"0 0 14 14\" aria-hidden=\"true\">" +
         svg.substr(body);
}

std::string range_strip(const document::Strip& strip, const document::Column& column, std::string_view words) {
  if (!(column.strip_high > column.strip_low)) return "";
  constexpr double kWidth = 104;
  const auto x = [&](double value) {
    return std::clamp((value - column.strip_low) / (column.strip_high - column.strip_low), 0.0, 1.0) * (kWidth - 4) + 2;
  };
  const double from = x(strip.p10), to = x(strip.p90), tick = x(strip.value);
  return "<svg class=\"strip\" width=\"104\" height=\"14\" viewBox=\"0 0 104 14\" role=\"img\" aria-label=\"" +
         escape_markup(words) + "\"><path d=\"M0.5 0V14M103.5 0V14\" stroke=\"" + hex(Role::grid) + "\"/><rect x=\"" +
         fixed(from, 1) + "\" y=\"4.5\" width=\"" + fixed(std::max(1.0, to - from), 1) + "\" height=\"5\" fill=\"" +
         hex(strip.role) + "\"/><path d=\"M" + fixed(tick, 1) + " 1V13\" stroke=\"" + hex(Role::text) +
         "\" stroke-width=\"2\"/></svg>";
}

std::string evidence_bar(const document::EvidenceBar& bar, Language language) {
  const int total = std::accumulate(bar.counts.begin(), bar.counts.end(), 0,
                                    [](int sum, const auto& entry) { return sum + entry.second; });
  std::string out = "<div class=\"known\"><h3>" + escape_markup(bar.title) + "</h3>\n";
  if (total == 0) return out + "</div>\n";
  constexpr double kWidth = 420;
  std::string rects, words;
  double at = 0;
  for (const auto& [evidence, count] : bar.counts) {
    const double width = kWidth * count / total;
    const Part part = bar_part(evidence);
    rects += "<rect x=\"" + fixed(at + 0.5, 1) + "\" y=\"0.5\" width=\"" + fixed(std::max(0.5, width - 2), 1) +
             "\" height=\"13\" fill=\"" + part.fill + "\" stroke=\"" + part.stroke + "\"/>";
    words += "<span>" + mark(evidence, language) + " " + std::to_string(count) + " " +
             escape_markup(evidence_long_word(evidence, language)) + "</span>";
    at += width;
  }
  return out + "<svg class=\"bar\" width=\"420\" height=\"14\" viewBox=\"0 0 420 14\" aria-hidden=\"true\">" + rects +
         "</svg>\n<p class=\"legend\">" + words + "</p></div>\n";
}

}  // namespace weir::reports::html

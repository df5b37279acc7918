#include <algorithm>
#include <set>

#include "reports/charts/svg.h"
#include "reports/html_parts.h"

namespace weir::reports::html {
namespace {

using charts::Role;

std::string hex(Role role) { return charts::to_hex(charts::colour(role, charts::Theme::light)); }

std::string_view long_word(data::Evidence evidence) {
  switch (evidence) {
    case data::Evidence::measured_here:
      return "measured here";
    case data::Evidence::measured_elsewhere:
      return "published measurement";
    case data::Evidence::fitted:
      return "fitted to published measurements";
    case data::Evidence::datasheet:
      return "datasheet or price list";
    case data::Evidence::assumption:
      return "assumption";
  }
  return "assumption";
}

}  // namespace

std::string mark(data::Evidence evidence) {
  const std::string grey = hex(Role::text_secondary);
  std::string shape;
  switch (evidence) {
    case data::Evidence::measured_here:
      shape = "<circle cx=\"5\" cy=\"5\" r=\"4\" fill=\"" + grey + "\"/>";
      break;
    case data::Evidence::measured_elsewhere:
      shape = "<circle cx=\"5\" cy=\"5\" r=\"3.5\" fill=\"none\" stroke=\"" + grey +
              "\"/><path d=\"M5 1.5A3.5 3.5 0 0 0 5 8.5Z\" fill=\"" + grey + "\"/>";
      break;
    case data::Evidence::fitted:
      shape = "<circle cx=\"5\" cy=\"5\" r=\"3.5\" fill=\"none\" stroke=\"" + grey +
              "\"/><path d=\"M1.5 5A3.5 3.5 0 0 0 8.5 5Z\" fill=\"" + grey + "\"/>";
      break;
    case data::Evidence::datasheet:
      shape = "<circle cx=\"5\" cy=\"5\" r=\"3.4\" fill=\"none\" stroke=\"" + grey + "\" stroke-width=\"1.3\"/>";
      break;
    case data::Evidence::assumption:
      shape = "<path d=\"M5 1.2L9 8.6H1Z\" fill=\"none\" stroke=\"" + hex(Role::problem) + "\" stroke-width=\"1.3\"/>";
      break;
  }
  const std::string word(long_word(evidence));
  return "<svg class=\"mark\" width=\"10\" height=\"10\" viewBox=\"0 0 10 10\" role=\"img\" aria-label=\"" + word +
         "\"><title>" + word + "</title>" + shape + "</svg>";
}

std::string option_marker(const sim::PlanOption& option, bool hollow) {
  charts::Scene scene{14, 14, hardware_short(option), option.tenure, {}, {}};
  charts::draw_marker(scene, {7, 7}, 4.6, hardware_shape(option.hardware),
                      hollow ? Role::text_secondary : tenure_role(option), hollow);
  // Decoration next to the words that say the same: hidden from screen readers, no ids to repeat.
  std::string svg = charts::to_svg(scene, "m");
  const std::size_t body = svg.find("</desc>") + 8;
  return "<svg class=\"marker\" width=\"14\" height=\"14\" viewBox=\"0 0 14 14\" aria-hidden=\"true\">" +
         svg.substr(body);
}

std::string range_strip(const sim::PlanOption& option, double low, double high) {
  const auto found = option.range.find("tco");
  if (found == option.range.end() || !option.cost || !(high > low)) return "";
  constexpr double kWidth = 104;
  const auto x = [&](double value) { return std::clamp((value - low) / (high - low), 0.0, 1.0) * (kWidth - 4) + 2; };
  const double from = x(found->second[0]);
  const double to = x(found->second[2]);
  const double tick = x(option.cost->total.units());
  return "<svg class=\"strip\" width=\"104\" height=\"14\" viewBox=\"0 0 104 14\" role=\"img\" aria-label=\"P10 to "
         "P90\"><path d=\"M0.5 0V14M103.5 0V14\" stroke=\"" +
         hex(Role::grid) + "\"/><rect x=\"" + fixed(from, 1) + "\" y=\"4.5\" width=\"" +
         fixed(std::max(1.0, to - from), 1) + "\" height=\"5\" fill=\"" + hex(tenure_role(option)) + "\"/><path d=\"M" +
         fixed(tick, 1) + " 1V13\" stroke=\"" + hex(Role::text) + "\" stroke-width=\"2\"/></svg>";
}

std::string mark_legend(const sim::PlanResult& plan) {
  std::set<data::Evidence> used;
  for (const sim::PlanOption& option : plan.options) {
    used.insert(timing_evidence(option));
    if (option.cost) used.insert(option.cost->evidence);
  }
  std::string out = "<p class=\"legend\"><span>How the weakest input is known:</span>";
  for (const data::Evidence evidence : used) {
    out += "<span>" + mark(evidence) + " " + std::string(long_word(evidence)) + "</span>";
  }
  std::set<std::string> tenures;
  for (const sim::PlanOption& option : plan.options) tenures.insert(option.tenure);
  const auto swatch = [](Role role, const char* dash, const char* word) {
    return "<span><svg width=\"26\" height=\"8\" viewBox=\"0 0 26 8\" aria-hidden=\"true\"><path d=\"M0 4H26\" "
           "stroke-width=\"2.5\" stroke=\"" +
           hex(role) + "\"" + dash + "/></svg> " + word + "</span>";
  };
  if (tenures.contains("owned")) out += swatch(Role::owned, "", "owned");
  if (tenures.contains("cloud")) out += swatch(Role::rented, " stroke-dasharray=\"7 3\"", "rented");
  return out + "<span>Shape: card. Hollow: not eligible. Numbers in charts: rows.</span></p>\n";
}

std::string cell(std::string_view text, std::string_view css_class) {
  const std::string attribute = css_class.empty() ? "" : " class=\"" + std::string(css_class) + "\"";
  return "<td" + attribute + ">" + escape_markup(text) + "</td>";
}

std::string number_cell(const std::optional<double>& value, double factor, int decimals, std::string_view gutter) {
  const std::string shown = value ? grouped_fixed(*value * factor, decimals, Spelling::typographic) : "\u2013";
  return "<td class=\"num\">" + (value ? std::string(gutter) : std::string()) + shown + "</td>";
}

}  // namespace weir::reports::html

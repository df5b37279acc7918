#pragma once

#include <string>
#include <string_view>

#include "reports/decision_view.h"
#include "reports/report.h"

/// Pieces of the HTML page. All text is escaped here; nothing refers to another file.
namespace weir::reports::html {

/// The style sheet: tokens of the light theme, a screen layout and A4 print rules.
std::string_view style_sheet();

/// A 9 px drawn mark for where a number comes from, with its word as accessible name.
std::string mark(data::Evidence evidence);
/// A 12 px marker: shape of the card, colour of the tenure.
std::string option_marker(const sim::PlanOption& option, bool hollow);
/// A strip from P10 to P90 on [low, high] with a tick at the value.
std::string range_strip(const sim::PlanOption& option, double low, double high);

std::string mark_legend(const sim::PlanResult& plan);

/// The ranking: best of each card and tenure, then one line for each card that is not eligible.
std::string decision_table(const sim::PlanResult& plan, const Shortlist& list);
/// Every option that was considered.
std::string all_options_table(const sim::PlanResult& plan);
/// Each limit of each class, and what the option gives.
std::string target_table(const sim::PlanOption& option);
std::string check_table(const Decision& decision);
std::string cost_line_table(const sim::PlanResult& plan, const sim::PlanOption& option);
std::string input_table(const sim::PlanResult& plan);
std::string timing_evidence_table(const sim::PlanResult& plan, const Shortlist& list);

/// The charts with their captions.
std::string chart_section(const sim::PlanResult& plan, const Shortlist& list);

/// "<td class=num>...</td>" and friends.
std::string cell(std::string_view text, std::string_view css_class = "");
std::string number_cell(const std::optional<double>& value, double factor, int decimals, std::string_view gutter = "");

}  // namespace weir::reports::html

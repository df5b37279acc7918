#pragma once

#include "reports/decision_view.h"
#include "reports/document.h"
#include "reports/sentences.h"

/// Pieces of the decision report. Each builder appends blocks to a section; nothing refers to the decision afterwards.
namespace weir::reports::document {

/// What every builder needs.
struct Source {
  const Decision& decision;
  const sim::PlanResult& plan;
  Shortlist list;
  Language language = Language::en;

  std::string say(std::string_view english, Values values = {}) const {
    return reports::say(language, english, values);
  }
  /// A finished sentence or name of the engine.
  std::string engine(const std::string& english) const { return engine_text(english, Spelling::typographic, language); }
  std::string money(double amount) const { return money_short(amount, plan.currency, Spelling::typographic, language); }
  std::string seconds(double value) const { return seconds_text(value, Spelling::typographic); }
  std::string share(double value, int decimals = 1) const {
    return percent_text(value, Spelling::typographic, decimals);
  }
};

/// "–": does not apply.
inline constexpr const char* kNothing = "\u2013";

Cell text_cell(std::string text);
Cell quiet_cell(std::string text);
/// The option's marker, its card, and quieter its tenure (or that it was measured here).
Cell option_cell(const Source& in, const sim::PlanOption& option);
/// A number spelled with a true minus; "–" without one.
Cell number_cell(const std::optional<double>& value, double factor, int decimals);
/// A row of sentences below a row: empty cells, then one cell over the others.
Row sentence_row(std::size_t columns, Cell first, Cell second, Cell sentence);

Section cover(const Source& in);
Section decision_section(const Source& in);
Section support_section(const Source& in);
Section cost_section(const Source& in);
Section input_section(const Source& in);
Section timing_section(const Source& in);
Section options_section(const Source& in);
Section method_section(const Source& in);

/// The ranking: best of each card and tenure, then one sentence for each card that is not eligible.
Table ranking_table(const Source& in);
/// A few rows of it with fewer columns, for the cover; no rows when nothing meets the targets.
Table leaders_table(const Source& in);
Table all_options_table(const Source& in);
/// Each limit of each class, and what the option gives.
Table targets_table(const Source& in, const sim::PlanOption& option);

std::optional<Figure> cost_figure(const Source& in);
std::optional<Figure> tail_figure(const Source& in);
std::optional<Figure> scatter_figure(const Source& in);
std::optional<Figure> load_figure(const Source& in);
std::optional<Figure> parts_figure(const Source& in);

/// Rows of the table of how times are known, each part of the prediction once.
struct TimingNote {
  const sim::PlanOption* option = nullptr;
  const sim::EvidenceNote* note = nullptr;
};
std::vector<TimingNote> timing_notes(const Source& in);

/// What one input of the cost does to the line that is proportional to it.
struct Effect {
  const sim::CostInput* input = nullptr;
  double at_low = 0, at_high = 0;  ///< change of the line over the horizon, in the plan's currency
};
/// Largest first; only those that move the TCO by half a percent or more.
std::vector<Effect> effects_of_inputs(const sim::PlanOption& option);

}  // namespace weir::reports::document

#include <algorithm>
#include <limits>

#include "reports/decision_view.h"
#include "reports/xlsx/option_sheets.h"

namespace weir::reports::xlsx {
namespace {

constexpr double kNothing = std::numeric_limits<double>::quiet_NaN();

enum Column : std::uint16_t {
  kPlace,
  kOption,
  kCard,
  kTenure,
  kPrecision,
  kCards,
  kServers,
  kLatency,
  kMet,
  kCapex,
  kOpex,
  kTco,
  kMore,
  kLow,
  kHigh,
  kNpv,
  kPerUnit,
  kPaysBack,
  kColumns
};

class DecisionSheet {
 public:
  DecisionSheet(Sheet& sheet, const Decision& decision, const std::map<std::size_t, CashFlow>& flows, Language language)
      : sheet_(sheet), plan_(decision.plan), flows_(flows), language_(language), list_(shortlist(plan_)) {}

  void write() {
    write_answer();
    if (list_.rows.empty()) return sheet_.freeze(1, 0, 0);
    write_heads();
    for (const std::size_t i : list_.rows) {
      write_option(plan_.options[i]);
      const auto flow = flows_.find(i);
      if (flow == flows_.end()) {
        for (const Column c : {kPlace, kCapex, kOpex, kMore, kLow, kHigh, kNpv, kPerUnit, kPaysBack})
          sheet_.absent(row_, c);
        sheet_.words(row_, kTco, t("no price"), Look::absent);
      } else {
        write_amounts(plan_.options[i], flow->second);
      }
      ++row_;
    }
    if (!flows_.empty()) write_now();
    write_not_eligible();
    sheet_.freeze(first_, kCard + 1, first_ - 1);
  }

 private:
  std::string t(std::string_view english) const { return translate(language_, english); }
  std::string head(const char* quantity, const std::string& unit) const {
    return say(language_, "{quantity}\n({unit})", {{"quantity", t(quantity)}, {"unit", unit}});
  }

  void write_answer() {
    const data::Scenario& scenario = plan_.scenario;
    sheet_.words(0, 0, in_language(language_, scenario.title, scenario.name), Look::title);
    sheet_.row_height(0, 26);
    sheet_.words(1, 0, t("GPU inference: capacity and cost"), Look::note);
    sheet_.words(3, 0, headline(plan_, Spelling::typographic, language_), Look::lead);
    sheet_.row_height(3, 22);
    sheet_.words(4, 0, demand_line(plan_, Spelling::typographic, language_), Look::note);
    row_ = 5;
    for (const std::string& line : target_lines(plan_, Spelling::typographic, language_)) {
      sheet_.words(row_++, 0, line, Look::note);
    }
    now_row_ = ++row_;
    row_ += 2;
  }

  void write_heads() {
    const std::string currency = currency_name(plan_.currency, language_);
    const bool generative = is_generative(plan_);
    const auto right = [&](Column column, const std::string& text) {
      sheet_.words(row_, column, text, Look::head_right);
    };
    sheet_.row_height(row_, 44);
    right(kPlace, t("Place\nnow"));
    right(kOption, t("Option"));
    sheet_.words(row_, kCard, t("Card"), Look::head);
    sheet_.words(row_, kTenure, t("Tenure"), Look::head);
    sheet_.words(row_, kPrecision, t("Precision"), Look::head);
    right(kCards, t("Cards"));
    right(kServers, t("Servers"));
    right(kLatency, head(generative ? "TTFT P99" : "E2E P99", "s"));
    right(kMet, t("Within all\nlimits"));
    right(kCapex, head("Capex", currency));
    right(kOpex, head("Opex, first year", currency));
    right(kTco, say(language_, "TCO, {months} months\n({unit})",
                    {{"months", std::to_string(plan_.horizon_months)}, {"unit", currency}}));
    right(kMore, head("More than\nthe cheapest", currency));
    right(kLow, head("P10 when\nplanned", currency));
    right(kHigh, head("P90 when\nplanned", currency));
    right(kNpv, head("NPV", currency));
    right(kPerUnit, head(generative ? "Per million\noutput tokens" : "Per thousand\ninferences", currency));
    right(kPaysBack, t("Pays back\nin month"));
    first_ = ++row_;
    last_ = first_ + static_cast<std::uint32_t>(list_.rows.size()) - 1;
  }

  void write_option(const sim::PlanOption& o) {
    const bool chosen = &o == recommended(plan_);
    const auto count = [](const std::optional<int>& n) { return n ? *n : kNothing; };
    sheet_.number(row_, kOption, o.rank, kWhole);
    sheet_.words(row_, kCard, hardware_short(o, language_), chosen ? Look::strong : Look::words);
    sheet_.words(row_, kTenure, tenure_words(o, plan_.scenario, language_));
    sheet_.words(row_, kPrecision, precision_text(o.precision));
    sheet_.number(row_, kCards, count(o.accelerators), kWhole);
    sheet_.number(row_, kServers, o.tenure == "owned" ? count(o.servers) : kNothing, kWhole);
    const auto latency = !o.run ? std::nullopt : p99(is_generative(plan_) ? o.run->latency.ttft : o.run->latency.e2e);
    sheet_.number(row_, kLatency, latency.value_or(kNothing), "0.000");
    sheet_.number(row_, kMet, o.run ? o.run->slo.attainment.value_or(kNothing) : kNothing, kShare);
  }

  void write_amounts(const sim::PlanOption& o, const CashFlow& flow) {
    const sim::TenureCost& cost = *o.cost;
    const std::string tco = cell_name(row_, kTco);
    const std::string all = fixed_cell(first_, kTco) + ":" + fixed_cell(last_, kTco);
    sheet_.formula(row_, kPlace, "RANK(" + tco + "," + all + ",1)", place_of(o), kWhole, Look::strong_number);
    sheet_.formula(row_, kCapex, flow.capex, cost.capex.units(), kWhole);
    sheet_.formula(row_, kOpex, flow.opex_first_year, cost.opex_first_year.units(), kWhole);
    sheet_.formula(row_, kTco, flow.total, cost.total.units(), kWhole, Look::strong_number);
    sheet_.formula(row_, kMore, tco + "-MIN(" + all + ")", cost.total.units() - cheapest(), kWhole);
    const auto range = o.range.find("tco");
    sheet_.number(row_, kLow, range == o.range.end() ? kNothing : range->second[0], kWhole);
    sheet_.number(row_, kHigh, range == o.range.end() ? kNothing : range->second[2], kWhole);
    sheet_.formula(row_, kNpv, flow.npv, cost.npv.units(), kWhole);
    write_per_unit(o);
    write_payback(o, flow);
  }

  /// What is served within the targets over the horizon is the simulation's and stands in the formula as a number.
  void write_per_unit(const sim::PlanOption& o) {
    const auto per = cost_per_unit(plan_, o);
    if (!per || !(*per > 0)) return sheet_.absent(row_, kPerUnit);
    sheet_.formula(row_, kPerUnit, cell_name(row_, kTco) + "/" + shortest(o.cost->total.units() / *per), *per,
                   "#,##0.0000");
  }

  void write_payback(const sim::PlanOption& o, const CashFlow& flow) {
    const sim::PlanOption* other = other_tenure(plan_, o);
    const auto rent = std::find_if(flows_.begin(), flows_.end(),
                                   [&](const auto& entry) { return &plan_.options[entry.first] == other; });
    if (o.tenure != "owned" || rent == flows_.end()) {
      // The other tenure of this very set-up is on no sheet: what Weir found stands as it is.
      return o.break_even_month ? sheet_.number(row_, kPaysBack, *o.break_even_month, kWhole)
                                : sheet_.absent(row_, kPaysBack);
    }
    // One month after the last one in which owning has cost more so far.
    const std::string months = "ROW(" + flow.cumulative + ")-ROW(" + first_cell(flow.cumulative) + ")+1";
    const std::string since =
        "SUMPRODUCT(MAX((ROUND(" + flow.cumulative + "-" + rent->second.cumulative + ",6)>0)*(" + months + ")))";
    const std::string formula =
        "IF(" + since + ">" + std::to_string(plan_.horizon_months) + ",\"" + t("never") + "\"," + since + ")";
    if (o.break_even_month) {
      sheet_.formula(row_, kPaysBack, formula, *o.break_even_month, kWhole);
    } else {
      sheet_.words_formula(row_, kPaysBack, formula, t("never"), Look::absent);
    }
  }

  static std::string first_cell(const std::string& range) { return range.substr(0, range.find_last_of(':')); }

  double cheapest() const {
    double least = std::numeric_limits<double>::infinity();
    for (const auto& [i, flow] : flows_) least = std::min(least, plan_.options[i].cost->total.units());
    return least;
  }

  double place_of(const sim::PlanOption& o) const {
    double place = 1;
    for (const auto& [i, flow] : flows_) place += plan_.options[i].cost->total < o.cost->total ? 1 : 0;
    return place;
  }

  /// The sentence above the table that follows changed inputs.
  void write_now() {
    const auto column = [&](Column c) { return fixed_cell(first_, c) + ":" + fixed_cell(last_, c); };
    const std::string at = "MATCH(MIN(" + column(kTco) + ")," + column(kTco) + ",0)";
    std::size_t best = flows_.begin()->first;
    for (const auto& [i, flow] : flows_) {
      if (plan_.options[i].cost->total < plan_.options[best].cost->total) best = i;
    }
    const sim::PlanOption& o = plan_.options[best];
    sheet_.words(now_row_, 0, t("Cheapest with the inputs as they stand now:"), Look::note);
    sheet_.words_formula(
        now_row_, kPrecision, "INDEX(" + column(kCard) + "," + at + ")&\" \"&INDEX(" + column(kTenure) + "," + at + ")",
        hardware_short(o, language_) + " " + tenure_words(o, plan_.scenario, language_), Look::section);
    sheet_.words(
        last_ + 2, 0,
        t("Place, amounts and pay-back follow the sheet of inputs; card counts and latencies are results of the "
          "simulation, and P10 and P90 are of the inputs as planned."),
        Look::note);
  }

  void write_not_eligible() {
    std::uint32_t row = last_ + 4;
    for (const std::size_t i : list_.not_eligible) {
      const sim::PlanOption& o = plan_.options[i];
      sheet_.words(row, kOption, "\u2013", Look::absent);
      sheet_.words(row, kCard, hardware_short(o, language_), Look::quiet);
      sheet_.words(
          row++, kTenure,
          say(language_, "not eligible: {reason}", {{"reason", why_not_eligible(o, Spelling::typographic, language_)}}),
          Look::note);
    }
  }

  Sheet& sheet_;
  const sim::PlanResult& plan_;
  const std::map<std::size_t, CashFlow>& flows_;
  Language language_;
  Shortlist list_;
  std::uint32_t row_ = 0, first_ = 1, last_ = 1, now_row_ = 0;
};

}  // namespace

void write_decision(Sheet& sheet, const Decision& decision, const std::map<std::size_t, CashFlow>& flows,
                    Language language) {
  DecisionSheet(sheet, decision, flows, language).write();
}

}  // namespace weir::reports::xlsx

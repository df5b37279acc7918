#include <functional>
#include <limits>
#include <optional>

#include "reports/decision_view.h"
#include "reports/xlsx/option_sheets.h"

namespace weir::reports::xlsx {
namespace {

constexpr double kNothing = std::numeric_limits<double>::quiet_NaN();

template <class T>
double number_of(const std::optional<T>& value) {
  return value ? static_cast<double>(*value) : kNothing;
}

/// A column of words or of numbers.
struct OptionColumn {
  std::string head;
  const char* format = nullptr;  ///< nullptr: words
  std::function<double(const sim::PlanOption&)> number{};
  std::function<std::string(const sim::PlanOption&)> words{};
};

class OptionColumns {
 public:
  OptionColumns(const sim::PlanResult& plan, Language language) : plan_(plan), language_(language) {}

  std::vector<OptionColumn> make() {
    add_deployment();
    add_service();
    add_amounts();
    add_reasons();
    return std::move(columns_);
  }

 private:
  using Option = const sim::PlanOption&;
  std::string t(std::string_view english) const { return translate(language_, english); }
  std::string head(const char* quantity, const std::string& unit) const {
    return say(language_, "{quantity}\n({unit})", {{"quantity", t(quantity)}, {"unit", unit}});
  }
  void words(const std::string& head, std::function<std::string(Option)> value) {
    columns_.push_back({.head = head, .words = std::move(value)});
  }
  void number(const std::string& head, const char* format, std::function<double(Option)> value) {
    columns_.push_back({.head = head, .format = format, .number = std::move(value)});
  }

  void add_deployment() {
    number(t("Option"), kWhole, [](Option o) { return o.rank; });
    words(t("Card"), [this](Option o) { return hardware_short(o, language_); });
    words(t("Tenure"), [this](Option o) { return tenure_words(o, plan_.scenario, language_); });
    words(t("Precision"), [](Option o) { return precision_text(o.precision); });
    words(t("Engine"), [](Option o) { return o.engine; });
    number(t("Tensor\nparallel"), kWhole, [](Option o) { return o.tensor_parallel; });
    number(t("Replicas"), kWhole, [](Option o) { return number_of(o.replicas); });
    number(t("Cards"), kWhole, [](Option o) { return number_of(o.accelerators); });
    number(t("Servers"), kWhole, [](Option o) { return number_of(o.servers); });
  }

  void latency(const char* name, const sim::Distribution sim::LatencySummary::*part) {
    number(head(name, "s"), "0.000",
           [part](Option o) { return o.run ? number_of(p99(o.run->latency.*part)) : kNothing; });
  }

  void add_service() {
    words(t("Meets\ntargets"), [this](Option o) { return t(o.feasible ? "yes" : "no"); });
    number(t("Within all\nlimits"), kShare,
           [](Option o) { return o.run ? number_of(o.run->slo.attainment) : kNothing; });
    if (is_generative(plan_)) {
      latency("TTFT P99", &sim::LatencySummary::ttft);
      latency("TPOT P99", &sim::LatencySummary::tpot);
    }
    latency("E2E P99", &sim::LatencySummary::e2e);
    number(t("Accelerators\nbusy"), kShare, [](Option o) { return o.run ? o.run->gpu_busy : kNothing; });
  }

  void amount(const std::string& name, sim::Money sim::TenureCost::*part) {
    number(name, kWhole, [part](Option o) { return o.cost ? ((*o.cost).*part).units() : kNothing; });
  }

  void add_amounts() {
    const std::string currency = currency_name(plan_.currency, language_);
    amount(head("Capex", currency), &sim::TenureCost::capex);
    amount(head("Opex, first year", currency), &sim::TenureCost::opex_first_year);
    amount(head("TCO", currency), &sim::TenureCost::total);
    for (const auto& [name, which] : {std::pair{"TCO P10", std::size_t{0}}, std::pair{"TCO P90", std::size_t{2}}}) {
      number(head(name, currency), kWhole, [which = which](Option o) {
        const auto range = o.range.find("tco");
        return range == o.range.end() ? kNothing : range->second[which];
      });
    }
    amount(head("NPV", currency), &sim::TenureCost::npv);
    number(head(is_generative(plan_) ? "Per million\noutput tokens" : "Per thousand\ninferences", currency),
           "#,##0.0000", [this](Option o) { return number_of(cost_per_unit(plan_, o)); });
    number(t("Pays back\nin month"), kWhole, [](Option o) { return number_of(o.break_even_month); });
  }

  void add_reasons() {
    words(t("Evidence,\ntimes"), [this](Option o) { return evidence_word(timing_evidence(o), language_); });
    words(t("Evidence,\nprices"),
          [this](Option o) { return o.cost ? evidence_word(o.cost->evidence, language_) : std::string(); });
    words(t("Quality of the answers"),
          [this](Option o) { return engine_text(o.quality, Spelling::typographic, language_); });
    words(t("Why not"), [this](Option o) {
      return engine_text(o.why_not.empty() ? o.why_no_price : o.why_not, Spelling::typographic, language_);
    });
  }

  const sim::PlanResult& plan_;
  Language language_;
  std::vector<OptionColumn> columns_;
};

}  // namespace

void write_options(Sheet& sheet, const sim::PlanResult& plan, Language language) {
  sheet.words(0, 0, say(language, "All options"), Look::title);
  sheet.row_height(0, 26);
  sheet.words(1, 0,
              say(language, "As Weir found them with the inputs of the plan; these numbers do not follow changes."),
              Look::note);
  constexpr std::uint32_t kHeads = 3;
  OptionColumns made(plan, language);  // the columns ask it for words
  const std::vector<OptionColumn> columns = made.make();
  sheet.row_height(kHeads, 40);
  for (std::size_t c = 0; c < columns.size(); ++c) {
    const auto at = static_cast<std::uint16_t>(c);
    const OptionColumn& column = columns[c];
    sheet.words(kHeads, at, column.head, column.format == nullptr ? Look::head : Look::head_right);
    for (std::size_t i = 0; i < plan.options.size(); ++i) {
      const auto row = static_cast<std::uint32_t>(kHeads + 1 + i);
      const Look words = plan.options[i].feasible ? Look::words : Look::quiet;
      if (column.format == nullptr) {
        sheet.words(row, at, column.words(plan.options[i]), c + 1 == columns.size() ? Look::quiet_wrapped : words);
      } else {
        sheet.number(row, at, column.number(plan.options[i]), column.format);
      }
    }
  }
  const auto last = static_cast<std::uint16_t>(columns.size() - 1);
  sheet.at_most(last, 60);
  sheet.freeze(kHeads + 1, 3, kHeads);
  sheet.pages_wide(2, 3);
}

}  // namespace weir::reports::xlsx

#include "reports/xlsx/inputs_sheet.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <vector>

#include "reports/decision_view.h"
#include "reports/format.h"
#include "sim/cost/rates.h"

namespace weir::reports::xlsx {
namespace {

constexpr std::string_view kExchangeRate = "exchange_rate.";

/// They decide how many servers, kilowatts or spares are needed, which takes a plan, not a formula.
constexpr std::array<std::string_view, 11> kNeedAPlan = {
    "target_availability", "gpu_failures_per_gpu_year", "server_stops_per_server_year", "repair_hours",
    "warranty_years",      "depreciation_years",        "gpu_idle_share_of_tdp",        "gpu_power_a",
    "gpu_power_b",         "host_kw_per_8gpu_server",   "host_idle_kw_per_8gpu_server"};
constexpr std::string_view kPcieHost = "host_kw_per_pcie_server";

bool is_live(const std::string& key) {
  return key != kPcieHost && std::find(kNeedAPlan.begin(), kNeedAPlan.end(), key) == kNeedAPlan.end();
}

bool is_price(const std::string& key) {
  return key.starts_with("server_price_usd.") || key.starts_with("cloud_usd_per_hour.") ||
         key.starts_with(kExchangeRate);
}

std::string name_of(const std::string& key) {
  std::string name;
  for (const char c : key) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    name += plain ? c : '_';
  }
  return name;
}

/// A number as a reader types it, thousands separated where there are any.
const char* any_size(double value) { return std::abs(value) >= 1000 ? kWhole : kPlain; }

enum Column : std::uint16_t { kName, kValue, kUnit, kLow, kHigh, kKnown, kFollows, kFormulaName, kSource };

void write_heads(Sheet& sheet, std::uint32_t row, Language language) {
  const auto t = [&](const char* english) { return say(language, english); };
  sheet.words(row, kName, t("Input"), Look::head);
  sheet.words(row, kValue, t("Value in use"), Look::head_right);
  sheet.words(row, kUnit, t("Unit"), Look::head);
  sheet.words(row, kLow, t("Low (P5)"), Look::head_right);
  sheet.words(row, kHigh, t("High (P95)"), Look::head_right);
  sheet.words(row, kKnown, t("Evidence"), Look::head);
  sheet.words(row, kSource, t("Source"), Look::head);
  sheet.words(row, kFollows, t("When it changes"), Look::head);
  sheet.words(row, kFormulaName, t("Name in formulas"), Look::head);
}

void write_input(Book& book, Sheet& sheet, std::uint32_t row, const sim::CostInput& input, const InputNames& names,
                 Language language) {
  const bool live = is_live(input.key);
  const data::RangedQuantity& value = input.value;
  sheet.words(row, kName, words_of_key(input.key, language));
  sheet.number(row, kValue, value.mid, any_size(value.mid), live ? Look::input : Look::number);
  sheet.words(row, kUnit, engine_text(value.unit, Spelling::typographic, language), Look::quiet);
  sheet.number(row, kLow, value.low, any_size(value.low));
  sheet.number(row, kHigh, value.high, any_size(value.high));
  sheet.words(row, kKnown, evidence_long_word(value.evidence, language), Look::quiet);
  sheet.words(row, kSource, engine_text(value.source, Spelling::typographic, language), Look::quiet_wrapped);
  sheet.words(row, kFollows, say(language, live ? "the workbook follows" : "needs a new plan"), Look::quiet);
  sheet.words(row, kFormulaName, names[input.key], Look::quiet);
  book.define(names[input.key], sheet, row, kValue);
}

}  // namespace

InputNames::InputNames(const sim::PlanResult& plan) {
  for (const sim::CostInput& input : plan.cost_inputs) {
    names_[input.key] = name_of(input.key);
    if (input.key.starts_with(kExchangeRate)) times_exchange_rate_ = "*" + names_[input.key];
  }
}

std::string InputNames::operator[](const std::string& key) const {
  const auto found = names_.find(key);
  return found == names_.end() ? "0" : found->second;
}

const sim::CostInput* InputNames::find(const sim::TenureCost& cost, const std::string& start) {
  const auto found = std::find_if(cost.inputs.begin(), cost.inputs.end(),
                                  [&](const sim::CostInput& input) { return input.key.starts_with(start); });
  return found == cost.inputs.end() ? nullptr : &*found;
}

void write_inputs(Book& book, const sim::PlanResult& plan, const InputNames& names, Language language) {
  Sheet& sheet = book.add_sheet(say(language, "Cost inputs"));
  sheet.words(0, 0, say(language, "Inputs and their sources"), Look::title);
  sheet.row_height(0, 26);
  sheet.words(1, 0,
              say(language,
                  "Values on blue may be changed: the cash flows and the ranking follow. The others decide how many "
                  "servers, spares or kilowatts are needed, which takes a new plan in Weir."),
              Look::note);
  sheet.words(2, 0, say(language, "Amounts are in USD, whatever the currency of the plan."), Look::note);
  constexpr std::uint32_t kHeads = 4;
  write_heads(sheet, kHeads, language);
  sheet.freeze(kHeads + 1, 1, kHeads);
  std::uint32_t row = kHeads + 1;
  for (const bool prices : {true, false}) {
    sheet.words(row, 0, say(language, prices ? "Prices" : "Economic inputs"), Look::section);
    sheet.row_height(row++, 22);
    for (const sim::CostInput& input : plan.cost_inputs) {
      if (is_price(input.key) == prices) write_input(book, sheet, row++, input, names, language);
    }
  }
  sheet.words(row, kName, say(language, "Hours in a month"));
  sheet.number(row, kValue, sim::kHoursPerMonth, kWhole);
  sheet.words(row, kUnit, say(language, "hours"), Look::quiet);
  for (const Column column : {kLow, kHigh, kKnown}) sheet.blank(row, column);
  sheet.words(row, kFollows, say(language, "fixed"), Look::quiet);
  sheet.words(row, kSource, say(language, "a year of 8,760 hours"), Look::quiet_wrapped);
  sheet.words(row, kFormulaName, kHoursName, Look::quiet);
  book.define(kHoursName, sheet, row, kValue);
  sheet.at_most(kSource, 70);
  sheet.at_least(kValue, 12);
}

}  // namespace weir::reports::xlsx

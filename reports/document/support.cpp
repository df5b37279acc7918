#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

#include "reports/document/builder.h"

namespace weir::reports::document {
namespace {

constexpr double kTelling = 0.005;  ///< share of the TCO below which an input is not worth a row
constexpr std::size_t kMostEffects = 8;

/// A line of the cost that is proportional to an input, in the formulas that the lines show.
struct Proportion {
  std::string_view line, input;  ///< input: a whole key, or its start when it ends with a dot
};
constexpr std::array<Proportion, 16> kProportions = {{{"server", "server_price_usd."},
                                                      {"server", "server_price_factor"},
                                                      {"cloud", "cloud_usd_per_hour."},
                                                      {"energy", "electricity_usd_per_kwh"},
                                                      {"energy", "pue"},
                                                      {"demand_charge", "demand_charge_usd_per_kw_month"},
                                                      {"colocation", "colo_usd_per_kw_month"},
                                                      {"maintenance", "maintenance_share_of_capex_per_year"},
                                                      {"staff", "engineer_usd_per_year"},
                                                      {"software", "software_usd_per_gpu_year"},
                                                      {"insurance", "insurance_share_of_capex_per_year"},
                                                      {"internet", "internet_usd_per_month"},
                                                      {"network", "network_share_of_server_capex"},
                                                      {"storage", "storage_share_of_server_capex"},
                                                      {"purchase_tax", "unrecovered_tax_rate"},
                                                      {"cloud_support", "cloud_support_share"}}};

bool fits(std::string_view key, std::string_view wanted) {
  return wanted.ends_with('.') ? key.starts_with(wanted) : key == wanted;
}

std::string change(const Source& in, double amount) { return (amount > 0 ? "+" : "") + in.money(amount); }

Table effects_table(const Source& in, const std::vector<Effect>& effects) {
  Table table;
  table.id = "effects";
  const auto column = [&](std::string head, Align align, double weight, int expendable) {
    Column c;
    c.head = std::move(head);
    c.align = align;
    c.weight = weight;
    c.expendable = expendable;
    table.columns.push_back(std::move(c));
  };
  column(in.say("Input"), Align::left, 0, 0);
  column(in.say("Unit"), Align::left, 0, 1);
  column(in.say("Planning\nvalue"), Align::right, 0, 0);
  column(in.say("Range"), Align::right, 0, 0);
  column(in.say("Change at\nlow end"), Align::right, 0, 0);
  column(in.say("Change at\nhigh end"), Align::right, 0, 0);
  for (const Effect& effect : effects) {
    const data::RangedQuantity& value = effect.input->value;
    const auto plain = [](double v) { return trimmed(v, 3, Spelling::typographic); };
    Row row;
    row.cells.push_back(text_cell(words_of_key(effect.input->key, in.language)));
    row.cells.back().mark = value.evidence;
    row.cells.push_back(quiet_cell(translate(in.language, value.unit)));
    row.cells.push_back(text_cell(plain(value.mid)));
    row.cells.push_back(text_cell(plain(value.low) + "\u2013" + plain(value.high)));
    row.cells.push_back(text_cell(change(in, effect.at_low)));
    row.cells.push_back(text_cell(change(in, effect.at_high)));
    table.rows.push_back(std::move(row));
  }
  return table;
}

}  // namespace

std::vector<Effect> effects_of_inputs(const sim::PlanOption& option) {
  std::vector<Effect> effects;
  if (!option.cost) return effects;
  const double total = std::abs(option.cost->total.units());
  for (const Proportion& proportion : kProportions) {
    const auto line = std::find_if(option.cost->lines.begin(), option.cost->lines.end(),
                                   [&](const sim::CostLine& l) { return l.key == proportion.line; });
    if (line == option.cost->lines.end()) continue;
    for (const sim::CostInput& input : option.cost->inputs) {
      if (!fits(input.key, proportion.input) || !(input.value.mid > 0)) continue;
      const double amount = line->total.units();
      const Effect effect{&input, amount * (input.value.low / input.value.mid - 1),
                          amount * (input.value.high / input.value.mid - 1)};
      if (std::max(std::abs(effect.at_low), std::abs(effect.at_high)) >= kTelling * total) effects.push_back(effect);
    }
  }
  std::stable_sort(effects.begin(), effects.end(), [](const Effect& a, const Effect& b) {
    return std::max(std::abs(a.at_low), std::abs(a.at_high)) > std::max(std::abs(b.at_low), std::abs(b.at_high));
  });
  if (effects.size() > kMostEffects) effects.resize(kMostEffects);
  return effects;
}

Section support_section(const Source& in) {
  Section section;
  section.title = in.say("What the answer rests on");
  const sim::PlanOption* best = recommended(in.plan);
  if (best == nullptr) return section;
  const std::vector<Effect> effects = effects_of_inputs(*best);
  const std::vector<std::string> assumptions = assumption_reasons(in.plan, Spelling::typographic, in.language);
  if (effects.empty() && assumptions.empty()) return section;
  if (!effects.empty()) {
    section.blocks.emplace_back(
        Heading{in.say("What moves the cost of option {rank}", {{"rank", std::to_string(best->rank)}}), 2});
    section.blocks.emplace_back(Paragraph{
        in.say("Each input alone at an end of its range, and what that adds to or takes off the line of the cost that "
               "it multiplies, over {months} months.",
               {{"months", std::to_string(in.plan.horizon_months)}}),
        Tone::quiet});
    section.blocks.emplace_back(effects_table(in, effects));
  }
  if (!assumptions.empty()) {
    section.blocks.emplace_back(Heading{in.say("Assumptions behind the answer"), 2});
    section.blocks.emplace_back(List{assumptions, data::Evidence::assumption});
  }
  return section;
}

}  // namespace weir::reports::document

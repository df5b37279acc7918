#include <algorithm>
#include <set>

#include "reports/document/builder.h"

namespace weir::reports::document {
namespace {

constexpr Spelling kTypographic = Spelling::typographic;

/// Which of the columns a table has, and how their numbers are spelled.
class OptionTable {
 public:
  enum class Detail { cover, full };

  OptionTable(const Source& in, const std::vector<std::size_t>& scaled_by, Detail detail, bool strips)
      : in_(in),
        scale_(table_scale(in.plan, scaled_by, in.language)),
        generative_(is_generative(in.plan)),
        full_(detail == Detail::full),
        strips_(strips && scale_.high > 0) {
    heads();
  }

  void add(const sim::PlanOption& option) { table_.rows.push_back(row(option)); }
  void add_not_eligible(const sim::PlanOption& option) {
    Cell reason = text_cell(in_.say("not eligible"));
    reason.problem = true;
    reason.muted = why_not_eligible(option, kTypographic, in_.language);
    table_.rows.push_back(
        sentence_row(table_.columns.size(), text_cell(kNothing), option_cell(in_, option), std::move(reason)));
  }
  /// Below the row of the measured machine, which has numbers and still misses.
  void add_reason(const sim::PlanOption& option) {
    Cell reason = text_cell(in_.say("not eligible"));
    reason.problem = true;
    reason.muted = in_.engine(option.why_not);
    table_.rows.push_back(sentence_row(table_.columns.size(), {}, {}, std::move(reason)));
  }
  void add_no_price(const sim::PlanOption& option) {
    table_.rows.push_back(sentence_row(table_.columns.size(), {}, {}, quiet_cell(in_.engine(option.why_no_price))));
  }
  Table take() { return std::move(table_); }

 private:
  void column(std::string head, Align align, int expendable, double weight = 0) {
    Column c;
    c.head = std::move(head);
    c.align = align;
    c.weight = weight;
    c.expendable = expendable;
    table_.columns.push_back(std::move(c));
  }

  void heads() {
    const auto in_unit = [&](const char* english) { return in_.say(english, {{"unit", scale_.unit}}); };
    column("#", Align::right, 0);
    column(in_.say("Option"), Align::left, 0, 1);
    if (full_) {
      column(in_.say("Preci-\nsion"), Align::left, 2);
      column("TP", Align::right, 5);
    }
    column(in_.say("Cards"), Align::right, 0);
    if (full_) column(in_.say("Servers\nowned"), Align::right, 6);
    if (generative_) {
      column("TTFT\nP99 (s)", Align::right, 0);
      column("TPOT\nP99 (ms)", Align::right, 0);
    } else {
      column("E2E\nP99 (ms)", Align::right, 0);
    }
    column(in_.say("SLO\nmet (%)"), Align::right, 0);
    column(in_unit("Capex\n({unit})"), Align::right, full_ ? 3 : 0);
    if (full_) column(in_unit("Opex/yr\n({unit})"), Align::right, 4);
    column(horizon_head(), Align::right, 0);
    if (strips_) strip_column();
    if (full_) column(per_unit_head(), Align::right, 1);
    column(in_.say("Pays back\n(month)"), Align::right, 0);
  }

  std::string horizon_head() const {
    const int months = in_.plan.horizon_months;
    if (months % 12 == 0)
      return in_.say("{years}-year TCO\n({unit})", {{"years", std::to_string(months / 12)}, {"unit", scale_.unit}});
    return in_.say("{months}-month TCO\n({unit})", {{"months", std::to_string(months)}, {"unit", scale_.unit}});
  }

  std::string per_unit_head() const {
    const std::string currency = currency_name(in_.plan.currency, in_.language);
    return generative_ ? in_.say("{currency} per 1M\nout tokens", {{"currency", currency}})
                       : in_.say("{currency} per 1k\ninferences", {{"currency", currency}});
  }

  void strip_column() {
    column("P10\u2013P90", Align::left, 0);
    Column& strip = table_.columns.back();
    strip.strip_low = scale_.low;
    strip.strip_high = scale_.high;
    strip.strip_low_text = significant(scale_.low / scale_.divisor, 3, kTypographic);
    strip.strip_high_text = significant(scale_.high / scale_.divisor, 3, kTypographic);
  }

  Row row(const sim::PlanOption& option) const {
    Row row;
    row.chosen = &option == recommended(in_.plan);
    std::vector<Cell>& cells = row.cells;
    const auto add = [&](std::string text) { cells.push_back(text_cell(std::move(text))); };
    const auto count = [](const std::optional<int>& n) { return n ? grouped(*n) : std::string(kNothing); };
    add(option.feasible ? std::to_string(option.rank) : kNothing);
    cells.push_back(option_cell(in_, option));
    if (full_) {
      add(precision_text(option.precision));
      add(std::to_string(option.tensor_parallel));
    }
    add(count(option.accelerators));
    if (full_) add(count(option.tenure == "cloud" ? std::nullopt : option.servers));
    add_performance(option, cells);
    cells.push_back(amount(option, &sim::TenureCost::capex));
    if (full_) cells.push_back(amount(option, &sim::TenureCost::opex_first_year));
    cells.push_back(total(option));
    if (strips_) cells.push_back(strip(option));
    if (full_) cells.push_back(number_cell(cost_per_unit(in_.plan, option), 1, scale_.per_unit));
    const std::string payback = payback_text(option, in_.language);
    add(payback.empty() ? kNothing : payback);
    return row;
  }

  void add_performance(const sim::PlanOption& option, std::vector<Cell>& cells) const {
    const sim::RunResult* run = option.run ? &*option.run : nullptr;
    const auto latency = [&](const sim::Distribution sim::LatencySummary::*part, double factor, int decimals) {
      Cell cell = number_cell(run != nullptr ? p99(run->latency.*part) : std::nullopt, factor, decimals);
      if (cell.text != kNothing) {
        cell.note = in_.say("simulated; weakest part of the timing: {evidence}",
                            {{"evidence", evidence_long_word(timing_evidence(option), in_.language)}});
      }
      return cell;
    };
    Cell first = generative_ ? latency(&sim::LatencySummary::ttft, 1, scale_.ttft_s)
                             : latency(&sim::LatencySummary::e2e, 1e3, scale_.e2e_ms);
    if (first.text != kNothing) first.mark = timing_evidence(option);
    cells.push_back(std::move(first));
    if (generative_) cells.push_back(latency(&sim::LatencySummary::tpot, 1e3, scale_.tpot_ms));
    const bool known = run != nullptr && run->slo.attainment;
    cells.push_back(text_cell(known ? percent(*run->slo.attainment) : kNothing));
  }

  Cell amount(const sim::PlanOption& option, sim::Money sim::TenureCost::*part) const {
    if (!option.cost) return text_cell(kNothing);
    const double units = ((*option.cost).*part).units();
    Cell cell = number_cell(units, 1 / scale_.divisor, scale_.amount);
    cell.note = money_full(units, in_.plan.currency, kTypographic, in_.language);
    return cell;
  }

  Cell total(const sim::PlanOption& option) const {
    Cell cell = amount(option, &sim::TenureCost::total);
    if (!option.cost) return cell;
    cell.strong = true;
    cell.mark = option.cost->evidence;
    cell.note = in_.say("{amount}; weakest input: {evidence}",
                        {{"amount", cell.note}, {"evidence", evidence_long_word(option.cost->evidence, in_.language)}});
    return cell;
  }

  Cell strip(const sim::PlanOption& option) const {
    const auto found = option.range.find("tco");
    if (found == option.range.end() || !option.cost) return text_cell(kNothing);
    Cell cell;
    cell.strip = Strip{found->second[0], option.cost->total.units(), found->second[2], tenure_role(option)};
    cell.note = in_.say(
        "P10\u2013P90: {range}",
        {{"range", money_range(found->second[0], found->second[2], in_.plan.currency, kTypographic, in_.language)}});
    return cell;
  }

  const Source& in_;
  TableScale scale_;
  bool generative_, full_, strips_;
  Table table_;
};

/// When no option has numbers only the reasons are left to show.
Table reasons_table(const Source& in, const std::vector<std::size_t>& rows) {
  Table table;
  for (const std::string& head : {std::string("#"), in.say("Option"), in.say("Why not")}) {
    Column column;
    column.head = head;
    column.weight = table.columns.size() == 2 ? 1 : 0;
    if (table.columns.empty()) column.align = Align::right;
    table.columns.push_back(std::move(column));
  }
  for (const std::size_t i : rows) {
    Cell reason = text_cell(in.say("not eligible"));
    reason.problem = true;
    reason.muted = why_not_eligible(in.plan.options[i], Spelling::typographic, in.language);
    table.rows.push_back(sentence_row(3, text_cell(kNothing), option_cell(in, in.plan.options[i]), std::move(reason)));
  }
  return table;
}

std::string legend_text(const Source& in) {
  return in.say(
      "Best precision and tensor parallelism (TP) of each card and tenure. Colour is tenure, shape is card, hollow is "
      "not eligible; numbers in charts are rows.");
}

}  // namespace

Table ranking_table(const Source& in) {
  Table table;
  if (in.list.rows.empty() && !in.list.measured) {
    table = reasons_table(in, in.list.not_eligible);
  } else {
    OptionTable options(in, in.list.rows, OptionTable::Detail::full, true);
    for (const std::size_t i : in.list.rows) {
      const sim::PlanOption& option = in.plan.options[i];
      options.add(option);
      if (!option.cost && !option.why_no_price.empty()) options.add_no_price(option);
    }
    for (const std::size_t i : in.list.not_eligible) {
      const sim::PlanOption& option = in.plan.options[i];
      if (in.list.measured == i) {
        options.add(option);
        options.add_reason(option);
      } else {
        options.add_not_eligible(option);
      }
    }
    table = options.take();
  }
  table.id = "options";
  table.mark_legend = true;
  table.caption = legend_text(in);
  return table;
}

Table leaders_table(const Source& in) {
  // The first row, the same set-up under the other tenure, the best of the other tenure, the best other card.
  std::vector<std::size_t> chosen;
  const auto take = [&](const auto& wanted) {
    for (const std::size_t i : in.list.rows) {
      if (!in.plan.options[i].cost || std::find(chosen.begin(), chosen.end(), i) != chosen.end()) continue;
      if (!wanted(in.plan.options[i])) continue;
      chosen.push_back(i);
      return;
    }
  };
  const sim::PlanOption* best = recommended(in.plan);
  if (best == nullptr || !best->cost) return {};
  const sim::PlanOption* same = other_tenure(in.plan, *best);
  take([&](const sim::PlanOption& o) { return &o == best; });
  take([&](const sim::PlanOption& o) { return &o == same; });
  take([&](const sim::PlanOption& o) { return o.tenure != best->tenure; });
  take([&](const sim::PlanOption& o) { return o.hardware != best->hardware; });
  std::sort(chosen.begin(), chosen.end());
  OptionTable options(in, chosen, OptionTable::Detail::cover, true);
  for (const std::size_t i : chosen) options.add(in.plan.options[i]);
  Table table = options.take();
  table.id = "leaders";
  return table;
}

Table all_options_table(const Source& in) {
  std::vector<std::size_t> feasible, every;
  for (std::size_t i = 0; i < in.plan.options.size(); ++i) {
    every.push_back(i);
    if (in.plan.options[i].feasible) feasible.push_back(i);
  }
  Table table;
  if (feasible.empty()) {
    table = reasons_table(in, every);
  } else {
    OptionTable options(in, feasible, OptionTable::Detail::full, false);
    std::set<std::string> reasons;  // tenures that fail alike share a row
    for (const sim::PlanOption& option : in.plan.options) {
      if (option.feasible) {
        options.add(option);
      } else if (reasons.insert(option.hardware + "\n" + why_not_eligible(option, kTypographic)).second) {
        options.add_not_eligible(option);
      }
    }
    table = options.take();
  }
  table.id = "all_options";
  table.small = true;
  return table;
}

}  // namespace weir::reports::document

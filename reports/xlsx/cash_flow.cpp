#include "reports/xlsx/cash_flow.h"

#include <algorithm>

#include "reports/decision_view.h"
#include "reports/format.h"
#include "reports/xlsx/flow_columns.h"

namespace weir::reports::xlsx {
namespace {

constexpr std::uint32_t kTableRow = 4;
constexpr int kLastPoint = 5;  // years of age after which a value no longer falls

std::string option_title(const sim::PlanResult& plan, const sim::PlanOption& option, Language language) {
  return say(language, "Cash flow of option {rank}: {card}, {tenure}",
             {{"rank", std::to_string(option.rank)},
              {"card", hardware_short(option, language)},
              {"tenure", tenure_words(option, plan.scenario, language)}});
}

/// The servers as they leave, below the months: their sum by month is what the resale columns show.
class ResaleTable {
 public:
  ResaleTable(const FlowSource& source, std::uint32_t first) : s_(source), first_(first) {}

  ResaleCells cells() const { return {range(kSoldIn), range(kProceeds), range(kDisposal)}; }

  void write(Sheet& sheet, const FlowTable& flow) const {
    sheet.words(first_, kPaidIn, s_.t("Servers that leave, at the end of their life or of the horizon"), Look::section);
    sheet.row_height(first_, 24);
    write_heads(sheet);
    std::uint32_t row = first_ + 2;
    for (const sim::ServerLot& lot : s_.cost.schedule.lots) write_lot(sheet, flow, row++, lot);
  }

 private:
  /// The first column is left free: it is repeated on every printed page.
  enum Column : std::uint16_t { kPaidIn = 1, kSoldIn, kServers, kAge, kLeft, kProceeds, kDisposal };

  std::string range(Column column) const {
    const auto lots = static_cast<std::uint32_t>(s_.cost.schedule.lots.size());
    return fixed_cell(first_ + 2, column) + ":" + fixed_cell(first_ + 1 + std::max<std::uint32_t>(1, lots), column);
  }

  void write_heads(Sheet& sheet) const {
    const std::uint32_t row = first_ + 1;
    sheet.row_height(row, 40);
    sheet.words(row, kPaidIn, s_.t("Bought in\nmonth"), Look::head_right);
    sheet.words(row, kSoldIn, s_.t("Sold in\nmonth"), Look::head_right);
    sheet.words(row, kServers, s_.t("Servers"), Look::head_right);
    sheet.words(row, kAge, s_.t("Age\n(months)"), Look::head_right);
    sheet.words(row, kLeft, s_.t("Value left of\naccelerators"), Look::head_right);
    sheet.words(row, kProceeds, s_.amount_head("Resale"), Look::head_right);
    sheet.words(row, kDisposal, s_.amount_head("Disposal"), Look::head_right);
  }

  std::string point(int year) const {
    return year == 0 ? "1" : s_.names["residual_share_year_" + std::to_string(year)];
  }
  double point_value(int year) const { return year == 0 ? 1 : s_.input("residual_share_year_" + std::to_string(year)); }

  /// Straight between the yearly points.
  std::string left_formula(const sim::ServerLot& lot, std::uint32_t row) const {
    const int year = lot.age_months / 12;
    if (year >= kLastPoint) return point(kLastPoint);
    return point(year) + "+(" + point(year + 1) + "-" + point(year) + ")*(" + cell_name(row, kAge) + "/12-" +
           std::to_string(year) + ")";
  }
  double left_value(const sim::ServerLot& lot) const {
    const int year = lot.age_months / 12;
    if (year >= kLastPoint) return point_value(kLastPoint);
    return point_value(year) + (point_value(year + 1) - point_value(year)) * (lot.age_months / 12.0 - year);
  }

  void write_lot(Sheet& sheet, const FlowTable& flow, std::uint32_t row, const sim::ServerLot& lot) const {
    const auto each = [&](const char* key) { return fixed_cell(flow.total_row() - 1, flow.column(key)); };
    sheet.number(row, kPaidIn, lot.paid_month, kWhole);
    sheet.number(row, kSoldIn, lot.sold_month, kWhole);
    sheet.number(row, kServers, lot.servers, kWhole);
    sheet.number(row, kAge, lot.age_months, kWhole);
    sheet.formula(row, kLeft, left_formula(lot, row), left_value(lot), kShare);
    const double cards = s_.accelerators_each();
    const double rest = s_.each_of("server") - cards + s_.each_of("network") + s_.each_of("storage");
    const double worth = cards * left_value(lot) + rest * s_.input("residual_share_non_gpu");
    sheet.formula(row, kProceeds,
                  cell_name(row, kServers) + "*(" + each("cards") + "*" + cell_name(row, kLeft) + "+(" +
                      each("server") + "-" + each("cards") + "+" + each("network") + "+" + each("storage") + ")*" +
                      s_.names["residual_share_non_gpu"] + ")",
                  lot.servers * worth, s_.money);
    sheet.formula(row, kDisposal,
                  cell_name(row, kServers) + "*" + each("equipment") + "*" + s_.names["disposal_share_of_capex"],
                  lot.servers * s_.equipment_each() * s_.input("disposal_share_of_capex"), s_.money);
  }

  const FlowSource& s_;
  std::uint32_t first_;
};

void write_title(Sheet& sheet, const sim::PlanResult& plan, const sim::PlanOption& option, Language language) {
  // Right of the first column, which stays in sight while the others scroll.
  sheet.words(0, 1, option_title(plan, option, language), Look::title);
  sheet.row_height(0, 26);
  const bool live = !option.cost->schedule.months.empty();
  const char* note = "Amounts without discount, by month; month 0 is today.";
  if (live && option.tenure == "owned") {
    note =
        "Amounts are formulas over the sheet of inputs. Servers, spares and kilowatts are results of the plan and "
        "stand as numbers: a "
        "change of availability, failures, warranty, life or power takes a new plan.";
  } else if (live) {
    note = "Amounts are formulas over the sheet of inputs. Accelerators are results of the plan and stand as numbers.";
  }
  sheet.words(1, 1, say(language, note), Look::note);
}

CashFlow cells_of(const FlowTable& flow, const Sheet& sheet, int horizon_months, bool has_capex) {
  const std::string prefix = sheet_prefix(sheet.name());
  CashFlow cells;
  cells.total = prefix + flow.total_cell("total");
  cells.npv = prefix + flow.total_cell("present");
  cells.capex = has_capex ? prefix + flow.month_cell("capex", 0) : "0";
  cells.opex_first_year = "SUM(" + prefix + flow.months("opex", 1, std::min(12, horizon_months)) + ")";
  cells.cumulative = prefix + flow.months("cumulative", 0, horizon_months);
  return cells;
}

}  // namespace

std::string cash_flow_name(const sim::PlanOption& option, Language language) {
  return say(language, "Cash flow {rank}", {{"rank", std::to_string(option.rank)}});
}

CashFlow write_cash_flow(Book& book, const sim::PlanResult& plan, const sim::PlanOption& option,
                         const InputNames& names, Language language) {
  const sim::TenureCost& cost = *option.cost;
  Sheet& sheet = book.add_sheet(cash_flow_name(option, language));
  const int horizon_months = static_cast<int>(cost.months.size()) - 1;
  const bool small = cost.total.units() < 100'000;
  const FlowSource source{
      cost, names, language, horizon_months, small ? kCents : kWhole, currency_name(plan.currency, language)};
  write_title(sheet, plan, option, language);
  const bool live = !cost.schedule.months.empty(), owned = option.tenure == "owned";
  // "One server" and the total stand above the months: 4 rows of heads, then month 0 to the horizon, then a free row.
  const auto resale_row = kTableRow + 4 + static_cast<std::uint32_t>(horizon_months) + 2;
  const ResaleTable resale(source, resale_row);
  const ResaleCells cells = resale.cells();
  FlowTable flow(sheet, kTableRow - 1, horizon_months,
                 !live   ? plain_columns(source)
                 : owned ? owned_columns(source, cells)
                         : rented_columns(source),
                 say(language, "One server"), say(language, "Total"));
  flow.write();
  if (live && owned) resale.write(sheet, flow);
  return cells_of(flow, sheet, horizon_months, !live || owned);
}

}  // namespace weir::reports::xlsx

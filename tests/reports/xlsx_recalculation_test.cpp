#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>

#include "reports/decision_view.h"
#include "reports/paper.h"
#include "tests/reports/workbook_reader.h"
#include "tests/sim/plan/small_plan.h"

/// The workbook's own arithmetic, done by a spreadsheet program, against Weir's.
namespace weir::reports {
namespace {

namespace fs = std::filesystem;
using testing::Workbook;

constexpr double kCent = 0.01;

/// Growth, several purchases, a replacement within the horizon, and a currency that is not the catalogue's.
data::Scenario growing_scenario() {
  data::Scenario s = sim::small_scenario();
  s.workloads.front().growth_per_year = 0.5;
  s.cost.horizon_months = 54;
  s.cost.currency = "CNY";
  s.cost.overrides = {{"depreciation_years", 3},
                      {"disposal_share_of_capex", 0.02},
                      {"unrecovered_tax_rate", 0.06},
                      {"software_usd_per_gpu_year", 500},
                      {"demand_charge_usd_per_kw_month", 9},
                      {"insurance_share_of_capex_per_year", 0.01},
                      {"cloud_tax_rate", 0.06}};
  return s;
}

sim::PlanResult plan_of(const data::Scenario& scenario) {
  static const data::Trace trace = sim::small_trace(6, 120);
  return sim::small_plan(scenario, trace);
}

class Recalculation : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!can_write_xlsx()) GTEST_SKIP() << "this build writes no XLSX";
    if (!testing::run("command -v soffice") || !testing::run("cmake --version")) {
      GTEST_SKIP() << "needs soffice (Debian: libreoffice-calc-nogui) and cmake in PATH";
    }
    folder_ = fs::temp_directory_path() / ("weir-recalculation-" + std::to_string(getpid()));
    fs::create_directories(folder_ / "profile" / "user");
    fs::create_directories(folder_ / "out");
    // Without this LibreOffice trusts the values that stand in the file and recalculates nothing.
    testing::write_file(folder_ / "profile" / "user" / "registrymodifications.xcu",
                        R"(<?xml version="1.0" encoding="UTF-8"?>
<oor:items xmlns:oor="http://openoffice.org/2001/registry" xmlns:xs="http://www.w3.org/2001/XMLSchema">
<item oor:path="/org.openoffice.Office.Calc/Formula/Load"><prop oor:name="OOXMLRecalcMode" oor:op="fuse"><value>0</value></prop></item>
</oor:items>
)");
  }
  void TearDown() override {
    std::error_code ignored;
    if (!folder_.empty()) fs::remove_all(folder_, ignored);
  }

  /// As written, and as recalculated after `changes` to named inputs.
  std::pair<Workbook, Workbook> recalculated(const Decision& decision, Language language,
                                             const std::map<std::string, double>& changes) {
    const fs::path file = folder_ / "decision.xlsx";
    testing::write_file(file, decision_xlsx(decision, language));
    Workbook written(file, folder_ / "written");
    for (const auto& [name, value] : changes) written.set(name, value);
    const fs::path changed = folder_ / "changed.xlsx";
    EXPECT_TRUE(written.pack(changed));
    EXPECT_TRUE(testing::run("soffice -env:UserInstallation=file://" + (folder_ / "profile").string() +
                             " --headless --convert-to xlsx --outdir " + (folder_ / "out").string() + " " +
                             changed.string()));
    return {written, Workbook(folder_ / "out" / "changed.xlsx", folder_ / "read")};
  }

  fs::path folder_;
};

/// Columns of the first sheet.
constexpr const char* kOption = "B";
constexpr const char* kCapex = "J";
constexpr const char* kOpex = "K";
constexpr const char* kTco = "L";
constexpr const char* kNpv = "P";
constexpr const char* kPerUnit = "Q";
constexpr const char* kPaysBack = "R";

const sim::PlanOption& option_of(const sim::PlanResult& plan, const sim::PlanOption& like) {
  for (const sim::PlanOption& o : plan.options) {
    if (o.hardware == like.hardware && o.tenure == like.tenure && o.precision == like.precision &&
        o.engine == like.engine && o.tensor_parallel == like.tensor_parallel) {
      return o;
    }
  }
  throw std::logic_error("the other plan lacks an option");
}

/// Row of an option in the first sheet, as text; "" if it is not there.
std::string row_of(const Workbook& book, int rank) {
  for (const auto& [cell, value] : book.cells.at(book.sheets.front())) {
    if (cell.starts_with(kOption) && cell[1] < 'A' && value.is_number && value.number == rank) return cell.substr(1);
  }
  return "";
}

/// Every option of the shortlist against the plan that has the same inputs from the start.
int expect_same_costs(const Workbook& book, const sim::PlanResult& before, const sim::PlanResult& after) {
  const auto& cells = book.cells.at(book.sheets.front());
  int compared = 0;
  for (const std::size_t i : shortlist(before).rows) {
    const sim::PlanOption& shown = before.options[i];
    if (!shown.cost) continue;
    const sim::PlanOption& expected = option_of(after, shown);
    const std::string row = row_of(book, shown.rank);
    const std::string name = shown.hardware + " " + shown.tenure;
    EXPECT_NEAR(cells.at(kTco + row).number, expected.cost->total.units(), kCent) << name;
    EXPECT_NEAR(cells.at(kNpv + row).number, expected.cost->npv.units(), kCent) << name;
    EXPECT_NEAR(cells.at(kCapex + row).number, expected.cost->capex.units(), kCent) << name;
    EXPECT_NEAR(cells.at(kOpex + row).number, expected.cost->opex_first_year.units(), kCent) << name;
    EXPECT_NEAR(cells.at(kPerUnit + row).number, *expected.cost->per_million_output_tokens, 1e-6) << name;
    if (shown.tenure == "owned") {
      const auto& payback = cells.at(kPaysBack + row);
      EXPECT_EQ(payback.is_number, expected.break_even_month.has_value()) << name;
      if (expected.break_even_month) {
        EXPECT_EQ(payback.number, *expected.break_even_month) << name;
      }
    }
    ++compared;
  }
  return compared;
}

TEST_F(Recalculation, EveryFormulaGivesTheValueThatStandsBesideIt) {
  Decision decision;
  decision.plan = plan_of(growing_scenario());
  const auto [written, read] = recalculated(decision, Language::en, {});
  ASSERT_TRUE(read.valid);
  ASSERT_EQ(read.sheets, written.sheets);
  int formulas = 0;
  for (const auto& [sheet, cells] : written.cells) {
    for (const auto& [name, cell] : cells) {
      if (cell.formula.empty()) continue;
      const auto& again = read.cells.at(sheet).at(name);
      EXPECT_EQ(again.is_number, cell.is_number) << sheet << " " << name << " " << cell.formula << again.text;
      EXPECT_NEAR(again.number, cell.number, 1e-9 * std::abs(cell.number) + 1e-4)
          << sheet << " " << name << " =" << cell.formula;
      EXPECT_EQ(again.text, cell.text) << sheet << " " << name;
      ++formulas;
    }
  }
  EXPECT_GT(formulas, 4'000);
  EXPECT_GE(expect_same_costs(read, decision.plan, decision.plan), 4);
}

TEST_F(Recalculation, ChangedPricesGiveTheCostOfAPlanWithThosePrices) {
  Decision decision;
  decision.plan = plan_of(growing_scenario());
  data::Scenario changed = growing_scenario();
  changed.cost.overrides.insert({{"server_price_usd.l4", 31'234.5},
                                 {"server_price_usd.h100-sxm5-80gb", 199'999},
                                 {"cloud_usd_per_hour.l4", 0.987},
                                 {"cloud_usd_per_hour.h100-sxm5-80gb", 4.321}});
  const auto [written, read] = recalculated(decision, Language::zh_CN,
                                            {{"server_price_usd_l4", 31'234.5},
                                             {"server_price_usd_h100_sxm5_80gb", 199'999},
                                             {"cloud_usd_per_hour_l4", 0.987},
                                             {"cloud_usd_per_hour_h100_sxm5_80gb", 4.321}});
  EXPECT_GE(expect_same_costs(read, decision.plan, plan_of(changed)), 4);
}

TEST_F(Recalculation, EveryBlueInputIsFollowed) {
  Decision decision;
  decision.plan = plan_of(growing_scenario());
  const std::map<std::string, double> inputs = {{"inflation", 0.041},
                                                {"network_share_of_server_capex", 0.11},
                                                {"storage_share_of_server_capex", 0.035},
                                                {"rack_setup_per_server_usd", 1'777},
                                                {"unrecovered_tax_rate", 0.09},
                                                {"purchase_discount", 0.07},
                                                {"server_price_factor", 1.13},
                                                {"pue", 1.47},
                                                {"electricity_usd_per_kwh", 0.131},
                                                {"electricity_price_drift", 0.033},
                                                {"demand_charge_usd_per_kw_month", 11},
                                                {"colo_usd_per_kw_month", 171},
                                                {"maintenance_share_of_capex_per_year", 0.083},
                                                {"engineer_usd_per_year", 143'000},
                                                {"gpus_per_fte", 41},
                                                {"min_fte", 0.31},
                                                {"software_usd_per_gpu_year", 750},
                                                {"internet_usd_per_month", 321},
                                                {"insurance_share_of_capex_per_year", 0.017},
                                                {"spare_stock_share_of_capex", 0.023},
                                                {"residual_share_year_1", 0.71},
                                                {"residual_share_year_2", 0.52},
                                                {"residual_share_year_3", 0.33},
                                                {"residual_share_non_gpu", 0.12},
                                                {"disposal_share_of_capex", 0.031},
                                                {"replaced_parts_per_gpu_year", 0.05},
                                                {"cloud_price_drift", -0.12},
                                                {"cloud_support_share", 0.07},
                                                {"contention_jitter_share", 0.04},
                                                {"cloud_tax_rate", 0.05},
                                                {"storage_usd_per_gb_month", 0.041},
                                                {"host_chassis_8gpu_sxm_usd", 61'000},
                                                {"discount_rate", 0.083}};
  data::Scenario changed = growing_scenario();
  for (const auto& [key, value] : inputs) changed.cost.overrides[key] = value;
  const auto [written, read] = recalculated(decision, Language::en, inputs);
  EXPECT_GE(expect_same_costs(read, decision.plan, plan_of(changed)), 4);
}

}  // namespace
}  // namespace weir::reports

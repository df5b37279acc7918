#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

#include "reports/decision_view.h"
#include "reports/paper.h"
#include "tests/reports/sample_decision.h"
#include "tests/reports/workbook_reader.h"
#include "tests/sim/plan/small_plan.h"

namespace weir::reports {
namespace {

namespace fs = std::filesystem;
using testing::Workbook;

const Decision& small_decision() {
  static const Decision decision = [] {
    Decision d;
    d.weir_version = "0.2.0";
    data::Scenario scenario = sim::small_scenario();
    scenario.title["en"] = "=1+1 & <b>title</b>";
    scenario.title["zh_CN"] = "客服对话";
    scenario.workloads.front().growth_per_year = 0.3;
    const data::Trace trace = sim::small_trace(4, 80);
    d.plan = sim::small_plan(scenario, trace);
    return d;
  }();
  return decision;
}

class Xlsx : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!can_write_xlsx()) GTEST_SKIP() << "this build writes no XLSX";
    if (!testing::run("cmake --version")) GTEST_SKIP() << "needs cmake in PATH to unpack files";
    folder_ = fs::temp_directory_path() / ("weir-xlsx-" + std::to_string(getpid()));
    fs::create_directories(folder_);
  }
  void TearDown() override {
    std::error_code ignored;
    if (!folder_.empty()) fs::remove_all(folder_, ignored);
  }
  Workbook open(const std::string& bytes) {
    testing::write_file(folder_ / "book.xlsx", bytes);
    return Workbook(folder_ / "book.xlsx", folder_ / "parts");
  }
  fs::path folder_;
};

TEST_F(Xlsx, TheSameDecisionGivesTheSameBytes) {
  for (const Language language : {Language::en, Language::zh_CN}) {
    const std::string first = decision_xlsx(small_decision(), language);
    sleep(1);  // a clock in the file would show
    EXPECT_TRUE(first == decision_xlsx(small_decision(), language));
  }
  EXPECT_FALSE(decision_xlsx(small_decision(), Language::en) == decision_xlsx(small_decision(), Language::zh_CN));
}

TEST_F(Xlsx, HasASheetForTheAnswerTheOptionsTheInputsAndEveryCashFlow) {
  const Workbook book = open(decision_xlsx(small_decision(), Language::en));
  ASSERT_TRUE(book.valid);
  std::vector<std::string> expected = {"Decision", "All options", "Cost inputs"};
  const sim::PlanResult& plan = small_decision().plan;
  for (const std::size_t i : shortlist(plan).rows) {
    if (plan.options[i].cost) expected.push_back("Cash flow " + std::to_string(plan.options[i].rank));
  }
  EXPECT_EQ(book.sheets, expected);
  EXPECT_GE(expected.size(), 6U);
}

TEST_F(Xlsx, AmountsStandingInTheCashFlowAddUpToTheTco) {
  const Workbook book = open(decision_xlsx(small_decision(), Language::en));
  const sim::PlanResult& plan = small_decision().plan;
  int sheets = 0;
  for (const std::size_t i : shortlist(plan).rows) {
    const sim::PlanOption& o = plan.options[i];
    if (!o.cost) continue;
    const auto& cells = book.cells.at("Cash flow " + std::to_string(o.rank));
    // The column is found by its head; heads stand in row 5.
    double sum = 0;
    for (const auto& [name, cell] : cells) {
      const std::string column = name.substr(0, name.find_first_of("0123456789"));
      const auto head = cells.find(column + "5");
      if (head == cells.end() || head->second.text != "Cost of\nthe month\n(USD)") continue;
      const bool total = cell.formula.starts_with("SUM(");
      if (total) {
        EXPECT_NEAR(cell.number, o.cost->total.units(), 0.01);
      }
      if (cell.is_number && !total) sum += cell.number;
    }
    EXPECT_NEAR(sum, o.cost->total.units(), 0.01) << o.hardware << " " << o.tenure;
    ++sheets;
  }
  EXPECT_GE(sheets, 3);
}

TEST_F(Xlsx, TextOfTheUserIsNeverAFormulaAndNumbersAreNumbers) {
  const Workbook book = open(decision_xlsx(small_decision(), Language::en));
  const auto& title = book.cells.at("Decision").at("A1");
  EXPECT_TRUE(title.is_text);
  EXPECT_EQ(title.text, "=1+1 & <b>title</b>");
  EXPECT_EQ(title.formula, "");
  const auto& options = book.cells.at("All options");
  EXPECT_TRUE(options.at("A5").is_number);
  EXPECT_EQ(options.at("A5").number, 1);
  int numbers = 0;
  for (const auto& [name, cell] : book.cells.at("Cost inputs")) {
    if (name.front() == 'B' && cell.is_number) ++numbers;
  }
  EXPECT_EQ(numbers, static_cast<int>(small_decision().plan.cost_inputs.size()) + 1);  // and the hours of a month
}

TEST_F(Xlsx, EverySheetKeepsItsHeadsInSightAndPrintsOnA4Landscape) {
  const Workbook book = open(decision_xlsx(small_decision(), Language::zh_CN));
  ASSERT_TRUE(book.valid);
  for (std::size_t i = 0; i < book.sheets.size(); ++i) {
    const std::string xml = book.xml(book.sheet_part(i));
    EXPECT_THAT(xml, ::testing::HasSubstr("state=\"frozen\"")) << book.sheets[i];
    EXPECT_THAT(xml, ::testing::HasSubstr("<pageSetup paperSize=\"9\" ")) << book.sheets[i];
    EXPECT_THAT(xml, ::testing::HasSubstr("orientation=\"landscape\"")) << book.sheets[i];
    EXPECT_THAT(xml, ::testing::HasSubstr("fitToHeight=\"0\"")) << book.sheets[i];
  }
  EXPECT_EQ(book.cells.at(book.sheets.front()).at("A1").text, "客服对话");
  EXPECT_THAT(book.sheets, ::testing::Contains("成本参数"));
}

TEST_F(Xlsx, EveryNameInAFormulaIsDefined) {
  const Workbook book = open(decision_xlsx(small_decision(), Language::en));
  for (const auto& [sheet, cells] : book.cells) {
    for (const auto& [name, cell] : cells) {
      std::string word;
      for (const char c : cell.formula + " ") {
        if (std::islower(static_cast<unsigned char>(c)) || std::isdigit(static_cast<unsigned char>(c)) || c == '_') {
          word += c;
          continue;
        }
        if (word.find('_') != std::string::npos) {
          EXPECT_TRUE(book.names.contains(word)) << sheet << name << word;
        }
        word.clear();
      }
    }
  }
}

TEST_F(Xlsx, ColumnsAreAsWideAsTheirNumbers) {
  const Workbook book = open(decision_xlsx(small_decision(), Language::en));
  for (std::size_t i = 0; i < book.sheets.size(); ++i) {
    std::map<int, double> widths;
    for (const std::string& col : testing::elements(book.xml(book.sheet_part(i)), "col")) {
      for (int c = std::stoi(testing::attribute(col, "min")); c <= std::stoi(testing::attribute(col, "max")); ++c) {
        widths[c] = std::stod(testing::attribute(col, "width"));
      }
    }
    for (const auto& [name, cell] : book.cells.at(book.sheets[i])) {
      if (!cell.is_number || std::abs(cell.number) < 1000) continue;
      int column = 0;
      for (const char c : name) {
        if (c >= 'A' && c <= 'Z') column = column * 26 + (c - 'A' + 1);
      }
      EXPECT_GT(widths[column], static_cast<double>(grouped(std::llround(cell.number)).size())) << name;
    }
  }
}

TEST_F(Xlsx, DecisionsWithoutASchedulePricesOrFeasibleOptionsAreWrittenToo) {
  for (const Decision& decision : {testing::sample_decision(), testing::infeasible_decision()}) {
    for (const Language language : {Language::en, Language::zh_CN}) {
      EXPECT_TRUE(open(decision_xlsx(decision, language)).valid);
    }
  }
  const Workbook book = open(decision_xlsx(testing::sample_decision(), Language::en));
  // 200,000 today, 2,000 a month, 40,000 back in month 36.
  EXPECT_EQ(book.cells.at("Cash flow 1").at("E6").number, 232'000);
}

}  // namespace
}  // namespace weir::reports

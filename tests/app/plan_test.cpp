#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "run_weir.h"

namespace weir::cli::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class Plan : public ::testing::Test {
 protected:
  void SetUp() override {
    write_file(scratch_ / "small.csv", small_trace());
    write_file(scratch_ / "small.json", small_scenario());
  }
  std::string planned(std::vector<std::string> more) {
    std::vector<std::string> arguments = {"plan", "small.json", "--json", "-"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const Outcome outcome = weir(scratch_, arguments);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return outcome.out;
  }
  Scratch scratch_;
};

/// The part of a plan's JSON from the first "classes" on: the figures of each class.
std::string class_figures(const std::string& json) {
  const std::size_t from = json.find("\"classes\"");
  return from == std::string::npos ? "" : json.substr(from, 2000);
}

TEST_F(Plan, SameBytesTwiceAndWithAnyNumberOfThreads) {
  const std::string once = planned({"--threads", "1"});
  EXPECT_EQ(once, planned({"--threads", "1"}));
  EXPECT_EQ(once, planned({"--threads", "2"}));
  EXPECT_THAT(once, HasSubstr("\"schema\": \"weir.plan/1\""));
}

TEST_F(Plan, AnotherSeedDealsTheClassesAnew) {
  const std::string one = planned({"--seed", "1"});
  const std::string two = planned({"--seed", "2"});
  ASSERT_FALSE(class_figures(one).empty());
  EXPECT_NE(class_figures(one), class_figures(two));
}

TEST_F(Plan, WritesEveryFormAndTheAnswer) {
  const Outcome outcome =
      weir(scratch_, {"plan", "small.json", "--json", "p.json", "--csv", "tables", "--html", "p.html"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(outcome.err, "");
  EXPECT_THAT(outcome.out, HasSubstr("TTFT"));
  EXPECT_THAT(read_file(scratch_ / "p.json"), HasSubstr("weir.plan/1"));
  EXPECT_THAT(read_file(scratch_ / "p.html"), HasSubstr("<!DOCTYPE html>"));
  for (const char* name : {"options.csv", "cost_lines.csv", "cash_flow.csv", "classes.csv", "cost_inputs.csv"}) {
    EXPECT_THAT(read_file(scratch_ / "tables" / name), HasSubstr("\r\n")) << name;
  }
}

TEST_F(Plan, NothingFeasibleIsFourWithTheWholeResult) {
  write_file(scratch_ / "small.json", small_scenario("", R"({"tpot_s":{"p99":0.000001}})"));
  const Outcome outcome = weir(scratch_, {"plan", "small.json", "--json", "p.json"});
  EXPECT_EQ(outcome.code, 4) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("meets the targets"));
  const std::string json = read_file(scratch_ / "p.json");
  EXPECT_THAT(json, HasSubstr("\"feasible\": false"));
  EXPECT_THAT(json, Not(HasSubstr("\"feasible\": true")));
  EXPECT_THAT(json, HasSubstr("\"why_not\": \"cannot meet"));
}

TEST_F(Plan, QuietSaysNothing) {
  const Outcome outcome = weir(scratch_, {"plan", "small.json", "--json", "p.json", "--quiet"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(outcome.out, "");
  EXPECT_EQ(outcome.err, "");
}

TEST_F(Plan, ReportOfAProjectRepeatsThePlan) {
  const Outcome made = weir(
      scratch_, {"plan", "small.json", "--trace", "small.csv", "--seed", "5", "--project", "p.weir", "--json", "-"});
  ASSERT_EQ(made.code, 0) << made.err;
  const Outcome again = weir(scratch_, {"report", "--project", "p.weir", "--json", "-"});
  EXPECT_EQ(again.code, 0) << again.err;
  EXPECT_EQ(again.out, made.out);
  EXPECT_EQ(again.err, "");
}

TEST_F(Plan, SimulateAndCostRunTheScenariosOwnDeployment) {
  const Outcome run = weir(scratch_, {"simulate", "small.json", "--json", "-"});
  EXPECT_EQ(run.code, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr("weir.run/1"));
  const Outcome cost = weir(scratch_, {"cost", "small.json", "--json", "-"});
  EXPECT_EQ(cost.code, 0) << cost.err;
  EXPECT_THAT(cost.out, HasSubstr("\"tenure\": \"owned\""));
  EXPECT_THAT(cost.out, HasSubstr("\"formula\""));
}

TEST_F(Plan, ReplicationsAreTheSameWithAnyNumberOfThreads) {
  const auto replicated = [&](const char* threads) {
    const Outcome outcome =
        weir(scratch_, {"simulate", "small.json", "--replications", "3", "--threads", threads, "--json", "-"});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return outcome.out;
  };
  const std::string one = replicated("1");
  EXPECT_EQ(one, replicated("2"));
  EXPECT_THAT(one, HasSubstr("\"latency_s.ttft.p99\""));
  const Outcome text = weir(scratch_, {"simulate", "small.json", "--replications", "3"});
  EXPECT_THAT(text.out, HasSubstr("3 runs, seeds 1 to 3; 3 met all targets"));
  EXPECT_THAT(text.out, HasSubstr("P99 TTFT"));
  EXPECT_THAT(weir(scratch_, {"simulate", "small.json", "--json", "-"}).out, HasSubstr("\"replications\": null"));
  EXPECT_NE(weir(scratch_, {"simulate", "small.json", "--replications", "0"}).code, 0);
}

TEST(Catalog, ShowsEveryPartWithItsSource) {
  const Scratch scratch;
  for (const char* what : {"hardware", "models", "prices", "scenarios", "economics"}) {
    const Outcome outcome = weir(scratch, {"catalog", what});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_FALSE(outcome.out.empty());
  }
  EXPECT_THAT(weir(scratch, {"catalog", "hardware", "t4", "--json", "-"}).out, HasSubstr("\"source\""));
  EXPECT_EQ(weir(scratch, {"catalog", "hardware", "t5"}).code, 3);
  EXPECT_EQ(weir(scratch, {"catalog", "economics", "pui"}).code, 3);
}

TEST(Program, ExplainsItself) {
  const Scratch scratch;
  EXPECT_THAT(weir(scratch, {"--version"}).out, ::testing::StartsWith("weir 0."));
  const Outcome help = weir(scratch, {"--help"});
  EXPECT_EQ(help.code, 0);
  EXPECT_THAT(help.out, HasSubstr("weir demo"));
  for (const char* command : {"demo", "doctor", "probe", "import", "simulate", "plan", "report", "catalog", "cost"}) {
    const Outcome outcome = weir(scratch, {command, "--help"});
    EXPECT_EQ(outcome.code, 0) << command;
    EXPECT_THAT(outcome.out, HasSubstr("Example:")) << command;
  }
}

}  // namespace
}  // namespace weir::cli::testing

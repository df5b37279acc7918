// Requests drawn as they are asked for.
#include "sim/workload/drawn_source.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <array>

#include "data/errors.h"

namespace weir::sim {
namespace {

data::RequestClass drawn(const std::string& name, const data::ArrivalProcess& arrivals) {
  data::RequestClass c;
  c.name = name;
  c.arrivals = arrivals;
  c.input_tokens = data::LengthDistribution{"lognormal", 1155, 4000};
  c.output_tokens = data::LengthDistribution{"fixed", 211, std::nullopt};
  return c;
}

data::Scenario scenario(std::vector<data::RequestClass> classes) {
  data::Scenario s;
  s.name = "test";
  s.workloads.resize(1);
  s.workloads[0].name = "work";
  s.workloads[0].classes = std::move(classes);
  return s;
}

std::vector<SimRequest> all_of(RequestSource& source) {
  std::vector<SimRequest> all;
  for (auto batch = source.next(); !batch.empty(); batch = source.next()) {
    EXPECT_LE(batch.size(), DrawnSource::kBatch);
    all.insert(all.end(), batch.begin(), batch.end());
  }
  EXPECT_TRUE(source.next().empty());  // the end stays the end
  return all;
}

bool same(const SimRequest& a, const SimRequest& b) {
  return a.arrival == b.arrival && a.input_tokens == b.input_tokens && a.output_tokens == b.output_tokens &&
         a.items == b.items && a.class_index == b.class_index && a.client == b.client && a.content == b.content;
}

void expect_same_as_the_list(const data::Scenario& s, std::uint64_t seed) {
  const RequestList list = make_requests(s, s.workloads[0], nullptr, seed);
  Demand demand = make_demand(s, s.workloads[0], nullptr, seed);
  EXPECT_EQ(demand.source->class_names(), list.class_names);
  const std::vector<SimRequest> streamed = all_of(*demand.source);
  ASSERT_EQ(streamed.size(), list.requests.size());
  for (std::size_t i = 0; i < streamed.size(); ++i) ASSERT_TRUE(same(streamed[i], list.requests[i])) << i;
}

TEST(DrawnSource, OneClassIsTheList) {
  expect_same_as_the_list(scenario({drawn("chat", {"poisson", 10})}), 1);
  expect_same_as_the_list(scenario({drawn("chat", {"gamma", 10, 2})}), 9);
}

RC_GTEST_PROP(DrawnSource, SeveralClassesAreTheList, (std::uint32_t seed)) {
  std::vector<data::RequestClass> classes;
  const auto count = *rc::gen::inRange(2, 5);
  for (int i = 0; i < count; ++i) {
    data::ArrivalProcess arrivals{"poisson", *rc::gen::element(0.3, 5.0, 20.0)};
    if (*rc::gen::arbitrary<bool>()) arrivals.process = "gamma", arrivals.cv = *rc::gen::element(0.2, 1.0, 3.0);
    classes.push_back(drawn("c" + std::to_string(i), arrivals));
  }
  expect_same_as_the_list(scenario(classes), seed);
}

TEST(DrawnSource, ADayWithAShapeIsTheListToo) {
  expect_same_as_the_list(scenario({drawn("a", {"gamma", 0.5, 2, {1, 3, 0}}), drawn("b", {"poisson", 0.2})}), 3);
}

TEST(DrawnSource, NotesSayWhatIsDrawn) {
  const data::Scenario s = scenario({drawn("chat", {"poisson", 10}), drawn("code", {"gamma", 10, 2})});
  EXPECT_THAT(make_demand(s, s.workloads[0], nullptr, 5).notes,
              ::testing::ElementsAre("class chat: Poisson arrivals at 10/s drawn over 3600 s (seed 5)",
                                     "class code: arrivals with gamma-distributed gaps of CV 2 at 10/s drawn over "
                                     "3600 s (seed 5)"));
}

TEST(DrawnSource, ATraceIsAListOfItsOwn) {
  data::Trace trace;
  trace.name = "t.csv";
  trace.requests = {{.arrival_ns = 0, .input_tokens = 5, .output_tokens = 6},
                    {.arrival_ns = 7, .input_tokens = 8, .output_tokens = 9}};
  data::Scenario s = scenario({drawn("chat", {"poisson", 10})});
  Demand demand = make_demand(s, s.workloads[0], &trace, 1);
  EXPECT_EQ(demand.source->offered_by_class(), std::vector<std::int64_t>{2});
  EXPECT_EQ(demand.notes.front(), "t.csv: 2 requests");
  const auto batch = demand.source->next();
  ASSERT_EQ(batch.size(), 2u);
  EXPECT_EQ(batch[1].input_tokens, 8);
}

TEST(DrawnSource, StopsAtTheMostRequests) {
  DrawnClass c{.name = "c", .arrivals = {"poisson", 1000}};
  DrawnSource endless({c}, Time::from_seconds(1e6), 1, 3000);
  EXPECT_EQ(all_of(endless).size(), 3000u);
}

// Three pairs, 90,000 draws: each is drawn 30,000 times with a standard deviation of 141. Nothing else comes.
TEST(DrawnSource, DrawsPairsFromATable) {
  const auto table =
      std::make_shared<const std::vector<LengthPair>>(std::vector<LengthPair>{{10, 1}, {20, 2}, {30, 3}});
  DrawnClass c{.name = "c", .arrivals = {"poisson", 100}, .pairs = table};
  DrawnSource source({c}, Time::from_seconds(1e6), 1, 90'000);
  std::array<int, 4> seen{};
  for (const SimRequest& r : all_of(source)) {
    ASSERT_EQ(r.input_tokens, 10 * r.output_tokens);
    ++seen.at(static_cast<std::size_t>(r.output_tokens));
  }
  for (std::size_t i = 1; i < 4; ++i) EXPECT_NEAR(seen.at(i), 30'000, 4 * 141);
}

TEST(DrawnSource, RefusesTablesWithoutLengths) {
  const auto source = [](std::vector<LengthPair> rows) {
    PairSource(std::make_shared<const std::vector<LengthPair>>(std::move(rows)), 1, "lengths");
  };
  EXPECT_THROW(source({}), std::invalid_argument);
  EXPECT_THROW(source({{1, 0}}), std::invalid_argument);
  EXPECT_NO_THROW(source({{1, 1}}));
}

// So rare that none is likely to come in the 115 days a demand may last.
TEST(DrawnSource, ADemandWithoutRequestsIsRefusedAsTheListIs) {
  const data::Scenario s = scenario({drawn("chat", {"poisson", 1e-12})});
  EXPECT_THROW(make_requests(s, s.workloads[0], nullptr, 1), data::InputError);
  EXPECT_THROW(make_demand(s, s.workloads[0], nullptr, 1), data::InputError);
}

TEST(DrawnSource, LengthsAreNeeded) {
  data::Scenario s = scenario({drawn("chat", {"poisson", 10})});
  s.workloads[0].classes[0].output_tokens.reset();
  EXPECT_THROW(make_demand(s, s.workloads[0], nullptr, 1), data::InputError);
}

}  // namespace
}  // namespace weir::sim

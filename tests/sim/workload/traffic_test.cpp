// Demands of scenarios with the richer traffic: files, bounds, replay spread over the clock's step.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>

#include "data/errors.h"
#include "data/import/trace_import.h"
#include "data/rate_series_file.h"
#include "sim/workload/client_windows.h"
#include "sim/workload/draw_class.h"
#include "sim/workload/drawn_source.h"
#include "sim/workload/replay_trace.h"
#include "tests/data/temporary_folder.h"

namespace weir::sim {
namespace {

using data::TemporaryFolder;
using ::testing::Contains;
using ::testing::HasSubstr;

data::RequestClass poisson(const std::string& name, double rate_per_s) {
  data::RequestClass c;
  c.name = name;
  c.arrivals = data::ArrivalProcess{.process = "poisson", .rate_per_s = rate_per_s};
  c.input_tokens = data::LengthDistribution{"fixed", 100};
  c.output_tokens = data::LengthDistribution{"fixed", 10};
  return c;
}

data::Scenario scenario(std::vector<data::RequestClass> classes) {
  data::Scenario s;
  s.name = "s.json";
  s.workloads.resize(1);
  s.workloads[0].name = "work";
  s.workloads[0].classes = std::move(classes);
  return s;
}

Demand demand(const data::Scenario& s) { return make_demand(s, s.workloads[0], nullptr, 1); }

std::string refusal(const data::Scenario& s) {
  try {
    demand(s);
  } catch (const data::InputError& error) {
    return error.what();
  }
  return "taken";
}

std::vector<SimRequest> all_of(RequestSource& source) {
  std::vector<SimRequest> all;
  for (auto batch = source.next(); !batch.empty(); batch = source.next()) {
    all.insert(all.end(), batch.begin(), batch.end());
  }
  return all;
}

TEST(Traffic, DurationIsStatedOrLongEnough) {
  data::Scenario s = scenario({poisson("chat", 10)});
  s.workloads[0].duration_s = 50;
  Demand fifty = demand(s);
  EXPECT_EQ(fifty.source->end(), Time::from_seconds(50));
  EXPECT_NEAR(static_cast<double>(all_of(*fifty.source).size()), 500, 4 * std::sqrt(500.0));
  s.workloads[0].duration_s.reset();
  s.workloads[0].classes[0].sessions =
      data::Sessions{.turns = {"fixed", 11}, .think = {"fixed", 600}};  // 6,000 s of thinking
  EXPECT_EQ(demand(s).source->end(), Time::from_seconds(60'000));
  s.workloads[0].classes[0].sessions.reset();
  s.workloads[0].classes[0].arrivals->weekly_shape = {1, 1, 1, 1, 1, 2, 2};
  EXPECT_EQ(demand(s).source->end(), Time::from_seconds(604'800));
}

TEST(Traffic, IsBounded) {
  data::Scenario s = scenario({poisson("chat", 1000)});
  s.workloads[0].duration_s = 1e7;
  EXPECT_THAT(refusal(s), HasSubstr("1000 is not allowed: at most 1e+09 requests are drawn, here over 1e+07 s"));
  s.workloads[0].classes[0].arrivals->rate_per_s = 10;
  EXPECT_EQ(refusal(s), "taken");
  s.workloads[0].classes[0].sessions = data::Sessions{.turns = {"fixed", 2}, .think = {"fixed", 1}};
  EXPECT_THAT(refusal(s), HasSubstr("/sessions: 1e+08 is not allowed: at most 1e+07 conversations are drawn"));
}

// A list of requests cannot hold what depends on answers.
TEST(Traffic, ListsRefuseClientsThatWait) {
  data::Scenario s = scenario({poisson("chat", 1)});
  s.workloads[0].classes[0].sessions = data::Sessions{.turns = {"fixed", 2}, .think = {"fixed", 1}};
  EXPECT_TRUE(demand(s).source->reacts());
  try {
    make_requests(s, s.workloads[0], nullptr, 1);
    FAIL() << "listed";
  } catch (const data::InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("its clients wait for their answers"));
  }
}

TEST(Traffic, ClientsOfDifferentClassesAreDifferent) {
  data::RequestClass a = poisson("a", 10), b = poisson("b", 10);
  a.clients = data::ClientMix{.count = 5};
  b.clients = data::ClientMix{.count = 3, .lengths_p99_over_mean = 4};
  Demand both = demand(scenario({a, b}));
  std::map<int, std::set<std::int32_t>> clients, lengths_of_b;
  for (const SimRequest& r : all_of(*both.source)) {
    clients[r.class_index].insert(r.client);
    if (r.class_index == 1) lengths_of_b[r.client].insert(r.input_tokens);
  }
  EXPECT_EQ(clients[0], (std::set<std::int32_t>{0, 1, 2, 3, 4}));
  EXPECT_EQ(clients[1], (std::set<std::int32_t>{5, 6, 7}));
  for (const auto& [client, lengths] : lengths_of_b) EXPECT_EQ(lengths.size(), 1u);  // its own factor
  EXPECT_NE(lengths_of_b[5], lengths_of_b[6]);
  EXPECT_THAT(both.notes, Contains("class a: the arrivals are those of 5 clients, with rates that are equal"));
}

TEST(Traffic, CancellationIsDrawnByRequest) {
  data::RequestClass c = poisson("chat", 10);
  c.cancel = data::Cancellation{.share = 0.25, .after = {"fixed", 3}};
  Demand some = demand(scenario({c}));
  double hung_up = 0, n = 0;
  for (const SimRequest& r : all_of(*some.source)) {
    EXPECT_TRUE(r.cancel_after == Time::never() || r.cancel_after == Time::from_seconds(3));
    hung_up += r.cancel_after != Time::never() ? 1 : 0;
    ++n;
  }
  EXPECT_NEAR(hung_up / n, 0.25, 4 * std::sqrt(0.1875 / n));
  // The arrivals and lengths are those without it.
  data::RequestClass without = c;
  without.cancel.reset();
  Demand plain = demand(scenario({without})), same = demand(scenario({c}));
  const auto a = all_of(*plain.source), b = all_of(*same.source);
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) ASSERT_EQ(a[i].arrival, b[i].arrival);
}

TEST(Traffic, TokensComeFromTraces) {
  const TemporaryFolder folder;
  folder.write("t.csv", "arrival_s,input_tokens,output_tokens\n0,10,1\n1,20,2\n2,30,3\n");
  data::RequestClass pairs = poisson("pairs", 10), column = poisson("column", 10);
  pairs.input_tokens.reset(), pairs.output_tokens.reset();
  pairs.token_pairs = "t.csv";
  column.input_tokens =
      data::LengthDistribution{.distribution = "empirical", .file = "t.csv", .column = "output_tokens"};
  data::Scenario s = scenario({pairs, column});
  s.folder = folder.path();
  std::set<int> ratio, inputs;
  for (const SimRequest& r : all_of(*demand(s).source)) {
    if (r.class_index == 0) ratio.insert(r.input_tokens / r.output_tokens);
    if (r.class_index == 1) inputs.insert(r.input_tokens);
  }
  EXPECT_EQ(ratio, (std::set<int>{10}));
  EXPECT_EQ(inputs, (std::set<int>{1, 2, 3}));
}

// Counts of 300 s; the third step is missing and repeats the second.
TEST(RateSeriesFile, ReadsCountsAndDates) {
  const TemporaryFolder folder;
  const auto file = folder.write("r.csv",
                                 "timestamp,value\n2014-04-10 00:00:00,30\n2014-04-10 00:05:00,60\n"
                                 "2014-04-10 00:15:00,0\n2014-04-10 00:20:00,3\n");
  const data::RateSeries series = data::read_rate_series(file);
  EXPECT_EQ(series.step_s, 300);
  EXPECT_EQ(series.rates_per_s, (std::vector<double>{0.1, 0.2, 0.2, 0, 0.01}));
  data::RequestClass c = poisson("c", 0);
  c.arrivals = data::ArrivalProcess{.process = "rate-series"};
  c.arrivals->series = data::RateSeries{.step_s = 0, .rates_per_s = {}, .file = "r.csv", .rate_scale = 100};
  data::Scenario s = scenario({c});
  s.folder = folder.path();
  Demand drawn = demand(s);
  EXPECT_EQ(drawn.source->end(), Time::from_seconds(1500));
  EXPECT_NEAR(static_cast<double>(all_of(*drawn.source).size()), 15'300, 4 * std::sqrt(15'300.0));
  EXPECT_THAT(drawn.notes, Contains("class c: Poisson arrivals that follow a rate series of 5 steps of 300 s at 10.2/s "
                                    "drawn over 1500 s (seed 1)"));
}

TEST(RateSeriesFile, RefusesByLine) {
  const TemporaryFolder folder;
  const auto with = [&](const std::string& text) -> std::string {
    try {
      data::read_rate_series(folder.write("r.csv", text));
    } catch (const data::InputError& error) {
      return error.what();
    }
    return "read";
  };
  EXPECT_THAT(with("a,b\n1,2\n"), HasSubstr("line 1: expected columns"));
  EXPECT_THAT(with("begin_s,rate_per_s\n0,1\n60,-1\n"), HasSubstr("line 3: expected a number >= 0"));
  EXPECT_THAT(with("begin_s,rate_per_s\n0,nan\n60,1\n"), HasSubstr("line 2: expected a number >= 0"));
  EXPECT_THAT(with("begin_s,rate_per_s\n0,1\n0,1\n"), HasSubstr("line 3: its time is not after the one before"));
  EXPECT_THAT(with("begin_s,rate_per_s\n0,1\n60,1\n120,1\n170,1\n"), HasSubstr("not a whole number of steps"));
  EXPECT_THAT(with("begin_s,rate_per_s\n0,0\n60,0\n"), HasSubstr("a rate series needs a rate above 0"));
  EXPECT_THAT(with("begin_s,rate_per_s\n0,1\n1,1\n9000000000,1\n"), HasSubstr("at most 1000000 steps"));
}

// Two windows: 2/s of CV 1 in [0, 600), nothing in [600, 1200), 4/s in [1200, 1800); tokens of the first and the third.
TEST(ClientWindows, FollowTheirFile) {
  const TemporaryFolder folder;
  folder.write("a-trace.csv", "0,2,1,Exponential,1,1\n600,0,0,,0,0\n1200,4,0.5,Gamma,4,0.0625\n");
  folder.write("a-dataset.json", R"({"0": {"input_tokens": "{10: 1.0}", "output_tokens": "{3: 0.5, 4: 0.5}"},)"
                                 R"("1200": {"input_tokens": "{20: 1}", "output_tokens": "{5: 1}"}})");
  data::RequestClass c;
  c.name = "c";
  c.arrivals = data::ArrivalProcess{.process = "client-windows"};
  c.arrivals->client_windows.emplace().files = {"a-trace.csv"};
  c.arrivals->client_windows->rate_scale = 10;
  data::Scenario s = scenario({c});
  s.folder = folder.path();
  Demand drawn = demand(s);
  EXPECT_EQ(drawn.source->end(), Time::from_seconds(1800));
  double first = 0, third = 0;
  for (const SimRequest& r : all_of(*drawn.source)) {
    EXPECT_EQ(r.client, 0);
    const double at = r.arrival.seconds();
    (at < 600 ? first : third) += 1;
    EXPECT_TRUE(at < 600 || at >= 1200);
    EXPECT_EQ(r.input_tokens, at < 600 ? 10 : 20);
  }
  EXPECT_NEAR(first, 12'000, 4 * std::sqrt(12'000.0));
  EXPECT_NEAR(third, 24'000, 4 * 0.5 * std::sqrt(24'000.0));
  c.arrivals->client_windows->window_begin_s = 1300, c.arrivals->client_windows->window_end_s = 1400;
  s.workloads[0].classes[0] = c;
  EXPECT_NEAR(static_cast<double>(all_of(*demand(s).source).size()), 4000, 4 * 0.5 * std::sqrt(4000.0));
}

TEST(ClientWindows, ThoseOfServeGenHaveTheirRates) {
  const char* field = std::getenv("WEIR_FIELD_DATA");
  if (field == nullptr) GTEST_SKIP() << "set WEIR_FIELD_DATA to the folder of the field data";
  data::RequestClass c;
  c.name = "c";
  c.arrivals = data::ArrivalProcess{.process = "client-windows"};
  c.arrivals->client_windows.emplace();
  for (const char* name : {"12", "13", "3", "48", "54"}) {
    c.arrivals->client_windows->files.push_back(std::string("deepseek-r1/chunk-") + name + "-trace.csv");
  }
  data::Scenario s = scenario({c});
  s.folder = std::filesystem::path(field) / "data/traces/servegen";
  std::map<std::int32_t, double> of_client;
  for (const SimRequest& r : all_of(*demand(s).source)) of_client[r.client] += 1;
  // Rate x 600 s over all windows, as the files' golden numbers say; gaps of CV 2 and more spread the counts.
  const double expected[] = {61'182, 68'084, 92'449, 108'696, 56'190};
  for (std::int32_t i = 0; i < 5; ++i) EXPECT_NEAR(of_client[i] / expected[i], 1, 0.1) << i;
}

data::Trace gridded(const std::vector<std::int64_t>& seconds) {
  data::Trace trace;
  trace.name = "t.csv";
  std::int32_t i = 0;
  for (const std::int64_t at : seconds) {
    trace.requests.push_back({.arrival_ns = at * 1'000'000'000, .input_tokens = ++i, .output_tokens = 1});
  }
  return trace;
}

data::TraceReference reference_to(bool spread) {
  data::TraceReference reference;
  reference.file = "t.csv";
  reference.spread = spread;
  return reference;
}

RequestList replayed(const data::Trace& trace, const data::TraceReference& reference) {
  RequestList list;
  list.class_names = {"c"};
  PromptContents contents;
  replay_trace(trace, reference, false, {1}, 1, list, contents);
  return list;
}

// Times mostly 3 s apart: those at 0 spread over [0, 3), at 3 over [3, 4), since 4 is next, at 4 over [4, 7).
TEST(Spread, KeepsOrderAndSteps) {
  const data::Trace trace = gridded({0, 0, 0, 0, 3, 3, 4, 7, 7, 10});
  const RequestList list = replayed(trace, reference_to(true));
  const double begin[] = {0, 0, 0, 0, 3, 3, 4, 7, 7, 10}, end[] = {3, 3, 3, 3, 4, 4, 7, 10, 10, 13};
  ASSERT_EQ(list.requests.size(), 10u);
  std::set<std::int64_t> times;
  for (std::size_t i = 0; i < 10; ++i) {
    EXPECT_EQ(list.requests[i].input_tokens, static_cast<std::int32_t>(i + 1));
    EXPECT_GE(list.requests[i].arrival, Time::from_seconds(begin[i]));
    EXPECT_LT(list.requests[i].arrival, Time::from_seconds(end[i]));
    EXPECT_GE(list.requests[i].arrival, list.requests[i == 0 ? 0 : i - 1].arrival);
    times.insert(list.requests[i].arrival.ticks());
  }
  EXPECT_EQ(times.size(), 10u);
  EXPECT_THAT(list.notes, Contains("t.csv: requests that share a time are spread over the 3 s after it, drawn with the "
                                   "seed"));
}

TEST(Spread, OffChangesNothing) {
  const RequestList list = replayed(gridded({0, 0, 3}), reference_to(false));
  EXPECT_EQ(list.requests[1].arrival, Time());
  EXPECT_EQ(list.requests[2].arrival, Time::from_seconds(3));
}

// Twice the rate of n repeats is n repeats at twice the rate: half the times, each request as often; and what lies in a
// window does not depend on what is scaled after it. So it is with spreading.
RC_GTEST_PROP(ReplayProperty, ScaleWindowAndRepeatCompose, ()) {
  auto seconds = *rc::gen::container<std::vector<std::int64_t>>(20, rc::gen::inRange<std::int64_t>(0, 100));
  std::sort(seconds.begin(), seconds.end());
  const data::Trace trace = gridded(seconds);
  data::TraceReference reference = reference_to(*rc::gen::arbitrary<bool>());
  reference.window_begin_s = 10, reference.window_end_s = 90;
  const RequestList once = replayed(trace, reference);
  reference.rate_scale = 2;
  reference.repeat = *rc::gen::inRange(1, 5);
  const RequestList list = replayed(trace, reference);
  const std::size_t n = once.requests.size();
  RC_ASSERT(list.requests.size() == n * static_cast<std::size_t>(reference.repeat));
  for (std::size_t i = 0; i < list.requests.size(); ++i) {
    const Time pass = Time::from_seconds(40.0 * static_cast<double>(i / n));
    const std::int64_t off = (list.requests[i].arrival - pass).ticks() * 2 - once.requests[i % n].arrival.ticks();
    RC_ASSERT(std::abs(off) <= 1);
    RC_ASSERT(list.requests[i].input_tokens == once.requests[i % n].input_tokens);
  }
}

}  // namespace
}  // namespace weir::sim

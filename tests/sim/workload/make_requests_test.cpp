#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "data/embedded.h"
#include "data/errors.h"
#include "sim/workload/sim_request.h"

namespace weir::sim {
namespace {

using ::testing::HasSubstr;

constexpr std::int64_t kSecond_ns = 1'000'000'000;

data::RequestClass request_class(const std::string& name, double share) {
  data::RequestClass c;
  c.name = name;
  c.share = share;
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

/// Rows at these seconds; row i reads 100 + i tokens and writes 10.
data::Trace trace_at(const std::vector<double>& seconds) {
  data::Trace trace;
  trace.name = "t.csv";
  for (std::size_t i = 0; i < seconds.size(); ++i) {
    data::Request r;
    r.arrival_ns = std::llround(seconds[i] * 1e9);
    r.input_tokens = 100 + static_cast<std::int32_t>(i);
    r.output_tokens = 10;
    trace.requests.push_back(r);
  }
  return trace;
}

RequestList make(const data::Scenario& s, const data::Trace* trace, std::uint64_t seed = 1) {
  return make_requests(s, s.workloads[0], trace, seed);
}

std::vector<double> arrivals_s(const RequestList& list) {
  std::vector<double> seconds;
  for (const SimRequest& r : list.requests) seconds.push_back(r.arrival.seconds());
  return seconds;
}

class TemporaryFolder : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::temp_directory_path() /
              ("weir-make-requests-" + std::string(::testing::UnitTest::GetInstance()->current_test_info()->name()));
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  void write(const std::string& name, const std::string& text) { std::ofstream(folder_ / name) << text; }
  std::filesystem::path folder_;
};
using Replay = TemporaryFolder;

TEST(MakeRequests, ReplaysTheTraceAsItIs) {
  const data::Trace trace = trace_at({0, 0.5, 0.5, 2});
  const RequestList list = make(scenario({request_class("all", 1)}), &trace);
  EXPECT_EQ(arrivals_s(list), (std::vector<double>{0, 0.5, 0.5, 2}));
  EXPECT_EQ(list.requests[1].input_tokens, 101);  // ties keep the order of the trace
  EXPECT_EQ(list.requests[2].input_tokens, 102);
  EXPECT_EQ(list.requests[3].output_tokens, 10);
  EXPECT_EQ(list.class_names, std::vector<std::string>{"all"});
  EXPECT_EQ(list.notes.front(), "t.csv: 4 requests");
}

TEST(MakeRequests, LeavesOutWhatIsNoDemandAndSaysSo) {
  data::Trace trace = trace_at({0, 1, 2});
  trace.requests[1].output_tokens = 0;
  trace.requests[1].status = data::RequestStatus::zero_output;
  const RequestList list = make(scenario({request_class("all", 1)}), &trace);
  EXPECT_EQ(list.requests.size(), 2u);
  EXPECT_THAT(list.notes.at(1), HasSubstr("left out because they have nothing to read or write: 1"));
}

TEST(MakeRequests, OneShotWorkTakesItemsAndWritesNothing) {
  data::Trace trace = trace_at({0, 1});
  trace.requests[0].items = 4;
  data::Scenario s = scenario({request_class("all", 1)});
  s.workloads[0].kind = data::WorkloadKind::one_shot;
  const RequestList list = make(s, &trace);
  ASSERT_EQ(list.requests.size(), 2u);
  EXPECT_EQ(list.requests[0].items, 4);
  EXPECT_EQ(list.requests[0].output_tokens, 0);
  EXPECT_EQ(list.requests[0].input_tokens, 100);
}

// 10,000 rows at 80:20. The count of the first class has standard deviation 40.
TEST(MakeRequests, DealsRowsWithoutAClassByShare) {
  std::vector<double> seconds(10'000);
  for (std::size_t i = 0; i < seconds.size(); ++i) seconds[i] = static_cast<double>(i);
  const data::Trace trace = trace_at(seconds);
  const data::Scenario s = scenario({request_class("interactive", 4), request_class("batch", 1)});
  const auto first = [](const RequestList& list) {
    return std::count_if(list.requests.begin(), list.requests.end(),
                         [](const SimRequest& r) { return r.class_index == 0; });
  };
  const RequestList list = make(s, &trace, 1);
  EXPECT_NEAR(static_cast<double>(first(list)), 8000, 160);
  EXPECT_THAT(list.notes.back(), HasSubstr("interactive 80% batch 20%"));
  const auto classes = [](const RequestList& l) {
    std::vector<int> c;
    for (const SimRequest& r : l.requests) c.push_back(r.class_index);
    return c;
  };
  EXPECT_EQ(classes(make(s, &trace, 1)), classes(list));
  EXPECT_NE(classes(make(s, &trace, 2)), classes(list));
}

TEST(MakeRequests, MapsTheClassesOfATraceByName) {
  data::Trace trace = trace_at({0, 1, 2});
  trace.class_names = {"batch", "interactive", "unused"};
  trace.requests[0].class_index = 0;
  trace.requests[1].class_index = 1;
  trace.requests[2].class_index = 0;
  const RequestList list = make(scenario({request_class("interactive", 1), request_class("batch", 1)}), &trace);
  EXPECT_EQ(list.requests[0].class_index, 1);
  EXPECT_EQ(list.requests[1].class_index, 0);
  EXPECT_EQ(list.requests[2].class_index, 1);
}

TEST(MakeRequests, RefusesAClassTheScenarioDoesNotHave) {
  data::Trace trace = trace_at({0});
  trace.class_names = {"chat"};
  trace.requests[0].class_index = 0;
  try {
    make(scenario({request_class("interactive", 1), request_class("batch", 1)}), &trace);
    FAIL() << "the unknown class was taken";
  } catch (const data::InputError& error) {
    EXPECT_EQ(error.value(), "chat");
    EXPECT_THAT(error.allowed(), HasSubstr("\"interactive\", \"batch\""));
  }
}

TEST(MakeRequests, NothingLeftIsAnError) {
  data::Trace trace = trace_at({0});
  trace.requests[0].output_tokens = 0;
  EXPECT_THROW(make(scenario({request_class("all", 1)}), &trace), data::InputError);
  EXPECT_THROW(make(scenario({request_class("all", 1)}), nullptr), data::InputError);
}

// Rows at 0, 10, 20, 30, 40 s. The window [10, 40) keeps three, from 0 at its begin; at twice the rate they are at 0, 5
// and 10 s and a pass lasts 15 s, so the second pass is at 15, 20 and 25.
TEST_F(Replay, WindowRateAndRepeat) {
  write("t.csv", "arrival_s,input_tokens,output_tokens\n0,100,1\n10,101,1\n20,102,1\n30,103,1\n40,104,1\n");
  data::Scenario s = scenario({request_class("all", 1)});
  s.folder = folder_;
  s.workloads[0].trace = data::TraceReference{"t.csv", 2.0, 10.0, 40.0, 2};
  const RequestList list = make(s, nullptr);
  EXPECT_EQ(arrivals_s(list), (std::vector<double>{0, 5, 10, 15, 20, 25}));
  EXPECT_EQ(list.requests[3].input_tokens, 101);
  EXPECT_THAT(list.notes.front(),
              HasSubstr("of the window 10 s to 40 s, replayed at 2 times the rate, 2 times in a row"));
}

// Without a window a pass ends a mean gap after the last request: rows at 0, 4, 6 have gaps of 3 s on average.
TEST_F(Replay, RepeatsAMeanGapApart) {
  write("t.csv", "arrival_s,input_tokens,output_tokens\n0,100,1\n4,101,1\n6,102,1\n");
  data::Scenario s = scenario({request_class("all", 1)});
  s.folder = folder_;
  s.workloads[0].trace = data::TraceReference{"t.csv", 1.0, {}, {}, 2};
  EXPECT_EQ(arrivals_s(make(s, nullptr)), (std::vector<double>{0, 4, 6, 9, 13, 15}));
}

TEST_F(Replay, AClassCanHaveItsOwnTrace) {
  write("a.csv", "arrival_s,input_tokens,output_tokens,class\n1,10,1,whatever\n3,11,1,whatever\n");
  write("b.csv", "arrival_s,input_tokens,output_tokens\n0,20,1\n2,21,1\n");
  data::Scenario s = scenario({request_class("a", 1), request_class("b", 1)});
  s.folder = folder_;
  s.workloads[0].classes[0].trace = data::TraceReference{"a.csv", 1.0, 0.0, 10.0, 1};
  s.workloads[0].trace = data::TraceReference{"b.csv", 1.0, {}, {}, 1};  // for b, which has nothing of its own
  const RequestList list = make(s, nullptr);
  ASSERT_EQ(list.requests.size(), 4u);
  for (std::size_t i = 1; i < 4; ++i) EXPECT_LE(list.requests[i - 1].arrival, list.requests[i].arrival);
  for (const SimRequest& r : list.requests) EXPECT_EQ(r.class_index, r.input_tokens < 20 ? 0 : 1);
}

TEST_F(Replay, AMissingTraceNamesWhereItWasLookedFor) {
  data::Scenario s = scenario({request_class("all", 1)});
  s.folder = folder_;
  s.workloads[0].trace = data::TraceReference{"nowhere.csv", 1.0, {}, {}, 1};
  try {
    make(s, nullptr);
    FAIL() << "a trace was found";
  } catch (const data::InputError& error) {
    EXPECT_EQ(error.value(), "nowhere.csv");
    EXPECT_THAT(error.allowed(), HasSubstr(folder_.string()));
  }
}

TEST(MakeRequests, FindsEmbeddedTraces) {
  std::string name;
  for (const data::EmbeddedFile& file : data::embedded_files()) {
    if (file.path.starts_with("traces/")) name = file.path;
  }
  if (name.empty()) GTEST_SKIP() << "no trace is embedded in this build";
  data::Scenario s = scenario({request_class("all", 1)});
  s.workloads[0].trace = data::TraceReference{name, 1.0, {}, {}, 1};
  const RequestList list = make(s, nullptr);
  EXPECT_GT(list.requests.size(), 1000u);
  EXPECT_THAT(list.notes.front(), HasSubstr(std::filesystem::path(name).filename().string()));
}

TEST(MakeRequests, RefusesADemandThatOutlastsTheClock) {
  const data::Trace trace = trace_at({0, 1.2e7});
  EXPECT_THROW(make(scenario({request_class("all", 1)}), &trace), data::InputError);
  const data::Trace far = trace_at({0, 9e9});  // beyond what a tick count can hold
  EXPECT_THROW(make(scenario({request_class("all", 1)}), &far), data::InputError);
}

data::RequestClass poisson_class(const std::string& name, double rate_per_s) {
  data::RequestClass c = request_class(name, 1);
  c.arrivals = data::ArrivalProcess{"poisson", rate_per_s};
  c.input_tokens = data::LengthDistribution{"lognormal", 1155, 4000};
  c.output_tokens = data::LengthDistribution{"fixed", 211, std::nullopt};
  return c;
}

// 10/s for an hour: 36,000 requests +- 190. Gaps are exponential: the coefficient of variation is 1.
TEST(PoissonArrivals, HaveTheirRateAndLengths) {
  const RequestList list = make(scenario({poisson_class("chat", 10)}), nullptr);
  const auto n = static_cast<double>(list.requests.size());
  EXPECT_NEAR(n, 36'000, 4 * 190);
  EXPECT_LT(list.requests.back().arrival.seconds(), 3600);
  double sum = 0, squares = 0, tokens = 0;
  std::vector<int> lengths;
  for (std::size_t i = 1; i < list.requests.size(); ++i) {
    const double gap = (list.requests[i].arrival - list.requests[i - 1].arrival).seconds();
    sum += gap;
    squares += gap * gap;
    tokens += list.requests[i].input_tokens;
    lengths.push_back(list.requests[i].input_tokens);
    ASSERT_EQ(list.requests[i].output_tokens, 211);
  }
  const double mean = sum / (n - 1);
  EXPECT_NEAR(std::sqrt(squares / (n - 1) - mean * mean) / mean, 1, 0.03);
  EXPECT_NEAR(tokens / (n - 1), 1155, 20);
  std::sort(lengths.begin(), lengths.end());
  EXPECT_NEAR(lengths[lengths.size() / 100 * 99], 4000, 200);
  EXPECT_THAT(list.notes.front(), HasSubstr("Poisson arrivals at 10/s drawn over 3600 s (seed 1)"));
}

// One hour, at least 20,000 and at most 200,000 requests: 0.5/s needs 40,000 s; 1000/s has enough after 200 s.
TEST(PoissonArrivals, LastLongEnoughForTheirTails) {
  EXPECT_THAT(make(scenario({poisson_class("slow", 0.5)}), nullptr).notes.front(), HasSubstr("over 40000 s"));
  EXPECT_THAT(make(scenario({poisson_class("fast", 1000)}), nullptr).notes.front(), HasSubstr("over 200 s"));
}

TEST(PoissonArrivals, OneClassDoesNotDisturbAnother) {
  const auto of_chat = [](const RequestList& list) {
    std::vector<std::pair<std::int64_t, int>> chat;
    for (const SimRequest& r : list.requests) {
      if (r.class_index == 0) chat.emplace_back(r.arrival.ticks(), r.input_tokens);
    }
    return chat;
  };
  // Both at 10/s and 20/s together last an hour.
  const auto alone = of_chat(make(scenario({poisson_class("chat", 10)}), nullptr));
  const auto together = of_chat(make(scenario({poisson_class("chat", 10), poisson_class("code", 10)}), nullptr));
  EXPECT_EQ(alone, together);
  EXPECT_NE(of_chat(make(scenario({poisson_class("chat", 10)}), nullptr, 2)), alone);
}

TEST(PoissonArrivals, RefuseWhatCannotBeDrawn) {
  data::Scenario s = scenario({poisson_class("chat", 10)});
  data::RequestClass& c = s.workloads[0].classes[0];
  c.input_tokens->p99 = 20'000;  // no lognormal has a p99 17 times its mean
  EXPECT_THROW(make(s, nullptr), data::InputError);
  c.input_tokens.reset();
  EXPECT_THROW(make(s, nullptr), data::InputError);
  c = poisson_class("chat", 10);
  c.arrivals->process = "bursty";
  EXPECT_THROW(make(s, nullptr), data::InputError);
}

RC_GTEST_PROP(MakeRequests, AnyTraceGivesOrderedRequestsOfItsOwnTokens, ()) {
  const auto gaps = *rc::gen::nonEmpty(rc::gen::container<std::vector<int>>(rc::gen::inRange(0, 1000)));
  data::Trace trace;
  trace.name = "t";
  std::int64_t at = 0;
  for (const int gap : gaps) {
    data::Request r;
    r.arrival_ns = at += gap * (kSecond_ns / 1000);
    r.input_tokens = 1 + gap;
    r.output_tokens = 1;
    trace.requests.push_back(r);
  }
  data::Scenario s = scenario({request_class("a", 1), request_class("b", 2)});
  const RequestList list = make(s, &trace);
  RC_ASSERT(list.requests.size() == gaps.size());
  for (std::size_t i = 0; i < list.requests.size(); ++i) {
    RC_ASSERT(list.requests[i].input_tokens == 1 + gaps[i]);
    RC_ASSERT(list.requests[i].class_index >= 0 && list.requests[i].class_index < 2);
    if (i > 0) RC_ASSERT(list.requests[i - 1].arrival <= list.requests[i].arrival);
  }
}

}  // namespace
}  // namespace weir::sim

// What replayed prompts hold, and who sends them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <set>

#include "data/import/trace_import.h"
#include "sim/workload/replay_trace.h"
#include "sim/workload/request_source.h"
#include "sim/workload/sim_request.h"

namespace weir::sim {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

/// Rows a second apart with these hashes of 16 tokens; 100 + i tokens are read.
data::Trace hashed(const std::string& name, const std::vector<std::vector<std::uint64_t>>& rows) {
  data::Trace trace;
  trace.name = name;
  trace.tokens_per_hash = 16;
  for (const auto& hashes : rows) {
    data::Request r;
    r.arrival_ns = static_cast<std::int64_t>(trace.requests.size()) * 1'000'000'000;
    r.input_tokens = 100 + static_cast<std::int32_t>(trace.requests.size());
    r.output_tokens = 10;
    if (!hashes.empty()) {
      r.prompt = static_cast<std::int32_t>(trace.prompts.size());
      data::Prompt& prompt = trace.prompts.emplace_back();
      prompt.first_hash = static_cast<std::int64_t>(trace.hashes.size());
      prompt.hash_count = static_cast<std::int32_t>(hashes.size());
      trace.hashes.insert(trace.hashes.end(), hashes.begin(), hashes.end());
    }
    trace.requests.push_back(r);
  }
  return trace;
}

data::TraceReference reference(double rate_scale = 1, int repeat = 1) {
  return {.file = "t", .rate_scale = rate_scale, .window_begin_s = {}, .window_end_s = {}, .repeat = repeat};
}

RequestList list_for(const std::vector<std::string>& classes) {
  RequestList list;
  list.class_names = classes;
  return list;
}

std::vector<std::uint64_t> hashes_of(const SimRequest& request) {
  return {request.content->hashes.begin(), request.content->hashes.end()};
}

data::Scenario one_class() {
  data::Scenario s;
  s.name = "test";
  s.workloads.resize(1);
  s.workloads[0].name = "work";
  s.workloads[0].classes.resize(1);
  s.workloads[0].classes[0].name = "all";
  return s;
}

TEST(ReplayPrompts, AreThoseOfTheRows) {
  const data::Trace trace = hashed("t", {{1, 2}, {}, {1, 3, 4}});
  const data::Scenario s = one_class();
  const RequestList list = make_requests(s, s.workloads[0], &trace, 1);
  EXPECT_THAT(hashes_of(list.requests[0]), ElementsAre(1, 2));
  EXPECT_EQ(list.requests[0].content->tokens_per_hash, 16);
  EXPECT_EQ(list.requests[0].content->session, -1);
  EXPECT_EQ(list.requests[1].content, nullptr);
  EXPECT_THAT(hashes_of(list.requests[2]), ElementsAre(1, 3, 4));
  EXPECT_EQ(list.requests[0].client, -1);
  EXPECT_THAT(list.notes, Contains("t: requests with prefix hashes, each of 16 tokens: 2"));
  ASSERT_NE(list.contents, nullptr);
  EXPECT_EQ(list.contents->contents.size(), 2u);
}

TEST(ReplayPrompts, ACopyOfTheListOutlivesIt) {
  RequestList copy;
  {
    const data::Trace trace = hashed("t", {{1, 2}, {1, 3}});
    const data::Scenario s = one_class();
    const RequestList list = make_requests(s, s.workloads[0], &trace, 1);
    copy = list;
    EXPECT_EQ(copy.requests[1].content, list.requests[1].content);
  }
  EXPECT_THAT(hashes_of(copy.requests[1]), ElementsAre(1, 3));
}

TEST(ReplayPrompts, ARepeatAsksForTheSameAgain) {
  const data::Trace trace = hashed("t", {{1, 2}, {3}});
  PromptContents contents;
  RequestList list = list_for({"all"});
  replay_trace(trace, reference(2, 3), false, {1}, 1, list, contents);
  ASSERT_EQ(list.requests.size(), 6u);
  EXPECT_EQ(contents.contents.size(), 2u);
  for (std::size_t i = 0; i < 6; ++i) EXPECT_EQ(list.requests[i].content, list.requests[i % 2].content);
}

/// All that a source gives.
std::vector<SimRequest> drain(RequestSource& source) {
  std::vector<SimRequest> all;
  for (auto batch = source.next(); !batch.empty(); batch = source.next()) {
    all.insert(all.end(), batch.begin(), batch.end());
  }
  return all;
}

// 1500 rows three times, in one list and as passes of one: the same requests, of which the latter lists a third.
TEST(ReplayPrompts, RepeatsMayStayOnePass) {
  const data::Trace trace = hashed("t", std::vector<std::vector<std::uint64_t>>(1500, {1, 2}));
  PromptContents contents;
  RequestList unfolded = list_for({"all"}), folded = list_for({"all"});
  const Time end = replay_trace(trace, reference(1.7, 3), false, {1}, 1, unfolded, contents);
  EXPECT_EQ(replay_trace(trace, reference(1.7, 3), false, {1}, 1, folded, contents, true), end);
  ASSERT_EQ(folded.requests.size(), 1500u);
  ASSERT_EQ(folded.passes, 3);
  ListSource a(unfolded), b(folded);
  EXPECT_EQ(a.offered_by_class(), b.offered_by_class());
  const std::vector<SimRequest> list = drain(a), passes = drain(b);
  ASSERT_EQ(list.size(), passes.size());
  for (std::size_t i = 0; i < list.size(); ++i) {
    ASSERT_EQ(list[i].arrival, passes[i].arrival) << i;
    ASSERT_EQ(list[i].input_tokens, passes[i].input_tokens) << i;
    ASSERT_EQ(hashes_of(list[i]), hashes_of(passes[i])) << i;
  }
  EXPECT_EQ(unfolded.notes.front(), folded.notes.front());
}

// Rows that are dealt to two classes are dealt anew in every pass.
TEST(ReplayPrompts, PassesThatDifferAreListed) {
  const data::Trace trace = hashed("t", {{1, 2}, {3}});
  PromptContents contents;
  RequestList list = list_for({"a", "b"});
  replay_trace(trace, reference(1, 3), false, {1, 1}, 1, list, contents, true);
  EXPECT_EQ(list.passes, 1);
  EXPECT_EQ(list.requests.size(), 6u);
}

TEST(ReplayPrompts, OnlyTheWindowIsKept) {
  const data::Trace trace = hashed("t", {{1, 2}, {3}, {4}});
  PromptContents contents;
  RequestList list = list_for({"all"});
  data::TraceReference window = reference();
  window.window_begin_s = 1;
  window.window_end_s = 2;
  replay_trace(trace, window, false, {1}, 1, list, contents);
  ASSERT_EQ(contents.contents.size(), 1u);
  EXPECT_THAT(hashes_of(list.requests[0]), ElementsAre(3));
}

// Two traces count their hashes, sessions and clients from 0; they are not the same prompts or people.
TEST(ReplayPrompts, TracesDoNotMixButOneTraceIsItself) {
  data::Trace a = hashed("a", {{0, 1}, {0}}), b = hashed("b", {{0, 1}, {}});
  a.requests[0].client = 2;
  b.requests[0].client = 0;
  b.requests[1].prompt = static_cast<std::int32_t>(b.prompts.size());
  b.prompts.push_back({.first_hash = 0, .hash_count = 0, .session = 0, .turn = 1});
  PromptContents contents;
  RequestList list = list_for({"all"});
  replay_trace(a, reference(), false, {1}, 1, list, contents);
  replay_trace(b, reference(), false, {1}, 1, list, contents);
  replay_trace(a, reference(), false, {1}, 1, list, contents);
  ASSERT_EQ(list.requests.size(), 6u);
  EXPECT_THAT(hashes_of(list.requests[0]), ElementsAre(0, 1));
  for (const std::uint64_t hash : hashes_of(list.requests[2]))
    EXPECT_THAT(hashes_of(list.requests[0]), Not(Contains(hash)));
  EXPECT_EQ(hashes_of(list.requests[4]), hashes_of(list.requests[0]));
  EXPECT_EQ(list.requests[0].client, 2);
  EXPECT_EQ(list.requests[2].client, 3);  // after the three of a
  EXPECT_EQ(list.requests[4].client, 2);
  EXPECT_EQ(list.requests[3].content->session, std::int64_t{1} << 32);
}

TEST(ReplayPrompts, SessionsStandInForHashes) {
  data::Trace trace = hashed("t", {{1}, {}, {}, {}});
  trace.prompts.push_back({.first_hash = 0, .hash_count = 0, .session = 7, .turn = 1});
  trace.prompts.push_back({.first_hash = 0, .hash_count = 0, .session = -1, .turn = 1});
  trace.prompts[0].session = 7;
  trace.requests[1].prompt = trace.requests[2].prompt = 1;
  trace.requests[3].prompt = 2;
  PromptContents contents;
  RequestList list = list_for({"all"});
  replay_trace(trace, reference(), false, {1}, 1, list, contents);
  EXPECT_EQ(list.requests[0].content->session, -1);  // its hashes say more
  EXPECT_EQ(list.requests[1].content->session, 7);
  EXPECT_TRUE(list.requests[1].content->hashes.empty());
  EXPECT_EQ(list.requests[2].content->session, 7);
  EXPECT_EQ(list.requests[3].content, nullptr);  // a turn of no session
  EXPECT_THAT(list.notes, Contains("t: requests of sessions, whose turns repeat the turns before: 2"));
}

TEST(ReplayPrompts, OneShotWorkHasNone) {
  const data::Trace trace = hashed("t", {{1, 2}});
  PromptContents contents;
  RequestList list = list_for({"all"});
  replay_trace(trace, reference(), true, {1}, 1, list, contents);
  EXPECT_EQ(list.requests[0].content, nullptr);
}

TEST(ReplayPrompts, AClockOfCoarseTicksIsNoted) {
  data::Trace trace = hashed("t", {{1}, {1}, {1}, {1}});
  trace.requests[1].arrival_ns = 0;
  trace.requests[2].arrival_ns = trace.requests[3].arrival_ns = 2'500'000'000;
  PromptContents contents;
  RequestList list = list_for({"all"});
  replay_trace(trace, reference(), false, {1}, 1, list, contents);
  EXPECT_THAT(list.notes, Contains("t: 2 of its requests share the time of the one before, 2 at most, and times are "
                                   "mostly 2.5 s apart: waiting at these bursts may come from the clock of the trace"));
}

TEST(ReplayPrompts, MooncakeInFull) {
  const char* root = std::getenv("WEIR_FIELD_DATA");
  if (root == nullptr) GTEST_SKIP() << "WEIR_FIELD_DATA is not set: the Mooncake trace is not there";
  const auto file = std::filesystem::path(root) / "data/traces/mooncake-fast25/conversation_trace.jsonl";
  if (!std::filesystem::exists(file)) GTEST_SKIP() << file << " is not there";
  const data::Trace trace = data::import_trace(file);
  const data::Scenario s = one_class();
  const RequestList list = make_requests(s, s.workloads[0], &trace, 1);
  ASSERT_EQ(list.requests.size(), 12'031u);
  std::int64_t hashes = 0;
  std::set<std::uint64_t> distinct;
  for (const SimRequest& r : list.requests) {
    hashes += static_cast<std::int64_t>(r.content->hashes.size());
    distinct.insert(r.content->hashes.begin(), r.content->hashes.end());
    ASSERT_EQ(r.content->tokens_per_hash, 512);
  }
  EXPECT_EQ(hashes, 288'500);
  EXPECT_EQ(distinct.size(), 182'790u);
  EXPECT_THAT(list.notes, Contains(HasSubstr("10851 of its requests share the time of the one before, 28 at most")));
}

}  // namespace
}  // namespace weir::sim

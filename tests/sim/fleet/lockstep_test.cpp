#include "sim/fleet/lockstep.h"

#include <algorithm>
#include <map>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "sim/fleet/simulate.h"
#include "tests/sim/fleet/support.h"

namespace weir::sim {
namespace {

/// A step lasts 1 s a token of the rank that has most. Remembers the tokens of every rank.
class SlowestRankTimer final : public GroupTimer {
 public:
  Time group_iteration(std::span<const IterationShape> ranks) const override {
    std::vector<std::int64_t> tokens;
    for (const IterationShape& shape : ranks) {
      tokens.push_back(shape.decode_sequences);
      for (const PrefillChunk& chunk : shape.prefill) tokens.back() += chunk.new_tokens;
    }
    seen.push_back(tokens);
    return Time::from_seconds(static_cast<double>(*std::max_element(tokens.begin(), tokens.end())));
  }
  mutable std::vector<std::vector<std::int64_t>> seen;
};

/// One replica's timer as that of a group of one.
class OneRank final : public GroupTimer {
 public:
  explicit OneRank(const StepTimer& timer) : timer_(timer) {}
  Time group_iteration(std::span<const IterationShape> ranks) const override { return timer_.iteration(ranks[0]); }

 private:
  const StepTimer& timer_;
};

class Kept final : public LockstepSink {
 public:
  struct Answer {
    Time noticed, first, done;
    std::int32_t rank = 0, preemptions = 0;
    RequestOutcome outcome = RequestOutcome::failed;
    bool same_times(const Answer& o) const {
      return first == o.first && done == o.done && preemptions == o.preemptions && outcome == o.outcome;
    }
  };
  void noticed(const QueuedRequest& request, Time now, std::int32_t rank) override {
    answers[request.index].noticed = now;
    answers[request.index].rank = rank;
  }
  void left(const RequestRecord& record) override {
    Answer& a = answers[record.served.request.index];
    a.first = record.served.first, a.done = record.done, a.outcome = record.outcome;
    a.preemptions = record.served.preemptions;
  }
  std::map<std::uint64_t, Answer> answers;
};

Rules rules_of_vllm(std::int64_t kv_blocks) {
  data::Serving serving;
  serving.policy = "chunked";
  serving.rules = "vllm-v1";
  serving.max_batch = 8;
  serving.token_budget = 64;
  serving.kv_watermark = 0;
  Rules rules = make_rules(data::WorkloadKind::generative, serving, kv_blocks * 16);
  rules.steps_in_flight = 1;
  rules.graph_padding = false;
  return rules;
}

RequestList requests_of(const std::vector<std::pair<double, std::pair<int, int>>>& rows) {
  RequestList list;
  list.class_names = {"all"};
  for (const auto& [arrival, tokens] : rows) {
    SimRequest r;
    r.arrival = Time::from_seconds(arrival);
    r.input_tokens = tokens.first, r.output_tokens = tokens.second;
    list.requests.push_back(r);
  }
  return list;
}

double seconds(Time t) { return t.seconds(); }

TEST(Lockstep, RanksStepTogetherAndAnIdleOneRunsADummy) {
  const SlowestRankTimer timer;
  Kept kept;
  Lockstep lockstep(rules_of_vllm(100), {.ranks = 2, .load_refresh = Time::from_seconds(100)}, timer, kept);
  // 10 tokens at rank 0 from 0 s; 4 tokens arrive at 3 s and go to rank 1 (the router remembers what it sent), which
  // decides again at 10 s.
  const RequestList list = requests_of({{0, {10, 3}}, {3, {4, 2}}});
  ListSource source(list);
  lockstep.run(source);
  EXPECT_EQ(seconds(kept.answers[0].noticed), 0);
  EXPECT_EQ(seconds(kept.answers[0].first), 10);
  EXPECT_EQ(kept.answers[1].rank, 1);
  EXPECT_EQ(seconds(kept.answers[1].noticed), 10);
  EXPECT_EQ(seconds(kept.answers[1].first), 14);  // rank 0 decodes beside it in 1 s and waits
  EXPECT_EQ(seconds(kept.answers[0].done), 15);
  EXPECT_EQ(seconds(kept.answers[1].done), 15);
  const std::vector<std::vector<std::int64_t>> expected = {{10, 1}, {1, 4}, {1, 1}};
  EXPECT_EQ(timer.seen, expected);
  EXPECT_EQ(lockstep.steps(), 3);
  EXPECT_EQ(seconds(lockstep.busy()), 15);
}

TEST(Lockstep, ASecondStepInFlightIsDecidedBeforeTheFirstEnds) {
  const SlowestRankTimer timer;
  Kept kept;
  Rules rules = rules_of_vllm(100);
  rules.steps_in_flight = 2;
  Lockstep lockstep(rules, {.ranks = 1}, timer, kept);
  // At 0 s both the prompt [0, 10] and the first decode [10, 11] are decided. What arrives at 5 s is noticed at 10 s,
  // beside the last decode: [11, 16].
  const RequestList list = requests_of({{0, {10, 3}}, {5, {4, 1}}});
  ListSource source(list);
  lockstep.run(source);
  EXPECT_EQ(seconds(kept.answers[1].noticed), 10);
  EXPECT_EQ(seconds(kept.answers[1].first), 16);
  EXPECT_EQ(seconds(kept.answers[0].done), 16);
}

TEST(Lockstep, TheRouterSeesLoadsOfTheLastRefresh) {
  const SlowestRankTimer timer;
  Kept kept;
  LockstepOptions options;
  options.ranks = 2;
  options.load_refresh = Time::from_seconds(20);
  Lockstep lockstep(rules_of_vllm(100), options, timer, kept);
  // 0 s: to rank 0 (tie), which then counts 4. 1 s: to rank 1. 2 s: tie again, rank 0 (8 : 4). 3 s: rank 1.
  // After 20 s the engines told: rank 0 has one running (of its two), rank 1 none: to rank 1, although the four before
  // were dealt evenly.
  const RequestList list =
      requests_of({{0, {10, 30}}, {1, {4, 1}}, {2, {1, 1}}, {3, {1, 1}}, {25, {1, 1}}, {26, {1, 1}}});
  ListSource source(list);
  lockstep.run(source);
  const std::vector<std::int32_t> expected = {0, 1, 0, 1, 1, 0};
  std::vector<std::int32_t> ranks;
  for (const auto& [index, answer] : kept.answers) ranks.push_back(answer.rank);
  EXPECT_EQ(ranks, expected);
}

TEST(Lockstep, WhatNeverFitsLeavesAtOnce) {
  const SlowestRankTimer timer;
  Kept kept;
  Lockstep lockstep(rules_of_vllm(2), {.ranks = 1}, timer, kept);
  const RequestList list = requests_of({{1, {100, 3}}, {2, {4, 1}}});
  ListSource source(list);
  lockstep.run(source);
  EXPECT_EQ(kept.answers[0].outcome, RequestOutcome::failed);
  EXPECT_EQ(seconds(kept.answers[0].done), 1);
  EXPECT_EQ(kept.answers[1].outcome, RequestOutcome::completed);
}

RC_GTEST_PROP(Lockstep, OneRankIsAReplica, ()) {
  testing::FormulaTimer timer;
  timer.per_step_s = 0.01, timer.per_prompt_token_s = 1e-4, timer.per_sequence_s = 1e-3,
  timer.per_context_token_s = 1e-6;
  const auto count = *rc::gen::inRange(1, 60);
  std::vector<std::pair<double, std::pair<int, int>>> rows;
  double arrival = 0;
  for (int i = 0; i < count; ++i) {
    arrival += *rc::gen::inRange(0, 300) * 1e-3 + 1e-7;
    rows.push_back({arrival, {*rc::gen::inRange(1, 200), *rc::gen::inRange(1, 40)}});
  }
  const RequestList list = requests_of(rows);
  Rules rules = rules_of_vllm(*rc::gen::inRange(16, 80));
  rules.steps_in_flight = *rc::gen::inRange(1, 3);

  Kept ours;
  const OneRank group(timer);
  Lockstep lockstep(rules, {.ranks = 1}, group, ours);
  ListSource source(list);
  lockstep.run(source);

  testing::Experiment experiment;
  Kept fleets;
  experiment.options.sink = &fleets;
  experiment.options.stepping = Stepping::step_by_step;
  experiment.fleet.kv_tokens = rules.kv_blocks * rules.block_tokens;
  ListSource again(list);
  simulate(experiment.workload, rules, again, experiment.fleet, timer, experiment.options);
  RC_ASSERT(ours.answers.size() == fleets.answers.size());
  for (const auto& [index, answer] : ours.answers) {
    RC_ASSERT(answer.same_times(fleets.answers.at(index)));
    RC_ASSERT(answer.noticed >= list.requests[index].arrival);
    RC_ASSERT(answer.outcome != RequestOutcome::completed || answer.noticed < answer.first);
  }
}

}  // namespace
}  // namespace weir::sim

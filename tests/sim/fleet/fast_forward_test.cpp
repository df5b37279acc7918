// Jumping over steps that repeat, and the scheduler that makes a step cost O(1), change nothing: a run is the same to
// the bit as when every step and every request is walked.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sim/fleet/fleet.h"
#include "sim/metrics/run_metrics.h"
#include "sim/serving/affine_scheduler.h"
#include "tests/sim/fleet/random_scenario.h"
#include "tests/sim/fleet/support.h"

namespace weir::sim {
namespace {

using testing::DrawnTimer;
using testing::KeepRecords;
using testing::RandomScenario;

/// Everything a run leaves behind.
struct Trail {
  std::unique_ptr<RunMetrics> metrics;
  FleetTotals totals;
  KeepRecords records;
  std::int64_t events = 0;
};

template <class S, class Timing, class Make>
Trail run_on(const RandomScenario& s, const Timing& timing, const Make& make, bool jumps,
             std::span<FleetProcess* const> processes = {}) {
  MetricsSpec spec;
  spec.kind = s.workload.kind;
  spec.class_names = s.requests.class_names;
  std::vector<ClassDemand> demands;
  for (const data::RequestClass& c : s.workload.classes) {
    spec.slo.push_back(c.slo);
    const Time patience = c.slo.ttft_s.empty() ? Time::never() : Time::from_seconds(c.slo.ttft_s.begin()->second);
    demands.push_back({static_cast<std::int16_t>(c.priority), patience});
  }
  spec.begin = s.requests.requests.front().arrival;
  spec.series_step = Time::from_seconds(s.options.series_step_s);
  Trail trail;
  trail.metrics = std::make_unique<RunMetrics>(spec);
  const data::Progress none;
  RunContext context{.metrics = *trail.metrics, .progress = none, .sink = &trail.records, .processes = processes};
  Fleet<S, Timing> fleet(s.fleet.replicas, make, timing, s.rules.steps_in_flight, jumps, s.options.seed, demands,
                         context);
  ListSource source(s.requests);
  fleet.run(source, source.next());
  trail.metrics->settle();
  trail.totals = fleet.totals();
  trail.events = context.events;
  return trail;
}

Trail run_plain(const RandomScenario& s, bool jumps) {
  return run_on<Scheduler>(
      s, VirtualTiming{*s.timer}, [&] { return make_scheduler(s.workload.kind, s.rules, false); }, jumps);
}
/// Does nothing, but makes the fleet go strictly in order of time.
class Onlooker final : public FleetProcess {
 public:
  void begin(FleetHandle&, Time now) override { next_ = now; }
  Time next_event() const override { return next_; }
  void act(Time now) override { next_ = acts_++ < 50 ? now + Time::from_seconds(0.0371) : Time::never(); }
  void left(const RequestRecord&) override { ++left_; }
  std::int64_t departures() const { return left_; }

 private:
  Time next_;
  int acts_ = 0;
  std::int64_t left_ = 0;
};

/// As simulate() does it; empty when the affine scheduler cannot follow.
std::optional<Trail> run_affine(const RandomScenario& s) {
  if (!s.generative || !AffineScheduler::can_follow(s.rules)) return std::nullopt;
  if (s.timer->tables() == nullptr) {
    return run_on<Scheduler>(
        s, VirtualTiming{*s.timer}, [&] { return make_scheduler(s.workload.kind, s.rules, true); }, true);
  }
  const TableTiming tables{*s.timer->tables(), *s.timer};
  if (PlainAffineScheduler::can_follow(s.rules)) {
    return run_on<PlainAffineScheduler>(
        s, tables, [&] { return std::make_unique<PlainAffineScheduler>(s.rules); }, true);
  }
  return run_on<AffineScheduler>(
      s, tables, [&] { return std::make_unique<AffineScheduler>(s.rules); }, true);
}
/// The same demand and cache under rules that PlainAffineScheduler is compiled for.
bool make_plain(RandomScenario& s) {
  if (!s.generative || s.timer->tables() == nullptr) return false;
  Rules plain;
  plain.policy = Policy::chunked;
  plain.max_batch = s.rules.max_batch;
  plain.token_budget = s.rules.token_budget;
  plain.kv_blocks = s.rules.kv_blocks;
  plain.block_tokens = 16;
  plain.watermark_blocks = s.rules.watermark_blocks;
  plain.decode_wants_free_block = s.rules.decode_wants_free_block;
  s.rules = plain;
  return PlainAffineScheduler::can_follow(s.rules);
}

std::string text(WideInt value) {
  return std::to_string(static_cast<std::int64_t>(value / 1'000'000'000'000)) + "e12+" +
         std::to_string(static_cast<std::int64_t>(value % 1'000'000'000'000));
}
std::string text(const FleetTotals& t) {
  std::string all;
  for (const FleetWork& w : t.work) {
    for (const WideInt n : {w.steps, w.ticks, w.tokens, w.rows, w.pairs, w.past, w.context}) all += text(n) + " ";
  }
  const SchedulerCounts& c = t.scheduler;
  for (const WideInt n :
       {t.tokens_written, t.batches, t.batch_members, t.busy_ticks, t.in_system_ticks, t.kv_token_ticks}) {
    all += text(n) + " ";
  }
  for (const std::int64_t n : {c.preemptions, c.tokens_read, c.recomputed_tokens, c.cache_queried_tokens,
                               c.cache_hit_tokens, c.kv_blocks_peak}) {
    all += std::to_string(n) + " ";
  }
  return all;
}
std::string text(const RequestRecord& r) {
  const ServedRequest& s = r.served;
  std::string all = "outcome " + std::to_string(static_cast<int>(r.outcome)) + " replica " + std::to_string(r.replica);
  for (const Time t : {r.done, s.admitted, s.first, s.preempted_for, s.preempted_before_first}) {
    all += " " + std::to_string(t.ticks());
  }
  return all + " preemptions " + std::to_string(s.preemptions) + " cached " + std::to_string(s.cached_tokens);
}

void expect_equal(const Trail& jumped, const Trail& stepped) {
  ASSERT_EQ(jumped.records.records.size(), stepped.records.records.size());
  for (std::size_t i = 0; i < stepped.records.records.size(); ++i) {
    ASSERT_TRUE(jumped.records.records[i] && stepped.records.records[i]) << "request " << i << " did not leave";
    ASSERT_EQ(text(*jumped.records.records[i]), text(*stepped.records.records[i])) << "request " << i;
  }
  ASSERT_EQ(text(jumped.totals), text(stepped.totals));
  ASSERT_TRUE(*jumped.metrics == *stepped.metrics) << "histograms, series or sums differ";
}

/// What the scenarios had in them: else they are too easy.
struct Seen {
  std::int64_t runs = 0, affine = 0, preemptions = 0, hits = 0, dropped = 0, spared_events = 0;
};

void play(const RandomScenario& scenario, Seen& seen) {
  const Trail stepped = run_plain(scenario, false);
  const Trail jumped = run_plain(scenario, true);
  {
    SCOPED_TRACE("jumps");
    expect_equal(jumped, stepped);
  }
  if (const std::optional<Trail> affine = run_affine(scenario)) {
    SCOPED_TRACE("affine");
    expect_equal(*affine, stepped);
    ++seen.affine;
  }
  ++seen.runs;
  seen.preemptions += stepped.totals.scheduler.preemptions;
  seen.hits += stepped.totals.scheduler.cache_hit_tokens;
  seen.spared_events += stepped.events - jumped.events;
  for (const auto& record : stepped.records.records) seen.dropped += record->outcome != RequestOutcome::completed;
}

TEST(FastForward, IsTheSameToTheBit) {
  Seen seen;
  for (std::uint64_t seed = 1; seed <= 3000 && !HasFailure(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    play(RandomScenario(seed), seen);
  }
  EXPECT_GT(seen.affine, 500);
  EXPECT_GT(seen.preemptions, 5000);
  EXPECT_GT(seen.hits, 5000);
  EXPECT_GT(seen.dropped, 5000);
  EXPECT_GT(seen.spared_events, 100'000);
}

TEST(FastForward, OfPlainRulesIsTheSameToTheBit) {
  Seen seen;
  for (std::uint64_t seed = 1; seed <= 3000 && !HasFailure(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    RandomScenario scenario(seed);
    if (make_plain(scenario)) play(scenario, seen);
  }
  EXPECT_GT(seen.affine, 500);
  EXPECT_GT(seen.preemptions, 1000);
}

RC_GTEST_PROP(FastForwardProperty, IsTheSameToTheBit, (std::uint64_t seed)) {
  Seen seen;
  play(RandomScenario(seed), seen);
  RC_ASSERT(!::testing::Test::HasFailure());
}

/// The same through the front door, with the conservation laws checked on the way.
TEST(FastForward, AProcessThatDoesNothingChangesNothing) {
  for (std::uint64_t seed = 1; seed <= 500 && !HasFailure(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const RandomScenario s(seed);
    const Trail alone = run_plain(s, true);
    Onlooker onlooker;
    FleetProcess* const processes[] = {&onlooker};
    const Trail watched = run_on<Scheduler>(
        s, VirtualTiming{*s.timer}, [&] { return make_scheduler(s.workload.kind, s.rules, false); }, true, processes);
    expect_equal(watched, alone);
    EXPECT_EQ(onlooker.departures(), static_cast<std::int64_t>(s.requests.requests.size()));
  }
}

TEST(FastForward, ThreeSteppingsOfSimulateGiveTheSameBytes) {
  for (std::uint64_t seed = 5001; seed <= 5100; ++seed) {
    RandomScenario s(seed);
    std::vector<std::string> bytes;
    for (const Stepping stepping : {Stepping::step_by_step, Stepping::jumps, Stepping::fast_forward}) {
      s.options.stepping = stepping;
      ListSource source(s.requests);
      bytes.push_back(testing::fingerprint(simulate(s.workload, s.rules, source, s.fleet, *s.timer, s.options)));
    }
    EXPECT_EQ(bytes[1], bytes[0]) << "seed " << seed;
    EXPECT_EQ(bytes[2], bytes[0]) << "seed " << seed;
  }
}

}  // namespace
}  // namespace weir::sim

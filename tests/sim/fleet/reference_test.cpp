// The simulator against a naive one: every request an object, every token a step, every list walked. Also what must
// hold for any input: conservation (asserted by every run itself), repetition, counts that add up.

#include <algorithm>
#include <deque>
#include <optional>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "sim/metrics/histogram.h"
#include "tests/sim/fleet/support.h"

namespace weir::sim {
namespace {

using testing::Experiment;
using testing::fingerprint;

struct NaiveRequest {
  std::size_t index;
  std::int64_t input, output, blocks, emitted = 0;
  Time arrival, last_token;
};

/// What the naive run found, by request; empty times for those not served.
struct NaiveResult {
  struct Served {
    Time admitted, first, done;
  };
  std::vector<std::optional<Served>> served;
  Histogram gaps;
};

/// One replica that reads prompts first and reserves a request's blocks at once, written down as directly as it can be.
class NaiveReplica {
 public:
  NaiveReplica(const Experiment& setup, NaiveResult& result) : setup_(setup), result_(result) {
    total_blocks_ = setup.fleet.kv_tokens / setup.serving.kv_block_tokens;
  }

  void arrive(std::size_t index) {
    const SimRequest& r = setup_.requests.requests[index];
    const int block = setup_.serving.kv_block_tokens;
    const std::int64_t blocks = (r.input_tokens + r.output_tokens + block - 1) / block;
    if (blocks > total_blocks_) return;
    drop_expired(r.arrival);
    const bool idle = running_.empty();
    const bool full = setup_.serving.queue_limit && static_cast<int>(waiting_.size()) >= *setup_.serving.queue_limit;
    if (full && !(idle && waiting_.empty())) return;
    waiting_.push_back({index, r.input_tokens, r.output_tokens, blocks, 0, r.arrival, Time()});
  }
  /// What came at `now` to an idle replica starts together.
  void start_if_idle(Time now) {
    if (!step_end_) start(now);
  }

  void advance(Time limit) {
    while (step_end_ && *step_end_ <= limit) finish(*step_end_);
  }

 private:
  void drop_expired(Time now) {
    if (!setup_.serving.timeout_s) return;
    while (!waiting_.empty() && now > waiting_.front().arrival + Time::from_seconds(*setup_.serving.timeout_s)) {
      waiting_.pop_front();
    }
  }

  void start(Time now) {
    drop_expired(now);
    chunks_.clear();
    std::int64_t held = 0, tokens = 0, context = 0;
    for (const NaiveRequest& r : running_) {
      held += r.blocks;
      context += r.input + r.emitted;
    }
    while (!waiting_.empty() && static_cast<int>(running_.size()) < setup_.serving.max_batch) {
      NaiveRequest r = waiting_.front();
      if (held + r.blocks > total_blocks_) break;
      if (!chunks_.empty() && tokens + r.input > setup_.serving.token_budget) break;
      held += r.blocks;
      tokens += r.input;
      chunks_.push_back({r.input, 0});
      result_.served[r.index] = NaiveResult::Served{now, Time(), Time()};
      running_.push_back(r);
      waiting_.pop_front();
    }
    if (running_.empty()) {
      step_end_.reset();
      return;
    }
    IterationShape shape{chunks_, 0, 0, 0, {}};
    if (chunks_.empty()) shape = {{}, static_cast<std::int64_t>(running_.size()), context, 0, {}};
    step_end_ = now + setup_.timer.iteration(shape);
  }

  void finish(Time now) {
    for (NaiveRequest& r : running_) {
      const bool first = r.emitted == 0;
      if (!chunks_.empty() && !first) continue;  // prompts are read, the others stand still
      if (first) {
        result_.served[r.index]->first = now;
      } else {
        result_.gaps.add(now - r.last_token);
      }
      ++r.emitted;
      r.last_token = now;
      if (r.emitted == r.output) result_.served[r.index]->done = now;
    }
    std::erase_if(running_, [](const NaiveRequest& r) { return r.emitted == r.output; });
    start(now);
  }

  const Experiment& setup_;
  NaiveResult& result_;
  std::int64_t total_blocks_;
  std::deque<NaiveRequest> waiting_;
  std::vector<NaiveRequest> running_;
  std::vector<PrefillChunk> chunks_;
  std::optional<Time> step_end_;
};

NaiveResult run_naively(const Experiment& setup) {
  NaiveResult result;
  result.served.resize(setup.requests.requests.size());
  NaiveReplica replica(setup, result);
  for (std::size_t i = 0; i < setup.requests.requests.size(); ++i) {
    replica.advance(setup.requests.requests[i].arrival);
    replica.arrive(i);
    const bool last_of_tick = i + 1 == setup.requests.requests.size() ||
                              setup.requests.requests[i + 1].arrival != setup.requests.requests[i].arrival;
    if (last_of_tick) replica.start_if_idle(setup.requests.requests[i].arrival);
  }
  replica.advance(Time::never());
  return result;
}

/// A small random load: bursts, long prompts, tight caches, now and then a limit on the queue or a timeout.
Experiment arbitrary_setup(bool generative) {
  using rc::gen::inRange;
  Experiment s(generative ? data::WorkloadKind::generative : data::WorkloadKind::one_shot);
  s.serving.kv_cache = "reserved";
  s.serving.kv_watermark = 0;
  s.serving.max_batch = *inRange(1, 9);
  s.serving.token_budget = *inRange(1, 300);
  s.serving.kv_block_tokens = *rc::gen::element(1, 8, 16);
  s.serving.max_delay_s = *rc::gen::element(0.0, 0.01, 0.5);
  s.fleet.kv_tokens = *inRange(100, 1000);
  if (*inRange(0, 3) == 0) s.serving.queue_limit = *inRange(0, 5);
  if (*inRange(0, 3) == 0) s.serving.timeout_s = *inRange(1, 300) * 0.01;
  s.timer.per_step_s = *inRange(1, 20) * 1e-3;
  s.timer.per_prompt_token_s = *inRange(0, 20) * 1e-5;
  s.timer.per_sequence_s = *inRange(0, 20) * 1e-4;
  s.timer.per_context_token_s = *inRange(0, 20) * 1e-6;
  s.timer.bytes_per_step = 1e8;
  s.fleet.power = {.tdp_w = 300.0, .idle_w = 50.0, .a = 0.58, .b = 0.28};
  s.options.series_step_s = 0.3;
  s.workload.classes.resize(2);
  s.workload.classes[0].slo.ttft_s = {{"p99", 0.5}};
  s.workload.classes[1].name = "other";
  s.requests.class_names = {"all", "other"};
  if (!generative) s.workload.classes[0].slo = {};
  const int n = *inRange(1, 120);
  std::int64_t at_ms = 0;
  for (int i = 0; i < n; ++i) {
    at_ms += *rc::gen::element(0, 0, 1, 7, 40, 400);
    const int output = generative ? *inRange(1, 60) : 0;
    s.add(static_cast<double>(at_ms) * 1e-3, *inRange(1, 200), output, static_cast<std::int16_t>(*inRange(0, 2)),
          generative ? 1 : *inRange(1, 4));
  }
  return s;
}

RC_GTEST_PROP(Reference, AgreesWithTheNaiveSimulator, ()) {
  Experiment s = arbitrary_setup(true);
  const NaiveResult naive = run_naively(s);
  s.options.stepping = *rc::gen::element(Stepping::fast_forward, Stepping::jumps, Stepping::step_by_step);
  testing::KeepRecords kept;
  s.options.sink = &kept;
  const RunResult run = s.run();

  for (std::size_t i = 0; i < naive.served.size(); ++i) {
    const RequestRecord& record = kept.records.at(i).value();
    RC_ASSERT((record.outcome == RequestOutcome::completed) == naive.served[i].has_value());
    if (!naive.served[i]) continue;
    RC_ASSERT(record.served.admitted == naive.served[i]->admitted);
    RC_ASSERT(record.served.first == naive.served[i]->first);
    RC_ASSERT(record.done == naive.served[i]->done);
  }
  const Distribution gaps = naive.gaps.distribution();
  RC_ASSERT(run.latency.itl.n == gaps.n);
  RC_ASSERT(run.latency.itl.mean == gaps.mean);
  RC_ASSERT(run.latency.itl.p50 == gaps.p50);
  RC_ASSERT(run.latency.itl.p99 == gaps.p99);
  RC_ASSERT(run.latency.itl.max == gaps.max);
}

RC_GTEST_PROP(Reference, FleetsConserveAndRepeat, ()) {
  Experiment s = arbitrary_setup(*rc::gen::arbitrary<bool>());
  s.fleet.replicas = *rc::gen::inRange(1, 6);
  const RunResult r = s.run();  // throws when a conservation law is broken
  RC_ASSERT(r.conservation.little_law_relative_error == 0.0);
  RC_ASSERT(r.requests.offered == static_cast<std::int64_t>(s.requests.requests.size()));
  RC_ASSERT(r.requests.offered ==
            r.requests.completed + r.requests.rejected + r.requests.timed_out + r.requests.failed);
  RC_ASSERT(r.gpu_busy >= 0.0);
  RC_ASSERT(r.gpu_busy <= 1.0);
  RC_ASSERT(r.kv_occupancy <= 1.0);
  std::int64_t arrivals = 0, completions = 0;
  for (const SeriesPoint& point : r.series) arrivals += point.arrivals, completions += point.completions;
  RC_ASSERT(arrivals == r.requests.offered);
  RC_ASSERT(completions == r.requests.completed);
  RC_ASSERT(fingerprint(s.run()) == fingerprint(r));
}

// Early stopping may only ever say what the full run says too.
RC_GTEST_PROP(Reference, HopelessMeansNotMet, ()) {
  Experiment s = arbitrary_setup(true);
  s.workload.classes[0].slo.attainment = *rc::gen::element(0.5, 0.9, 0.99, 1.0);
  const bool met = s.run().slo.met;
  s.options.stop_when_hopeless = true;
  RC_ASSERT(s.run().slo.met == met);
}

TEST(Repetition, ALargeRunIsByteIdentical) {
  Experiment s;
  s.timer.per_step_s = 0.01;
  s.timer.per_prompt_token_s = 1e-5;
  s.timer.per_context_token_s = 1e-7;
  s.fleet.replicas = 7;
  s.fleet.power = {.tdp_w = 300.0, .idle_w = 50.0, .a = 0.58, .b = 0.28};
  RandomStream random(11, "load");
  double at_s = 0;
  for (int i = 0; i < 5000; ++i) {
    at_s += random.exponential(0.03);
    s.add(at_s, 1 + static_cast<int>(random.exponential(1000)), 1 + static_cast<int>(random.exponential(100)));
  }
  EXPECT_EQ(fingerprint(s.run()), fingerprint(s.run()));
}

}  // namespace
}  // namespace weir::sim

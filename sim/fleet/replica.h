#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <utility>

#include "sim/core/wide_int.h"
#include "sim/fleet/copy_times.h"
#include "sim/fleet/router.h"
#include "sim/fleet/run_context.h"
#include "sim/metrics/state_integral.h"
#include "sim/metrics/totals.h"
#include "sim/serving/scheduler.h"
#include "sim/timing/iteration_tables.h"

namespace weir::sim {

/// Sum of first + i x increase over i < count.
constexpr std::int64_t progression_sum(std::int64_t first, std::int64_t increase, std::int64_t count) {
  return count * first + increase * (count * (count - 1) / 2);
}

/// The least i >= 0 with progression_sum(first, increase, i + 1) > elapsed (`at_least`: >= elapsed), for an elapsed
/// time that lies within the progression. The guess in floating point is put right in integers.
std::int64_t step_reaching(std::int64_t first, std::int64_t increase, std::int64_t elapsed, bool at_least);

/// How a replica asks for times: tables directly, every other timer through its interface. time() also fills what the
/// step does, all of `work` but steps and ticks.
struct TableTiming {
  const IterationTables& tables;
  const StepTimer& timer;
  [[gnu::always_inline]] std::int64_t time(const IterationShape& shape, StepWork& work) const {
    return tables.time(shape, work);
  }
  DecodeRun decode_run(const IterationShape& shape, std::int64_t most, std::int64_t first_ticks) const {
    return tables.decode_run(shape, most, first_ticks);
  }
};
struct VirtualTiming {
  const StepTimer& timer;
  CopyTimes copies = {};
  std::int64_t time(const IterationShape& shape, StepWork& work) const {
    work.tokens = work.rows = shape.decode_sequences;
    work.context = shape.decode_context_tokens;
    for (const PrefillChunk& chunk : shape.prefill) {
      work.tokens += chunk.new_tokens;
      ++work.rows;
      work.pairs += query_key_pairs(chunk, timer.causal());
      work.past += chunk.past_tokens;
    }
    return timer.iteration(shape).ticks();
  }
  DecodeRun decode_run(const IterationShape& shape, std::int64_t, std::int64_t) const {
    return timer.decode_run(shape);
  }
};

/// One replica in simulated time: its scheduler, the steps in flight and what it counts. It is advanced on its own up
/// to the next arrival anywhere, because between arrivals replicas do not see each other.
///
/// Fast-forward: when the scheduler says that steps repeat, the replica plans to jump over `skip_` of them and commits
/// only when it gets there, so that an arrival in between can still cut the jump at the end of the step it falls into.
/// S and Timing are template parameters so that the fast pair is inlined; any Scheduler with VirtualTiming works.
template <class S, class Timing>
class Replica {
 public:
  Replica(std::int32_t index, std::unique_ptr<S> scheduler, const Timing& timing, int steps_in_flight,
          bool fast_forward, RunContext& context, Router& router)
      : index_(index),
        scheduler_(std::move(scheduler)),
        one_shot_(scheduler_->starts_beside()),
        timing_(timing),
        depth_(static_cast<std::size_t>(steps_in_flight)),
        fast_forward_(fast_forward),
        context_(context),
        metrics_(context.metrics),
        counters_(router.counters(static_cast<std::size_t>(index))) {
    if (depth_ < 1 || depth_ > kMostInFlight) throw std::logic_error("Replica: too many steps in flight");
  }

  /// `request` arrives now. Everything of this replica up to and at `now` has been done. True: the replica was idle and
  /// start() has to be called once everything that arrives at this tick is in, so that it can start together.
  [[gnu::always_inline]] bool submit(const QueuedRequest& request, Time now) {
    ++counters_.requests;
    if (counters_.tokens != nullptr) [[unlikely]]
      *counters_.tokens += Router::tokens_of(request);
    const Submitted answer = scheduler_->submit(request);
    if (answer != Submitted::queued) [[unlikely]] {
      goes(request);
      drop(request, now, answer == Submitted::queue_full ? RequestOutcome::rejected : RequestOutcome::failed);
      return false;
    }
    if (one_shot()) [[unlikely]] {
      for (const QueuedRequest& older : scheduler_->displaced()) {
        goes(older);
        drop(older, now, RequestOutcome::displaced);
      }
      if (in_flight_ > 0 && in_flight_ < depth()) return true;
    }
    if (in_flight_ == 0) return true;
    if (skip_ > 0 && !scheduler_->admission_blocked()) cut_skip(now, false);
    if constexpr (S::kWakes) wakeup_ = scheduler_->next_wakeup();
    take_state(now);
    return false;
  }

  /// Starts what was submitted at `now` to a replica that has room for a step.
  void start(Time now) {
    if (in_flight_ > 0 && !room_beside()) return;
    start_when_idle(now);
    take_state(now);
  }

  /// When something happens here next without an arrival.
  Time next_event() const { return S::kWakes ? std::min(step_end_, wakeup_) : step_end_; }

  /// Does everything up to and at `limit`, or until the run's targets are out of reach.
  void advance(Time limit) {
    if (limit >= Time::never()) limit = Time::never() - Time::from_ticks(1);
    while (next_event() <= limit && !metrics_.hopeless()) {
      context_.tick();
      // On a tie the wake-up goes first: what has expired must not start.
      if (S::kWakes && wakeup_ <= step_end_) [[unlikely]] {
        wake_up(wakeup_);
      } else {
        end_step(step_end_);
      }
    }
  }

  /// To be called after the last event, before totals() and before the metrics are read.
  void settle() { state_.settle(metrics_); }
  ReplicaTotals totals() const {
    ReplicaTotals all = totals_;
    all.in_system_ticks = state_.in_system_ticks();
    all.busy_ticks = state_.busy_ticks();
    all.scheduler.add(scheduler_->counts());
    return all;
  }
  /// Time with a step in flight, up to `now`.
  std::int64_t busy_ticks(Time now) const { return state_.busy_ticks(now); }

  // What follows is for schedulers that keep every request's state.

  /// Everything here is lost at `now`, when all up to and at it has been done: the cache, the step in flight and the
  /// requests, which are listed by index. The replica goes on with a fresh scheduler.
  void fail(Time now, std::unique_ptr<S> fresh, std::vector<HeldRequest>& held) {
    if constexpr (S::kInlined) {
      throw std::logic_error("Replica: this scheduler cannot fail");
    } else {
      if (skip_ > 0) cut_short(now);
      if (in_flight_ > 0) {
        totals_.cut_ticks += (flight_[in_flight_ - 1].end - now).ticks();
        totals_.kv_token_ticks += WideInt{kv_.tokens} * (now - first_begin_).ticks();
      }
      const std::size_t first = held.size();
      scheduler_->evict_all(held);
      for (std::size_t i = first; i < held.size(); ++i) {
        goes(held[i].request);
        context_.elsewhere.read += held[i].read;
        context_.elsewhere.written += held[i].written;
      }
      totals_.scheduler.add(scheduler_->counts());
      scheduler_ = std::move(fresh);
      in_flight_ = 0;
      copied_in_ = computed_ = copied_out_ = now;
      step_end_ = wakeup_ = Time::never();
      take_state(now);
    }
  }
  /// Steps that begin after `now` last `factor` times as long, until the next call. All up to and at `now` has been
  /// done.
  void slow(double factor, Time now) {
    if constexpr (S::kInlined) {
      throw std::logic_error("Replica: this scheduler cannot be slowed down");
    } else {
      if (skip_ > 0) cut_skip(now, false);
      slowdown_ = factor;
    }
  }
  const S& scheduler() const { return *scheduler_; }

 private:
  static constexpr std::size_t kMostInFlight = S::kMostInFlight;
  struct InFlight {
    Time end;
    // NOTE: not in the order of IterationShape, or gcc copies pairs of fields at once and waits for the stores of each.
    std::int64_t padded_tokens = 0, ticks = 0, context = 0, decodes = 0;
    bool decodes_only = false;
  };

  // --- steps

  std::size_t depth() const { return kMostInFlight == 1 ? 1 : depth_; }
  bool one_shot() const { return !S::kInlined && one_shot_; }
  bool room_beside() const { return one_shot() && in_flight_ < depth(); }

  /// What the scheduler says of a step that ended or was skipped goes here.
  struct Account {
    static constexpr bool kKeeps = false;
    void gap(const Gap& gap) const { replica.metrics_.add(gap); }
    void finished(const ServedRequest& served) const { replica.complete(served, now); }
    Replica& replica;
    Time now;
  };

  /// Times a step and counts what it does: nothing that happens while it runs changes that.
  [[gnu::always_inline]] void begin_step(const IterationShape& shape, InFlight& f) {
    StepWork work;
    f.ticks = timing_.time(shape, work);
    if constexpr (!S::kInlined) f.ticks = slowed(f.ticks);
    f.decodes = shape.decode_sequences;
    f.context = shape.decode_context_tokens;
    f.padded_tokens = shape.padded_tokens;
    f.decodes_only = shape.prefill.empty();
    // A jump is over steps at full speed.
    if constexpr (!S::kInlined) f.decodes_only = f.decodes_only && slowdown_ == 1;
    count_step(work, f.ticks, f.decodes);
  }
  /// A batch is copied in, computed and copied out. Each of the three does one batch at a time, in order; what one
  /// instance copies hides behind what another computes. The step lasts from the end of the one before it, so that the
  /// steps of a replica do not overlap.
  [[gnu::noinline]] void begin_batch(const Step& step, Time now, InFlight& f) {
    copied_in_ = std::max(copied_in_, now) + timing_.copies.in(step.items);
    computed_ = std::max(computed_, copied_in_) +
                Time::from_ticks(slowed(timing_.timer.batch(step.items, step.padded_tokens).ticks()));
    const Time before = std::max(copied_out_, now);
    copied_out_ = std::max(copied_out_, computed_) + timing_.copies.out(step.items);
    f.ticks = (copied_out_ - before).ticks();
    f.decodes_only = false;
    StepWork work;
    work.tokens = step.items * step.padded_tokens;
    work.pairs = step.items * query_key_pairs({step.padded_tokens, 0}, timing_.timer.causal());
    count_step(work, f.ticks, step.items);
  }
  std::int64_t slowed(std::int64_t ticks) const {
    if (slowdown_ == 1) [[likely]]
      return ticks;
    return Time::from_seconds(Time::from_ticks(ticks).seconds() * slowdown_).ticks();
  }
  [[gnu::always_inline]] void count_step(const StepWork& work, std::int64_t ticks, std::int64_t members) {
    if (ticks <= 0) [[unlikely]]
      throw std::logic_error("a step must take time");
    StepWork& sum = totals_.work[ReplicaTotals::octave_of(work.tokens)];
    ++sum.steps;
    sum.ticks += ticks;
    sum.tokens += work.tokens;
    sum.rows += work.rows;
    sum.pairs += work.pairs;
    sum.past += work.past;
    sum.context += work.context;
    if (members > 0) [[likely]]
      ++totals_.batches;
    totals_.batch_members += members;
  }

  /// The scheduler forms one more step; false when there is nothing to do.
  [[gnu::always_inline]] bool form_step(Time now, InFlight& f) {
    if constexpr (S::kInlined) {
      if (!scheduler_->form(now)) return false;
      begin_step(scheduler_->shape(), f);
    } else {
      const Step& step = scheduler_->next_step(now);
      if (step.kind == StepKind::none) return false;
      if (step.kind == StepKind::batch) {
        begin_batch(step, now, f);
      } else {
        begin_step(step.shape, f);
      }
    }
    return true;
  }

  /// Fills the steps in flight and plans how many to jump over.
  [[gnu::always_inline]] void start_steps(Time now) {
    skip_ = 0;
    if constexpr (kMostInFlight == 1) {
      InFlight& f = flight_[0];
      in_flight_ = form_step(now, f) ? 1 : 0;
      f.end = now + Time::from_ticks(f.ticks);
      if constexpr (S::kInlined) {
        if (fast_forward_ && in_flight_ > 0) now = read_ahead(now, f);
      }
      first_begin_ = now;
    } else {
      while (in_flight_ < depth()) {
        InFlight& f = flight_[in_flight_];
        if (!form_step(now, f)) break;
        f.end = (in_flight_ == 0 ? now : flight_[in_flight_ - 1].end) + Time::from_ticks(f.ticks);
        if (in_flight_ == 0) first_begin_ = now, kv_ = scheduler_->kv_use();
        ++in_flight_;
      }
    }
    if constexpr (S::kWakes) wakeup_ = scheduler_->next_wakeup();
    if (in_flight_ == 0) {
      step_end_ = Time::never();
      return;
    }
    step_end_ = flight_[0].end;
    if constexpr (kMostInFlight == 1) totals_.kv_token_ticks += WideInt{scheduler_->kv_use().tokens} * flight_[0].ticks;
    if (fast_forward_ && in_flight_ == depth() && flight_[in_flight_ - 1].decodes_only && flight_[0].decodes_only) {
      plan_skip();
    }
  }
  /// While one prompt takes all of the budget nothing else can happen: its steps are done at once, before their time,
  /// up to one at whose end something may. Returns when that one begins.
  [[gnu::always_inline]] Time read_ahead(Time begin, InFlight& f) {
    while (scheduler_->reads_on()) {
      totals_.kv_token_ticks += WideInt{scheduler_->kv_use().tokens} * f.ticks;
      begin = f.end;
      Account account{*this, begin};
      totals_.tokens_written += scheduler_->read_on(begin, account);
      begin_step(scheduler_->shape(), f);
      f.end = begin + Time::from_ticks(f.ticks);
    }
    return begin;
  }
  [[gnu::noinline]] void start_when_idle(Time now) { start_steps(now); }

  void plan_skip() {
    if (slowdown_ != 1) return;  // the run below is at full speed
    const std::int64_t steady = std::min(scheduler_->steady_steps(), kMostSkipped);
    if (steady <= 0) return;
    const InFlight& f = flight_[0];
    // Of the run, the last `depth_` steps stay in flight.
    const auto stay = static_cast<std::int64_t>(depth());
    run_ = timing_.decode_run({{}, f.decodes, f.context, f.padded_tokens, {}}, steady + stay, f.ticks);
    skip_ = std::min(steady, run_.steps - stay);
    if (skip_ <= 0) {
      skip_ = 0;
      return;
    }
    step_end_ = first_begin_ + Time::from_ticks(progression_sum(run_.first_ticks, run_.increase_ticks, skip_ + 1));
  }

  /// Something came at `now`, within the planned jump: the step that is running then is the last before it is seen.
  void cut_skip(Time now, bool seen_at_boundary) {
    const std::int64_t elapsed = (now - first_begin_).ticks();
    skip_ = std::min(skip_, step_reaching(run_.first_ticks, run_.increase_ticks, elapsed, seen_at_boundary));
    step_end_ = first_begin_ + Time::from_ticks(progression_sum(run_.first_ticks, run_.increase_ticks, skip_ + 1));
  }

  /// Of the planned jump, what lies before `now` is done and nothing more.
  void cut_short(Time now) {
    skip_ = std::min(skip_, step_reaching(run_.first_ticks, run_.increase_ticks, (now - first_begin_).ticks(), false));
    if (skip_ > 0) commit_skip();
  }

  void commit_skip() {
    InFlight& f = flight_[0];
    const std::int64_t k = skip_, n = f.decodes, first = run_.first_ticks, increase = run_.increase_ticks;
    const Time end = first_begin_ + Time::from_ticks(progression_sum(first, increase, k));
    if constexpr (kMostInFlight == 1) {
      kv_ = scheduler_->kv_use();
      add_kv(k, kv_.tokens + kv_.growth, first + increase);  // the step in flight is counted
    } else {
      add_kv(k, kv_.tokens, first);
      kv_.tokens += k * kv_.growth;
    }
    if constexpr (S::kInlined) {
      Account account{*this, end};
      scheduler_->skip(k, first, increase, end, account);
    } else {
      for (const Gap& gap : scheduler_->skip(k, first, increase, end)) metrics_.add(gap);
    }
    // Those in flight are counted: what is new are the steps behind them.
    const auto ahead = static_cast<std::int64_t>(in_flight_);
    StepWork& work = totals_.work[ReplicaTotals::octave_of(n)];
    work.steps += k;
    work.ticks += progression_sum(first + increase * ahead, increase, k);
    work.tokens += k * n;
    work.rows += k * n;
    work.context += progression_sum(f.context + n * ahead, n, k);
    totals_.batches += k;
    totals_.batch_members += k * n;
    totals_.tokens_written += k * n;
    Time begin = end;
    for (std::size_t i = 0; i < in_flight_; ++i) {
      InFlight& later = flight_[i];
      later.ticks = first + increase * (k + static_cast<std::int64_t>(i));
      later.context += k * n;
      later.end = begin + Time::from_ticks(later.ticks);
      begin = later.end;
    }
    first_begin_ = end;
    skip_ = 0;
  }

  /// Tokens in the cache x time over k steps, of which the first has so many tokens and ticks.
  void add_kv(std::int64_t k, std::int64_t tokens, std::int64_t ticks) {
    const std::int64_t ones = k * (k - 1) / 2, squares = (k - 1) * k * (2 * k - 1) / 6;  // k <= kMostSkipped = 2^20
    totals_.kv_token_ticks += WideInt{tokens} * progression_sum(ticks, run_.increase_ticks, k) +
                              WideInt{kv_.growth} * ticks * ones + WideInt{kv_.growth} * run_.increase_ticks * squares;
  }

  [[gnu::always_inline]] void end_step(Time now) {
    if (skip_ > 0) commit_skip();
    if constexpr (S::kInlined) {
      Account account{*this, now};
      totals_.tokens_written += scheduler_->finish(now, account);
      --in_flight_;
    } else {
      totals_.kv_token_ticks += WideInt{kv_.tokens} * flight_[0].ticks;
      const StepOutcome& outcome = scheduler_->finish_step(now);
      totals_.tokens_written += outcome.tokens_written;
      for (const Gap& gap : outcome.gaps) metrics_.add(gap);
      for (const ServedRequest* served : outcome.finished) complete(*served, now);
      if (--in_flight_ > 0) {
        for (std::size_t i = 0; i < in_flight_; ++i) flight_[i] = flight_[i + 1];
        first_begin_ = now, kv_ = scheduler_->kv_use();
      }
    }
    start_steps(now);
    take_state(now);
  }

  void wake_up(Time now) {
    bool dropped = false;
    for (const QueuedRequest& request : scheduler_->drop_expired(now)) {
      goes(request);
      drop(request, now, RequestOutcome::timed_out);
      dropped = true;
    }
    if (in_flight_ == 0 || room_beside()) {
      start_when_idle(now);
    } else {
      if (dropped && skip_ > 0 && !scheduler_->admission_blocked()) cut_skip(now, true);
      if constexpr (S::kWakes) wakeup_ = scheduler_->next_wakeup();
    }
    take_state(now);
  }

  // --- requests that leave

  [[gnu::always_inline]] void complete(const ServedRequest& served, Time now) {
    goes(served.request);
    context_.completed(served, now, index_);
  }
  /// Takes a copy, so that the one that is submitted can stay in registers.
  [[gnu::noinline]] void drop(QueuedRequest request, Time now, RequestOutcome outcome) {
    context_.dropped(request, now, outcome, index_);
  }

  /// It is no longer outstanding here.
  [[gnu::always_inline]] void goes(const QueuedRequest& request) {
    --counters_.requests;
    if (counters_.tokens != nullptr) [[unlikely]]
      *counters_.tokens -= Router::tokens_of(request);
  }

  /// The state may have changed at `now`.
  [[gnu::always_inline]] void take_state(Time now) {
    const std::int64_t waiting = scheduler_->waiting(), running = scheduler_->running();
    const std::int64_t busy = in_flight_ > 0 ? 1 : 0;
    if (waiting == state_.waiting() && running == state_.running() && busy == state_.busy()) return;
    state_.change(now, waiting, running, busy, metrics_);
  }

  static constexpr std::int64_t kMostSkipped = 1 << 20;  // keeps sums of ticks far from overflow

  std::int32_t index_;
  std::unique_ptr<S> scheduler_;
  bool one_shot_;
  Timing timing_;
  std::size_t depth_;
  bool fast_forward_;
  RunContext& context_;
  RunMetrics& metrics_;
  Router::Counters counters_;  ///< the router's

  std::array<InFlight, kMostInFlight> flight_;
  std::size_t in_flight_ = 0;
  Time copied_in_, computed_, copied_out_;  ///< one-shot work: when the last batch is through
  Time first_begin_;                        ///< when flight_[0] began
  Time step_end_ = Time::never(), wakeup_ = Time::never();
  std::int64_t skip_ = 0;  ///< steps planned to be jumped over before flight_[0] is as it will be at step_end_
  DecodeRun run_;
  KvUse kv_;
  double slowdown_ = 1;

  ReplicaTotals totals_;
  StateIntegral state_;
};

}  // namespace weir::sim

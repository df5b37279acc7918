#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <stdexcept>
#include <tuple>
#include <utility>
#include <vector>

#include "sim/serving/scheduler.h"

namespace weir::sim::testing {

/// What became of a request.
struct Fate {
  char outcome = '?';  ///< 'd'one, 'r'efused, 'n'ever fits, 't'imed out
  std::int64_t admitted = 0, first = 0, done = 0, preempted_for = 0, preempted_before_first = 0;
  std::int32_t preemptions = 0, cached_tokens = 0;
  bool operator==(const Fate&) const = default;
};

/// A replica whose steps last 50 + 3 a prompt token + 2 a decode + 1 a token of context, in ticks. It asks the
/// scheduler step by step, or jumps as far as the scheduler lets it, and writes down everything that can be seen from
/// outside.
class ToyReplica {
 public:
  struct Seen {
    std::vector<Fate> fates;
    std::map<std::pair<int, std::int64_t>, std::int64_t> gaps;  ///< how many by (class, ticks)
    /// When somebody finished: time, who, blocks held, tokens in the cache, waiting, running.
    std::vector<std::tuple<std::int64_t, std::uint64_t, std::int64_t, std::int64_t, std::int64_t, std::int64_t>> log;
    std::int64_t written = 0, steps = 0;
    SchedulerCounts counts;
    bool operator==(const Seen&) const = default;
  };

  ToyReplica(const Rules& rules, Scheduler& scheduler, const std::vector<QueuedRequest>& requests, bool jump)
      : rules_(rules), scheduler_(scheduler), requests_(requests), jump_(jump) {
    seen_.fates.resize(requests.size());
  }

  Seen run() {
    while (next_ < requests_.size() || in_flight_ > 0 || scheduler_.waiting() > 0) {
      if (++rounds_ > 2'000'000) throw std::logic_error("this never ends");
      if (in_flight_ == 0) {
        idle();
      } else {
        plan();
        watch();
        end_step();
      }
      fill();
    }
    seen_.counts = scheduler_.counts();
    return std::move(seen_);
  }
  std::int64_t jumps() const { return jumps_; }

 private:
  struct InFlight {
    std::int64_t ticks = 0, decodes = 0;
  };

  static std::int64_t ticks_of(const IterationShape& shape) {
    std::int64_t ticks = 50 + 2 * shape.decode_sequences + shape.decode_context_tokens;
    for (const PrefillChunk& chunk : shape.prefill) ticks += 3 * chunk.new_tokens;
    return ticks;
  }
  Time arrival() const { return next_ < requests_.size() ? requests_[next_].arrival : Time::never(); }

  void idle() {
    const Time wakeup = scheduler_.next_wakeup();
    now_ = std::min(arrival(), wakeup);
    if (now_ == Time::never()) throw std::logic_error("somebody waits for ever");
    if (wakeup <= arrival()) {
      drop(now_);
    } else {
      submit();
    }
  }
  void submit() {
    const QueuedRequest& request = requests_[next_++];
    const Submitted answer = scheduler_.submit(request);
    if (answer == Submitted::queued) return;
    Fate& fate = seen_.fates[request.index];
    fate.outcome = answer == Submitted::queue_full ? 'r' : 'n';
    fate.done = request.arrival.ticks();
  }
  bool drop(Time now) {
    bool any = false;
    for (const QueuedRequest& request : scheduler_.drop_expired(now)) {
      seen_.fates[request.index] = {.outcome = 't', .done = now.ticks()};
      any = true;
    }
    return any;
  }
  void fill() {
    while (in_flight_ < static_cast<std::size_t>(rules_.steps_in_flight)) {
      const Step& step = scheduler_.next_step(now_);
      check(step.shape);
      if (step.kind == StepKind::none) break;
      flight_[in_flight_++] = {ticks_of(step.shape), step.shape.decode_sequences};
    }
  }
  void check(const IterationShape& shape) const {
    std::int64_t tokens = shape.decode_sequences;
    for (const PrefillChunk& chunk : shape.prefill) {
      if (chunk.new_tokens <= 0) throw std::logic_error("an empty chunk");
      tokens += chunk.new_tokens;
    }
    if (rules_.policy == Policy::chunked && tokens > rules_.token_budget) throw std::logic_error("beyond the budget");
    if (scheduler_.kv_blocks_held() < 0 || scheduler_.kv_blocks_held() > rules_.kv_blocks ||
        scheduler_.kv_use().tokens > scheduler_.kv_blocks_held() * rules_.block_tokens ||
        scheduler_.kv_use().tokens < 0 || scheduler_.running() > rules_.max_batch) {
      throw std::logic_error("more is held than there is");
    }
  }

  void plan() {
    skip_ = jump_ ? scheduler_.steady_steps() : 0;
    end_ = now_ + Time::from_ticks(ticks_until(skip_));
  }
  /// Of the first `steps` + 1 steps from now.
  std::int64_t ticks_until(std::int64_t steps) const {
    return (steps + 1) * flight_[0].ticks + flight_[0].decodes * (steps * (steps + 1) / 2);
  }
  void cut(Time when, bool at_boundary) {
    while (skip_ > 0) {
      const Time earlier = now_ + Time::from_ticks(ticks_until(skip_ - 1));
      if (at_boundary ? earlier < when : earlier <= when) break;
      --skip_;
    }
    end_ = now_ + Time::from_ticks(ticks_until(skip_));
  }
  /// Arrivals and wake-ups until the planned end, which they may bring forward.
  void watch() {
    for (;;) {
      const Time wakeup = scheduler_.next_wakeup();
      if (wakeup <= end_ && wakeup <= arrival()) {
        if (drop(wakeup) && !scheduler_.admission_blocked()) cut(wakeup, true);
      } else if (arrival() < end_) {
        const Time when = arrival();
        submit();
        if (!scheduler_.admission_blocked()) cut(when, false);
      } else {
        return;
      }
    }
  }
  void end_step() {
    if (skip_ > 0) {
      const Time until = now_ + Time::from_ticks(ticks_until(skip_ - 1));
      count_gaps(scheduler_.skip(skip_, flight_[0].ticks, flight_[0].decodes, until));
      for (InFlight& f : flight_) f.ticks += skip_ * f.decodes;
      seen_.steps += skip_, seen_.written += skip_ * flight_[0].decodes;
      now_ = until;
      ++jumps_;
    }
    now_ += Time::from_ticks(flight_[0].ticks);
    const StepOutcome& outcome = scheduler_.finish_step(now_);
    count_gaps(outcome.gaps);
    ++seen_.steps, seen_.written += outcome.tokens_written;
    for (const ServedRequest* s : outcome.finished) {
      seen_.fates[s->request.index] = {'d',
                                       s->admitted.ticks(),
                                       s->first.ticks(),
                                       now_.ticks(),
                                       s->preempted_for.ticks(),
                                       s->preempted_before_first.ticks(),
                                       s->preemptions,
                                       s->cached_tokens};
      seen_.log.emplace_back(now_.ticks(), s->request.index, scheduler_.kv_blocks_held(), scheduler_.kv_use().tokens,
                             scheduler_.waiting(), scheduler_.running());
    }
    flight_[0] = flight_[1];
    --in_flight_;
  }
  void count_gaps(std::span<const Gap> gaps) {
    for (const Gap& gap : gaps) {
      for (std::int64_t i = 0; i < gap.steps; ++i) {
        seen_.gaps[{gap.class_index, gap.first_ticks + i * gap.increase_ticks}] += gap.count;
      }
    }
  }

  const Rules& rules_;
  Scheduler& scheduler_;
  const std::vector<QueuedRequest>& requests_;
  bool jump_;
  std::array<InFlight, 2> flight_;
  std::size_t in_flight_ = 0, next_ = 0;
  Time now_, end_;
  std::int64_t skip_ = 0, rounds_ = 0, jumps_ = 0;
  Seen seen_;
};

}  // namespace weir::sim::testing

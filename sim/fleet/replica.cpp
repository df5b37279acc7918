#include "sim/fleet/replica.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace weir::sim {
namespace {

/// What a replica does before its first request.
constexpr Step kIdle;

StepCost cost_of(const Step& step, const StepTimer& timer) {
  switch (step.kind) {
    case StepKind::prefill:
      return timer.iteration({step.prefill, 0, 0});
    case StepKind::decode:
      return timer.iteration({{}, step.decode_sequences, step.decode_context_tokens});
    case StepKind::batch:
      return timer.batch(step.items, step.padded_tokens);
    case StepKind::none:
      break;
  }
  throw std::logic_error("Replica: no step to time");
}

double ticks_per_unit(double units_per_s) {
  return units_per_s > 0 ? static_cast<double>(Time::kTicksPerSecond) / units_per_s : 0;
}

}  // namespace

Replica::Replica(std::size_t index, std::unique_ptr<Scheduler> scheduler, RunContext& context,
                 LeastOutstandingRouter& router)
    : index_(index),
      scheduler_(std::move(scheduler)),
      context_(context),
      router_(router),
      gaps_(context.itl),
      step_(&kIdle),
      ticks_per_flop_(ticks_per_unit(context.timer.peak_flops_per_s())),
      ticks_per_byte_(ticks_per_unit(context.timer.peak_bytes_per_s())) {}

void Replica::take_state(Time now) {
  const std::int64_t ticks = (now - state_since_).ticks();
  totals_.in_system_ticks += WideInt{state_.waiting + state_.running} * ticks;
  totals_.kv_block_ticks += WideInt{state_.kv_held} * ticks;
  if (state_.busy) totals_.busy_ticks += ticks;
  if (context_.series) context_.series->state(state_since_, now, state_.waiting, state_.running, state_.busy);
  state_ = {scheduler_->waiting(), scheduler_->running(), scheduler_->kv_held(), step_->kind != StepKind::none};
  state_since_ = now;
  state_changed_ = false;
}

void Replica::leave(RequestId id, Time now, RequestOutcome outcome) {
  router_.left(index_);
  context_.leave(id, now, outcome);
}

void Replica::submit(RequestId id, Time now) {
  const SimRequest& r = context_.request(id);
  router_.sent(index_);
  switch (scheduler_->submit({id, r.arrival, r.input_tokens, r.output_tokens, r.items})) {
    case Submitted::queued:
      if (step_->kind == StepKind::none) start_step(now);
      wakeup_ = scheduler_->next_wakeup();
      take_state(now);
      return;
    case Submitted::queue_full:
      leave(id, now, RequestOutcome::rejected);
      return;
    case Submitted::never_fits:
      leave(id, now, RequestOutcome::failed);
      return;
  }
}

void Replica::advance(Time limit) {
  while (next_event() <= limit && next_event() < Time::never() && !context_.hopeless) {
    context_.tick();
    // On a tie the wake-up goes first: what has expired must not start.
    if (wakeup_ <= step_end_) {
      wake_up(wakeup_);
    } else {
      end_step(step_end_);
    }
  }
}

void Replica::wake_up(Time now) {
  for (const RequestId id : scheduler_->drop_expired(now)) leave(id, now, RequestOutcome::timed_out);
  if (step_->kind == StepKind::none) start_step(now);
  wakeup_ = scheduler_->next_wakeup();
  take_state(now);
}

void Replica::start_step(Time now) {
  step_ = &scheduler_->next_step(now);
  if (step_->kind == StepKind::none) {
    step_end_ = Time::never();
    wakeup_ = scheduler_->next_wakeup();  // a queue that fills no batch has a delay to wait for
    state_changed_ = true;
    return;
  }
  cost_ = cost_of(*step_, context_.timer);
  if (cost_.duration <= Time()) throw std::logic_error("a step must take time");
  step_end_ = now + cost_.duration;
  if (step_->started.empty()) return;
  for (const RequestId id : step_->started) context_.records[id].admitted = now;
  wakeup_ = scheduler_->next_wakeup();
  state_changed_ = true;
}

// Power by load: busy power / TDP = clip(a + b x, 0.2, 1) with x the step's share of the peak of whichever of compute
// and memory it uses more; see PowerModel.
void Replica::account_step() {
  const auto ticks = static_cast<double>(cost_.duration.ticks());
  totals_.step_ticks += cost_.duration.ticks();
  totals_.flops += cost_.flops;
  totals_.bytes += cost_.bytes;
  const double at_peak = std::max(cost_.flops * ticks_per_flop_, cost_.bytes * ticks_per_byte_);
  totals_.tdp_ticks += std::clamp(context_.power.a * ticks + context_.power.b * at_peak, 0.2 * ticks, ticks);
}

void Replica::end_step(Time now) {
  account_step();
  const StepOutcome outcome = scheduler_->finish_step(now);
  switch (step_->kind) {
    case StepKind::prefill:
      end_prefill(now, outcome);
      break;
    case StepKind::decode:
      end_decode(now, outcome);
      break;
    case StepKind::batch:
      end_batch(now, outcome);
      break;
    case StepKind::none:
      throw std::logic_error("Replica: a step ended that never began");
  }
  for (const RequestId id : outcome.finished) leave(id, now, RequestOutcome::completed);
  if (!outcome.finished.empty()) state_changed_ = true;
  start_step(now);
  if (state_changed_) take_state(now);
}

void Replica::end_prefill(Time now, const StepOutcome& outcome) {
  for (const PrefillChunk& chunk : step_->prefill) totals_.tokens_read += chunk.new_tokens;
  totals_.tokens_written += static_cast<std::int64_t>(outcome.first_token.size());
  for (const RequestId id : outcome.first_token) {
    context_.records[id].first = now;
    if (context_.request(id).output_tokens > 1) gaps_.joined(now, class_of(id));
  }
}

void Replica::end_decode(Time now, const StepOutcome& outcome) {
  totals_.tokens_written += step_->decode_sequences;
  totals_.batch_members += step_->decode_sequences;
  ++totals_.batches;
  gaps_.decoded(now);
  for (const RequestId id : outcome.finished) gaps_.finished(class_of(id));
}

void Replica::end_batch(Time now, const StepOutcome& outcome) {
  totals_.batch_members += step_->items;
  ++totals_.batches;
  for (const RequestId id : outcome.finished) {
    const SimRequest& r = context_.request(id);
    context_.records[id].first = now;
    totals_.tokens_read += std::int64_t{r.input_tokens} * r.items;
  }
}

}  // namespace weir::sim

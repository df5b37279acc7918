#include "sim/serving/step_scheduler.h"

#include <algorithm>
#include <stdexcept>

namespace weir::sim {

StepScheduler::StepScheduler(const Rules& rules)
    : rules_(rules), waiting_(rules.order, rules.queue_limit, rules.timeout_s), kv_(rules_) {
  if (rules.max_batch < 1 || rules.token_budget < 1 || rules.block_tokens < 1 || rules.kv_blocks < 0 ||
      rules.watermark_blocks < 0) {
    throw std::logic_error("StepScheduler: a batch, a budget and blocks are at least 1");
  }
  if (rules.steps_in_flight < 1 || rules.steps_in_flight > static_cast<int>(kMostInFlight)) {
    throw std::logic_error("StepScheduler: one or two steps in flight");
  }
}

Submitted StepScheduler::submit(const QueuedRequest& request) {
  if (request.input_tokens < 1 || request.output_tokens < 1) {
    throw std::logic_error("StepScheduler: a request needs tokens to read and to write");
  }
  if (never_fits(rules_, request)) return Submitted::never_fits;
  const bool idle = in_flight_ == 0 && running_.empty();
  return waiting_.push(request, idle) ? Submitted::queued : Submitted::queue_full;
}

Time StepScheduler::next_wakeup() const {
  const Time expiry = waiting_.next_expiry();
  const bool delays = rules_.policy == Policy::dynamic && running_.empty() && in_flight_ == 0;
  if (!delays || waiting_.new_empty()) return expiry;
  return std::min(expiry, waiting_.oldest().queued_at() + rules_.max_delay);
}

const Step& StepScheduler::next_step(Time now) {
  if (in_flight_ == static_cast<std::size_t>(rules_.steps_in_flight)) {
    throw std::logic_error("StepScheduler: as many steps are in flight as may be");
  }
  forming_ = &flight(in_flight_);
  forming_->clear();
  chunks_.clear();
  contexts_.clear();
  step_ = {};
  do {
    preempted_ = false;
    form(now);
    // The only one running may have preempted itself: with nothing in flight nobody else would start it again.
  } while (forming_->empty() && preempted_ && in_flight_ == 0);
  if (!forming_->empty()) {
    describe();
    ++in_flight_;
  }
  counts_.kv_blocks_peak = std::max(counts_.kv_blocks_peak, kv_.held());
  return step_;
}

/// The step in the terms of a timer.
void StepScheduler::describe() {
  step_.kind = StepKind::iteration;
  step_.shape.prefill = chunks_;
  step_.shape.decode_contexts = contexts_;
  if (!rules_.graph_padding) return;
  std::int64_t tokens = step_.shape.decode_sequences;
  for (const PrefillChunk& chunk : chunks_) tokens += chunk.new_tokens;
  step_.shape.padded_tokens = graph_padded(tokens);
}

const StepOutcome& StepScheduler::finish_step(Time now) {
  if (in_flight_ == 0) throw std::logic_error("StepScheduler: no step is in flight");
  served_.clear();
  finished_.clear();
  gaps_.clear();
  outcome_.tokens_written = 0;
  for (const Entry& entry : flight(0)) {
    Job& j = job(entry.slot);
    if (!entry.decode) count_read(j, entry);
    if (!entry.writes) continue;
    write_token(j, entry, now);
    if (j.written == j.output) finish(entry.slot);
  }
  oldest_flight_ = (oldest_flight_ + 1) % kMostInFlight;
  --in_flight_;
  if (!served_.empty()) {
    std::erase_if(running_, [this](std::int32_t slot) { return !job(slot).running; });
    for (const ServedRequest& served : served_) finished_.push_back(&served);
  }
  outcome_.finished = finished_;
  outcome_.gaps = gaps_;
  return outcome_;
}

/// Generated tokens that are read again, and whatever of the input was read before, are recomputed.
void StepScheduler::count_read(Job& j, const Entry& entry) {
  const std::int64_t end = std::min(entry.past + entry.tokens, std::int64_t{j.served.request.input_tokens});
  const std::int64_t fresh = std::max<std::int64_t>(0, end - std::max(entry.past, j.covered));
  j.covered += fresh;
  counts_.tokens_read += entry.tokens;
  counts_.recomputed_tokens += entry.tokens - fresh;
}

void StepScheduler::write_token(Job& j, const Entry& entry, Time now) {
  --j.in_flight;
  ++j.written;
  if (j.cut > 0) [[unlikely]] {  // it is not written but one of the tokens that were known
    --j.cut;
    const bool fresh = j.covered < j.served.request.input_tokens;
    j.covered += fresh ? 1 : 0;
    ++counts_.tokens_read;
    counts_.recomputed_tokens += fresh ? 0 : 1;
  } else {
    ++outcome_.tokens_written;
  }
  if (j.preempted_at < Time::never()) [[unlikely]] {
    if (entry.preemptions == j.served.preemptions) {
      j.served.preempted_for += now - j.preempted_at;
      if (!j.wrote) j.served.preempted_before_first = j.served.preempted_for;
      j.preempted_at = Time::never();
    } else {
      j.preempted_at = now;  // it was in flight when its request was preempted; the next one is held up
    }
  }
  if (j.wrote) {
    add_gap(j, (now - j.last_token).ticks(), 0, 1);
  } else {
    j.served.first = now;
    j.wrote = true;
  }
  j.last_token = now;
}

void StepScheduler::finish(std::int32_t slot) {
  Job& j = job(slot);
  if (j.running) {
    kv_.release(j);
    j.running = false;
  } else {
    waiting_.remove_preempted(slot);  // its last token was in flight
  }
  served_.push_back(j.served);
  unused_.push_back(slot);
}

void StepScheduler::add_gap(const Job& j, std::int64_t first_ticks, std::int64_t increase_ticks, std::int64_t steps) {
  const std::int16_t class_index = j.served.request.class_index;
  if (!gaps_.empty()) {
    Gap& last = gaps_.back();
    if (last.first_ticks == first_ticks && last.increase_ticks == increase_ticks && last.steps == steps &&
        last.class_index == class_index) {
      ++last.count;
      return;
    }
  }
  gaps_.push_back({first_ticks, increase_ticks, steps, 1, class_index});
}

KvUse StepScheduler::kv_use() const {
  if (rules_.reserve_output) return {kv_.held() * rules_.block_tokens, 0};
  return {kv_.tokens(), running()};
}

}  // namespace weir::sim

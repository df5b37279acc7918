// StepScheduler: who runs in a step, who is admitted to it and who is preempted for it.
#include <algorithm>

#include "sim/serving/step_scheduler.h"

namespace weir::sim {
void StepScheduler::form(Time now) {
  switch (rules_.policy) {
    case Policy::chunked:
      return form_chunked(now);
    case Policy::continuous:
      return form_continuous(now);
    case Policy::static_batch:
    case Policy::dynamic:
      return form_batched(now);
  }
}

// --- the policies

void StepScheduler::form_chunked(Time now) {
  std::int64_t budget = rules_.token_budget - decode_running(now);
  read_partial_prompt(budget, now);
  if (preempted_ && rules_.no_admission_after_preemption) return;
  admit_in_chunks(budget, now);
}

void StepScheduler::form_continuous(Time now) {
  if (!admit_whole_prompts(now)) decode_running(now);
}

/// A batch is formed when nothing runs; all its prompts are read before its first decode.
void StepScheduler::form_batched(Time now) {
  if (running_.empty() && batch_is_due(now)) {
    while (running() < rules_.max_batch && !waiting_.empty()) {
      Candidate next = head();
      if (!fits(next)) break;
      admit(next, next.blocks, now);
    }
  }
  if (!read_batch()) decode_running(now);
}

bool StepScheduler::batch_is_due(Time now) const {
  if (waiting_.empty()) return false;
  if (rules_.policy == Policy::static_batch || waiting_.any_preempted()) return true;
  return waiting_.size() >= rules_.max_batch || now >= waiting_.oldest().queued_at() + rules_.max_delay;
}

// --- those that run

/// All that have read their prompt and whose last token is not being written yet; how many.
std::int64_t StepScheduler::decode_running(Time now) {
  for (std::size_t at = 0; at < running_.size();) {
    const std::int32_t slot = running_[at];
    const Job& j = job(slot);
    if (j.reading() || j.all_scheduled()) {
      ++at;
      continue;
    }
    if (!make_room(at, j.computed + 1, rules_.decode_wants_free_block, now)) continue;
    add_decode(slot);
    ++at;
  }
  return step_.shape.decode_sequences;
}

void StepScheduler::read_partial_prompt(std::int64_t& budget, Time now) {
  if (running_.empty() || !job(running_.back()).reading()) return;
  const std::int32_t slot = running_.back();
  const std::int64_t tokens = std::min(job(slot).prompt - job(slot).computed, budget);
  if (!make_room(running_.size() - 1, job(slot).computed + tokens, false, now)) return;
  add_read(slot, tokens);
  budget -= tokens;
}

/// Blocks so that running_[at] can have `tokens` tokens in the cache; when they run out those behind it that have no
/// place in the step yet lose theirs, or it itself does. False when it did.
bool StepScheduler::make_room(std::size_t at, std::int64_t tokens, bool wants_free_block, Time now) {
  if (rules_.reserve_output) return true;
  Job& j = job(running_[at]);
  const std::int64_t missing = kv_.missing(j, tokens);
  const std::int64_t wanted = wants_free_block ? std::max<std::int64_t>(missing, 1) : missing;
  while (wanted > kv_.free()) {
    const std::size_t loser = victim(at);
    preempt(loser, now);
    if (loser == at) return false;
  }
  if (missing > 0) kv_.take(j, missing);
  return true;
}

/// Of running_[from ...] the one that can best be missed.
std::size_t StepScheduler::victim(std::size_t from) const {
  std::size_t loser = running_.size() - 1;
  if (rules_.order != Order::priority) return loser;
  for (std::size_t i = loser; i-- > from;) {
    if (job(running_[i]).served.request.priority < job(running_[loser]).served.request.priority) loser = i;
  }
  return loser;
}

void StepScheduler::preempt(std::size_t at, Time now) {
  const std::int32_t slot = running_[at];
  Job& j = job(slot);
  if (rules_.restart_cuts_prompt && j.reading()) {
    const std::int64_t all = j.input + j.output;
    j.cut += j.input + j.written - j.computed;
    j.input = j.computed;
    j.output = all - j.computed;
    j.written = 0;
  }
  kv_.release(j);
  j.running = false;
  ++j.served.preemptions;
  if (j.preempted_at == Time::never()) j.preempted_at = now;
  ++counts_.preemptions;
  preempted_ = true;
  running_.erase(running_.begin() + static_cast<std::ptrdiff_t>(at));
  waiting_.push_preempted(slot);
}

// --- those that wait

StepScheduler::Candidate StepScheduler::head() const {
  Candidate next;
  if (waiting_.any_preempted()) {
    next.slot = waiting_.last_preempted();
    next.request = &job(next.slot).served.request;
    next.length = job(next.slot).length();
  } else {
    next.request = &waiting_.front();
    next.length = next.request->input_tokens;
  }
  next.blocks = kv_.blocks_of(*next.request, next.length);
  return next;
}

/// There are blocks for the whole of it. Looks up what the cache has of it. A preempted request whose last token is in
/// flight need not come back.
bool StepScheduler::fits(Candidate& candidate) const {
  if (candidate.slot != kNew && job(candidate.slot).all_scheduled()) return false;
  candidate.new_tokens = candidate.length - kv_.look_up(*candidate.request, candidate.length);
  return kv_.fits(candidate.blocks);
}

void StepScheduler::admit_in_chunks(std::int64_t& budget, Time now) {
  while (budget > 0 && running() < rules_.max_batch && !waiting_.empty()) {
    Candidate next = head();
    if (!fits(next)) return;
    const std::int64_t tokens = std::min(next.new_tokens, budget);
    const std::int64_t read = next.length - next.new_tokens + tokens;
    const bool whole = !rules_.blocks_by_chunk || rules_.reserve_output;
    add_read(admit(next, whole ? next.blocks : blocks_for(read, rules_.block_tokens), now), tokens);
    budget -= tokens;
  }
}

/// A step of prompts alone. The first may be longer than the budget: submit() refuses what must not, and a preempted
/// request has to come back whatever it has grown to.
bool StepScheduler::admit_whole_prompts(Time now) {
  std::int64_t count = 0, sum = 0, longest = 0;
  while (running() < rules_.max_batch && !waiting_.empty()) {
    Candidate next = head();
    if (!fits(next)) break;
    longest = std::max(longest, next.new_tokens);
    const std::int64_t tokens = rules_.padded_budget ? (count + 1) * longest : sum + next.new_tokens;
    if (count > 0 && tokens > rules_.token_budget) break;
    add_read(admit(next, next.blocks, now), next.new_tokens);
    sum += next.new_tokens;
    ++count;
  }
  return count > 0;
}

/// The next whole prompts of a batch; false when all are read.
bool StepScheduler::read_batch() {
  std::int64_t sum = 0;
  for (const std::int32_t slot : running_) {
    const std::int64_t tokens = job(slot).prompt - job(slot).computed;
    if (tokens <= 0) continue;
    if (sum > 0 && sum + tokens > rules_.token_budget) break;
    add_read(slot, tokens);
    sum += tokens;
  }
  return sum > 0;
}

/// The head of the queue gets `blocks` blocks and its place among the running.
std::int32_t StepScheduler::admit(const Candidate& candidate, std::int64_t blocks, Time now) {
  const bool first_time = candidate.slot == kNew;
  const std::int32_t slot = first_time ? new_slot() : candidate.slot;
  Job& j = job(slot);
  if (first_time) {
    j.served.request = *candidate.request;
    j.served.admitted = now;
    j.input = j.served.request.input_tokens;
    j.output = j.served.request.output_tokens;
    waiting_.pop();
  } else {
    waiting_.pop_preempted();
  }
  j.prompt = candidate.length;
  j.running = true;
  kv_.start(j, blocks);
  if (rules_.prefix_cache) {
    if (first_time) {
      counts_.cache_queried_tokens += j.input;
      j.served.cached_tokens = static_cast<std::int32_t>(j.computed);
    }
    const std::int64_t spared = std::min(j.computed, j.input) - j.covered;
    if (spared > 0) counts_.cache_hit_tokens += spared, j.covered += spared;
  }
  join(slot);
  return slot;
}

void StepScheduler::join(std::int32_t slot) {
  auto place = running_.end();
  if (rules_.decode_by_arrival && rules_.policy == Policy::continuous) {
    const Time arrival = job(slot).served.request.arrival;
    while (place != running_.begin() && job(place[-1]).served.request.arrival > arrival) --place;
  }
  running_.insert(place, slot);
}

std::int32_t StepScheduler::new_slot() {
  if (unused_.empty()) {
    jobs_.emplace_back();
    return static_cast<std::int32_t>(jobs_.size() - 1);
  }
  const std::int32_t slot = unused_.back();
  unused_.pop_back();
  RunCache::Holding holding = std::move(job(slot).holding);  // its memory
  job(slot) = Job();
  job(slot).holding = std::move(holding);
  return slot;
}

// --- parts of a step

// Filled in place: a copy of a fresh struct would wait for its stores.
StepScheduler::Entry& StepScheduler::add_entry(std::int32_t slot) {
  Entry& entry = forming_->emplace_back();
  entry.slot = slot;
  entry.preemptions = job(slot).served.preemptions;
  return entry;
}

void StepScheduler::add_decode(std::int32_t slot) {
  Job& j = job(slot);
  kv_.advance(j, 1);
  ++j.in_flight;
  ++step_.shape.decode_sequences;
  step_.shape.decode_context_tokens += j.computed;
  if (rules_.list_contexts) contexts_.push_back(static_cast<std::int32_t>(j.computed));
  Entry& entry = add_entry(slot);
  entry.tokens = 1;
  entry.decode = entry.writes = true;
}

void StepScheduler::add_read(std::int32_t slot, std::int64_t tokens) {
  Job& j = job(slot);
  const std::int64_t past = j.computed;
  kv_.advance(j, tokens);
  const bool writes = !j.reading();
  if (writes) ++j.in_flight;
  chunks_.push_back({tokens, past});
  Entry& entry = add_entry(slot);
  entry.past = past;
  entry.tokens = tokens;
  entry.writes = writes;
}

}  // namespace weir::sim

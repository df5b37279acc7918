// StepScheduler: how many steps repeat, and many of them at once.
#include <algorithm>

#include "sim/serving/step_scheduler.h"

namespace weir::sim {

std::int64_t StepScheduler::steady_steps() {
  if (!repeats() || !head_waits(true)) return 0;
  const auto ahead = static_cast<std::int64_t>(in_flight_);
  std::int64_t steps = job(running_.front()).output;
  for (const std::int32_t slot : running_) {
    const Job& j = job(slot);
    if (j.cut > 0) return 0;
    // Each pair ends a step, which must not be its last, and forms one, which must still be of use to it.
    steps = std::min(steps, j.output - j.written - ahead);
  }
  return steps <= 0 ? 0 : steps_with_blocks(steps);
}

/// All steps in flight are decodes of all that run.
bool StepScheduler::repeats() const {
  if (running_.empty() || in_flight_ != static_cast<std::size_t>(rules_.steps_in_flight)) return false;
  for (std::size_t i = 0; i < in_flight_; ++i) {
    const Entries& entries = flight(i);
    if (entries.size() != running_.size()) return false;
    if (!std::all_of(entries.begin(), entries.end(), [](const Entry& e) { return e.decode; })) return false;
  }
  return std::all_of(running_.begin(), running_.end(), [this](std::int32_t slot) {
    return job(slot).in_flight == static_cast<std::int64_t>(in_flight_);
  });
}

/// The most of `steps` decode steps of all that run for which there are blocks.
std::int64_t StepScheduler::steps_with_blocks(std::int64_t steps) const {
  if (rules_.reserve_output) return steps;
  const std::int64_t available = kv_.free() - (rules_.decode_wants_free_block ? 1 : 0);
  const auto enough_for = [&](std::int64_t count) {
    std::int64_t blocks = 0;
    for (const std::int32_t slot : running_) blocks += kv_.missing(job(slot), job(slot).computed + count);
    return blocks <= available;
  };
  if (enough_for(steps)) return steps;
  std::int64_t enough = 0, short_of = steps;
  while (short_of - enough > 1) {
    const std::int64_t middle = enough + (short_of - enough) / 2;
    (enough_for(middle) ? enough : short_of) = middle;
  }
  return enough;
}

bool StepScheduler::admission_blocked() const { return head_waits(rules_.steps_in_flight == 1); }

/// Nobody is admitted before a running request leaves. all_decode: until then each of them that has read its prompt
/// decodes in every step. (With two steps in flight one whose last token is in flight does not.)
bool StepScheduler::head_waits(bool all_decode) const {
  if (waiting_.empty()) return true;
  // A preempted request whose last token is in flight leaves without having run again.
  if (waiting_.any_preempted() && job(waiting_.last_preempted()).all_scheduled()) return false;
  if (batched()) return !running_.empty();
  if (running() >= rules_.max_batch) return true;
  if (rules_.policy == Policy::chunked && all_decode && running() >= rules_.token_budget) {
    const auto decodes =
        std::count_if(running_.begin(), running_.end(), [this](std::int32_t slot) { return !job(slot).reading(); });
    if (decodes >= rules_.token_budget) return true;
  }
  Candidate next = head();
  return !fits(next) && !finds_more_later(*next.request);
}

/// What runs now may put blocks of this prompt into the prefix cache. (Nothing else can make it fit: free blocks only
/// become fewer.)
bool StepScheduler::finds_more_later(const QueuedRequest& request) const {
  if (!rules_.prefix_cache) return false;
  const std::int64_t session = request.content == nullptr ? -1 : request.content->session;
  return std::any_of(running_.begin(), running_.end(), [&](std::int32_t slot) {
    const Job& j = job(slot);
    const PromptContent* content = j.served.request.content;
    return j.reading() || (session >= 0 && content != nullptr && content->session == session);
  });
}

std::span<const Gap> StepScheduler::skip(std::int64_t steps, std::int64_t first_ticks, std::int64_t increase_ticks,
                                         Time now) {
  gaps_.clear();
  const std::int64_t ticks = steps * first_ticks + increase_ticks * (steps * (steps - 1) / 2);
  const Time begin = now - Time::from_ticks(ticks);
  skipping_.clear();
  for (const std::int32_t slot : running_) {
    Job& j = job(slot);
    skipping_.push_back(&j);
    if (j.last_token == begin) {
      add_gap(j, first_ticks, increase_ticks, steps);
    } else {  // it had stood still before
      add_gap(j, (begin - j.last_token).ticks() + first_ticks, 0, 1);
      if (steps > 1) add_gap(j, first_ticks + increase_ticks, increase_ticks, steps - 1);
    }
    j.last_token = now;
  }
  kv_.decode_all(skipping_, steps);
  counts_.kv_blocks_peak = std::max(counts_.kv_blocks_peak, kv_.held());
  return gaps_;
}

}  // namespace weir::sim

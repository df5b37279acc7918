#include "sim/serving/affine_scheduler.h"

#include <stdexcept>
#include <string>

namespace weir::sim {
namespace {

template <class Queue>
Queue make_queue(const Rules& rules) {
  if constexpr (std::is_same_v<Queue, RequestRing>) {
    return RequestRing();
  } else {
    return Queue(rules.order, rules.queue_limit, rules.timeout_s);
  }
}

/// Those that finished in a step stay until the next one does.
std::size_t most_of(const Rules& rules) { return static_cast<std::size_t>(rules.max_batch); }
std::size_t slots_for(const Rules& rules) { return 2 * most_of(rules); }

constexpr std::int64_t kMostBatch = 0x7fff;

bool is_plain(const Rules& rules) {
  return rules.order == Order::fcfs && !rules.prefix_cache && !rules.queue_limit && !rules.timeout_s &&
         !rules.reserve_output && !rules.restart_cuts_prompt && !rules.no_admission_after_preemption &&
         !rules.graph_padding;
}

}  // namespace

template <AffineKind kKind>
bool AffineSchedulerOf<kKind>::can_follow(const Rules& rules) {
  const bool chunked = rules.policy == Policy::chunked && !rules.blocks_by_chunk && !rules.decode_by_arrival;
  if (kPlain && !(chunked && is_plain(rules))) return false;
  return (chunked || rules.policy == Policy::continuous) && rules.max_batch <= kMostBatch &&
         rules.steps_in_flight == 1 && !(rules.prefix_cache && rules.restart_cuts_prompt) && !rules.list_contexts &&
         AffineBlocks::can_divide(rules.block_tokens);
}

template <AffineKind kKind>
AffineSchedulerOf<kKind>::AffineSchedulerOf(const Rules& rules)
    : chunked_(rules.policy == Policy::chunked),
      reserve_(rules.reserve_output),
      padded_budget_(rules.padded_budget),
      graph_padding_(rules.graph_padding),
      max_batch_(rules.max_batch),
      token_budget_(rules.token_budget),
      admission_limit_(rules.kv_blocks - rules.watermark_blocks),
      growth_limit_(rules.kv_blocks - (rules.decode_wants_free_block && !reserve_ ? 1 : 0)),
      surely_fits_((growth_limit_ - rules.watermark_blocks - 1) * rules.block_tokens),
      blocks_(rules.block_tokens),
      calendar_(slots_for(rules)),
      queue_(make_queue<Queue>(rules)),
      running_(slots_for(rules), rules.decode_by_arrival),
      completing_(most_of(rules)),
      leaving_(most_of(rules)),
      kept_(most_of(rules)),
      finished_(most_of(rules)),
      chunks_(most_of(rules)),
      rules_(rules) {
  if (!can_follow(rules)) misuse("rules that it cannot follow");
  if (rules.prefix_cache) prefix_ = std::make_unique<AffinePrefix>(rules, slots_for(rules));
  if (!chunked_ && !rules.long_prompt_alone) surely_fits_ = std::min(surely_fits_, token_budget_);
}

template <AffineKind kKind>
void AffineSchedulerOf<kKind>::misuse(const char* why) {
  throw std::logic_error(std::string("AffineScheduler: ") + why);
}

template <AffineKind kKind>
SchedulerCounts AffineSchedulerOf<kKind>::counts() const {
  SchedulerCounts all = counts_;
  all.kv_blocks_peak = std::max(all.kv_blocks_peak, blocks_.used(step_count_));
  return all;
}

namespace {

/// Keeps what it is told.
struct Collector {
  static constexpr bool kKeeps = true;
  void gap(const Gap& gap) { gaps.push_back(gap); }
  void finished(const ServedRequest& served) { requests.add(&served); }
  std::vector<Gap>& gaps;
  FixedList<const ServedRequest*>& requests;
};

}  // namespace

template <AffineKind kKind>
const StepOutcome& AffineSchedulerOf<kKind>::finish_step(Time now) {
  for (const Slot slot : kept_) running_.give_back(slot);
  kept_.clear();
  gap_list_.clear();
  finished_.clear();
  Collector out{gap_list_, finished_};
  outcome_.tokens_written = finish(now, out);
  outcome_.finished = finished_.span();
  outcome_.gaps = gap_list_;
  return outcome_;
}

template <AffineKind kKind>
std::span<const Gap> AffineSchedulerOf<kKind>::skip(std::int64_t steps, std::int64_t first_ticks,
                                                    std::int64_t increase_ticks, Time now) {
  gap_list_.clear();
  Collector out{gap_list_, finished_};
  skip(steps, first_ticks, increase_ticks, now, out);
  return gap_list_;
}

/// Those that finish in one step, in running order. The calendar gives the latest to join first.
template <AffineKind kKind>
void AffineSchedulerOf<kKind>::put_in_order() {
  std::reverse(leaving_.begin(), leaving_.end());
  if (!running_.by_arrival()) return;
  std::stable_sort(leaving_.begin(), leaving_.end(), [this](Slot a, Slot b) {
    return running_[a].served.request.arrival < running_[b].served.request.arrival;
  });
}

/// Decodes take their blocks in running order. One that finds none has others evicted that have not had their turn, at
/// worst itself.
template <AffineKind kKind>
void AffineSchedulerOf<kKind>::make_room(Time now) {
  note_peak();
  std::int64_t free = rules_.kv_blocks - blocks_.used(step_count_);
  Slot slot = running_.first();
  while (slot != kNone && slot != partial_) {
    const std::int64_t context = running_[slot].base + step_count_;
    const bool takes = blocks_.blocks_for(context + 1) > blocks_.blocks_for(context);
    bool placed = true;
    while (placed && free == 0 && (takes || rules_.decode_wants_free_block)) {
      const Slot victim = victim_from(slot);
      placed = victim != slot;
      if (placed) free += evict(victim, now);
    }
    const Slot next = running_[slot].after;
    if (!placed) {
      free += evict(slot, now);
    } else if (takes) {
      --free;
    }
    slot = next;
  }
}

/// Whom `slot` and those after it in running order can spare best.
template <AffineKind kKind>
typename AffineSchedulerOf<kKind>::Slot AffineSchedulerOf<kKind>::victim_from(Slot slot) const {
  if (rules_.order != Order::priority) return running_.last();
  Slot victim = slot;
  for (Slot s = slot; s != kNone; s = running_[s].after) {
    if (running_[s].served.request.priority <= running_[victim].served.request.priority) victim = s;
  }
  return victim;
}

/// Returns the blocks that this frees.
template <AffineKind kKind>
std::int64_t AffineSchedulerOf<kKind>::evict(Slot slot, Time now) {
  Running& r = running_[slot];
  if (r.served.preemptions == 0) {  // only now does it need these
    r.covered = r.cut = 0;
    r.preempted_at = Time::never();
  }
  const std::int64_t held = blocks_.used(step_count_);
  if (slot == partial_) {
    evict_partial(slot);
  } else {
    calendar_.remove(slot, r.finish);
    evict_decode(slot);
  }
  if (r.preempted_at == Time::never()) r.preempted_at = now;
  ++r.served.preemptions;
  ++counts_.preemptions;
  preempted_ = true;
  running_.unlink(slot);
  --holders_;
  evicted_.push_back(r);
  ++evicted_count_;
  running_.give_back(slot);
  return held - blocks_.used(step_count_);
}

/// It comes back with all its tokens as prompt.
template <AffineKind kKind>
void AffineSchedulerOf<kKind>::evict_decode(Slot slot) {
  Running& r = running_[slot];
  const std::int64_t joined_in = r.finish - r.left + 1;
  const Time joined = r.served.preemptions > 0 ? r.last_token : r.served.first;
  r.last_token = gaps_.evicted(r.served.request.class_index, joined, joined_in == step_count_);
  const std::int64_t context = r.base + step_count_;
  if (prefix()) still_held(prefix_->evict(slot, blocks_.blocks_for(context), context, step_count_));
  blocks_.leave(r.base);
  base_sum_ -= r.base;
  --decodes_;
  r.prompt = static_cast<std::int32_t>(r.base + step_count_ + 1);
  r.left = static_cast<std::int32_t>(r.finish - step_count_);
  if (r.cut > 0) {
    --cutting_;
  } else {
    r.covered = r.served.request.input_tokens;
  }
}

template <AffineKind kKind>
void AffineSchedulerOf<kKind>::evict_partial(Slot slot) {
  Running& r = running_[slot];
  const auto read = static_cast<std::int32_t>(partial_read_);
  const std::int64_t blocks = blocks_.blocks_for(r.prompt);
  if (prefix()) still_held(prefix_->evict(slot, blocks, partial_read_, step_count_));
  blocks_.release(blocks);
  prompt_tokens_ -= read;
  r.covered = std::max(r.covered, std::min(read, r.served.request.input_tokens));
  if (rules_.restart_cuts_prompt) {
    r.cut += r.prompt - read;
    r.left += r.prompt - read;
    r.prompt = read;
  }
  partial_ = kNone;
  partial_read_ = 0;
}

template <AffineKind kKind>
void AffineSchedulerOf<kKind>::readmit(Running& r) {
  const Slot before = r.before, after = r.after;
  r = evicted_.back();
  r.before = before;
  r.after = after;
  evicted_.pop_back();
  --evicted_count_;
}

/// The one that is admitted shares what the cache has of it.
template <AffineKind kKind>
void AffineSchedulerOf<kKind>::start_with_cached(Slot slot) {
  Running& r = running_[slot];
  const std::int64_t held = prefix_->start(slot, r.served.request), cached = prefix_->found_tokens();
  blocks_.hold(-held);
  shared_blocks_ += held;
  prompt_tokens_ += cached;
  if (r.served.preemptions == 0) {
    counts_.cache_queried_tokens += r.served.request.input_tokens;
    counts_.cache_hit_tokens += cached;
    r.served.cached_tokens = static_cast<std::int32_t>(cached);
    return;
  }
  // It may find more now than it had read or found before.
  const std::int64_t spared = std::min(cached, std::int64_t{r.served.request.input_tokens}) - r.covered;
  if (spared <= 0) return;
  counts_.cache_hit_tokens += spared;
  r.covered += static_cast<std::int32_t>(spared);
}

/// Of `tokens` tokens that are read behind `past`, those that are read again: all that it had written, and what it had
/// read of its input.
template <AffineKind kKind>
std::int64_t AffineSchedulerOf<kKind>::recompute(Running& r, std::int64_t past, std::int64_t tokens) {
  const std::int64_t end = std::min(past + tokens, std::int64_t{r.served.request.input_tokens});
  const std::int64_t fresh = std::max<std::int64_t>(0, end - std::max(past, std::int64_t{r.covered}));
  r.covered += static_cast<std::int32_t>(fresh);
  return tokens - fresh;
}

/// A token that looks written was one of the input.
template <AffineKind kKind>
void AffineSchedulerOf<kKind>::write_cut(Running& r) {
  const bool fresh = r.covered < r.served.request.input_tokens;
  r.covered += fresh ? 1 : 0;
  --r.cut;
  --written_;
  ++counts_.tokens_read;
  counts_.recomputed_tokens += fresh ? 0 : 1;
}

template <AffineKind kKind>
void AffineSchedulerOf<kKind>::write_cuts() {
  for (Slot slot = running_.first(); slot != kNone && slot != partial_; slot = running_[slot].after) {
    Running& r = running_[slot];
    if (r.served.preemptions == 0 || r.cut == 0) continue;
    if (std::find(completing_.begin(), completing_.end(), slot) != completing_.end()) continue;
    write_cut(r);
    if (r.cut == 0) --cutting_;
  }
}

/// The token after a preemption: the first of all, when the prompt had not been read before.
template <AffineKind kKind>
Time AffineSchedulerOf<kKind>::emit_after_preemption(Running& r, Time now) {
  if (r.preempted_at != Time::never()) r.served.preempted_for += now - r.preempted_at;
  Time gap = Time::never();
  if (r.served.first == Time::never()) {
    r.served.first = now;
    r.served.preempted_before_first = r.served.preempted_for;
  } else {
    gap = now - r.last_token;
  }
  r.preempted_at = Time::never();
  r.last_token = now;
  if (r.cut > 0) write_cut(r);
  if (r.cut > 0) ++cutting_;
  return gap;
}

template class AffineSchedulerOf<AffineKind::any>;
template class AffineSchedulerOf<AffineKind::plain>;

}  // namespace weir::sim

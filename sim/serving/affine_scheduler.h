#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <type_traits>
#include <vector>

#include "sim/serving/affine_blocks.h"
#include "sim/serving/affine_prefix.h"
#include "sim/serving/finish_calendar.h"
#include "sim/serving/fixed_list.h"
#include "sim/serving/request_ring.h"
#include "sim/serving/running_list.h"
#include "sim/serving/scheduler.h"
#include "sim/serving/token_gaps.h"
#include "sim/serving/waiting_queue.h"

namespace weir::sim {

/// Which rules a scheduler is compiled for.
enum class AffineKind {
  any,    ///< all that can be followed
  plain,  ///< chunked; first come, first served, without limit or timeout; KV blocks as tokens come; nothing is padded
};

/// Decides as StepScheduler does, for rules under which every running request that has read its prompt takes part in
/// every decode step. All of them then advance together, so that a request is a constant against one counter S of
/// decode steps: with base = context - S at its first, its context in step S is base + S, it finishes in step S +
/// output - 1, and its KV blocks follow from base (AffineBlocks). A decode step, or any number of them, costs O(1)
/// whatever the batch; only a step that runs out of KV blocks is walked request by request.
///
/// What a step calls is inline, so that a replica of this type becomes one loop. What the rules of a kind rule out is
/// not in the loop of that kind.
template <AffineKind kKind>
class AffineSchedulerOf final : public Scheduler {
 public:
  static constexpr std::size_t kMostInFlight = 1;
  static constexpr bool kInlined = true;
  static constexpr bool kWakes = kKind == AffineKind::any;
  explicit AffineSchedulerOf(const Rules& rules);
  static bool can_follow(const Rules& rules);

  [[gnu::always_inline]] Submitted submit(const QueuedRequest& request) override {
    // As a rule it fits by far: only else is it worth the call.
    const std::int64_t tokens = std::int64_t{request.input_tokens} + request.output_tokens;
    if (tokens > surely_fits_ && too_long(request)) [[unlikely]]
      return Submitted::never_fits;
    return queue_.push(request, !in_flight_ && holders_ == 0) ? Submitted::queued : Submitted::queue_full;
  }
  std::span<const QueuedRequest> drop_expired(Time now) override { return queue_.drop_expired(now); }
  const Step& next_step(Time now) override {
    step_.kind = form(now) ? StepKind::iteration : StepKind::none;
    step_.shape = shape();
    return step_;
  }
  const StepOutcome& finish_step(Time now) override;
  Time next_wakeup() const override { return queue_.next_expiry(); }

  [[gnu::always_inline]] std::int64_t steady_steps() override {
    if (!decoding_ || !chunks_.empty() || partial_ != kNone || (cuts() && cutting_ > 0) ||
        !gaps_.settled_at(step_begin_))
      return 0;
    if (waiting() > 0 && !admission_blocked()) return 0;
    const std::int64_t until_finish = calendar_.next() - step_count_;
    return until_finish <= 0 ? 0 : blocks_.steps_within(step_count_, until_finish, growth_limit_);
  }
  std::span<const Gap> skip(std::int64_t steps, std::int64_t first_ticks, std::int64_t increase_ticks,
                            Time now) override;
  bool admission_blocked() const override {
    return waiting() > 0 && (holders_ >= max_batch_ || (!head_fits(head_blocks()) && !head_may_find_more()));
  }

  [[gnu::always_inline]] std::int64_t waiting() const override {
    return static_cast<std::int64_t>(queue_.new_size()) + evicted_count_;
  }
  std::int64_t running() const override { return holders_; }
  std::int64_t kv_blocks() const override { return rules_.kv_blocks; }
  std::int64_t kv_blocks_held() const override { return blocks_.used(step_count_); }
  [[gnu::always_inline]] KvUse kv_use() const override {
    if (reserve()) return {blocks_.used(step_count_) * rules_.block_tokens, 0};
    return {base_sum_ + decodes_ * step_count_ + prompt_tokens_ - shared_blocks_ * rules_.block_tokens, holders_};
  }
  SchedulerCounts counts() const override;

  // --- The same without lists in between, for an owner that is compiled together with this class.

  /// next_step(): false when there is nothing to do.
  [[gnu::always_inline]] bool form(Time now) {
    if (in_flight_) [[unlikely]]
      misuse("a step is in flight");
    do {
      chunks_.clear();
      new_tokens_ = recomputed_ = 0;
      preempted_ = false;
      if (chunked()) {
        form_chunked(now);
      } else {
        form_continuous(now);
      }
      in_flight_ = decoding_ || !chunks_.empty();
      // The only one running may have preempted itself: nobody else would start it again.
    } while (!in_flight_ && preempted_);
    step_begin_ = now;
    return in_flight_;
  }
  /// Of the step in flight.
  [[gnu::always_inline]] IterationShape shape() const {
    const bool idle = !chunked() && !decoding_;  // they wait while prompts are read
    const std::int64_t decodes = idle ? 0 : decodes_;
    const std::int64_t context = idle ? 0 : base_sum_ + decodes_ * step_count_;
    return {chunks_.span(), decodes, context, graph_padding() ? graph_padded(decodes + new_tokens_) : 0, {}};
  }
  /// finish_step(): calls out.gap(Gap) for every gap and out.finished(ServedRequest) for every request that is done.
  /// Out::kKeeps: what it was given stays valid until the next step finishes. Returns the tokens written.
  template <class Out>
  [[gnu::always_inline]] std::int64_t finish(Time now, Out& out) {
    if (!in_flight_) [[unlikely]]
      misuse("no step is in flight");
    in_flight_ = false;
    written_ = 0;
    if (decoding_ || chunked()) {
      gaps_.decoded(now, out);
      written_ = decodes_;
      if (cuts() && cutting_ > 0) [[unlikely]]
        write_cuts();
      if (calendar_.next() == step_count_) finish_decodes(out);
    }
    if (!completing_.empty()) complete_prompts(now, out);
    counts_.tokens_read += new_tokens_;
    if (recomputed_ > 0) [[unlikely]]
      counts_.recomputed_tokens += recomputed_;
    return written_;
  }
  /// When the step in flight ends nobody finishes, and the next one reads on in the same prompt, which takes all of the
  /// budget: whoever arrives meanwhile does not matter to it.
  [[gnu::always_inline]] bool reads_on() const {
    const std::int64_t budget = token_budget_ - decodes_;
    return partial_ != kNone && completing_.empty() && calendar_.next() != step_count_ && !(cuts() && cutting_ > 0) &&
           budget > 0 && running_[partial_].prompt - partial_read_ >= budget &&
           blocks_.within(step_count_ + 1, growth_limit_);
  }
  /// finish() and form() while reads_on().
  template <class Out>
  [[gnu::always_inline]] std::int64_t read_on(Time now, Out& out) {
    gaps_.decoded(now, out);
    counts_.tokens_read += new_tokens_;
    if (recomputed_ > 0) [[unlikely]]
      counts_.recomputed_tokens += recomputed_;
    chunks_.clear();
    new_tokens_ = recomputed_ = 0;
    preempted_ = false;
    ++step_count_;
    read(partial_, token_budget_ - decodes_);
    step_begin_ = now;
    return decodes_;
  }
  /// skip()
  template <class Out>
  [[gnu::always_inline]] void skip(std::int64_t steps, std::int64_t first_ticks, std::int64_t increase_ticks, Time now,
                                   Out& out) {
    step_count_ += steps;
    gaps_.decoded(steps, first_ticks, increase_ticks, now, out);
    step_begin_ = now;
  }

 private:
  using Slot = FinishCalendar::Slot;
  static constexpr Slot kNone = FinishCalendar::kNone;

  static constexpr bool kPlain = kKind == AffineKind::plain;
  using Queue = std::conditional_t<kPlain, RequestRing, WaitingQueue>;
  bool chunked() const { return kPlain || chunked_; }
  bool reserve() const { return !kPlain && reserve_; }
  bool graph_padding() const { return !kPlain && graph_padding_; }
  bool prefix() const { return !kPlain && prefix_ != nullptr; }
  bool cuts() const { return !kPlain && rules_.restart_cuts_prompt; }

  [[noreturn]] static void misuse(const char* why);
  /// Takes a copy, so that the one that is submitted can stay in registers.
  [[gnu::noinline]] bool too_long(QueuedRequest request) const { return never_fits(rules_, request); }

  // --- who may start

  std::int64_t head_prompt() const {
    return evicted_count_ == 0 ? queue_.front().input_tokens : evicted_.back().prompt;
  }
  std::int64_t head_blocks() const {
    if (!reserve()) return blocks_.blocks_for(head_prompt());
    const QueuedRequest& head = queue_.front();
    return blocks_.blocks_for(std::int64_t{head.input_tokens} + head.output_tokens);
  }
  bool fits(std::int64_t blocks) const { return blocks_.within(step_count_, admission_limit_ - blocks); }
  /// The head, which needs `blocks` of which it may find some.
  bool head_fits(std::int64_t blocks) const {
    return !prefix() ? fits(blocks)
                     : prefix_->fits(head(), head_prompt(), blocks, blocks_.used(step_count_), step_count_);
  }
  const QueuedRequest& head() const { return evicted_count_ == 0 ? queue_.front() : evicted_.back().served.request; }
  bool head_may_find_more() const { return prefix() && (partial_ != kNone || prefix_->may_find_more(head())); }
  /// Tokens that the cache has of a head that fits.
  std::int64_t head_cached() const { return !prefix() ? 0 : prefix_->found_tokens(); }

  /// Admits the head, which needs `blocks`.
  Slot admit(std::int64_t blocks, Time now) {
    const Slot slot = running_.take();
    Running& r = running_[slot];
    if (evicted_count_ == 0) [[likely]] {
      const QueuedRequest& head = queue_.front();
      copy_fields(head, r.served.request);
      r.served.admitted = now;
      r.served.first = Time::never();
      r.served.preempted_for = r.served.preempted_before_first = Time();
      r.served.preemptions = r.served.cached_tokens = 0;
      r.prompt = head.input_tokens;
      r.left = head.output_tokens;
      queue_.pop();
    } else {
      readmit(r);
    }
    blocks_.hold(blocks);
    ++holders_;
    if (prefix()) [[unlikely]]
      start_with_cached(slot);
    return slot;
  }
  void start_with_cached(Slot slot);
  void readmit(Running& r);

  // --- steps

  [[gnu::always_inline]] void form_chunked(Time now) {
    if (decodes_ > 0 && !blocks_.within(step_count_ + 1, growth_limit_)) [[unlikely]]
      make_room(now);
    ++step_count_;
    decoding_ = decodes_ > 0;
    std::int64_t budget = token_budget_ - decodes_;
    if (partial_ != kNone && budget > 0) budget -= read(partial_, budget);
    if (kPlain || !(preempted_ && rules_.no_admission_after_preemption)) {
      while (budget > 0 && holders_ < max_batch_ && waiting() > 0) {
        const std::int64_t blocks = head_blocks();
        if (!head_fits(blocks)) break;
        partial_read_ = head_cached();
        partial_ = admit(blocks, now);
        running_.append(partial_);
        budget -= read(partial_, budget);
      }
    }
  }
  /// The partial prompt goes on with at most `budget` tokens; returns how many.
  [[gnu::always_inline]] std::int64_t read(Slot slot, std::int64_t budget) {
    const Running& r = running_[slot];
    const std::int64_t rest = r.prompt - partial_read_, tokens = std::min(rest, budget);
    add_chunk(tokens, partial_read_);
    new_tokens_ += tokens;
    prompt_tokens_ += tokens;
    if (r.served.preemptions > 0) [[unlikely]]
      recomputed_ += recompute(running_[slot], partial_read_, tokens);
    if (prefix()) [[unlikely]]
      prefix_->read(slot, partial_read_ + tokens, step_count_);
    if (tokens == rest) {
      completing_.add(slot);
      partial_ = kNone;
      partial_read_ = 0;
    } else {
      partial_read_ += tokens;
    }
    return tokens;
  }

  void add_chunk(std::int64_t tokens, std::int64_t past) {
    PrefillChunk& chunk = chunks_.add();
    chunk.new_tokens = tokens;
    chunk.past_tokens = past;
  }

  void form_continuous(Time now) {
    admit_prompts(now);
    decoding_ = false;
    if (chunks_.empty() && decodes_ > 0) {
      if (!blocks_.within(step_count_ + 1, growth_limit_)) [[unlikely]] {
        make_room(now);
      }
      decoding_ = decodes_ > 0;
      if (decoding_) ++step_count_;
    }
  }
  void admit_prompts(Time now) {
    std::int64_t longest = 0, count = 0;
    while (holders_ < max_batch_ && waiting() > 0) {
      const std::int64_t blocks = head_blocks(), prompt = head_prompt();
      if (!head_fits(blocks)) break;
      const std::int64_t cached = head_cached(), fresh = prompt - cached;
      longest = std::max(longest, fresh);
      const std::int64_t tokens = padded_budget_ ? (count + 1) * longest : new_tokens_ + fresh;
      if (tokens > token_budget_ && count > 0) break;  // alone it may start: submit() refused it otherwise
      ++count;
      const Slot slot = admit(blocks, now);
      add_chunk(fresh, cached);
      new_tokens_ += fresh;
      prompt_tokens_ += fresh;
      if (running_[slot].served.preemptions > 0) [[unlikely]]
        recomputed_ += recompute(running_[slot], cached, fresh);
      if (prefix()) [[unlikely]]
        prefix_->read(slot, prompt, step_count_);
      completing_.add(slot);
    }
  }

  /// Those whose last token this step wrote.
  template <class Out>
  [[gnu::always_inline]] void finish_decodes(Out& out) {
    note_peak();
    const Slot first = calendar_.take();
    if (calendar_.after(first) == kNone) [[likely]] {
      finish_decode(first, out);
      return;
    }
    leaving_.clear();
    for (Slot slot = first; slot != kNone; slot = calendar_.after(slot)) leaving_.add(slot);
    put_in_order();
    for (const Slot slot : leaving_) finish_decode(slot, out);
  }
  template <class Out>
  [[gnu::always_inline]] void finish_decode(Slot slot, Out& out) {
    Running& r = running_[slot];
    gaps_.finished(r.served.request.class_index);
    base_sum_ -= r.base;
    --decodes_;
    if (prefix()) [[unlikely]]
      give_back(slot, reserve() ? reserved_by(r) : blocks_.blocks_for(r.base + step_count_));
    if (reserve()) {
      blocks_.release(reserved_by(r));
    } else {
      blocks_.leave(r.base);
    }
    running_.unlink(slot);
    leave(slot, out);
  }
  template <class Out>
  [[gnu::always_inline]] void leave(Slot slot, Out& out) {
    --holders_;
    out.finished(running_[slot].served);
    if constexpr (Out::kKeeps) {
      kept_.add(slot);
    } else {
      running_.give_back(slot);
    }
  }
  /// One that is done had `blocks` blocks, of which others may hold some.
  void give_back(Slot slot, std::int64_t blocks) { still_held(prefix_->finish(slot, blocks, step_count_)); }
  /// Blocks of somebody who leaves.
  void still_held(std::int64_t blocks) {
    blocks_.hold(blocks);
    shared_blocks_ -= blocks;
  }
  std::int64_t reserved_by(const Running& r) const {
    return blocks_.blocks_for(std::int64_t{r.served.request.input_tokens} + r.served.request.output_tokens);
  }

  template <class Out>
  [[gnu::always_inline]] void complete_prompts(Time now, Out& out) {
    for (const Slot slot : completing_) {
      Running& r = running_[slot];
      prompt_tokens_ -= r.prompt;
      ++written_;
      if (r.served.preemptions == 0) [[likely]] {
        r.served.first = now;
      } else {
        const Time gap = emit_after_preemption(r, now);
        if (gap != Time::never()) out.gap(Gap{gap.ticks(), 0, 1, 1, r.served.request.class_index});
      }
      if (r.left == 1) [[unlikely]] {
        note_peak();
        const std::int64_t blocks = reserve() ? reserved_by(r) : blocks_.blocks_for(r.prompt);
        if (prefix()) [[unlikely]]
          give_back(slot, blocks);
        blocks_.release(blocks);
        if (chunked()) running_.unlink(slot);
        leave(slot, out);
      } else {
        join(slot, now);
      }
    }
    completing_.clear();
  }
  /// Its first token was written at `now`; it decodes from the next step on.
  [[gnu::always_inline]] void join(Slot slot, Time now) {
    Running& r = running_[slot];
    r.base = r.prompt - step_count_;
    r.finish = step_count_ + r.left - 1;
    base_sum_ += r.base;
    ++decodes_;
    if (!reserve()) {
      blocks_.release(blocks_.blocks_for(r.prompt));
      blocks_.join(r.base);
    }
    if (prefix()) [[unlikely]]
      prefix_->join(slot, r.base);
    calendar_.add(slot, r.finish, step_count_);
    gaps_.joined(now, r.served.request.class_index);
    if (!chunked()) running_.append(slot);
  }
  /// The gap since its token before; never() when this is its first.
  Time emit_after_preemption(Running& r, Time now);

  void put_in_order();

  // --- preemption, by recomputation

  void make_room(Time now);
  Slot victim_from(Slot slot) const;
  std::int64_t evict(Slot slot, Time now);
  void evict_decode(Slot slot);
  void evict_partial(Slot slot);
  static std::int64_t recompute(Running& r, std::int64_t past, std::int64_t tokens);
  void write_cut(Running& r);
  void write_cuts();

  /// Blocks only grow until somebody leaves, so that the peak need be looked at no sooner.
  void note_peak() {
    if (blocks_.at_most(step_count_) > counts_.kv_blocks_peak) {
      counts_.kv_blocks_peak = std::max(counts_.kv_blocks_peak, blocks_.used(step_count_));
    }
  }

  bool chunked_, reserve_, padded_budget_, graph_padding_;
  bool in_flight_ = false, decoding_ = false;
  bool preempted_ = false;  ///< while this step was formed
  Slot partial_ = kNone;    ///< chunked: whose prompt is read in part
  std::int64_t max_batch_, token_budget_;
  std::int64_t admission_limit_;  ///< blocks that may be held after an admission
  std::int64_t growth_limit_;     ///< blocks up to which no decode can lack one
  std::int64_t surely_fits_;      ///< no request of so many tokens is refused as too long

  // NOTE: what a step writes and reads again lies apart, or gcc reads two at once and waits for the stores of each.
  std::int64_t new_tokens_ = 0;  ///< prompt tokens of this step
  std::int64_t step_count_ = 0;  ///< S, the latest step
  std::int64_t decodes_ = 0, base_sum_ = 0;
  std::int64_t holders_ = 0;       ///< decodes and prompts being read
  std::int64_t partial_read_ = 0;  ///< tokens of partial_
  Time step_begin_;
  std::int64_t prompt_tokens_ = 0;  ///< in the cache, of prompts being read
  std::int64_t cutting_ = 0;        ///< decodes with Running::cut
  std::int64_t recomputed_ = 0;     ///< prompt tokens of this step that were read or written before

  AffineBlocks blocks_;
  FinishCalendar calendar_;
  TokenGaps gaps_;
  Queue queue_;
  RunningList running_;
  std::vector<Running> evicted_;          ///< the last one goes first
  std::unique_ptr<AffinePrefix> prefix_;  ///< null = no prefix cache
  std::int64_t shared_blocks_ = 0;        ///< what the blocks of all come to above those that are held
  std::int64_t evicted_count_ = 0;
  FixedList<Slot> completing_;
  FixedList<Slot> leaving_;
  FixedList<Slot> kept_;  ///< free only when the next step finishes: the owner sees them
  FixedList<const ServedRequest*> finished_;
  FixedList<PrefillChunk> chunks_;
  std::int64_t written_ = 0;  ///< tokens of this step
  Step step_;
  std::vector<Gap> gap_list_;
  StepOutcome outcome_;
  SchedulerCounts counts_;
  Rules rules_;
};

extern template class AffineSchedulerOf<AffineKind::any>;
extern template class AffineSchedulerOf<AffineKind::plain>;
using AffineScheduler = AffineSchedulerOf<AffineKind::any>;
using PlainAffineScheduler = AffineSchedulerOf<AffineKind::plain>;

}  // namespace weir::sim

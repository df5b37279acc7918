#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "sim/serving/job.h"
#include "sim/serving/kv_store.h"
#include "sim/serving/scheduler.h"
#include "sim/serving/waiting_queue.h"

namespace weir::sim {

/// Generative serving under all rules, every request's state kept by itself and every step formed by walking over all
/// of them: what the faster schedulers are judged by.
///
/// `running` is in order of admission (Rules::decode_by_arrival: of arrival). Under `chunked` at most one of them has a
/// prompt that is read in part, and it is the last: nobody is admitted once the budget is used up. Those that decode
/// always fit into the budget, because each of them had at least one token of the step before.
class StepScheduler final : public Scheduler {
 public:
  explicit StepScheduler(const Rules& rules);
  StepScheduler(const StepScheduler&) = delete;
  StepScheduler& operator=(const StepScheduler&) = delete;

  Submitted submit(const QueuedRequest& request) override;
  std::span<const QueuedRequest> drop_expired(Time now) override { return waiting_.drop_expired(now); }
  const Step& next_step(Time now) override;
  const StepOutcome& finish_step(Time now) override;
  Time next_wakeup() const override;

  std::int64_t steady_steps() override;
  std::span<const Gap> skip(std::int64_t steps, std::int64_t first_ticks, std::int64_t increase_ticks,
                            Time now) override;
  bool admission_blocked() const override;

  std::int64_t waiting() const override { return waiting_.size(); }
  std::int64_t running() const override { return static_cast<std::int64_t>(running_.size()); }
  std::int64_t kv_blocks() const override { return rules_.kv_blocks; }
  std::int64_t kv_blocks_held() const override { return kv_.held(); }
  KvUse kv_use() const override;
  SchedulerCounts counts() const override { return counts_; }
  void evict_all(std::vector<HeldRequest>& to) override;

 private:
  /// One request's part of a step.
  struct Entry {
    std::int32_t slot = 0;
    std::int32_t preemptions = 0;  ///< of the request when the step was formed
    std::int64_t past = 0, tokens = 0;
    bool decode = false;
    bool writes = false;  ///< a token
  };
  using Entries = std::vector<Entry>;
  /// Who would be admitted next.
  struct Candidate {
    const QueuedRequest* request = nullptr;
    std::int32_t slot = kNew;     ///< of a preempted one
    std::int64_t length = 0;      ///< tokens to be in the cache before the next is written
    std::int64_t new_tokens = 0;  ///< of those to be read
    std::int64_t blocks = 0;      ///< for the whole of it
  };
  static constexpr std::int32_t kNew = -1;
  static constexpr std::size_t kMostInFlight = kMostStepsInFlight;

  // Forming a step (step_forming.cpp).
  void form(Time now);
  void form_chunked(Time now);
  void form_continuous(Time now);
  void form_batched(Time now);
  std::int64_t decode_running(Time now);
  void read_partial_prompt(std::int64_t& budget, Time now);
  void admit_in_chunks(std::int64_t& budget, Time now);
  bool admit_whole_prompts(Time now);
  bool read_batch();
  bool batch_is_due(Time now) const;
  bool make_room(std::size_t at, std::int64_t tokens, bool wants_free_block, Time now);
  std::size_t victim(std::size_t from) const;
  void preempt(std::size_t at, Time now);
  Candidate head() const;
  bool fits(Candidate& candidate) const;
  std::int32_t admit(const Candidate& candidate, std::int64_t blocks, Time now);
  void join(std::int32_t slot);
  Entry& add_entry(std::int32_t slot);
  void add_decode(std::int32_t slot);
  void add_read(std::int32_t slot, std::int64_t tokens);
  void describe();

  // The end of a step.
  void count_read(Job& job, const Entry& entry);
  void write_token(Job& job, const Entry& entry, Time now);
  void finish(std::int32_t slot);
  void add_gap(const Job& job, std::int64_t first_ticks, std::int64_t increase_ticks, std::int64_t steps);

  // Jumps (step_jumps.cpp).
  bool repeats() const;
  std::int64_t steps_with_blocks(std::int64_t steps) const;
  bool head_waits(bool all_decode) const;
  bool finds_more_later(const QueuedRequest& request) const;

  Job& job(std::int32_t slot) { return jobs_[static_cast<std::size_t>(slot)]; }
  const Job& job(std::int32_t slot) const { return jobs_[static_cast<std::size_t>(slot)]; }
  std::int32_t new_slot();
  bool batched() const { return rules_.policy == Policy::static_batch || rules_.policy == Policy::dynamic; }
  Entries& flight(std::size_t i) { return flights_[(oldest_flight_ + i) % kMostInFlight]; }
  const Entries& flight(std::size_t i) const { return flights_[(oldest_flight_ + i) % kMostInFlight]; }

  Rules rules_;
  WaitingQueue waiting_;
  mutable KvStore kv_;  ///< looking up remembers what it found
  SchedulerCounts counts_;

  std::vector<Job> jobs_;
  std::vector<std::int32_t> unused_;   ///< slots
  std::vector<std::int32_t> running_;  ///< slots
  std::array<Entries, kMostInFlight> flights_;
  std::size_t oldest_flight_ = 0, in_flight_ = 0;
  Entries* forming_ = nullptr;
  bool preempted_ = false;  ///< by the step being formed

  Step step_;
  std::vector<PrefillChunk> chunks_;
  std::vector<std::int32_t> contexts_;
  StepOutcome outcome_;
  std::vector<ServedRequest> served_;  ///< finished in the step that ended last
  std::vector<const ServedRequest*> finished_;
  std::vector<Gap> gaps_;
  std::vector<Job*> skipping_;
};

}  // namespace weir::sim

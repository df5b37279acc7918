#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include "sim/serving/scheduler.h"
#include "sim/serving/waiting_queue.h"

namespace weir::sim {

/// Request-level batching for one-shot work. A batch takes waiting requests in order up to max_batch items (a request
/// with more items runs alone) and starts at once when it is full, otherwise max_delay after the oldest request arrived
/// (static: max_delay is zero). Where sizes are preferred, a batch of the largest such size that is there starts at
/// once. Every item is padded to the longest of the batch. Up to Rules::steps_in_flight batches are in flight.
class DynamicScheduler final : public Scheduler {
 public:
  explicit DynamicScheduler(const Rules& rules);

  Submitted submit(const QueuedRequest& request) override;
  std::span<const QueuedRequest> displaced() const override { return displaced_; }
  bool starts_beside() const override { return true; }
  std::span<const QueuedRequest> drop_expired(Time now) override;
  const Step& next_step(Time now) override;
  const StepOutcome& finish_step(Time now) override;
  Time next_wakeup() const override;

  std::int64_t steady_steps() override { return 0; }
  /// There is nothing to skip: throws.
  std::span<const Gap> skip(std::int64_t steps, std::int64_t first_ticks, std::int64_t increase_ticks,
                            Time now) override;
  bool admission_blocked() const override { return in_flight_.size() == most_in_flight_; }

  std::int64_t waiting() const override { return waiting_.size(); }
  std::int64_t running() const override { return running_; }
  std::int64_t kv_blocks() const override { return 0; }
  std::int64_t kv_blocks_held() const override { return 0; }
  KvUse kv_use() const override { return {}; }
  SchedulerCounts counts() const override { return counts_; }
  void evict_all(std::vector<HeldRequest>& to) override;

 private:
  using Batch = std::vector<ServedRequest>;
  /// Items the batch that starts at `now` may take; 0 = none starts.
  std::int64_t batch_size(Time now) const;
  Batch new_batch();

  std::int64_t max_batch_;
  Time max_delay_;
  std::vector<int> preferred_;
  bool drop_older_frames_;
  std::size_t most_in_flight_;
  WaitingQueue waiting_;
  std::int64_t waiting_items_ = 0;
  Step step_;
  std::deque<Batch> in_flight_;
  Batch done_;                ///< of the step that ended last
  std::vector<Batch> spare_;  ///< their memory is used again
  std::int64_t running_ = 0;
  std::vector<QueuedRequest> displaced_;
  std::vector<const ServedRequest*> finished_;
  StepOutcome outcome_;
  SchedulerCounts counts_;
};

}  // namespace weir::sim

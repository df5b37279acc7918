#pragma once

#include <cstdint>
#include <vector>

#include "sim/serving/scheduler.h"
#include "sim/serving/waiting_queue.h"

namespace weir::sim {

/// Request-level batching for one-shot work. A batch takes waiting requests in order up to max_batch items (a request
/// with more items runs alone) and starts at once when it is full, otherwise max_delay after the oldest request arrived
/// (static: max_delay is zero). Every item is padded to the longest of the batch.
class DynamicScheduler final : public Scheduler {
 public:
  explicit DynamicScheduler(const Rules& rules);

  Submitted submit(const QueuedRequest& request) override;
  std::span<const QueuedRequest> drop_expired(Time now) override;
  const Step& next_step(Time now) override;
  const StepOutcome& finish_step(Time now) override;
  Time next_wakeup() const override;

  std::int64_t steady_steps() override { return 0; }
  /// There is nothing to skip: throws.
  std::span<const Gap> skip(std::int64_t steps, std::int64_t first_ticks, std::int64_t increase_ticks,
                            Time now) override;
  bool admission_blocked() const override { return !batch_.empty(); }

  std::int64_t waiting() const override { return waiting_.size(); }
  std::int64_t running() const override { return static_cast<std::int64_t>(batch_.size()); }
  std::int64_t kv_blocks() const override { return 0; }
  std::int64_t kv_blocks_held() const override { return 0; }
  KvUse kv_use() const override { return {}; }
  SchedulerCounts counts() const override { return counts_; }

 private:
  std::int64_t max_batch_;
  Time max_delay_;
  WaitingQueue waiting_;
  std::int64_t waiting_items_ = 0;
  Step step_;
  std::vector<ServedRequest> batch_, done_;  ///< in flight; of the step that ended last
  std::vector<const ServedRequest*> finished_;
  StepOutcome outcome_;
  SchedulerCounts counts_;
};

}  // namespace weir::sim

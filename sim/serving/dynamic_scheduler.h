#pragma once

#include <cstdint>
#include <vector>

#include "sim/serving/scheduler.h"
#include "sim/serving/waiting_queue.h"

namespace weir::sim {

/// Request-level batching for one-shot work. A batch takes waiting requests in order of arrival up to max_batch items
/// (a request with more items runs alone) and starts at once when it is full, otherwise max_delay after the oldest
/// request arrived. Every item is padded to the longest of the batch.
class DynamicScheduler final : public Scheduler {
 public:
  explicit DynamicScheduler(const data::Serving& serving);

  Submitted submit(const QueuedRequest& request) override;
  std::span<const RequestId> drop_expired(Time now) override;
  const Step& next_step(Time now) override;
  StepOutcome finish_step(Time now) override;
  Time next_wakeup() const override;

  std::int64_t waiting() const override { return static_cast<std::int64_t>(waiting_.size()); }
  std::int64_t running() const override { return static_cast<std::int64_t>(batch_.size()); }
  std::int64_t kv_blocks() const override { return 0; }
  std::int64_t kv_held() const override { return 0; }
  std::vector<RequestId> running_requests() const override;

 private:
  std::int64_t max_batch_;
  Time max_delay_;
  WaitingQueue waiting_;
  std::int64_t waiting_items_ = 0;
  Step step_;
  std::vector<RequestId> batch_;  ///< in flight
  std::vector<RequestId> finished_;
};

}  // namespace weir::sim

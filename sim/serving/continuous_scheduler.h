#pragma once

#include <cstdint>
#include <vector>

#include "sim/serving/kv_blocks.h"
#include "sim/serving/scheduler.h"
#include "sim/serving/waiting_queue.h"

namespace weir::sim {

/// Iteration-level batching, prefill first, as Orca (Yu et al., OSDI 2022) and vLLM v0 do it. Waiting prompts are taken
/// in order of arrival while the batch has room, the KV cache has blocks and the new tokens stay within the budget (a
/// prompt longer than the budget runs alone); if any was taken the step reads only prompts, otherwise it is one decode
/// step of all running requests. There is no preemption: a request reserves the blocks of its whole input and output
/// when it starts, so a full cache makes others wait.
///
/// All running requests advance together, so their state is a constant against one counter S of decode steps: a request
/// that joins at S with length l has l - S as base and finishes at S + output - 1. The sum of the context lengths is
/// sum(base) + n S; a decode step costs O(1), a request O(log n).
class ContinuousScheduler final : public Scheduler {
 public:
  ContinuousScheduler(const data::Serving& serving, std::int64_t kv_tokens);

  Submitted submit(const QueuedRequest& request) override;
  std::span<const RequestId> drop_expired(Time now) override { return waiting_.drop_expired(now); }
  const Step& next_step(Time now) override;
  StepOutcome finish_step(Time now) override;
  Time next_wakeup() const override { return waiting_.next_expiry(); }

  std::int64_t waiting() const override { return static_cast<std::int64_t>(waiting_.size()); }
  std::int64_t running() const override { return static_cast<std::int64_t>(decoding_.size() + prefilling_.size()); }
  std::int64_t kv_blocks() const override { return kv_.total(); }
  std::int64_t kv_held() const override { return kv_.held(); }
  std::vector<RequestId> running_requests() const override;

 private:
  struct Prefilling {
    RequestId id;
    std::int32_t input_tokens, output_tokens;
    std::int64_t blocks;
  };
  struct Decoding {
    std::int64_t finish_step;  ///< value of steps_ at which it is done
    std::uint64_t seq;         ///< order of joining; requests that finish together are reported in it
    std::int64_t base;         ///< length (tokens, the pending one included) minus steps_
    std::int64_t blocks;
    RequestId id;
  };
  struct FinishesLater {
    bool operator()(const Decoding& a, const Decoding& b) const {
      return a.finish_step != b.finish_step ? a.finish_step > b.finish_step : a.seq > b.seq;
    }
  };

  std::int64_t blocks_of(const QueuedRequest& r) const {
    return kv_.blocks_for(std::int64_t{r.input_tokens} + r.output_tokens);
  }
  void admit();
  void finish_prefill();
  void finish_decode();

  std::int64_t max_batch_, token_budget_;
  KvBlocks kv_;
  WaitingQueue waiting_;
  std::vector<Prefilling> prefilling_;  ///< the prompts of the step in flight
  std::vector<Decoding> decoding_;      ///< heap by finish_step
  std::int64_t steps_ = 0;              ///< S
  std::int64_t base_sum_ = 0;
  std::uint64_t next_seq_ = 0;
  bool in_flight_ = false;
  Step step_;  ///< the latest; its spans are of the two vectors below
  std::vector<RequestId> started_;
  std::vector<PrefillChunk> chunks_;
  std::vector<RequestId> finished_;
};

}  // namespace weir::sim

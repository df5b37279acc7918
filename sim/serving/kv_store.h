#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "sim/serving/job.h"
#include "sim/serving/kv_blocks.h"
#include "sim/serving/rules.h"
#include "sim/serving/run_cache.h"

namespace weir::sim {

/// The KV cache of a replica: which blocks jobs hold, and how many tokens are in them. With a prefix cache it
/// keeps what is in them, otherwise their number.
class KvStore {
 public:
  explicit KvStore(const Rules& rules);

  std::int64_t held() const { return cache_ ? cache_->held() : count_.held(); }
  std::int64_t free() const { return rules_.kv_blocks - held(); }
  std::int64_t tokens() const { return tokens_; }  ///< held by jobs, shared ones once

  /// Leading tokens of a request, `length` long by now, that are in the cache: full blocks, and never its last token,
  /// which must be read so that the next can be written. Remembered for fits() and start().
  std::int64_t look_up(const QueuedRequest& request, std::int64_t length);
  /// Blocks are free for all of it. Those found that nobody holds stop being free.
  bool fits(std::int64_t blocks) const {
    return blocks - (cache_ ? cache_->found_held() : 0) + rules_.watermark_blocks <= free();
  }
  /// The whole of a request: what fits() is asked for.
  std::int64_t blocks_of(const QueuedRequest& request, std::int64_t length) const {
    const std::int64_t all = std::int64_t{request.input_tokens} + request.output_tokens;
    return blocks_for(rules_.reserve_output ? all : length, rules_.block_tokens);
  }
  /// `job` gets `blocks` blocks, those of the last look_up() first, and what is in them.
  void start(Job& job, std::int64_t blocks);

  /// Blocks that `job` lacks for `tokens` tokens.
  std::int64_t missing(const Job& job, std::int64_t tokens) const {
    return tokens <= job.blocks * rules_.block_tokens ? 0 : blocks_for(tokens, rules_.block_tokens) - job.blocks;
  }
  void take(Job& job, std::int64_t blocks);
  /// The next `tokens` tokens of `job` will be in the cache; blocks that are full and known can be found from now on.
  void advance(Job& job, std::int64_t tokens) {
    job.computed += tokens;
    tokens_ += tokens;
    if (cache_) publish(job);
  }
  /// All its blocks, the last one first.
  void release(Job& job);

  /// Every job decodes `steps` tokens, in this order within a step: the same as missing(), take() and advance() one by
  /// one, in time of the jobs and the blocks that fill up. Job::written counts up as well.
  void decode_all(std::span<Job* const> jobs, std::int64_t steps);

 private:
  struct Event {
    std::int64_t first_step = 0;  ///< and every block_tokens steps after it
    std::size_t turn = 0;         ///< within a step
    Job* job = nullptr;
    bool take = false;  ///< else publish
  };
  void publish(Job& job);
  void collect_events(std::span<Job* const> jobs);

  const Rules& rules_;
  KvBlocks count_;
  std::optional<RunCache> cache_;
  std::int64_t tokens_ = 0;
  std::vector<Event> events_;
};

}  // namespace weir::sim

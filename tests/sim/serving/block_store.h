#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "sim/serving/kv_blocks.h"
#include "sim/serving/rules.h"
#include "tests/sim/serving/block_cache.h"

namespace weir::sim::testing {

/// What KvStore does with a prefix cache, block by block: what it is judged by.
class BlockStore {
 public:
  struct Job {
    QueuedRequest request;
    std::int64_t computed = 0, published = 0;
    std::vector<std::int32_t> blocks;
  };
  explicit BlockStore(const Rules& rules) : rules_(rules), cache_(rules.kv_blocks) {}

  std::int64_t held() const { return cache_.held(); }
  std::int64_t tokens() const { return tokens_; }

  std::int64_t look_up(const QueuedRequest& request, std::int64_t length) {
    found_.clear();
    const std::int64_t most = (length - 1) / rules_.block_tokens;
    for (std::int64_t i = 0; i < most; ++i) {
      const std::int32_t block = cache_.find(block_key(request, i, rules_.block_tokens));
      if (block == BlockCache::kNone) break;
      found_.push_back(block);
    }
    return static_cast<std::int64_t>(found_.size()) * rules_.block_tokens;
  }
  bool fits(std::int64_t blocks) const {
    const auto held = [this](std::int32_t block) { return cache_.is_held(block); };
    return blocks - std::count_if(found_.begin(), found_.end(), held) + rules_.watermark_blocks <= cache_.free();
  }
  void start(Job& job, std::int64_t blocks) {
    job.blocks = found_;
    job.published = static_cast<std::int64_t>(found_.size());
    job.computed = job.published * rules_.block_tokens;
    for (const std::int32_t block : found_) {
      if (!cache_.is_held(block)) tokens_ += rules_.block_tokens;
      cache_.share(block);
    }
    take(job, blocks - job.published);
  }
  void take(Job& job, std::int64_t blocks) {
    for (; blocks > 0; --blocks) job.blocks.push_back(cache_.take());
  }
  /// So many more tokens are in the cache; blocks within the first `known` can be found.
  void advance(Job& job, std::int64_t tokens, std::int64_t known) {
    job.computed += tokens;
    tokens_ += tokens;
    while ((job.published + 1) * rules_.block_tokens <= known) publish_next(job);
  }
  void publish_next(Job& job) {
    cache_.publish(job.blocks[static_cast<std::size_t>(job.published)],
                   block_key(job.request, job.published, rules_.block_tokens));
    ++job.published;
  }
  void release(Job& job) {
    for (auto i = static_cast<std::int64_t>(job.blocks.size()) - 1; i >= 0; --i) {
      if (!cache_.give_back(job.blocks[static_cast<std::size_t>(i)])) continue;
      tokens_ -= std::clamp<std::int64_t>(job.computed - i * rules_.block_tokens, 0, rules_.block_tokens);
    }
    job.blocks.clear();
    job.computed = job.published = 0;
  }

 private:
  const Rules& rules_;
  BlockCache cache_;
  std::int64_t tokens_ = 0;
  std::vector<std::int32_t> found_;
};

}  // namespace weir::sim::testing

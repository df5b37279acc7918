#include "sim/serving/kv_store.h"

#include <algorithm>

namespace weir::sim {

KvStore::KvStore(const Rules& rules) : rules_(rules), count_(rules.kv_blocks) {
  if (rules.prefix_cache) cache_.emplace(rules.kv_blocks);
}

std::int64_t KvStore::look_up(const QueuedRequest& request, std::int64_t length) {
  found_.clear();
  if (!cache_) return 0;
  const std::int64_t most = (length - 1) / rules_.block_tokens;
  for (std::int64_t i = 0; i < most; ++i) {
    const std::int32_t block = cache_->find(block_key(request, i, rules_.block_tokens));
    if (block == BlockCache::kNone) break;
    found_.push_back(block);
  }
  return static_cast<std::int64_t>(found_.size()) * rules_.block_tokens;
}

bool KvStore::fits(std::int64_t blocks) const {
  std::int64_t needed = blocks;
  for (const std::int32_t block : found_) {
    if (cache_->is_held(block)) --needed;
  }
  return needed + rules_.watermark_blocks <= free();
}

void KvStore::start(Job& job, std::int64_t blocks) {
  job.blocks = job.published = static_cast<std::int64_t>(found_.size());
  job.block_ids.assign(found_.begin(), found_.end());
  job.computed = job.blocks * rules_.block_tokens;
  for (const std::int32_t block : found_) {
    if (!cache_->is_held(block)) tokens_ += rules_.block_tokens;
    cache_->share(block);
  }
  take(job, blocks - job.blocks);
}

void KvStore::take(Job& job, std::int64_t blocks) {
  job.blocks += blocks;
  if (!cache_) {
    count_.take(blocks);
    return;
  }
  for (; blocks > 0; --blocks) job.block_ids.push_back(cache_->take());
}

void KvStore::release(Job& job) {
  if (!cache_) {
    count_.give_back(job.blocks);
    tokens_ -= job.computed;
  } else {
    for (std::int64_t i = job.blocks - 1; i >= 0; --i) {
      if (!cache_->give_back(job.block_ids[static_cast<std::size_t>(i)])) continue;
      tokens_ -= std::clamp<std::int64_t>(job.computed - i * rules_.block_tokens, 0, rules_.block_tokens);
    }
    job.block_ids.clear();
  }
  job.blocks = job.published = job.computed = 0;
}

// A token still being written is not known, so a block that ends with it cannot be found yet.
void KvStore::publish(Job& job) {
  const std::int64_t known = std::min(job.computed, job.input + job.written);
  while ((job.published + 1) * rules_.block_tokens <= known) publish_next(job);
}

void KvStore::publish_next(Job& job) {
  cache_->publish(job.block_ids[static_cast<std::size_t>(job.published)],
                  block_key(job.served.request, job.published, rules_.block_tokens));
  ++job.published;
}

// --- many steps at once

void KvStore::decode_all(std::span<Job* const> jobs, std::int64_t steps) {
  if (cache_) {
    collect_events(jobs);
    for (std::int64_t round = 0; round < steps; round += rules_.block_tokens) {
      for (const Event& event : events_) {
        if (round + event.first_step >= steps) break;
        if (event.take) {
          take(*event.job, 1);
        } else {
          publish_next(*event.job);
        }
      }
    }
  } else {
    for (Job* job : jobs) {
      const std::int64_t blocks = missing(*job, job->computed + steps);
      if (blocks > 0) take(*job, blocks);
    }
  }
  for (Job* job : jobs) {
    job->computed += steps;
    job->written += steps;
  }
  tokens_ += steps * static_cast<std::int64_t>(jobs.size());
}

/// When within the next block_tokens steps each job takes a block and when one of its blocks can be found, in the order
/// in which single steps would do it.
void KvStore::collect_events(std::span<Job* const> jobs) {
  events_.clear();
  const std::int64_t size = rules_.block_tokens;
  for (Job* job : jobs) {
    // Step s brings computed + s + 1 tokens and knows input + written + s + 1 of them.
    if (!rules_.reserve_output) events_.push_back({job->blocks * size - job->computed, events_.size(), job, true});
    const std::int64_t known = std::min(job->computed, job->input + job->written);
    events_.push_back({(job->published + 1) * size - known - 1, events_.size(), job, false});
  }
  std::sort(events_.begin(), events_.end(), [](const Event& a, const Event& b) {
    return a.first_step != b.first_step ? a.first_step < b.first_step : a.turn < b.turn;
  });
}

}  // namespace weir::sim

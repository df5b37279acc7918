#include "sim/serving/kv_store.h"

#include <algorithm>

namespace weir::sim {

KvStore::KvStore(const Rules& rules) : rules_(rules), count_(rules.kv_blocks) {
  if (rules.prefix_cache) cache_.emplace(rules.kv_blocks, rules.block_tokens);
}

std::int64_t KvStore::look_up(const QueuedRequest& request, std::int64_t length) {
  return cache_ ? cache_->look_up(request, (length - 1) / rules_.block_tokens) * rules_.block_tokens : 0;
}

void KvStore::start(Job& job, std::int64_t blocks) {
  if (cache_) {
    tokens_ += cache_->share(job.holding) * rules_.block_tokens;
    job.blocks = job.holding.published;
    job.computed = job.blocks * rules_.block_tokens;
  }
  take(job, blocks - job.blocks);
}

void KvStore::take(Job& job, std::int64_t blocks) {
  job.blocks += blocks;
  cache_ ? cache_->take(blocks) : count_.take(blocks);
}

void KvStore::release(Job& job) {
  if (!cache_) {
    count_.give_back(job.blocks);
    tokens_ -= job.computed;
  } else {
    const std::int64_t published = job.holding.published, unpublished = job.blocks - published;
    const std::int64_t freed = cache_->give_back(job.holding, unpublished) - unpublished;
    tokens_ -= job.computed - (published - freed) * rules_.block_tokens;
  }
  job.blocks = job.computed = 0;
}

// A token still being written is not known, so a block that ends with it cannot be found yet.
void KvStore::publish(Job& job) {
  const std::int64_t known = std::min(job.computed, job.input + job.written);
  cache_->publish(job.holding, job.served.request, known / rules_.block_tokens);
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
          Job& job = *event.job;
          cache_->publish(job.holding, job.served.request, job.holding.published + 1);
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
    events_.push_back({(job->holding.published + 1) * size - known - 1, events_.size(), job, false});
  }
  std::sort(events_.begin(), events_.end(), [](const Event& a, const Event& b) {
    return a.first_step != b.first_step ? a.first_step < b.first_step : a.turn < b.turn;
  });
}

}  // namespace weir::sim

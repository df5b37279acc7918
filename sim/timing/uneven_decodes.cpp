#include "sim/timing/uneven_decodes.h"

#include <algorithm>
#include <functional>
#include <queue>
#include <stdexcept>
#include <utility>

namespace weir::sim {
namespace {

constexpr double kFull = 0.8;  // of num_splits_heuristic in flash_attn/flash_api.cpp
// Thread blocks a multiprocessor holds, as the same place counts them. Short rows of profiles point to one; see
// tests/field/vllm_fidelity/README.md for what that would give.
constexpr std::int64_t kBlocksPerUnit = 2;
constexpr double kNear = 1024, kFar = 4096;  // contexts between which one block's speed is read

/// The shortest chunk beside which one decode was measured.
double shortest_chunk(const AttentionTable& table) { return table.chunk_axis().size() > 1 ? table.chunk_axis()[1] : 0; }

}  // namespace

bool UnevenDecodes::can_read(const AttentionTable& table) {
  const double chunk = shortest_chunk(table);
  if (chunk == 0 || table.decode_axis().back() < 8) return false;
  if (!(table.at(chunk, 0, 1, kFar) > table.at(chunk, 0, 1, kNear))) return false;
  const double most = table.decode_axis().back(), shortest = table.shortest_decode_past();
  return table.at(0, 0, most, shortest) > table.at(0, 0, most / 4, shortest);
}

UnevenDecodes::UnevenDecodes(const AttentionTable& table, std::int64_t multiprocessors, std::int64_t kv_heads)
    : table_(table), multiprocessors_(multiprocessors), kv_heads_(kv_heads) {
  if (!can_read(table) || multiprocessors < 1 || kv_heads < 1) {
    throw std::logic_error("UnevenDecodes: the table has not the rows, or the counts are not positive");
  }
  const double chunk = shortest_chunk(table);
  block_tokens_per_s_ = (kFar - kNear) / (table.at(chunk, 0, 1, kFar) - table.at(chunk, 0, 1, kNear));
  const double most = table.decode_axis().back(), few = most / 4, shortest = table.shortest_decode_past();
  const double waves = (most - few) * static_cast<double>(kv_heads) / static_cast<double>(multiprocessors);
  block_start_s_ = (table.at(0, 0, most, shortest) - table.at(0, 0, few, shortest)) / waves;
}

bool UnevenDecodes::applies(std::int64_t sequences) const {
  return static_cast<double>(sequences * kv_heads_) >= kFull * static_cast<double>(kBlocksPerUnit * multiprocessors_);
}

double UnevenDecodes::extra_seconds(std::span<const std::int32_t> contexts) const {
  if (contexts.size() < 2) return 0;
  std::vector<double> past;  // the longest first: they have been running longest and sit in front in the batch
  double sum = 0;
  for (const std::int32_t context : contexts) past.push_back(context - 1), sum += context - 1;
  std::sort(past.begin(), past.end(), std::greater<>());
  if (past.front() == past.back()) return 0;
  const auto n = static_cast<double>(contexts.size());
  const double mean = sum / n;
  const double reading = table_.at(0, 0, n, mean) - table_.at(0, 0, n, table_.shortest_decode_past());
  if (!(reading > 0)) return 0;  // too short to tell the memory bus from the rest
  const double tokens_per_s = static_cast<double>(kv_heads_) * sum / reading;
  const double uneven = makespan(past, tokens_per_s);
  return uneven - makespan(std::vector<double>(past.size(), mean), tokens_per_s);
}

double UnevenDecodes::makespan(const std::vector<double>& lengths, double tokens_per_s) const {
  // Blocks that read advance together, so it is enough to count tokens one of them has read since the beginning.
  std::priority_queue<double, std::vector<double>, std::greater<>> reading;  // its count when it will be through
  std::queue<std::pair<double, double>> starting;                            // when it will read, its length
  const std::size_t blocks = lengths.size() * static_cast<std::size_t>(kv_heads_);
  const auto slots = static_cast<std::size_t>(kBlocksPerUnit * multiprocessors_);
  std::size_t next = 0;
  double now = 0, read = 0;
  while (true) {
    while (next < blocks && reading.size() + starting.size() < slots) {
      starting.emplace(now + block_start_s_, lengths[next++ % lengths.size()]);
    }
    if (reading.empty() && starting.empty()) return now;
    const double speed =
        reading.empty() ? 0 : std::min(block_tokens_per_s_, tokens_per_s / static_cast<double>(reading.size()));
    if (reading.empty() || (!starting.empty() && starting.front().first <= now + (reading.top() - read) / speed)) {
      read += speed * (starting.front().first - now);
      now = starting.front().first;
      for (; !starting.empty() && starting.front().first <= now; starting.pop()) {
        reading.push(read + starting.front().second);
      }
    } else {
      now += (reading.top() - read) / speed;
      read = reading.top();
      reading.pop();
    }
  }
}

}  // namespace weir::sim

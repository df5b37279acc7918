#include "sim/timing/tables.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "sim/core/time.h"

namespace weir::sim {
namespace {

std::int64_t to_ticks(double seconds) { return Time::from_seconds(seconds).ticks(); }

/// Index of the power of two at or below `value` >= 1.
int octave(std::int64_t value) { return static_cast<int>(std::bit_width(static_cast<std::uint64_t>(value))) - 1; }

/// Position of `value` >= 1 between 2^octave and the next power, in [0, 1); 0 at and beyond the last node.
struct Position {
  int node = 0;
  double share = 0;
};
Position position(std::int64_t value, int last_node) {
  const int node = octave(value);
  if (node >= last_node) return {last_node, 0};
  const auto low = static_cast<double>(std::int64_t{1} << node);
  return {node, (static_cast<double>(value) - low) / low};
}

}  // namespace

TokenTable::TokenTable(const std::function<double(std::int64_t)>& seconds) {
  dense_.reserve(kDense + 1);
  dense_.push_back(0);
  for (std::int64_t tokens = 1; tokens <= kDense; ++tokens) dense_.push_back(to_ticks(seconds(tokens)));
  for (std::int64_t tokens = kDense; tokens <= kLast; tokens += kStep) coarse_.push_back(to_ticks(seconds(tokens)));
}

std::int64_t TokenTable::interpolated(std::int64_t tokens) const {
  const std::size_t piece = std::min(static_cast<std::size_t>((tokens - kDense) / kStep), coarse_.size() - 2);
  const std::int64_t offset = tokens - kDense - static_cast<std::int64_t>(piece) * kStep;
  return coarse_[piece] + (coarse_[piece + 1] - coarse_[piece]) * offset / kStep;
}

DecodeTable::DecodeTable(const std::function<double(std::int64_t, std::int64_t)>& seconds) {
  const int octaves = octave(kMaxSequences);
  std::vector<std::vector<double>> nodes;  // [octave of sequences][node of the mean context]
  for (int i = 0; i <= octaves; ++i) {
    const std::int64_t sequences = std::int64_t{1} << i;
    std::vector<double> row;
    for (int j = 0; j < kNodes; ++j) row.push_back(seconds(sequences, sequences << j));
    nodes.push_back(std::move(row));
  }
  pieces_.resize(static_cast<std::size_t>(kMaxSequences + 1) * kNodes);
  for (std::int64_t sequences = 1; sequences <= kMaxSequences; ++sequences) {
    const Position at = position(sequences, octaves);
    std::vector<double> row = nodes[static_cast<std::size_t>(at.node)];
    if (at.share > 0) {
      const std::vector<double>& above = nodes[static_cast<std::size_t>(at.node) + 1];
      for (std::size_t j = 0; j < row.size(); ++j) row[j] += at.share * (above[j] - row[j]);
    }
    fill(sequences, row);
  }
}

/// The rounding of a slope is made up for by the next one: errors do not add up along the nodes.
void DecodeTable::fill(std::int64_t sequences, const std::vector<double>& node_seconds) {
  std::int64_t value = to_ticks(node_seconds[0]), slope = 0;
  for (int j = 0; j < kNodes; ++j) {
    const std::int64_t width = sequences << j;
    if (j + 1 < kNodes) {
      const std::int64_t rise = to_ticks(node_seconds[static_cast<std::size_t>(j) + 1]) - value;
      slope = std::max<std::int64_t>(0, (rise + width - 1) / width);  // rounded up: never faster than the roofline
    }
    pieces_[static_cast<std::size_t>(sequences * kNodes + j)] = {value, slope};
    value += slope * width;
  }
}

std::int64_t DecodeTable::ticks(std::int64_t sequences, std::int64_t context_tokens) const {
  if (sequences <= 0) return 0;
  if (sequences > kMaxSequences) {  // as many sequences of the same mean context cost in proportion
    const double scale = static_cast<double>(sequences) / static_cast<double>(kMaxSequences);
    const auto scaled = static_cast<std::int64_t>(static_cast<double>(context_tokens) / scale);
    return static_cast<std::int64_t>(static_cast<double>(ticks(kMaxSequences, scaled)) * scale);
  }
  const std::int64_t mean = std::max<std::int64_t>(1, context_tokens / sequences);
  const int node = std::min(octave(mean), kNodes - 1);
  const Piece& piece = pieces_[static_cast<std::size_t>(sequences * kNodes + node)];
  return piece.value + piece.slope * std::max<std::int64_t>(0, context_tokens - (sequences << node));
}

PrefillTable::PrefillTable(const std::function<double(std::int64_t, std::int64_t)>& seconds_per_pair) {
  rates_.reserve(kNewNodes * kPastNodes);
  for (int i = 0; i < kNewNodes; ++i) {
    for (int j = 0; j < kPastNodes; ++j) {
      const std::int64_t past = j == 0 ? 0 : std::int64_t{1} << (j - 1);
      rates_.push_back(seconds_per_pair(std::int64_t{1} << i, past));
    }
  }
}

double PrefillTable::seconds_per_pair(std::int64_t new_tokens, std::int64_t past_tokens) const {
  const Position q = position(std::max<std::int64_t>(1, new_tokens), kNewNodes - 1);
  Position past{0, 0};
  if (past_tokens > 0) {
    past = position(past_tokens, kPastNodes - 2);
    ++past.node;
  }
  const auto rate = [&](int i, int j) {
    return rates_[static_cast<std::size_t>(std::min(i, kNewNodes - 1) * kPastNodes + std::min(j, kPastNodes - 1))];
  };
  const double low = rate(q.node, past.node) + past.share * (rate(q.node, past.node + 1) - rate(q.node, past.node));
  if (q.share <= 0) return low;
  const double high =
      rate(q.node + 1, past.node) + past.share * (rate(q.node + 1, past.node + 1) - rate(q.node + 1, past.node));
  return low + q.share * (high - low);
}

}  // namespace weir::sim

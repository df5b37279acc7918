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

/// As many sequences of the same mean context cost in proportion.
std::int64_t DecodeTable::beyond_table(std::int64_t sequences, std::int64_t context_tokens) const {
  const WideInt scaled = WideInt{context_tokens} * kMaxSequences / sequences;
  const WideInt at_most = ticks(kMaxSequences, static_cast<std::int64_t>(scaled));
  return static_cast<std::int64_t>(at_most * sequences / kMaxSequences);
}

PrefillTable::PrefillTable(const std::function<double(std::int64_t, std::int64_t)>& seconds_per_pair,
                           double past_token_s, bool causal)
    : causal_(causal) {
  constexpr double kRatesPerSecond = static_cast<double>(Time::kTicksPerSecond) * (std::int64_t{1} << kFractionBits);
  const auto to_rate = [](double seconds) { return static_cast<std::int64_t>(seconds * kRatesPerSecond + 0.5); };
  std::vector<std::int64_t> rates;  // [new][past], a row and a column more than nodes so that the last has a next
  for (int i = 0; i <= kNewNodes; ++i) {
    const std::int64_t new_tokens = std::int64_t{1} << std::min(i, kNewNodes - 1);
    for (int j = 0; j <= kPastNodes; ++j) {
      const std::int64_t past = j == 0 ? 0 : std::int64_t{1} << (std::min(j, kPastNodes - 1) - 1);
      rates.push_back(to_rate(seconds_per_pair(new_tokens, past)));
    }
  }
  for (std::size_t i = 0; i < kNewNodes; ++i) {
    for (std::size_t j = 0; j < kPastNodes; ++j) {
      const std::int64_t* const low = &rates[i * (kPastNodes + 1) + j];
      const std::int64_t* const high = low + (kPastNodes + 1);
      pieces_.push_back({low[0], low[1] - low[0], high[0], high[1] - high[0]});
    }
  }
  past_token_rate_ = to_rate(past_token_s);
}

std::int64_t PrefillTable::beyond_64_bits(std::int64_t pairs, std::int64_t of_pair, std::int64_t past_tokens) const {
  const WideInt work = WideInt{pairs} * of_pair, reading = WideInt{past_tokens} * past_token_rate_;
  return static_cast<std::int64_t>(std::max(work, reading) >> kFractionBits);
}

}  // namespace weir::sim

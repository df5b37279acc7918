#include "tests/bench/drawn_source.h"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <stdexcept>

#include "sim/core/math.h"

namespace weir::bench {

std::vector<Lengths> azure_lengths(const std::filesystem::path& csv) {
  std::ifstream file(csv);
  std::string line;
  if (!std::getline(file, line)) throw std::runtime_error(csv.string() + ": cannot be read");
  std::vector<Lengths> all;
  while (std::getline(file, line)) {  // TIMESTAMP,ContextTokens,GeneratedTokens
    const std::size_t first = line.find(','), second = line.rfind(',');
    if (first == second) continue;
    Lengths row;
    std::from_chars(line.data() + first + 1, line.data() + second, row.input_tokens);
    std::from_chars(line.data() + second + 1, line.data() + line.size(), row.output_tokens);
    if (row.input_tokens >= 1 && row.output_tokens >= 1) all.push_back(row);
  }
  return all;
}

std::span<const sim::SimRequest> DrawnSource::next() {
  const auto count = static_cast<std::size_t>(std::min(left_, static_cast<std::int64_t>(batch_.size())));
  for (std::size_t i = 0; i < count; ++i) {
    const double uniform = (static_cast<double>(bits() >> 12) + 0.5) * 0x1p-52;
    now_ += sim::Time::from_seconds(-gap_s_ * sim::math::log(uniform));
    const auto row = static_cast<std::uint64_t>((bits() >> 32) * lengths_.size()) >> 32;
    batch_[i].arrival = now_;
    batch_[i].input_tokens = lengths_[row].input_tokens;
    batch_[i].output_tokens = lengths_[row].output_tokens;
  }
  left_ -= static_cast<std::int64_t>(count);
  return {batch_.data(), count};
}

}  // namespace weir::bench

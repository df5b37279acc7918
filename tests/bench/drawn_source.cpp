#include "tests/bench/drawn_source.h"

#include <charconv>
#include <fstream>
#include <stdexcept>
#include <string>

#include "sim/workload/limits.h"

namespace weir::bench {

Lengths azure_lengths(const std::filesystem::path& csv) {
  std::ifstream file(csv);
  std::string line;
  if (!std::getline(file, line)) throw std::runtime_error(csv.string() + ": cannot be read");
  auto all = std::make_shared<std::vector<sim::LengthPair>>();
  while (std::getline(file, line)) {  // TIMESTAMP,ContextTokens,GeneratedTokens
    const std::size_t first = line.find(','), second = line.rfind(',');
    if (first == second) continue;
    sim::LengthPair row{0, 0};
    std::from_chars(line.data() + first + 1, line.data() + second, row.input_tokens);
    std::from_chars(line.data() + second + 1, line.data() + line.size(), row.output_tokens);
    if (row.input_tokens >= 1 && row.output_tokens >= 1) all->push_back(row);
  }
  return all;
}

sim::DrawnSource drawn_source(const Lengths& lengths, double per_s, std::int64_t count, std::uint64_t seed) {
  const sim::DrawnClass conversation{
      .name = "conversation", .arrivals = {.process = "poisson", .rate_per_s = per_s}, .pairs = lengths};
  return sim::DrawnSource({conversation}, sim::kLongestDemand, seed, count);
}

}  // namespace weir::bench

#include "tests/bench/llama3_tables.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace weir::bench {
namespace {

constexpr double kLayers = 32, kMillisecond_s = 1e-3, kBatchingFactor = 1.1;
constexpr std::int64_t kMostTokens = 4096, kGrid = 64;

/// The numbers of a CSV with a heading.
std::vector<std::vector<double>> read_numbers(const std::filesystem::path& path, std::size_t columns) {
  std::ifstream file(path);
  std::string line;
  if (!std::getline(file, line)) throw std::runtime_error(path.string() + ": cannot be read");
  std::vector<std::vector<double>> rows;
  while (std::getline(file, line)) {
    std::vector<double> row;
    const char* at = line.data();
    const char* const end = at + line.size();
    while (at < end) {
      double value = 0;
      const auto [next, error] = std::from_chars(at, end, value);
      if (error != std::errc()) break;
      row.push_back(value);
      at = next < end && *next == ',' ? next + 1 : next;
      if (next < end && *next != ',') break;
    }
    if (row.size() != columns) throw std::runtime_error(path.string() + ": " + line);
    rows.push_back(std::move(row));
  }
  return rows;
}

/// Milliseconds a layer by count of tokens: all but attention.
std::vector<double> by_tokens(const std::filesystem::path& folder) {
  constexpr std::size_t kCacheSave = 7;  // the one column that is not looked up at a multiple of 8
  const auto rows = read_numbers(folder / "by_num_tokens_ms.csv", 11);
  const auto count = static_cast<std::int64_t>(rows.size());
  if (count != kMostTokens) throw std::runtime_error("by_num_tokens_ms.csv: not 4096 rows");
  std::vector<double> ms{0};
  for (std::int64_t tokens = 1; tokens <= count; ++tokens) {
    const auto& padded = rows[static_cast<std::size_t>((tokens + 7) / 8 * 8 - 1)];
    double sum = rows[static_cast<std::size_t>(tokens - 1)][kCacheSave];
    for (std::size_t c = 1; c < padded.size(); ++c) sum += c == kCacheSave ? 0 : padded[c];
    ms.push_back(sum);
  }
  return ms;
}

/// Attention by cached tokens, every 64, and another count.
class Grid {
 public:
  /// `cached` and `other` are the columns of the keys; the time is the third.
  Grid(const std::filesystem::path& path, std::size_t cached, std::size_t other, std::int64_t most_other)
      : columns_(static_cast<std::size_t>(most_other + 1)),
        ms_(static_cast<std::size_t>(kMostTokens / kGrid + 1) * columns_, -1) {
    for (const auto& row : read_numbers(path, 3)) {
      at(static_cast<std::int64_t>(row[cached]) / kGrid, static_cast<std::int64_t>(row[other])) = row[2];
    }
  }
  /// Linear between cached tokens.
  double ms(double cached, std::int64_t other) const {
    const auto cell = std::min(static_cast<std::int64_t>(cached) / kGrid, kMostTokens / kGrid - 1);
    const double low = at(cell, other), high = at(cell + 1, other);
    const double share = (cached - static_cast<double>(cell * kGrid)) / kGrid;
    if (low < 0 || (high < 0 && share > 0)) throw std::runtime_error("attention tables: a row is missing");
    return share > 0 ? low + (high - low) * share : low;
  }

 private:
  double& at(std::int64_t cell, std::int64_t other) {
    return ms_.at(static_cast<std::size_t>(cell) * columns_ + static_cast<std::size_t>(other));
  }
  double at(std::int64_t cell, std::int64_t other) const {
    return ms_.at(static_cast<std::size_t>(cell) * columns_ + static_cast<std::size_t>(other));
  }
  std::size_t columns_;
  std::vector<double> ms_;
};

/// The peer knows chunks over 512 only of prompts with nothing cached: what is cached costs them as much a token as
/// 512.
double chunk_ms(const Grid& prefill, std::int64_t chunk, double cached) {
  constexpr std::int64_t kKnown = 512;
  if (chunk <= kKnown) return prefill.ms(cached, chunk);
  const double more = prefill.ms(cached, kKnown) - prefill.ms(0, kKnown);
  return prefill.ms(0, chunk) + more * static_cast<double>(chunk) / kKnown;
}

}  // namespace

sim::IterationTables llama3_tables(const std::filesystem::path& predictions) {
  const std::vector<double> token_ms = by_tokens(predictions);
  const Grid decode(predictions / "attn_decode_ms.csv", 1, 0, 128);
  const Grid prefill(predictions / "attn_prefill_ms.csv", 0, 1, kMostTokens);

  sim::IterationTables tables;
  tables.rows = sim::TokenTable([](std::int64_t) { return 0.0; });  // the peer leaves the vocabulary out
  tables.tokens = sim::TokenTable([&](std::int64_t tokens) {
    const auto inside = static_cast<std::size_t>(std::min(tokens, kMostTokens));
    const double slope = (token_ms[kMostTokens] - token_ms[kMostTokens / 2]) / (kMostTokens / 2);
    const double beyond = static_cast<double>(std::max<std::int64_t>(0, tokens - kMostTokens));
    return (token_ms[inside] + slope * beyond) * kLayers * kMillisecond_s;
  });
  tables.decode = sim::DecodeTable([&](std::int64_t sequences, std::int64_t context) {
    const std::int64_t known = std::min<std::int64_t>(sequences, 128);
    const double mean = static_cast<double>(context) / static_cast<double>(sequences);
    const double many = static_cast<double>(sequences) / static_cast<double>(known);
    const double end = decode.ms(kMostTokens, known),
                 slope = (end - decode.ms(kMostTokens / 2, known)) / (kMostTokens / 2);
    const double ms = mean <= kMostTokens ? decode.ms(mean, known) : end + slope * (mean - kMostTokens);
    return ms * many * (sequences > 1 ? kBatchingFactor : 1) * kLayers * kMillisecond_s;
  });
  tables.prefill = sim::PrefillTable(
      [&](std::int64_t new_tokens, std::int64_t past) {
        const std::int64_t chunk = std::min(new_tokens, kMostTokens), cached = std::min(past, kMostTokens);
        const double pairs = static_cast<double>(sim::query_key_pairs({chunk, cached}, true));
        return chunk_ms(prefill, chunk, static_cast<double>(cached)) * kLayers * kMillisecond_s / pairs;
      },
      0, true);
  return tables;
}

}  // namespace weir::bench

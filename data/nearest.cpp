#include "data/nearest.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace weir::data {
namespace {

/// Levenshtein distance, two rows at a time.
std::size_t edits(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = std::exchange(row[0], i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({replaced, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row.back();
}

constexpr std::size_t kLongest = 200;  // longer names are compared by their beginning: the table stays small

}  // namespace

std::string lower_case(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return lower;
}

std::vector<std::string> nearest_names(std::string_view wanted, const std::vector<std::string>& known,
                                       std::size_t count) {
  const std::string want = lower_case(wanted.substr(0, kLongest));
  std::vector<std::pair<std::size_t, std::size_t>> ranked;  // edits (0 for a longer spelling of it), place in `known`
  for (std::size_t i = 0; i < known.size(); ++i) {
    const std::string name = lower_case(std::string_view(known[i]).substr(0, kLongest));
    const bool begins = !want.empty() && name.compare(0, want.size(), want) == 0;
    ranked.emplace_back(begins ? 0 : edits(want, name), i);
  }
  std::sort(ranked.begin(), ranked.end());
  std::vector<std::string> names;
  for (const auto& [distance, index] : ranked) {
    if (names.size() == count) break;
    names.push_back(known[index]);
  }
  return names;
}

}  // namespace weir::data

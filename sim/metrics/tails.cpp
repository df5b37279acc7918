#include "sim/metrics/tails.h"

#include <algorithm>

#include "sim/core/math.h"

namespace weir::sim {

std::vector<TailPoint> tail_of_sorted(std::span<const double> ascending, std::int64_t offered) {
  constexpr int kPoints = 60;
  std::vector<TailPoint> points;
  if (ascending.empty()) return points;
  const double greatest = ascending.back();
  const double least = std::max(ascending.front(), greatest * 1e-6);  // a latency of 0 has no place on a log axis
  const int count = least < greatest ? kPoints : 1;
  for (int i = 0; i < count; ++i) {
    double latency_s = greatest;
    if (i == 0) latency_s = least;
    if (i > 0 && i + 1 < count) latency_s = least * math::pow(greatest / least, static_cast<double>(i) / (count - 1));
    const auto not_slower = std::upper_bound(ascending.begin(), ascending.end(), latency_s) - ascending.begin();
    points.push_back({latency_s, static_cast<double>(offered - not_slower) / static_cast<double>(offered)});
  }
  return points;
}

}  // namespace weir::sim

#include "sim/cost/spares.h"

#include <algorithm>

#include "sim/cost/rates.h"

namespace weir::sim {

double server_availability(double stops_per_year, double repair_hours) {
  return 1 / (1 + stops_per_year * repair_hours / kHoursPerYear);
}

double server_stops_per_year(double stops_of_8gpu_server, double gpu_failures_per_year, double accelerators) {
  const double other = std::max(0.0, stops_of_8gpu_server - 8 * gpu_failures_per_year);
  return other + accelerators * gpu_failures_per_year;
}

double probability_enough(std::int64_t needed, std::int64_t total, double availability) {
  if (needed > total) return 0;
  if (availability >= 1) return 1;
  // Sum over the number of servers down, each term from its neighbour, scaled to the largest term: no powers and no
  // factorials, so thousands of servers neither underflow nor depend on a math library.
  const double odds = (1 - availability) / availability;
  const std::int64_t allowed = total - needed;
  const std::int64_t mode =
      std::min(total, static_cast<std::int64_t>(static_cast<double>(total + 1) * (1 - availability)));
  constexpr double kNegligible = 1e-18;
  double within = 0, all = 0, term = 1;
  const auto count = [&](std::int64_t down) {
    all += term;
    if (down <= allowed) within += term;
  };
  for (std::int64_t down = mode; down <= total && term > kNegligible; ++down) {
    count(down);
    term *= odds * static_cast<double>(total - down) / static_cast<double>(down + 1);
  }
  term = 1;
  for (std::int64_t down = mode; down > 0 && term > kNegligible;) {
    term *= static_cast<double>(down) / (odds * static_cast<double>(total - down + 1));
    count(--down);
  }
  return within / all;
}

std::int64_t spare_servers(std::int64_t needed, double availability, double target) {
  if (needed <= 0) return 0;
  const auto enough = [&](std::int64_t spares) {
    return probability_enough(needed, needed + spares, availability) >= target;
  };
  std::int64_t low = -1, high = 0;  // low is too few
  while (!enough(high)) {
    low = high;
    high = high < 4 ? high + 1 : 2 * high;
  }
  while (high - low > 1) {
    const std::int64_t middle = low + (high - low) / 2;
    (enough(middle) ? high : low) = middle;
  }
  return high;
}

}  // namespace weir::sim

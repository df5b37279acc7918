#include "sim/model/experts.h"

#include <algorithm>
#include <cmath>

#include "sim/core/math.h"

namespace weir::sim {
namespace {

/// q_i of all experts, the most popular first: what is above 1 is given to the others until nothing is.
std::vector<double> chances_of(int count, int active, double skew) {
  std::vector<double> weights;
  for (int i = 0; i < count; ++i) weights.push_back(skew == 0 ? 1.0 : math::pow(i + 1.0, -skew));
  double rest = 0;
  for (const double weight : weights) rest += weight;
  std::vector<double> chances(weights.size(), 1.0);
  int certain = 0;  // experts that every token takes
  while (certain < active) {
    const double share = static_cast<double>(active - certain) / rest;
    if (weights[static_cast<std::size_t>(certain)] * share < 1) break;
    rest -= weights[static_cast<std::size_t>(certain)];
    ++certain;
  }
  for (std::size_t i = static_cast<std::size_t>(certain); i < weights.size(); ++i) {
    chances[i] = certain == active ? 0 : weights[i] * static_cast<double>(active - certain) / rest;
  }
  return chances;
}

}  // namespace

ExpertLoad::ExpertLoad(const data::ExpertShape& shape, double skew, int groups)
    : active_(shape.active), groups_(groups) {
  const std::vector<double> all = chances_of(shape.count, shape.active, skew);
  for (std::size_t i = 0; i < all.size(); i += static_cast<std::size_t>(groups)) chances_.push_back(all[i]);
  for (const double q : chances_) {
    mean_ += q;
    variance_ += q * (1 - q);
  }
}

double ExpertLoad::distinct(double tokens) const {
  double sum = 0, same = -1, of_same = 0;
  for (const double q : chances_) {
    if (q != same) {  // without skew all are the same
      same = q;
      of_same = q >= 1 ? 1 : 1 - math::pow(1 - q, tokens);
    }
    sum += of_same;
  }
  return sum;
}

double ExpertLoad::pairs(double tokens) const {
  double pairs = tokens * mean_;
  if (groups_ > 1) pairs += std::sqrt(2 * math::log(static_cast<double>(groups_)) * tokens * variance_);
  return std::min(pairs, tokens * static_cast<double>(std::min(active_, experts_of_group())));
}

double ExpertLoad::groups_of_token() const {
  const double all = groups_;
  return all * (1 - math::pow(1 - 1 / all, static_cast<double>(active_)));
}

}  // namespace weir::sim

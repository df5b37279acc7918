#include "sim/timing/log_interpolation.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace weir::sim {
namespace {

constexpr std::size_t kNearestCurves = 4;

double squared_distance(const LogInterpolation::Key& a, const LogInterpolation::Key& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += (a[i] - b[i]) * (a[i] - b[i]);
  return sum;
}

}  // namespace

LogInterpolation::LogInterpolation(std::vector<Point> points) {
  std::stable_sort(points.begin(), points.end(), [](const Point& a, const Point& b) {
    return a.key != b.key ? a.key < b.key : a.log_main < b.log_main;
  });
  for (std::size_t i = 0; i < points.size();) {
    double sum = 0;
    std::size_t end = i;
    for (; end < points.size() && points[end].key == points[i].key && points[end].log_main == points[i].log_main;
         ++end) {
      sum += points[end].value;
    }
    if (curves_.empty() || curves_.back().key != points[i].key) curves_.push_back({points[i].key, {}, {}});
    curves_.back().log_main.push_back(points[i].log_main);
    curves_.back().value.push_back(sum / static_cast<double>(end - i));
    i = end;
  }
}

std::size_t LogInterpolation::size() const {
  std::size_t points = 0;
  for (const Curve& curve : curves_) points += curve.value.size();
  return points;
}

double LogInterpolation::Curve::at(double x) const {
  if (x <= log_main.front()) return value.front();
  if (x >= log_main.back()) return value.back();
  const auto right = static_cast<std::size_t>(std::upper_bound(log_main.begin(), log_main.end(), x) - log_main.begin());
  const double share = (x - log_main[right - 1]) / (log_main[right] - log_main[right - 1]);
  return value[right - 1] + share * (value[right] - value[right - 1]);
}

double LogInterpolation::at(const Key& key, double log_main) const {
  if (curves_.empty()) throw std::logic_error("interpolation without points");
  std::vector<std::pair<double, const Curve*>> nearest;
  nearest.reserve(curves_.size());
  for (const Curve& curve : curves_) nearest.emplace_back(squared_distance(key, curve.key), &curve);
  std::stable_sort(nearest.begin(), nearest.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  if (nearest.front().first <= 0) return nearest.front().second->at(log_main);
  double weights = 0, sum = 0;
  for (std::size_t i = 0; i < std::min(kNearestCurves, nearest.size()); ++i) {
    const double weight = 1 / nearest[i].first;
    weights += weight;
    sum += weight * nearest[i].second->at(log_main);
  }
  return sum / weights;
}

std::vector<double> LogInterpolation::leave_one_out_errors(const std::vector<Point>& points) {
  std::vector<double> errors;
  if (points.size() < 2) return errors;
  for (std::size_t left_out = 0; left_out < points.size(); ++left_out) {
    std::vector<Point> others = points;
    others.erase(others.begin() + static_cast<std::ptrdiff_t>(left_out));
    const Point& point = points[left_out];
    errors.push_back(LogInterpolation(std::move(others)).at(point.key, point.log_main) - point.value);
  }
  return errors;
}

}  // namespace weir::sim

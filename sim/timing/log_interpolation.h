#pragma once

#include <cstddef>
#include <vector>

namespace weir::sim {

/// Values measured at scattered shapes, interpolated in log space. A shape has a main coordinate (m of a GEMM, tokens
/// of a context) and a key (n and k; batch and heads). Points with one key form a curve: linear in the log of the main
/// coordinate between its points, constant outside. Between curves the nearest four are blended by inverse squared
/// distance of the keys. So a measured shape gives back its measurement, and a shape between or beyond the measured
/// ones stays between their values.
class LogInterpolation {
 public:
  using Key = std::vector<double>;  ///< logarithms, all of one length

  struct Point {
    Key key;
    double log_main = 0;
    double value = 0;
  };

  LogInterpolation() = default;
  /// Points of one shape are averaged.
  explicit LogInterpolation(std::vector<Point> points);

  bool empty() const { return curves_.empty(); }
  std::size_t size() const;
  /// Needs at least one point.
  double at(const Key& key, double log_main) const;
  /// For every point: what the others predict for it, minus its value. Empty for fewer than two points.
  static std::vector<double> leave_one_out_errors(const std::vector<Point>& points);

 private:
  struct Curve {
    Key key;
    std::vector<double> log_main, value;  ///< ascending
    double at(double log_main) const;
  };
  std::vector<Curve> curves_;
};

}  // namespace weir::sim

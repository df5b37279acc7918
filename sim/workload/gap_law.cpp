#include "sim/workload/gap_law.h"

namespace weir::sim {

double log_gamma(double x) {
  constexpr double kHalfLogTwoPi = 0.91893853320467274178;
  double product = 1;
  for (; x < 12; ++x) product *= x;
  const double r = 1 / x, r2 = r * r;
  // Bernoulli numbers over 2k (2k - 1): 1/12, -1/360, 1/1260, -1/1680, 1/1188, -691/360360.
  const double series =
      r * (1.0 / 12 +
           r2 * (-1.0 / 360 + r2 * (1.0 / 1260 + r2 * (-1.0 / 1680 + r2 * (1.0 / 1188 + r2 * (-691.0 / 360'360))))));
  return (x - 0.5) * math::log(x) - x + kHalfLogTwoPi + series - math::log(product);
}

double weibull_cv(double shape) {
  const double ratio = math::exp(log_gamma(1 + 2 / shape) - 2 * log_gamma(1 + 1 / shape));
  return std::sqrt(std::max(0.0, ratio - 1));
}

double weibull_shape(double cv) {
  double low = 0.1, high = 1000;  // the CV falls with the shape, from 430 to 0.0013
  for (int i = 0; i < 200 && high - low > 1e-15 * high; ++i) {
    const double middle = 0.5 * (low + high);
    (weibull_cv(middle) > cv ? low : high) = middle;
  }
  return 0.5 * (low + high);
}

GapLaw GapLaw::weibull(double shape) { return {Kind::weibull, shape, math::exp(-log_gamma(1 + 1 / shape))}; }

GapLaw GapLaw::of(const data::ArrivalProcess& process) {
  if (process.process == "weibull") {
    return weibull(process.weibull_shape ? *process.weibull_shape : weibull_shape(process.cv));
  }
  if (process.process == "gamma" || (process.process == "rate-series" && process.cv != 1)) return gamma(process.cv);
  if (process.process == "periodic") return {Kind::equal, 1, 1};
  return {};
}

}  // namespace weir::sim

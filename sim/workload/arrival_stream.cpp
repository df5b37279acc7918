#include "sim/workload/arrival_stream.h"

#include <cmath>

#include "data/errors.h"
#include "sim/core/math.h"

namespace weir::sim {
double gamma_variate(RandomStream& random, double shape) {
  if (shape < 1) {
    const double larger = gamma_variate(random, shape + 1);
    return larger * math::pow(random.uniform(), 1 / shape);
  }
  const double d = shape - 1.0 / 3.0, c = 1 / std::sqrt(9 * d);
  while (true) {
    const double x = random.normal();
    const double root = 1 + c * x;
    if (root <= 0) continue;
    const double v = root * root * root;
    if (math::log(random.uniform()) < 0.5 * x * x + d - d * v + d * math::log(v)) return d * v;
  }
}

ArrivalStream::ArrivalStream(const data::ArrivalProcess& process, const std::string& scenario, const std::string& place,
                             std::uint64_t seed, const std::string& class_name)
    : random_(seed, "arrivals/" + class_name), mean_gap_s_(1 / process.rate_per_s), shape_(process.daily_shape) {
  if (process.process == "gamma") {
    gamma_shape_ = 1 / (process.cv * process.cv);
  } else if (process.process != "poisson") {
    throw data::InputError(scenario, place + "/process", process.process, "\"poisson\", \"gamma\"");
  }
}

}  // namespace weir::sim

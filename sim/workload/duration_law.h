#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "data/scenario.h"
#include "sim/core/random.h"
#include "sim/core/time.h"
#include "sim/workload/arrival_stream.h"
#include "sim/workload/small_random.h"

namespace weir::sim {

/// A distribution of times.
class DurationLaw {
 public:
  explicit DurationLaw(const data::DurationDistribution& what)
      : mean_s_(what.mean_s), exponential_(what.distribution == "exponential") {
    if (what.distribution == "lognormal") parameters_ = lognormal_from_mean_and_p99(what.mean_s, what.p99_s.value());
  }
  /// Takes one number from the stream, none when the time is fixed.
  template <class Random>
  Time draw(Random& random) const {
    if (parameters_) return gap_time(random.lognormal(parameters_->mu, parameters_->sigma));
    return gap_time(exponential_ ? random.exponential(mean_s_) : mean_s_);
  }
  double mean_s() const { return mean_s_; }

 private:
  double mean_s_;
  bool exponential_;
  std::optional<LognormalParameters> parameters_;
};

/// When the clients of a class hang up. The draw belongs to the request: of a class without chains its number in the
/// class, else its chain and its number there.
class CancelLaw {
 public:
  CancelLaw(const data::Cancellation& what, std::uint64_t seed, const std::string& class_name)
      : share_(what.share), after_(what.after), name_(seed, "cancel/" + class_name) {}
  /// From the arrival; never for those who wait.
  Time after(std::uint64_t number, std::uint64_t chain = 0) const {
    SmallRandom random(name_, chain, number);
    return random.uniform() < share_ ? after_.draw(random) : Time::never();
  }

 private:
  double share_;
  DurationLaw after_;
  StreamName name_;
};

}  // namespace weir::sim

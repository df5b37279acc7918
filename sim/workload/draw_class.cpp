#include "sim/workload/draw_class.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>

#include "data/errors.h"
#include "sim/core/random.h"
#include "sim/workload/limits.h"
#include "sim/workload/number_text.h"

namespace weir::sim {
namespace {

constexpr double kMostDrawn = 5e7;
constexpr double kLongGap_s = 2e7;  // beyond any horizon, and safe to add to a time within it

/// Draws token counts; each is at least 1.
class LengthSource {
 public:
  LengthSource(const data::LengthDistribution& lengths, const std::string& place, std::uint64_t seed,
               const std::string& stream)
      : mean_(lengths.mean), random_(seed, stream) {
    if (lengths.distribution == "fixed") return;
    if (lengths.distribution != "lognormal") {
      throw data::InputError("scenario", place + "/distribution", lengths.distribution, "\"fixed\", \"lognormal\"");
    }
    const double most = lengths.mean * lognormal_largest_p99_ratio();
    if (!lengths.p99 || !(*lengths.p99 > lengths.mean) || *lengths.p99 > most) {
      throw data::InputError(
          "scenario", place + "/p99", lengths.p99 ? number_text(*lengths.p99) : "missing",
          "a lognormal needs a p99 above its mean and at most 14.97 times it (" + number_text(most) + ")");
    }
    parameters_ = lognormal_from_mean_and_p99(lengths.mean, *lengths.p99);
  }

  std::int32_t draw() {
    const double tokens = parameters_ ? random_.lognormal(parameters_->mu, parameters_->sigma) : mean_;
    return static_cast<std::int32_t>(std::clamp(std::floor(tokens + 0.5), 1.0, kMostTokens));
  }

 private:
  double mean_;
  RandomStream random_;
  std::optional<LognormalParameters> parameters_;
};

}  // namespace

double drawn_horizon_s(double rate_per_s) {
  constexpr double kHour = 3600, kFewest = 20'000, kMost = 200'000;
  return std::min(std::clamp(kHour, kFewest / rate_per_s, kMost / rate_per_s), kLongestDemand.seconds());
}

void draw_class(const data::Scenario& scenario, const data::Workload& workload, std::size_t index, double horizon_s,
                std::uint64_t seed, RequestList& to) {
  const data::RequestClass& c = workload.classes[index];
  const std::string place = "/workloads/" + workload.name + "/classes/" + c.name;
  const bool oneshot = workload.kind == data::WorkloadKind::one_shot;
  const data::ArrivalProcess& arrivals = *c.arrivals;
  if (arrivals.process != "poisson") {
    throw data::InputError(scenario.name, place + "/arrivals/process", arrivals.process, "\"poisson\"");
  }
  if (!oneshot && (!c.input_tokens || !c.output_tokens)) {
    throw data::InputError(scenario.name, place, c.input_tokens ? "no output_tokens" : "no input_tokens",
                           "a class with arrivals states how many tokens its requests read and write");
  }
  // One-shot work without a length, such as an image, is one token an item.
  const data::LengthDistribution one{"fixed", 1, std::nullopt};
  LengthSource input(c.input_tokens.value_or(one), place + "/input_tokens", seed, "input_tokens/" + c.name);
  LengthSource output(c.output_tokens.value_or(one), place + "/output_tokens", seed, "output_tokens/" + c.name);
  RandomStream gaps(seed, "arrivals/" + c.name);

  if (arrivals.rate_per_s * horizon_s > kMostDrawn) {
    throw data::InputError(
        scenario.name, place + "/arrivals/rate_per_s", number_text(arrivals.rate_per_s),
        "at most " + number_text(kMostDrawn) + " requests are drawn, here over " + number_text(horizon_s) + " s");
  }
  const std::size_t before = to.requests.size();
  const Time end = Time::from_seconds(horizon_s);
  const auto gap = [&] { return Time::from_seconds(std::min(gaps.exponential(1 / arrivals.rate_per_s), kLongGap_s)); };
  for (Time at = gap(); at < end; at += gap()) {
    SimRequest request;
    request.arrival = at;
    request.input_tokens = input.draw();
    request.output_tokens = oneshot ? 0 : output.draw();
    request.class_index = static_cast<std::int16_t>(index);
    to.requests.push_back(request);
  }
  to.notes.push_back("class " + c.name + ": " + std::to_string(to.requests.size() - before) + " Poisson arrivals at " +
                     number_text(arrivals.rate_per_s) + "/s drawn over " + number_text(horizon_s) + " s (seed " +
                     std::to_string(seed) + ")");
}

}  // namespace weir::sim

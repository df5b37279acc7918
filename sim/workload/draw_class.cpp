#include "sim/workload/draw_class.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "data/errors.h"
#include "sim/workload/daily_shape.h"
#include "sim/workload/limits.h"
#include "sim/workload/number_text.h"

namespace weir::sim {
namespace {

constexpr double kMostDrawn = 5e7;

}  // namespace

double drawn_horizon_s(double rate_per_s) {
  constexpr double kHour = 3600, kFewest = 20'000, kMost = 200'000;
  return std::min(std::clamp(kHour, kFewest / rate_per_s, kMost / rate_per_s), kLongestDemand.seconds());
}

double drawn_horizon_s(const data::Workload& workload) {
  double rate_per_s = 0;
  bool daily = false;
  for (const data::RequestClass& c : workload.classes) {
    if (!c.arrivals) continue;
    rate_per_s += c.arrivals->rate_per_s;
    daily = daily || !c.arrivals->daily_shape.empty();
  }
  const double horizon_s = drawn_horizon_s(rate_per_s);
  if (!daily) return horizon_s;
  const double most_days = std::floor(kLongestDemand.seconds() / DailyShape::kDay_s);
  return std::min(std::ceil(horizon_s / DailyShape::kDay_s), most_days) * DailyShape::kDay_s;
}

std::vector<std::string> arrival_notes(const DrawnClass& drawn, double horizon_s, std::uint64_t seed,
                                       std::optional<std::size_t> count) {
  const data::ArrivalProcess& arrivals = drawn.arrivals;
  std::string note = "class " + drawn.name + ": " + (count ? std::to_string(*count) + " " : "");
  if (arrivals.process == "gamma") {
    note += "arrivals with gamma-distributed gaps of CV " + number_text(arrivals.cv);
  } else {
    note += "Poisson arrivals";
  }
  note += " at " + number_text(arrivals.rate_per_s) + "/s drawn over " + number_text(horizon_s) + " s (seed " +
          std::to_string(seed) + ")";
  std::vector<std::string> notes{note};
  if (arrivals.daily_shape.empty()) return notes;
  const auto& shape = arrivals.daily_shape;
  double sum = 0;
  for (const double rate : shape) sum += rate;
  const double peak = *std::max_element(shape.begin(), shape.end()) * static_cast<double>(shape.size()) / sum;
  notes.push_back("class " + drawn.name + ": the rate follows a daily shape of " + std::to_string(shape.size()) +
                  " parts from the begin of the simulated time, " + number_text(peak) + " times the mean at its peak");
  if (const double days = horizon_s / DailyShape::kDay_s; days != std::floor(days)) {
    notes.push_back("class " + drawn.name + ": the demand lasts " + number_text(days) +
                    " days, not whole ones, so its mean rate is not that of a day");
  }
  return notes;
}

void refuse_empty_demand(const data::Scenario& scenario, const data::Workload& workload) {
  throw data::InputError(scenario.name, "/workloads/" + workload.name, "no requests",
                         "expected a trace with rows in its window, or arrivals with a rate");
}

void draw_class(const data::Scenario& scenario, const data::Workload& workload, std::size_t index, double horizon_s,
                std::uint64_t seed, RequestList& to) {
  const DrawnClass drawn = drawn_class(scenario, workload, index);
  const double rate_per_s = drawn.arrivals.rate_per_s;
  if (rate_per_s * horizon_s > kMostDrawn) {
    throw data::InputError(
        scenario.name, drawn.place + "/arrivals/rate_per_s", number_text(rate_per_s),
        "at most " + number_text(kMostDrawn) + " requests are drawn, here over " + number_text(horizon_s) + " s");
  }
  ClassDraw draw(drawn, static_cast<std::int16_t>(index), seed);
  const std::size_t before = to.requests.size();
  const Time end = Time::from_seconds(horizon_s);
  for (Time at = draw.next_arrival(); at < end; at = draw.next_arrival()) draw.append(at, to.requests);
  for (std::string& note : arrival_notes(drawn, horizon_s, seed, to.requests.size() - before)) {
    to.notes.push_back(std::move(note));
  }
}

}  // namespace weir::sim

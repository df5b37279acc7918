// What was drawn, in words.
#include <algorithm>
#include <cmath>
#include <string>

#include "sim/workload/client_windows.h"
#include "sim/workload/draw_class.h"
#include "sim/workload/number_text.h"

namespace weir::sim {
namespace {

std::string kind_of(const data::ArrivalProcess& a) {
  if (a.process == "gamma") return "arrivals with gamma-distributed gaps of CV " + number_text(a.cv);
  if (a.process == "weibull") {
    return "arrivals with Weibull-distributed gaps of CV " +
           number_text(a.weibull_shape ? weibull_cv(*a.weibull_shape) : a.cv);
  }
  if (a.process == "periodic") return "arrivals with equal gaps";
  if (a.process == "mmpp") return "arrivals of an MMPP of " + std::to_string(a.states.size()) + " states";
  if (a.process == "rate-series") {
    const std::string steps =
        std::to_string(a.series->rates_per_s.size()) + " steps of " + number_text(a.series->step_s) + " s";
    return a.cv == 1 ? "Poisson arrivals that follow a rate series of " + steps
                     : "arrivals with gamma-distributed gaps of CV " + number_text(a.cv) +
                           " that follow a rate series of " + steps;
  }
  return "Poisson arrivals";
}

std::string think_of(const data::DurationDistribution& d) {
  return d.distribution + " think time of mean " + number_text(d.mean_s) + " s";
}

std::string main_note(const DrawnClass& drawn, double horizon_s, std::uint64_t seed, std::optional<std::size_t> count) {
  const data::ArrivalProcess& a = drawn.arrivals;
  const std::string of_class = "class " + drawn.name + ": ", how_many = count ? std::to_string(*count) + " " : "";
  const std::string drawn_over = " drawn over " + number_text(horizon_s) + " s (seed " + std::to_string(seed) + ")";
  if (a.closed_loop) {
    return of_class + "a closed loop of " + std::to_string(a.closed_loop->clients) + " clients with " +
           think_of(a.closed_loop->think) + ", at most " + std::to_string(a.closed_loop->requests_per_client) +
           " requests each," + drawn_over;
  }
  if (drawn.windows) {
    return of_class + how_many + "arrivals of " + std::to_string(drawn.windows->clients.size()) +
           " clients with rates and CV by window at " + number_text(drawn.windows->mean_rate_per_s()) +
           "/s on average" + drawn_over;
  }
  return of_class + how_many + kind_of(a) + " at " + number_text(mean_rate_per_s(a)) + "/s" + drawn_over;
}

void add_shape_notes(const DrawnClass& drawn, double horizon_s, std::vector<std::string>& notes) {
  const RateShape shape = RateShape::of(drawn.arrivals);
  const std::string of_class = "class " + drawn.name + ": ";
  if (!shape.even()) {
    const bool weekly = !drawn.arrivals.weekly_shape.empty();
    notes.push_back(of_class + "the rate follows a " + (weekly ? "weekly" : "daily") + " shape of " +
                    std::to_string(shape.parts()) + " parts from the begin of the simulated time, " +
                    number_text(shape.peak()) + " times the mean at its peak");
    const double periods = horizon_s / shape.period_s();
    if (periods != std::floor(periods)) {
      notes.push_back(of_class + "the demand lasts " + number_text(periods) +
                      (weekly ? " weeks, not whole ones, so its mean rate is not that of a week"
                              : " days, not whole ones, so its mean rate is not that of a day"));
    }
  }
  if (drawn.arrivals.growth_per_year != 0) {
    notes.push_back(of_class + "the rate grows by " + number_text(100 * drawn.arrivals.growth_per_year) +
                    "% a year from the begin of the simulated time");
  }
}

void add_client_notes(const DrawnClass& drawn, std::vector<std::string>& notes) {
  const std::string of_class = "class " + drawn.name + ": ";
  if (drawn.clients) {
    notes.push_back(of_class + "the arrivals are those of " + std::to_string(drawn.clients->count) +
                    " clients, with rates that are " +
                    (drawn.clients->rates == "zipf" ? "Zipf of exponent " + number_text(drawn.clients->exponent)
                     : drawn.clients->rates == "lognormal"
                         ? "lognormal with a p99 of " + number_text(drawn.clients->p99_over_mean) + " times the mean"
                         : std::string("equal")));
  }
  if (drawn.sessions) {
    notes.push_back(of_class + "each arrival begins a conversation of " +
                    number_text(LengthLaw(drawn.sessions->turns, drawn.place).mean()) +
                    " turns on average; a turn reads all before it, and comes after the answer and a " +
                    think_of(drawn.sessions->think));
  }
  if (drawn.cancel) notes.push_back(cancel_note(drawn.name, *drawn.cancel));
  if (drawn.pairs) {
    notes.push_back(of_class + "input and output tokens are drawn together from the " +
                    std::to_string(drawn.pairs->size()) + " rows of a trace");
  }
}

}  // namespace

std::string cancel_note(const std::string& class_name, const data::Cancellation& cancel) {
  return "class " + class_name + ": clients of " + number_text(100 * cancel.share) +
         "% of the requests hang up, a time of mean " + number_text(cancel.after.mean_s) + " s after they asked";
}

std::vector<std::string> arrival_notes(const DrawnClass& drawn, double horizon_s, std::uint64_t seed,
                                       std::optional<std::size_t> count) {
  std::vector<std::string> notes{main_note(drawn, horizon_s, seed, count)};
  add_shape_notes(drawn, horizon_s, notes);
  add_client_notes(drawn, notes);
  return notes;
}

}  // namespace weir::sim

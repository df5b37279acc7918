#include "sim/workload/drawn_class.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "data/errors.h"
#include "data/rate_series_file.h"
#include "sim/workload/class_lengths.h"
#include "sim/workload/client_windows.h"
#include "sim/workload/limits.h"
#include "sim/workload/number_text.h"
#include "sim/workload/trace_source.h"

namespace weir::sim {
namespace {

/// A trace by name alone, for its token counts.
data::Trace trace_of(const data::Scenario& scenario, const std::string& file, const data::Progress& progress) {
  data::TraceReference reference;
  reference.file = file;
  return find_trace(scenario, reference, progress);
}

/// The column of a trace as a table.
void resolve(data::LengthDistribution& lengths, const data::Scenario& scenario, const std::string& place, bool oneshot,
             const data::Progress& progress) {
  if (lengths.file.empty()) return;
  const data::Trace trace = trace_of(scenario, lengths.file, progress);
  std::map<std::int32_t, double> counts;
  for (const data::Request& row : trace.requests) {
    const std::int32_t tokens = lengths.column == "input_tokens" ? row.input_tokens : row.output_tokens;
    if (data::Trace::is_demand(row, oneshot) && tokens >= 1) counts[tokens] += 1;
  }
  if (counts.empty()) {
    throw data::InputError(scenario.name, place + "/file", lengths.file, "expected a trace with token counts");
  }
  for (const auto& [tokens, count] : counts) {
    lengths.values.push_back(tokens);
    lengths.weights.push_back(count);
  }
}

std::shared_ptr<const std::vector<LengthPair>> pairs_of(const data::Scenario& scenario, const std::string& file,
                                                        const std::string& place, const data::Progress& progress) {
  auto pairs = std::make_shared<std::vector<LengthPair>>();
  for (const data::Request& row : trace_of(scenario, file, progress).requests) {
    if (data::Trace::is_demand(row, false)) pairs->push_back({row.input_tokens, row.output_tokens});
  }
  if (pairs->empty()) {
    throw data::InputError(scenario.name, place + "/token_pairs", file, "expected a trace with token counts");
  }
  return pairs;
}

void resolve_arrivals(DrawnClass& drawn, const data::Scenario& scenario) {
  data::ArrivalProcess& arrivals = drawn.arrivals;
  if (arrivals.series && !arrivals.series->file.empty()) {
    data::RateSeries series = data::read_rate_series(scenario.folder / arrivals.series->file);
    series.file = arrivals.series->file;
    series.rate_scale = arrivals.series->rate_scale;
    arrivals.series = std::move(series);
  }
  if (arrivals.client_windows) {
    drawn.windows = std::make_shared<const ClientWindowTable>(
        read_client_windows(scenario, *arrivals.client_windows, !drawn.input_tokens && !drawn.pairs));
  }
}

double mean_turns(const DrawnClass& drawn) {
  return drawn.sessions ? std::max(1.0, LengthLaw(drawn.sessions->turns, drawn.place + "/sessions/turns").mean()) : 1;
}

double period_s(const data::ArrivalProcess& arrivals) {
  if (!arrivals.weekly_shape.empty()) return RateShape::kWeek_s;
  return arrivals.daily_shape.empty() ? 0 : RateShape::kDay_s;
}

/// What the class itself says about how long it lasts; 0 = nothing.
double own_length_s(const DrawnClass& drawn) {
  if (drawn.windows) return drawn.windows->length.seconds();
  if (!drawn.arrivals.series) return 0;
  return drawn.arrivals.series->step_s * static_cast<double>(drawn.arrivals.series->rates_per_s.size());
}

/// By how much the mean rate over [0, horizon) is above that at time 0.
double grown(double per_year, double horizon_s) {
  constexpr double kYear_s = 365.25 * 86'400;
  const double k = math::log(1 + per_year) * horizon_s / kYear_s;
  return std::abs(k) < 1e-9 ? 1 : (math::exp(k) - 1) / k;
}

}  // namespace

DrawnClass drawn_class(const data::Scenario& scenario, const data::Workload& workload, std::size_t index,
                       const data::Progress& progress) {
  const data::RequestClass& c = workload.classes.at(index);
  DrawnClass drawn{.name = c.name,
                   .arrivals = c.arrivals.value(),
                   .input_tokens = c.input_tokens,
                   .output_tokens = c.output_tokens,
                   .oneshot = workload.kind == data::WorkloadKind::one_shot,
                   .scenario = scenario.name,
                   .place = "/workloads/" + workload.name + "/classes/" + c.name,
                   .sessions = c.sessions,
                   .clients = c.clients,
                   .cancel = c.cancel};
  const bool in_files = drawn.arrivals.client_windows && !c.input_tokens && !c.output_tokens;
  if (!c.token_pairs.empty()) {
    drawn.pairs = pairs_of(scenario, c.token_pairs, drawn.place, progress);
  } else if (!drawn.oneshot && !in_files && (!c.input_tokens || !c.output_tokens)) {
    throw data::InputError(scenario.name, drawn.place, c.input_tokens ? "no output_tokens" : "no input_tokens",
                           "a class with arrivals states how many tokens its requests read and write");
  }
  if (drawn.input_tokens) {
    resolve(*drawn.input_tokens, scenario, drawn.place + "/input_tokens", drawn.oneshot, progress);
  }
  if (drawn.output_tokens) {
    resolve(*drawn.output_tokens, scenario, drawn.place + "/output_tokens", drawn.oneshot, progress);
  }
  if (drawn.sessions) {
    resolve(drawn.sessions->turns, scenario, drawn.place + "/sessions/turns", drawn.oneshot, progress);
  }
  resolve_arrivals(drawn, scenario);
  return drawn;
}

std::optional<double> expected_rate_per_s(const DrawnClass& drawn) {
  if (drawn.arrivals.closed_loop) return {};
  return (drawn.windows ? drawn.windows->mean_rate_per_s() : mean_rate_per_s(drawn.arrivals)) * mean_turns(drawn);
}

double drawn_horizon_s(const std::vector<DrawnClass>& classes, std::optional<double> duration_s) {
  constexpr double kHour = 3600, kFewest = 20'000, kMost = 200'000;
  if (duration_s) return *duration_s;
  double rate_per_s = 0, own_s = 0, period = 0, conversation_s = 0;
  for (const DrawnClass& c : classes) {
    rate_per_s += expected_rate_per_s(c).value_or(0);
    own_s = std::max(own_s, own_length_s(c));
    period = std::max(period, period_s(c.arrivals));
    if (c.sessions) conversation_s = std::max(conversation_s, (mean_turns(c) - 1) * c.sessions->think.mean_s);
  }
  if (own_s > 0) return own_s;
  double horizon_s = kHour;
  if (rate_per_s > 0) horizon_s = std::clamp(kHour, kFewest / rate_per_s, kMost / rate_per_s);
  horizon_s = std::min(std::max(horizon_s, 10 * conversation_s), kLongestDemand.seconds());
  if (period <= 0) return horizon_s;
  return std::min(std::ceil(horizon_s / period), std::floor(kLongestDemand.seconds() / period)) * period;
}

void check_count(const std::vector<DrawnClass>& classes, double horizon_s, double most) {
  constexpr double kMostConversations = 1e7;
  double all = 0;
  for (const DrawnClass& c : classes) {
    const double rate_per_s = expected_rate_per_s(c).value_or(0);
    const double requests = rate_per_s * grown(c.arrivals.growth_per_year, horizon_s) * horizon_s;
    all += requests;
    if (!(all <= most)) {
      throw data::InputError(
          c.scenario, c.place + "/arrivals/rate_per_s", number_text(rate_per_s),
          "at most " + number_text(most) + " requests are drawn, here over " + number_text(horizon_s) + " s");
    }
    const bool loop = c.arrivals.closed_loop.has_value();
    const double conversations =
        loop ? static_cast<double>(c.arrivals.closed_loop->clients) * c.arrivals.closed_loop->requests_per_client
             : requests / mean_turns(c);
    if (c.sessions && conversations > kMostConversations) {
      throw data::InputError(c.scenario, c.place + "/sessions", number_text(conversations),
                             "at most " + number_text(kMostConversations) + " conversations are drawn, here over " +
                                 number_text(horizon_s) + " s");
    }
  }
}

}  // namespace weir::sim

#include "data/trace.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace weir::data {
namespace {

constexpr std::int64_t kSecondNs = 1'000'000'000;
constexpr std::int64_t kMinuteNs = 60 * kSecondNs;

/// Percentile p in [0, 100] of sorted, non-empty values: linear between order statistics at (n-1)p/100.
double interpolated(const std::vector<double>& sorted, double p) {
  const double at = static_cast<double>(sorted.size() - 1) * p / 100.0;
  const auto low = static_cast<std::size_t>(at);
  const std::size_t high = std::min(low + 1, sorted.size() - 1);
  return sorted[low] + (sorted[high] - sorted[low]) * (at - static_cast<double>(low));
}

/// Arrivals of the rows that count as demand, in order.
std::vector<std::int64_t> demand_arrivals(const Trace& trace) {
  const bool encoder = trace.is_encoder_traffic();
  std::vector<std::int64_t> arrivals;
  arrivals.reserve(trace.requests.size());
  for (const Request& request : trace.requests) {
    if (Trace::is_demand(request, encoder)) arrivals.push_back(request.arrival_ns);
  }
  return arrivals;
}

template <typename Member>
ColumnStatistics demand_statistics(const Trace& trace, Member member) {
  const bool encoder = trace.is_encoder_traffic();
  std::vector<double> values;
  values.reserve(trace.requests.size());
  for (const Request& request : trace.requests) {
    if (Trace::is_demand(request, encoder)) values.push_back(static_cast<double>(request.*member));
  }
  return column_statistics(std::move(values));
}

/// Calls visit(count) for each non-empty bin. Bins are runs of equal quotients in the sorted arrivals, so an absurd
/// span costs no memory.
template <typename Visit>
void for_each_bin(const std::vector<std::int64_t>& arrivals, std::int64_t width_ns, Visit visit) {
  std::int64_t bin = 0, count = 0;
  for (const std::int64_t arrival : arrivals) {
    const std::int64_t at = (arrival - arrivals.front()) / width_ns;
    if (at != bin && count > 0) {
      visit(count);
      count = 0;
    }
    bin = at;
    ++count;
  }
  if (count > 0) visit(count);
}

/// Population variance over mean of the counts in floor(span) + 1 bins of one second. One bin has no variance to speak
/// of.
std::optional<double> dispersion_1s(const std::vector<std::int64_t>& arrivals) {
  const std::int64_t bins = (arrivals.back() - arrivals.front()) / kSecondNs + 1;
  if (bins < 2) return std::nullopt;
  double squares = 0;
  for_each_bin(arrivals, kSecondNs,
               [&](std::int64_t count) { squares += static_cast<double>(count) * static_cast<double>(count); });
  const double mean = static_cast<double>(arrivals.size()) / static_cast<double>(bins);
  return (squares / static_cast<double>(bins) - mean * mean) / mean;
}

/// Standard deviation (population, as for the dispersion) over mean of the gaps.
std::optional<double> gap_cv(const std::vector<std::int64_t>& arrivals) {
  if (arrivals.size() < 3 || arrivals.back() == arrivals.front()) return std::nullopt;
  const auto gaps = static_cast<double>(arrivals.size() - 1);
  const double mean = static_cast<double>(arrivals.back() - arrivals.front()) / gaps;
  double squares = 0;
  for (std::size_t i = 1; i < arrivals.size(); ++i) {
    const double off = static_cast<double>(arrivals[i] - arrivals[i - 1]) - mean;
    squares += off * off;
  }
  return std::sqrt(squares / gaps) / mean;
}

/// Median (the lower of two) of the gaps between different arrivals.
std::optional<double> step_s(const std::vector<std::int64_t>& arrivals) {
  std::vector<std::int64_t> steps;
  for (std::size_t i = 1; i < arrivals.size(); ++i) {
    if (arrivals[i] != arrivals[i - 1]) steps.push_back(arrivals[i] - arrivals[i - 1]);
  }
  if (steps.empty()) return std::nullopt;
  const auto middle = steps.begin() + static_cast<std::ptrdiff_t>((steps.size() - 1) / 2);
  std::nth_element(steps.begin(), middle, steps.end());
  return static_cast<double>(*middle) / static_cast<double>(kSecondNs);
}

/// Number of different values; sorts them.
template <typename T>
std::int64_t distinct(std::vector<T>& values) {
  std::sort(values.begin(), values.end());
  return std::unique(values.begin(), values.end()) - values.begin();
}

/// The largest step of which every arrival is a multiple.
std::optional<double> grid_s(const std::vector<std::int64_t>& arrivals) {
  std::int64_t step = 0;
  for (const std::int64_t arrival : arrivals) {
    step = std::gcd(step, arrival - arrivals.front());
    if (step == 1) break;
  }
  if (step == 0) return std::nullopt;
  return static_cast<double>(step) / static_cast<double>(kSecondNs);
}

}  // namespace

ColumnStatistics column_statistics(std::vector<double> values) {
  ColumnStatistics out;
  if (values.empty()) return out;
  std::sort(values.begin(), values.end());
  out.n = static_cast<std::int64_t>(values.size());
  for (const double value : values) out.sum += value;  // token counts: exact up to 2^53
  out.mean = out.sum / static_cast<double>(out.n);
  out.p50 = interpolated(values, 50);
  out.p90 = interpolated(values, 90);
  out.p95 = interpolated(values, 95);
  out.p99 = interpolated(values, 99);
  out.max = values.back();
  return out;
}

bool Trace::is_demand(const Request& request, bool encoder) {
  // A request that the model's context cannot hold would be refused by any server; it is shown, not served.
  if (request.status == RequestStatus::over_context) return false;
  return request.input_tokens > 0 && (encoder || request.output_tokens > 0);
}

bool Trace::is_encoder_traffic() const {
  return !requests.empty() &&
         std::all_of(requests.begin(), requests.end(), [](const Request& r) { return r.output_tokens == 0; });
}

std::int64_t Trace::demand_count() const {
  const bool encoder = is_encoder_traffic();
  return std::count_if(requests.begin(), requests.end(), [&](const Request& r) { return is_demand(r, encoder); });
}

double Trace::span_s() const {
  const std::vector<std::int64_t> arrivals = demand_arrivals(*this);
  if (arrivals.empty()) return 0;
  return static_cast<double>(arrivals.back() - arrivals.front()) / static_cast<double>(kSecondNs);
}

ColumnStatistics Trace::input_statistics() const { return demand_statistics(*this, &Request::input_tokens); }

ColumnStatistics Trace::output_statistics() const { return demand_statistics(*this, &Request::output_tokens); }

ArrivalStatistics Trace::arrival_statistics() const {
  ArrivalStatistics out;
  const std::vector<std::int64_t> arrivals = demand_arrivals(*this);
  if (arrivals.empty()) return out;
  const std::int64_t span_ns = arrivals.back() - arrivals.front();
  if (span_ns > 0) {
    out.rate_per_s =
        static_cast<double>(arrivals.size()) * static_cast<double>(kSecondNs) / static_cast<double>(span_ns);
  }
  out.cv = gap_cv(arrivals);
  out.resolution_s = grid_s(arrivals);
  std::int64_t busiest = 0;
  for_each_bin(arrivals, kMinuteNs, [&](std::int64_t count) { busiest = std::max(busiest, count); });
  out.busiest_minute = busiest;
  out.dispersion_1s = dispersion_1s(arrivals);
  for_each_bin(arrivals, 1, [&](std::int64_t count) {
    out.most_at_once = std::max(out.most_at_once, count);
    out.ties += count - 1;
  });
  out.step_s = step_s(arrivals);
  constexpr double kManyTies = 0.05, kCoarseStep_s = 0.1;
  constexpr std::int64_t kManyAtOnce = 20;  // with no other time in the file
  const bool many = static_cast<double>(out.ties) >= kManyTies * static_cast<double>(arrivals.size());
  out.coarse_clock =
      out.ties > 0 && (out.resolution_s.value_or(0) >= 1 || (many && out.step_s.value_or(0) >= kCoarseStep_s) ||
                       (!out.step_s && out.most_at_once >= kManyAtOnce));
  return out;
}

std::optional<double> PrefixStatistics::seen_before() const {
  if (hashes == 0) return std::nullopt;
  return static_cast<double>(hashes - distinct) / static_cast<double>(hashes);
}

std::span<const std::uint64_t> Trace::hashes_of(const Request& request) const {
  if (request.prompt < 0) return {};
  const Prompt& prompt = prompts[static_cast<std::size_t>(request.prompt)];
  return std::span(hashes).subspan(static_cast<std::size_t>(prompt.first_hash),
                                   static_cast<std::size_t>(prompt.hash_count));
}

PrefixStatistics Trace::prefix_statistics() const {
  const bool encoder = is_encoder_traffic();
  std::vector<std::uint64_t> seen;
  std::vector<std::int32_t> sessions, clients;
  for (const Request& request : requests) {
    if (!is_demand(request, encoder)) continue;
    if (request.client >= 0) clients.push_back(request.client);
    if (request.prompt < 0) continue;
    const std::int32_t session = prompts[static_cast<std::size_t>(request.prompt)].session;
    if (session >= 0) sessions.push_back(session);
    const auto of_request = hashes_of(request);
    seen.insert(seen.end(), of_request.begin(), of_request.end());
  }
  PrefixStatistics out;
  out.hashes = static_cast<std::int64_t>(seen.size());
  out.distinct = weir::data::distinct(seen);
  out.sessions = weir::data::distinct(sessions);
  out.clients = weir::data::distinct(clients);
  return out;
}

}  // namespace weir::data

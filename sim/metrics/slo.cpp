#include "sim/metrics/slo.h"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace weir::sim {
namespace {

double percentile_value(const Distribution& d, std::string_view name) {
  if (name == "p50") return d.p50;
  if (name == "p90") return d.p90;
  if (name == "p95") return d.p95;
  if (name == "p99") return d.p99;
  if (name == "p999") return d.p999;
  throw std::logic_error("unknown percentile " + std::string(name));
}

void judge_metric(SloResult& result, std::string_view class_name, const char* metric, const Distribution& values,
                  const data::PercentileLimits& limits, bool nobody_could_miss) {
  for (const auto& [percentile, limit_s] : limits) {
    SloTarget target{std::string(class_name), metric, percentile, limit_s, std::nullopt, nobody_could_miss};
    if (values.n > 0) {
      target.value_s = percentile_value(values, percentile);
      target.met = *target.value_s <= limit_s;
    }
    if (!target.met) result.met = false;
    result.targets.push_back(std::move(target));
  }
}

}  // namespace

Latencies latencies_of(const SimRequest& request, const RequestRecord& record) {
  Latencies l;
  l.ttft_s = (record.first - request.arrival).seconds();
  l.e2e_s = (record.done - request.arrival).seconds();
  l.queue_s = (record.admitted - request.arrival).seconds();
  if (request.output_tokens > 1) l.tpot_s = (record.done - record.first).seconds() / (request.output_tokens - 1);
  return l;
}

double percentile_number(std::string_view name) {
  if (name == "p50") return 50;
  if (name == "p90") return 90;
  if (name == "p95") return 95;
  if (name == "p99") return 99;
  if (name == "p999") return 99.9;
  throw std::logic_error("unknown percentile " + std::string(name));
}

std::optional<double> request_limit(const data::PercentileLimits& limits) {
  std::optional<double> limit_s;
  double highest = 0;
  for (const auto& [percentile, value_s] : limits) {
    if (percentile_number(percentile) < highest) continue;
    highest = percentile_number(percentile);
    limit_s = value_s;
  }
  return limit_s;
}

RequestLimits::RequestLimits(const data::Slo& slo)
    : ttft_s(request_limit(slo.ttft_s)), tpot_s(request_limit(slo.tpot_s)), e2e_s(request_limit(slo.e2e_s)) {}

bool RequestLimits::kept_by(const Latencies& l) const {
  if (ttft_s && l.ttft_s > *ttft_s) return false;
  if (tpot_s && l.tpot_s && *l.tpot_s > *tpot_s) return false;
  return !e2e_s || l.e2e_s <= *e2e_s;
}

SloResult judge(const data::Slo& slo, std::string_view class_name, const LatencySummary& latency,
                const RequestCounts& counts, std::int64_t kept) {
  SloResult result;
  if (slo.empty()) return result;
  result.required_attainment = slo.attainment;
  const bool none_offered = counts.offered == 0;
  judge_metric(result, class_name, "ttft", latency.ttft, slo.ttft_s, none_offered);
  judge_metric(result, class_name, "tpot", latency.tpot, slo.tpot_s, none_offered || counts.completed > 0);
  judge_metric(result, class_name, "e2e", latency.e2e, slo.e2e_s, none_offered);
  if (!none_offered) {
    result.attainment = static_cast<double>(kept) / static_cast<double>(counts.offered);
    if (*result.attainment < slo.attainment) result.met = false;
  }
  return result;
}

HopelessWatch::HopelessWatch(const std::vector<data::Slo>& slo_by_class, const RequestList& requests) {
  std::vector<std::int64_t> offered(slo_by_class.size());
  for (const SimRequest& request : requests.requests) ++offered[static_cast<std::size_t>(request.class_index)];
  for (std::size_t i = 0; i < slo_by_class.size(); ++i) {
    const data::Slo& slo = slo_by_class[i];
    Class& c = classes_.emplace_back(slo);
    c.empty = slo.empty();
    // The largest count of misses m with (offered - m) / offered >= attainment, by the test `judge` applies.
    const auto n = static_cast<double>(offered[i]);
    c.may_miss = std::max<std::int64_t>(0, static_cast<std::int64_t>((1 - slo.attainment) * n) - 1);
    while (c.may_miss < offered[i] && static_cast<double>(offered[i] - c.may_miss - 1) / n >= slo.attainment)
      ++c.may_miss;
    add_targets(c, Metric::ttft, slo.ttft_s, offered[i]);
    add_targets(c, Metric::tpot, slo.tpot_s, offered[i]);
    add_targets(c, Metric::e2e, slo.e2e_s, offered[i]);
  }
}

void HopelessWatch::add_targets(Class& to, Metric metric, const data::PercentileLimits& limits, std::int64_t offered) {
  for (const auto& [percentile, limit_s] : limits) {
    // The interpolated percentile of n values is above the limit if its lower order statistic is: when more than
    // n - 1 - floor((n-1) p) values are. That bound grows with n, so n = offered is safe whatever completes.
    const double rank = static_cast<double>(offered - 1) * percentile_number(percentile) / 100;
    const std::int64_t may_exceed = offered == 0 ? 0 : offered - 1 - static_cast<std::int64_t>(rank);
    to.targets.push_back({metric, limit_s, may_exceed});
  }
}

bool HopelessWatch::left(const SimRequest& request, const RequestRecord& record) {
  Class& c = classes_[static_cast<std::size_t>(request.class_index)];
  if (c.empty) return false;
  if (record.outcome != RequestOutcome::completed) return --c.may_miss < 0;
  const Latencies l = latencies_of(request, record);
  bool hopeless = !c.limits.kept_by(l) && --c.may_miss < 0;
  for (Target& target : c.targets) {
    const double value_s = target.metric == Metric::ttft  ? l.ttft_s
                           : target.metric == Metric::e2e ? l.e2e_s
                                                          : l.tpot_s.value_or(0);
    if (value_s > target.limit_s && --target.may_exceed < 0) hopeless = true;
  }
  return hopeless;
}

}  // namespace weir::sim

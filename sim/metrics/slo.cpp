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

Time longest_within(double limit_s) {
  if (limit_s >= Time::never().seconds()) return Time::never();
  const Time tick = Time::from_ticks(1);
  Time longest = Time::from_seconds(limit_s);
  while (longest.seconds() > limit_s) longest -= tick;
  while ((longest + tick).seconds() <= limit_s) longest += tick;
  return longest;
}

RequestLimits::RequestLimits(const data::Slo& slo) {
  const auto set = [](Time& to, const data::PercentileLimits& limits) {
    if (const auto limit_s = request_limit(limits)) to = longest_within(*limit_s);
  };
  set(ttft, slo.ttft_s);
  set(tpot, slo.tpot_s);
  set(e2e, slo.e2e_s);
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

HopelessWatch::HopelessWatch(const std::vector<data::Slo>& slo_by_class, const std::vector<std::int64_t>& offered) {
  for (std::size_t i = 0; i < slo_by_class.size(); ++i) {
    const data::Slo& slo = slo_by_class[i];
    Class& c = classes_.emplace_back(slo);
    c.empty = slo.empty();
    // The largest count of misses m with (offered - m) / offered >= attainment, by the test `judge` applies.
    const auto n = static_cast<double>(offered.at(i));
    c.may_miss = std::max<std::int64_t>(0, static_cast<std::int64_t>((1 - slo.attainment) * n) - 1);
    while (c.may_miss < offered[i] && static_cast<double>(offered[i] - c.may_miss - 1) / n >= slo.attainment)
      ++c.may_miss;
    add_targets(c, &Latencies::ttft, slo.ttft_s, offered[i]);
    add_targets(c, &Latencies::tpot, slo.tpot_s, offered[i]);
    add_targets(c, &Latencies::e2e, slo.e2e_s, offered[i]);
  }
}

void HopelessWatch::add_targets(Class& to, Time Latencies::*metric, const data::PercentileLimits& limits,
                                std::int64_t offered) {
  for (const auto& [percentile, limit_s] : limits) {
    // The interpolated percentile of n values is above the limit if its lower order statistic is: when more than
    // n - 1 - floor((n-1) p) values are. That bound grows with n, so n = offered is safe whatever completes.
    const double rank = static_cast<double>(offered - 1) * percentile_number(percentile) / 100;
    const std::int64_t may_exceed = offered == 0 ? 0 : offered - 1 - static_cast<std::int64_t>(rank);
    to.targets.push_back({metric, longest_within(limit_s), may_exceed});
  }
}

bool HopelessWatch::dropped(std::size_t request_class) {
  Class& c = classes_[request_class];
  return !c.empty && --c.may_miss < 0;
}

bool HopelessWatch::completed(std::size_t request_class, const Latencies& latencies) {
  Class& c = classes_[request_class];
  if (c.empty) return false;
  bool hopeless = !c.limits.kept_by(latencies) && --c.may_miss < 0;
  for (Target& target : c.targets) {
    if (latencies.*target.metric > target.limit && --target.may_exceed < 0) hopeless = true;
  }
  return hopeless;
}

}  // namespace weir::sim

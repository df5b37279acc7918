#include "sim/metrics/run_metrics.h"

#include <algorithm>
#include <stdexcept>

namespace weir::sim {
namespace {

/// The fleet's verdict from the classes'; `attainment` counts the requests of classes that have limits.
SloResult overall_slo(const std::vector<data::Slo>& limits, const std::vector<ClassMetrics>& measured,
                      const std::vector<ClassResult>& classes) {
  SloResult slo;
  std::int64_t offered = 0, kept = 0;
  for (std::size_t i = 0; i < classes.size(); ++i) {
    if (limits[i].empty()) continue;
    offered += classes[i].requests.offered;
    kept += measured[i].sums().kept;
    slo.required_attainment = std::max(slo.required_attainment, limits[i].attainment);
    slo.targets.insert(slo.targets.end(), classes[i].slo.targets.begin(), classes[i].slo.targets.end());
    slo.met = slo.met && classes[i].slo.met;
  }
  if (offered > 0) slo.attainment = static_cast<double>(kept) / static_cast<double>(offered);
  return slo;
}

void fill_throughput(const ClassMetrics& all, RunResult& result) {
  if (!(result.simulated_s > 0)) return;
  const auto per_s = [&](std::int64_t n) { return static_cast<double>(n) / result.simulated_s; };
  result.requests_per_s = per_s(result.requests.completed);
  result.input_tokens_per_s = per_s(all.sums().input_tokens);
  result.output_tokens_per_s = per_s(all.sums().output_tokens);
  result.output_tokens_within_slo_per_s = per_s(all.sums().output_tokens_kept);
}

RequestMeans means_of(const ClassMetrics& all) {
  const ClassSums& sums = all.sums();
  const std::int64_t n = all.counts().completed;
  if (n == 0) return {};
  const auto mean = [n](std::int64_t sum) { return static_cast<double>(sum) / static_cast<double>(n); };
  return {mean(sums.input_tokens), mean(sums.output_tokens), mean(sums.cached_tokens), mean(sums.preemptions)};
}

std::string exactness_of(const ClassMetrics& all, const std::vector<ClassMetrics>& classes) {
  if (all.exact()) return all.itl().count() > 0 ? "exact percentiles; itl: 0.5% histogram" : "exact percentiles";
  const bool some_exact = std::any_of(classes.begin(), classes.end(),
                                      [](const ClassMetrics& c) { return c.exact() && c.counts().completed > 0; });
  return some_exact ? "0.5% histograms; classes up to 100,000 requests: exact" : "0.5% histograms";
}

void fill_overall(ClassMetrics& all, bool tails, RunResult& result) {
  result.requests = all.counts();
  result.latency = all.latency();
  result.breakdown = all.breakdown();
  result.per_request = means_of(all);
  fill_throughput(all, result);
  if (tails) all.fill_tails(result);
}

}  // namespace

RunMetrics::RunMetrics(const MetricsSpec& spec) : spec_(spec), last_departure_(spec.begin) {
  if (spec.slo.size() != spec.class_names.size()) throw std::logic_error("RunMetrics: one set of limits a class");
  for (const data::Slo& slo : spec.slo) classes_.emplace_back(spec.kind, slo, spec.exact_limit);
  if (spec.series_step > Time()) series_.emplace(spec.begin, spec.series_step);
  if (spec.stop_when_hopeless && !spec.offered.empty()) watch_.emplace(spec.slo, spec.offered);
}

void RunMetrics::watch(const ServedRequest& served, Time done) {
  const auto c = static_cast<std::size_t>(served.request.class_index);
  if (watch_->completed(c, latencies_of(served, done))) hopeless_ = true;
}

void RunMetrics::dropped(const QueuedRequest& request, Time done, RequestOutcome outcome) {
  const auto c = static_cast<std::size_t>(request.class_index);
  classes_[c].dropped(request, done, outcome);
  left(done);
  if (watch_ && watch_->dropped(c)) hopeless_ = true;
}

void RunMetrics::settle() {
  for (ClassMetrics& c : classes_) c.settle();
}

void RunMetrics::merge(const RunMetrics& other) {
  for (std::size_t i = 0; i < classes_.size(); ++i) classes_[i].merge(other.classes_.at(i));
  if (series_ && other.series_) series_->merge(*other.series_);
  departed_ += other.departed_;
  last_departure_ = std::max(last_departure_, other.last_departure_);
  hopeless_ = hopeless_ || other.hopeless_;
}

bool RunMetrics::operator==(const RunMetrics& other) const {
  return classes_ == other.classes_ && series_ == other.series_ && departed_ == other.departed_ &&
         last_departure_ == other.last_departure_ && hopeless_ == other.hopeless_;
}

void RunMetrics::fill(RunResult& result, int replicas, bool tails) {
  settle();
  result.simulated_s = (last_departure_ - spec_.begin).seconds();
  for (std::size_t i = 0; i < classes_.size(); ++i) {
    ClassResult& r = result.classes.emplace_back();
    r.name = spec_.class_names[i];
    r.requests = classes_[i].counts();
    r.latency = classes_[i].latency();
    r.slo = judge(spec_.slo[i], r.name, r.latency, r.requests, classes_[i].sums().kept);
  }
  result.slo = overall_slo(spec_.slo, classes_, result.classes);
  if (classes_.size() == 1) {
    fill_overall(classes_.front(), tails, result);
    result.exactness = exactness_of(classes_.front(), classes_);
  } else {
    ClassMetrics all(spec_.kind, data::Slo(), spec_.exact_limit);
    for (const ClassMetrics& one : classes_) all.merge(one);
    fill_overall(all, tails, result);
    result.exactness = exactness_of(all, classes_);
  }
  if (series_) result.series = series_->points(last_departure_, replicas);
}

}  // namespace weir::sim

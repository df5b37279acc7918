#include "sim/plan/ranking.h"

#include <algorithm>
#include <tuple>

namespace weir::sim {
namespace {

int group(const PlanOption& o) {
  if (!o.feasible) return 2;
  return o.cost ? 0 : 1;
}

/// Names the deployment: everything but the tenure.
auto deployment(const PlanOption& o) {
  return std::tie(o.hardware, o.precision, o.tensor_parallel, o.pipeline_parallel, o.expert_parallel, o.engine);
}

bool before(const PlanOption& a, const PlanOption& b) {
  if (group(a) != group(b)) return group(a) < group(b);
  if (a.feasible) {
    const auto total = [](const PlanOption& o) { return o.cost ? o.cost->total : Money(); };
    const auto size = [](const PlanOption& o) { return o.accelerators.value_or(0); };
    if (total(a) != total(b)) return total(a) < total(b);
    if (size(a) != size(b)) return size(a) < size(b);
  }
  if (deployment(a) != deployment(b)) return deployment(a) < deployment(b);
  return a.tenure > b.tenure;  // owned before cloud
}

}  // namespace

void rank(std::vector<PlanOption>& options) {
  std::stable_sort(options.begin(), options.end(), before);
  for (std::size_t i = 0; i < options.size(); ++i) options[i].rank = static_cast<int>(i) + 1;
}

std::optional<double> judged_latency_s(const PlanOption& option) {
  if (!option.run) return std::nullopt;
  const LatencySummary& latency = option.run->latency;
  if (latency.ttft.n > 0) return latency.ttft.p99;
  if (latency.e2e.n > 0) return latency.e2e.p99;
  return std::nullopt;
}

std::vector<std::size_t> pareto_front(const std::vector<PlanOption>& options) {
  struct Point {
    std::size_t index;
    Money cost;
    double latency_s;
  };
  std::vector<Point> points;
  for (std::size_t i = 0; i < options.size(); ++i) {
    const auto latency_s = judged_latency_s(options[i]);
    if (options[i].feasible && options[i].cost && latency_s) points.push_back({i, options[i].cost->total, *latency_s});
  }
  std::vector<std::size_t> front;
  for (const Point& p : points) {
    const bool dominated = std::ranges::any_of(points, [&](const Point& q) {
      return q.cost <= p.cost && q.latency_s <= p.latency_s && (q.cost < p.cost || q.latency_s < p.latency_s);
    });
    if (!dominated) front.push_back(p.index);
  }
  return front;
}

void fill_break_even(std::vector<PlanOption>& options) {
  for (PlanOption& owned : options) {
    if (owned.tenure != "owned" || !owned.cost) continue;
    for (const PlanOption& cloud : options) {
      if (cloud.tenure == "cloud" && cloud.cost && deployment(cloud) == deployment(owned)) {
        owned.break_even_month = break_even_month(*owned.cost, *cloud.cost);
      }
    }
  }
}

}  // namespace weir::sim

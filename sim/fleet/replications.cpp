#include "sim/fleet/replications.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "sim/core/workers.h"
#include "sim/metrics/student.h"

namespace weir::sim {
namespace {

struct Named {
  std::string name;
  std::optional<double> value;
};

void add_distribution(std::vector<Named>& to, const std::string& name, const Distribution& d) {
  const auto add = [&](const char* what, double value) {
    to.push_back({"latency_s." + name + "." + what, d.n > 0 ? std::optional(value) : std::nullopt});
  };
  add("mean", d.mean);
  add("p50", d.p50);
  add("p90", d.p90);
  add("p95", d.p95);
  add("p99", d.p99);
  add("p999", d.p999);
}

/// Always the same names in the same order.
std::vector<Named> main_numbers(const RunResult& run) {
  std::vector<Named> numbers;
  add_distribution(numbers, "ttft", run.latency.ttft);
  add_distribution(numbers, "tpot", run.latency.tpot);
  add_distribution(numbers, "itl", run.latency.itl);
  add_distribution(numbers, "e2e", run.latency.e2e);
  add_distribution(numbers, "queue", run.latency.queue);
  numbers.push_back({"throughput.requests_per_s", run.requests_per_s});
  numbers.push_back({"throughput.output_tokens_per_s", run.output_tokens_per_s});
  numbers.push_back({"throughput.output_tokens_within_slo_per_s", run.output_tokens_within_slo_per_s});
  numbers.push_back({"slo.attainment", run.slo.attainment});
  numbers.push_back({"utilisation.gpu_busy", run.gpu_busy});
  numbers.push_back({"utilisation.mfu", run.mfu});
  numbers.push_back({"utilisation.mbu", run.mbu});
  numbers.push_back({"utilisation.kv_occupancy", run.kv_occupancy});
  numbers.push_back({"utilisation.batch_size_mean", run.batch_size_mean});
  numbers.push_back({"utilisation.prefix_hit_rate", run.prefix_cache_hit_rate});
  numbers.push_back({"preemption.preemptions", static_cast<double>(run.preemptions)});
  numbers.push_back({"energy.joules_per_output_token", run.joules_per_output_token});
  return numbers;
}

ReplicatedValue over_runs(const std::vector<std::vector<Named>>& runs, std::size_t number) {
  ReplicatedValue v;
  v.name = runs.front()[number].name;
  std::vector<double> values;
  for (const std::vector<Named>& run : runs) {
    if (run[number].value) values.push_back(*run[number].value);
  }
  if (values.empty()) return v;
  v.n = static_cast<int>(values.size());
  v.min = *std::min_element(values.begin(), values.end());
  v.max = *std::max_element(values.begin(), values.end());
  double sum = 0, squares = 0;
  for (const double value : values) sum += value;
  v.mean = v.min == v.max ? v.min : sum / v.n;  // equal values are exactly sure
  for (const double value : values) squares += (value - v.mean) * (value - v.mean);
  if (v.n > 1) v.half_width_99 = student_99(v.n - 1) * std::sqrt(squares / (v.n - 1) / v.n);
  return v;
}

}  // namespace

ReplicatedRun replicate(std::uint64_t first_seed, int count, int threads, const data::Progress& progress,
                        const std::function<RunResult(std::uint64_t seed, const data::Progress&)>& run) {
  if (count < 1) throw std::logic_error("replicate: at least one run");
  const auto runs = static_cast<std::size_t>(count);
  ReplicatedRun result;
  std::vector<std::vector<Named>> numbers(runs);
  std::vector<char> met(runs);  // not bool: several threads write
  const auto one_run = [&](std::size_t i, const data::Progress& inner) {
    RunResult one = run(first_seed + i, inner);
    numbers[i] = main_numbers(one);
    met[i] = one.slo.met ? 1 : 0;
    if (i == 0) result.first = std::move(one);
  };
  if (runs == 1) {
    one_run(0, progress);  // tells how far it is
  } else {
    for_each_index(runs, threads, progress, "simulating", one_run);
  }
  Replications& all = result.replications;
  for (std::size_t i = 0; i < runs; ++i) all.seeds.push_back(first_seed + i);
  all.targets_met = static_cast<int>(std::count(met.begin(), met.end(), 1));
  for (std::size_t i = 0; i < numbers.front().size(); ++i) {
    ReplicatedValue value = over_runs(numbers, i);
    if (value.n > 0) all.values.push_back(std::move(value));
  }
  return result;
}

}  // namespace weir::sim

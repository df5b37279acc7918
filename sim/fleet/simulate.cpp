#include "sim/fleet/simulate.h"

#include <algorithm>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "data/errors.h"
#include "sim/core/random.h"
#include "sim/fleet/fleet.h"
#include "sim/metrics/conservation.h"
#include "sim/metrics/energy.h"
#include "sim/serving/affine_scheduler.h"
#include "sim/serving/scheduler.h"

namespace weir::sim {
namespace {

const data::RequestClass* find_class(const data::Workload& workload, const std::string& name) {
  const auto found = std::ranges::find(workload.classes, name, &data::RequestClass::name);
  return found == workload.classes.end() ? nullptr : &*found;
}

/// Limits of each class of the demand, found by name; a class the workload does not know has none.
std::vector<data::Slo> slo_by_class(const data::Workload& workload, const std::vector<std::string>& names) {
  std::vector<data::Slo> limits;
  for (const std::string& name : names) {
    const data::RequestClass* found = find_class(workload, name);
    limits.push_back(found == nullptr ? data::Slo{} : found->slo);
    const data::Slo& slo = limits.back();
    if (workload.kind == data::WorkloadKind::one_shot && !(slo.ttft_s.empty() && slo.tpot_s.empty())) {
      throw data::InputError("scenario", "/workloads/" + workload.name + "/classes/" + name + "/slo",
                             slo.ttft_s.empty() ? "tpot_s" : "ttft_s", "one-shot work takes limits on e2e_s only");
    }
  }
  return limits;
}

/// The deadline of a class is its strictest limit on the first token (one-shot: on the whole).
ClassDemand demand_of(const data::RequestClass* request_class) {
  ClassDemand demand;
  if (request_class == nullptr) return demand;
  demand.priority = static_cast<std::int16_t>(request_class->priority);
  const data::Slo& slo = request_class->slo;
  for (const auto& [percentile, limit_s] : slo.ttft_s.empty() ? slo.e2e_s : slo.ttft_s) {
    demand.patience = std::min(demand.patience, Time::from_seconds(limit_s));
  }
  return demand;
}

/// One run: its parts, in the order in which they are needed.
class Run {
 public:
  Run(const data::Workload& workload, const Rules& rules, RequestSource& requests, const FleetSpec& fleet,
      const StepTimer& timer, const SimulateOptions& options)
      : workload_(workload), rules_(rules), requests_(requests), spec_(fleet), timer_(timer), options_(options) {
    if (fleet.replicas < 1) throw std::logic_error("simulate: a fleet has at least one replica");
  }

  RunResult run() {
    const std::vector<std::string>& names = requests_.class_names();
    std::vector<ClassDemand> demands;
    demands.reserve(names.size());
    for (const std::string& name : names) demands.push_back(demand_of(find_class(workload_, name)));
    const std::span<const SimRequest> first = requests_.next();
    if (first.empty()) throw std::logic_error("simulate: no requests");
    begin_ = first.front().arrival;

    MetricsSpec measured;
    measured.kind = workload_.kind;
    measured.class_names = names;
    measured.slo = slo_by_class(workload_, names);
    measured.begin = begin_;
    measured.series_step = Time::from_seconds(options_.series_step_s);
    measured.offered = requests_.offered_by_class();
    measured.stop_when_hopeless = options_.stop_when_hopeless;
    RunMetrics metrics(measured);
    RunContext context{.metrics = metrics, .progress = options_.progress, .sink = options_.sink};
    for (const std::int64_t offered : measured.offered) context.offered += offered;
    context.begin = begin_;
    context.end = requests_.end();

    run_fleet(first, demands, context);
    RunResult result;
    result.scenario = options_.scenario_name;
    result.seed = options_.seed;
    result.replicas = spec_.replicas;
    result.evidence = timer_.evidence();
    if (metrics.hopeless()) return hopeless(measured, context.offered, std::move(result));
    metrics.fill(result, spec_.replicas, options_.tails);
    fill_fleet(metrics, result);
    if (options_.progress && !options_.progress(1.0, "simulating")) throw data::Cancelled();
    return result;
  }

 private:
  void run_fleet(std::span<const SimRequest> first, const std::vector<ClassDemand>& demands, RunContext& context) {
    const IterationTables* tables = timer_.tables();
    const bool affine = options_.stepping == Stepping::fast_forward && AffineScheduler::can_follow(rules_) &&
                        workload_.kind == data::WorkloadKind::generative;
    if (affine && tables != nullptr) {
      run_on<AffineScheduler>(
          TableTiming{*tables, timer_}, [&] { return std::make_unique<AffineScheduler>(rules_); }, first, demands,
          context);
    } else {
      run_on<Scheduler>(
          VirtualTiming{timer_}, [&] { return make_scheduler(workload_.kind, rules_, affine); }, first, demands,
          context);
    }
  }

  template <class S, class Timing, class Make>
  void run_on(const Timing& timing, const Make& make, std::span<const SimRequest> first,
              const std::vector<ClassDemand>& demands, RunContext& context) {
    const bool jumps = options_.stepping != Stepping::step_by_step;
    Fleet<S, Timing> fleet(spec_.replicas, make, timing, rules_.steps_in_flight, jumps,
                           RandomStream(options_.seed, "router").bits(), context);
    fleet.run(requests_, first, demands);
    totals_ = fleet.totals();
    kv_blocks_ = fleet.kv_blocks_per_replica();
  }

  RunResult hopeless(const MetricsSpec& measured, std::int64_t offered, RunResult result) const {
    result.requests.offered = offered;
    for (const data::Slo& limits : measured.slo) {
      if (!limits.empty()) result.slo.required_attainment = std::max(result.slo.required_attainment, limits.attainment);
    }
    result.slo.met = false;
    result.exactness = "stopped early: the targets were out of reach";
    return result;
  }

  /// What follows from the replicas' sums.
  void fill_fleet(const RunMetrics& metrics, RunResult& result) const {
    const Time wall = metrics.last_departure() - begin_;
    fill_utilisation(wall, result);
    std::optional<double> idle_joules;
    fill_energy(wall, result, idle_joules);
    result.conservation = check_conservation({.totals = totals_,
                                              .metrics = metrics,
                                              .replicas = spec_.replicas,
                                              .wall = wall,
                                              .joules = result.joules,
                                              .idle_joules = idle_joules});
  }

  void fill_utilisation(Time wall, RunResult& result) const {
    if (totals_.batches > 0) {
      result.batch_size_mean = static_cast<double>(totals_.batch_members) / static_cast<double>(totals_.batches);
    }
    result.preemptions = totals_.scheduler.preemptions;
    result.recomputed_tokens = totals_.scheduler.recomputed_tokens;
    if (rules_.prefix_cache && totals_.scheduler.cache_queried_tokens > 0) {
      result.prefix_cache_hit_rate = static_cast<double>(totals_.scheduler.cache_hit_tokens) /
                                     static_cast<double>(totals_.scheduler.cache_queried_tokens);
    }
    if (wall <= Time()) return;
    // Ratios of integers, so that a share that cannot pass 1 does not pass it by rounding either.
    const WideInt replica_ticks = WideInt{wall.ticks()} * spec_.replicas;
    const double replica_s = wall.seconds() * spec_.replicas;
    result.gpu_busy = static_cast<double>(totals_.busy_ticks) / static_cast<double>(replica_ticks);
    const FleetWork work = totals_.all_work();
    const WorkRates rates = timer_.work_rates();
    if (timer_.peak_flops_per_s() > 0) result.mfu = rates.flops(work) / timer_.peak_flops_per_s() / replica_s;
    if (timer_.peak_bytes_per_s() > 0) result.mbu = rates.bytes(work) / timer_.peak_bytes_per_s() / replica_s;
    if (kv_blocks_ > 0) {
      const std::int64_t capacity = kv_blocks_ * rules_.block_tokens;
      result.kv_blocks_peak = static_cast<double>(totals_.scheduler.kv_blocks_peak) / static_cast<double>(kv_blocks_);
      result.kv_occupancy = static_cast<double>(totals_.kv_token_ticks) / static_cast<double>(replica_ticks * capacity);
    }
  }

  /// Energy of the accelerators over the run. A busy accelerator never takes less than an idle one.
  void fill_energy(Time wall, RunResult& result, std::optional<double>& idle_joules) const {
    const PowerModel& power = spec_.power;
    if (!power.tdp_w || !power.idle_w) return;
    const double busy_s = static_cast<double>(totals_.busy_ticks) / static_cast<double>(Time::kTicksPerSecond);
    const double wall_s = wall.seconds() * spec_.replicas;
    const double share_s = busy_power_share_seconds(totals_, timer_, power.a, power.b);
    const double busy_joules = std::max(share_s * *power.tdp_w, *power.idle_w * busy_s);
    const double joules =
        (busy_joules + *power.idle_w * std::max(0.0, wall_s - busy_s)) * spec_.accelerators_per_replica;
    idle_joules = *power.idle_w * wall_s * spec_.accelerators_per_replica;
    result.joules = joules;
    if (totals_.tokens_written > 0) {
      result.joules_per_output_token = joules / static_cast<double>(totals_.tokens_written);
    }
  }

  const data::Workload& workload_;
  const Rules& rules_;
  RequestSource& requests_;
  const FleetSpec& spec_;
  const StepTimer& timer_;
  const SimulateOptions& options_;
  Time begin_;
  FleetTotals totals_;
  std::int64_t kv_blocks_ = 0;
};

}  // namespace

RunResult simulate(const data::Workload& workload, const Rules& rules, RequestSource& requests, const FleetSpec& fleet,
                   const StepTimer& timer, const SimulateOptions& options) {
  return Run(workload, rules, requests, fleet, timer, options).run();
}

RunResult simulate(const data::Workload& workload, const data::Serving& serving, RequestSource& requests,
                   const FleetSpec& fleet, const StepTimer& timer, const SimulateOptions& options) {
  if (serving.router != "least-outstanding") {
    throw data::InputError("scenario", "/serving/router", serving.router, "this version has \"least-outstanding\"");
  }
  const Rules rules = make_rules(workload.kind, serving, fleet.kv_tokens);
  return simulate(workload, rules, requests, fleet, timer, options);
}

RunResult simulate(const data::Workload& workload, const data::Serving& serving, const RequestList& requests,
                   const FleetSpec& fleet, const StepTimer& timer, const SimulateOptions& options) {
  ListSource source(requests);
  return simulate(workload, serving, source, fleet, timer, options);
}

}  // namespace weir::sim

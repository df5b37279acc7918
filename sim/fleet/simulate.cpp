#include "sim/fleet/simulate.h"

#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "data/errors.h"
#include "sim/core/random.h"
#include "sim/fleet/conduct.h"
#include "sim/fleet/fleet.h"
#include "sim/fleet/host_stage.h"
#include "sim/fleet/pool_use.h"
#include "sim/fleet/router_rules.h"
#include "sim/fleet/source_feedback.h"
#include "sim/metrics/conservation.h"
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

/// A pool and the rules of its schedulers, which know the size of its caches.
struct RunPool {
  PoolSpec spec;
  Rules rules;
};

std::vector<PoolSpec> pools_of(const FleetSpec& fleet, const StepTimer& timer) {
  if (!fleet.pools.empty()) return fleet.pools;
  return {{.accelerator = "",
           .replicas = fleet.replicas,
           .accelerators_per_replica = fleet.accelerators_per_replica,
           .kv_tokens = fleet.kv_tokens,
           .power = fleet.power,
           .copies = fleet.copies,
           .timer = &timer}};
}

/// One run: its parts, in the order in which they are needed.
class Run {
 public:
  Run(const data::Workload& workload, std::vector<RunPool> pools, RequestSource& requests, const FleetSpec& fleet,
      const SimulateOptions& options)
      : workload_(workload), pools_(std::move(pools)), requests_(requests), spec_(fleet), options_(options) {
    for (const RunPool& pool : pools_) {
      if (pool.spec.replicas < 1) throw std::logic_error("simulate: a pool has at least one replica");
      replicas_ += pool.spec.replicas;
    }
    if (!spec_.conduct.any()) return;
    if (spec_.conduct.autoscaling && pools_.size() > 1) throw std::logic_error("simulate: only one pool is autoscaled");
    conduct_.emplace(spec_.conduct, replicas_, spec_.start_up_s, options_.seed);
    replicas_ = conduct_->replicas();
    if (spec_.conduct.autoscaling) pools_.front().spec.replicas = replicas_;
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
    std::vector<FleetProcess*> processes(options_.processes.begin(), options_.processes.end());
    if (conduct_) conduct_->add_to(processes);
    RunContext context{
        .metrics = metrics, .progress = options_.progress, .sink = options_.sink, .processes = processes};
    for (const std::int64_t offered : measured.offered) context.offered += offered;
    context.begin = begin_;
    context.end = requests_.end();

    run_fleet(first, demands, context);
    RunResult result;
    result.scenario = options_.scenario_name;
    result.seed = options_.seed;
    result.replicas = replicas_;
    result.evidence = evidence();
    if (metrics.hopeless()) return hopeless(measured, context.offered, std::move(result));
    metrics.fill(result, replicas_, options_.tails);
    fill_fleet(metrics, context.elsewhere, result);
    if (options_.progress && !options_.progress(1.0, "simulating")) throw data::Cancelled();
    return result;
  }

 private:
  std::vector<EvidenceNote> evidence() const {
    std::vector<EvidenceNote> notes;
    for (const RunPool& pool : pools_) {
      for (EvidenceNote& note : pool.spec.timer->evidence()) {
        const auto same = [&](const EvidenceNote& n) { return n.what == note.what && n.source == note.source; };
        if (pools_.size() == 1 || std::ranges::none_of(notes, same)) notes.push_back(std::move(note));
      }
    }
    return notes;
  }

  void run_fleet(std::span<const SimRequest> first, const std::vector<ClassDemand>& demands, RunContext& context) {
    const bool affine = options_.stepping == Stepping::fast_forward && !spec_.conduct.cuts_steps() &&
                        AffineScheduler::can_follow(pools_.front().rules) &&
                        workload_.kind == data::WorkloadKind::generative;
    const auto has_tables = [](const RunPool& pool) { return pool.spec.timer->tables() != nullptr; };
    const auto tables_of = [](const RunPool& pool) {
      return TableTiming{*pool.spec.timer->tables(), *pool.spec.timer};
    };
    const bool on_tables = affine && std::ranges::all_of(pools_, has_tables);
    const auto plain = [](const RunPool& pool) { return PlainAffineScheduler::can_follow(pool.rules); };
    if (on_tables && std::ranges::all_of(pools_, plain)) {
      run_on<PlainAffineScheduler, TableTiming>(
          tables_of, [](const RunPool& pool) { return std::make_unique<PlainAffineScheduler>(pool.rules); }, first,
          demands, context);
    } else if (on_tables) {
      run_on<AffineScheduler, TableTiming>(
          tables_of, [](const RunPool& pool) { return std::make_unique<AffineScheduler>(pool.rules); }, first, demands,
          context);
    } else {
      run_on<Scheduler, VirtualTiming>(
          [](const RunPool& pool) {
            return VirtualTiming{*pool.spec.timer, pool.spec.copies};
          },
          [&](const RunPool& pool) { return make_scheduler(workload_.kind, pool.rules, affine); }, first, demands,
          context);
    }
  }

  template <class S, class Timing, class MakeTiming, class MakeScheduler>
  void run_on(const MakeTiming& timing, const MakeScheduler& make, std::span<const SimRequest> first,
              const std::vector<ClassDemand>& demands, RunContext& context) {
    const bool jumps = options_.stepping != Stepping::step_by_step;
    std::vector<typename Fleet<S, Timing>::Pool> pools;
    for (const RunPool& pool : pools_) {
      pools.push_back({pool.spec.replicas, [&] { return make(pool); }, timing(pool)});
    }
    const Time series_step = Time::from_seconds(conduct_ ? options_.series_step_s : 0);
    Fleet<S, Timing> fleet(std::move(pools), pools_.front().rules.steps_in_flight, jumps, router(), demands, context,
                           series_step);
    fleet.run(requests_, first);
    totals_ = fleet.totals();
    if (context.metrics.hopeless()) return;
    if (spec_.router.kind == RouterKind::session_affinity && fleet.router().with_affinity() == 0) {
      throw data::InputError("scenario", "/serving/router", "\"affinity\"",
                             "no request of this demand has a session that could stay with a replica");
    }
    if (spec_.router.kind == RouterKind::prefix_affinity && fleet.router().with_affinity() == 0 && replicas_ > 1) {
      throw data::InputError("scenario", "/serving/router", "\"affinity\"",
                             "no request of this demand says what its prompt holds");
    }
    log_ = fleet.log();
    log_->settle(std::max(context.metrics.last_departure(), begin_));
    for (std::size_t i = 0; i < pools_.size(); ++i) fill_pool(fleet, i);
  }

  RouterRules router() const {
    RouterRules rules = spec_.router;
    rules.seed = options_.seed;
    rules.first = RandomStream(options_.seed, "router").bits();
    return rules;
  }

  template <class F>
  void fill_pool(const F& fleet, std::size_t index) {
    const RunPool& pool = pools_[index];
    PoolTime time;
    for (std::size_t replica = 0; replica < static_cast<std::size_t>(replicas_); ++replica) {
      if (fleet.pool_of(replica) == index) time.replica_ticks += log_->on_ticks(replica);
    }
    // The same number to the last bit as before replicas could come and go.
    const Time wall = log_->end() - begin_;
    time.replica_s = log_->used() ? static_cast<double>(time.replica_ticks) / static_cast<double>(Time::kTicksPerSecond)
                                  : wall.seconds() * pool.spec.replicas;
    const FleetTotals totals = fleet.totals_of(index);
    use_.push_back(pool_use(pool.spec, totals, time, fleet.kv_blocks(index), pool.rules.block_tokens));
    time_.push_back(time);
    output_tokens_.push_back(static_cast<std::int64_t>(totals.tokens_written));
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
  void fill_fleet(const RunMetrics& metrics, const TokensElsewhere& elsewhere, RunResult& result) const {
    const Time wall = metrics.last_departure() - begin_;
    fill_counts(result);
    fill_utilisation(result);
    const std::optional<double> idle_joules = sum(&PoolUse::idle_joules);
    result.joules = sum(&PoolUse::joules);
    if (result.joules && totals_.tokens_written > 0) {
      result.joules_per_output_token = *result.joules / static_cast<double>(totals_.tokens_written);
    }
    if (pools_.size() > 1) fill_pools(result);
    if (conduct_) fill_record(wall, result);
    result.conservation = check_conservation({.totals = totals_,
                                              .metrics = metrics,
                                              .replicas = replicas_,
                                              .wall = wall,
                                              .joules = result.joules,
                                              .idle_joules = idle_joules,
                                              .elsewhere = elsewhere});
  }

  void fill_counts(RunResult& result) const {
    if (totals_.batches > 0) {
      result.batch_size_mean = static_cast<double>(totals_.batch_members) / static_cast<double>(totals_.batches);
    }
    result.preemptions = totals_.scheduler.preemptions;
    result.recomputed_tokens = totals_.scheduler.recomputed_tokens;
    if (pools_.front().rules.prefix_cache && totals_.scheduler.cache_queried_tokens > 0) {
      result.prefix_cache_hit_rate = static_cast<double>(totals_.scheduler.cache_hit_tokens) /
                                     static_cast<double>(totals_.scheduler.cache_queried_tokens);
    }
  }

  void fill_utilisation(RunResult& result) const {
    result.gpu_busy = mean(&PoolUse::gpu_busy, [](const RunPool&) { return 1.0; });
    result.mfu = mean(&PoolUse::mfu, [](const RunPool& p) { return p.spec.timer->peak_flops_per_s(); });
    result.mbu = mean(&PoolUse::mbu, [](const RunPool& p) { return p.spec.timer->peak_bytes_per_s(); });
    result.kv_occupancy =
        mean(&PoolUse::kv_occupancy, [](const RunPool& p) { return static_cast<double>(p.rules.kv_blocks); });
    for (const PoolUse& use : use_) {
      if (use.kv_blocks_peak) result.kv_blocks_peak = std::max(result.kv_blocks_peak.value_or(0), *use.kv_blocks_peak);
    }
  }

  /// Mean over the pools by replica time x weight; of one pool its own value, to the bit.
  template <class Weight>
  double mean(double PoolUse::*value, const Weight& weight) const {
    if (use_.size() == 1) return use_.front().*value;
    double sum = 0, weights = 0;
    for (std::size_t i = 0; i < use_.size(); ++i) {
      const double w = weight(pools_[i]) * time_[i].replica_s;
      sum += w * (use_[i].*value);
      weights += w;
    }
    return weights > 0 ? sum / weights : 0;
  }
  /// Empty when a pool does not know it.
  std::optional<double> sum(std::optional<double> PoolUse::*value) const {
    double all = 0;
    for (const PoolUse& use : use_) {
      if (!(use.*value)) return std::nullopt;
      all += *(use.*value);
    }
    return all;
  }

  void fill_pools(RunResult& result) const {
    for (std::size_t i = 0; i < pools_.size(); ++i) {
      const PoolSpec& spec = pools_[i].spec;
      result.pools.push_back({.accelerator = spec.accelerator,
                              .replicas = spec.replicas,
                              .accelerators_per_replica = spec.accelerators_per_replica,
                              .cloud = spec.cloud,
                              .gpu_busy = use_[i].gpu_busy,
                              .mfu = use_[i].mfu,
                              .mbu = use_[i].mbu,
                              .kv_occupancy = use_[i].kv_occupancy,
                              .output_tokens = output_tokens_[i],
                              .joules = use_[i].joules});
    }
  }

  void fill_record(Time wall, RunResult& result) const {
    result.fleet = conduct_->record(*log_, wall);
    if (spec_.conduct.autoscaling) result.replicas = result.fleet->replicas_peak;
    const std::vector<double> open = log_->open_series();
    for (std::size_t i = 0; i < std::min(open.size(), result.series.size()); ++i) {
      result.series[i].open_replicas = open[i];
    }
  }

  const data::Workload& workload_;
  std::vector<RunPool> pools_;
  RequestSource& requests_;
  const FleetSpec& spec_;
  const SimulateOptions& options_;
  int replicas_ = 0;
  std::optional<Conduct> conduct_;
  Time begin_;
  FleetTotals totals_;
  std::optional<ReplicaLog> log_;
  // By pool.
  std::vector<PoolUse> use_;
  std::vector<PoolTime> time_;
  std::vector<std::int64_t> output_tokens_;
};

}  // namespace

RunResult simulate(const data::Workload& workload, const Rules& rules, RequestSource& requests, const FleetSpec& fleet,
                   const StepTimer& timer, const SimulateOptions& options) {
  if (!fleet.pools.empty()) throw std::logic_error("simulate: several pools have rules of their own");
  return Run(workload, {{pools_of(fleet, timer).front(), rules}}, requests, fleet, options).run();
}

RunResult simulate(const data::Workload& workload, const data::Serving& serving, RequestSource& requests,
                   const FleetSpec& fleet, const StepTimer& timer, const SimulateOptions& given) {
  std::vector<RunPool> pools;
  std::vector<double> speeds;
  int replicas = 0;
  for (const PoolSpec& pool : pools_of(fleet, timer)) {
    pools.push_back({pool, make_rules(workload.kind, serving, pool.kv_tokens)});
    speeds.insert(speeds.end(), static_cast<std::size_t>(pool.replicas), pool.speed);
    replicas += pool.replicas;
  }
  if (fleet.conduct.cuts_steps() && pools.front().rules.restart_cuts_prompt) {
    throw data::InputError("scenario", "/serving/rules", '"' + serving.rules + '"',
                           "these rules, for comparison with Vidur alone, know no failures, contention or evictions");
  }
  std::int64_t kv_tokens = 0;
  for (const RunPool& pool : pools) kv_tokens += pool.spec.replicas * pool.spec.kv_tokens;
  FleetSpec routed = fleet;
  routed.router = router_rules(serving, fleet.conduct.autoscaling ? fleet.conduct.autoscaling->min : replicas);
  if (serving.routing.by_speed && std::ranges::adjacent_find(speeds, std::not_equal_to<>()) != speeds.end()) {
    routed.router.speed = speeds;
  }
  routed.router.remembered_tokens = kv_tokens;
  SimulateOptions options = given;
  std::vector<FleetProcess*> processes(given.processes.begin(), given.processes.end());
  std::optional<HostStages> host;
  if (serving.pipeline.has_host_stages()) {
    const int most = fleet.conduct.autoscaling ? fleet.conduct.autoscaling->max : replicas;
    processes.push_back(&host.emplace(serving.pipeline, most, given.seed));
  }
  SourceFeedback feedback(requests);
  if (requests.reacts()) processes.push_back(&feedback);
  options.processes = processes;
  return Run(workload, std::move(pools), requests, routed, options).run();
}

RunResult simulate(const data::Workload& workload, const data::Serving& serving, const RequestList& requests,
                   const FleetSpec& fleet, const StepTimer& timer, const SimulateOptions& options) {
  ListSource source(requests);
  return simulate(workload, serving, source, fleet, timer, options);
}

}  // namespace weir::sim

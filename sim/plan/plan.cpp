#include "sim/plan/plan.h"

#include <algorithm>
#include <memory>
#include <set>

#include "data/errors.h"
#include "data/mig_slice.h"
#include "sim/core/workers.h"
#include "sim/cost/readable_number.h"
#include "sim/plan/candidates.h"
#include "sim/plan/capacity.h"
#include "sim/plan/capacity_cache.h"
#include "sim/plan/fleet_use.h"
#include "sim/plan/ranking.h"
#include "sim/plan/recommendation.h"
#include "sim/plan/replica_start.h"
#include "sim/plan/shared_demand.h"
#include "sim/timing/deployment_timer.h"
#include "sim/workload/drawn_source.h"

namespace weir::sim {
namespace {

const data::Workload& choose_workload(const data::Scenario& scenario, const std::string& name) {
  std::string names;
  for (const data::Workload& w : scenario.workloads) {
    if (w.name == name || (name.empty() && scenario.workloads.size() == 1)) return w;
    names += (names.empty() ? "" : ", ") + w.name;
  }
  throw data::InputError(scenario.name, "/workloads", name.empty() ? "several workloads" : "\"" + name + "\"",
                         "this version plans one workload at a time; choose one of: " + names);
}

/// Nobody acts on it yet, and a run that ignored it would look better or worse than the service.
void refuse_cancellations(const data::Scenario& scenario, const data::Workload& workload) {
  for (const data::RequestClass& c : workload.classes) {
    if (!c.cancel) continue;
    throw data::InputError(scenario.name, "/workloads/" + workload.name + "/classes/" + c.name + "/cancel", "a share",
                           "null: this version draws when clients hang up, but serves them to the end");
  }
}

void require_targets(const data::Scenario& scenario, const data::Workload& workload) {
  const auto without = [](const data::RequestClass& c) { return c.slo.empty(); };
  if (!workload.classes.empty() && !std::ranges::all_of(workload.classes, without)) return;
  throw data::InputError(scenario.name, "/workloads/" + workload.name + "/classes", "no slo",
                         "a plan needs a target to meet: give at least one class a limit on ttft_s, tpot_s or e2e_s");
}

std::string demand_name(const data::Workload& workload, const data::Trace* trace) {
  if (trace != nullptr) return trace->name;
  if (workload.trace) return workload.trace->file;
  for (const data::RequestClass& c : workload.classes) {
    if (c.trace) return c.trace->file;
  }
  return "";
}

double economic_middle(std::string_view key, const data::CostChoice& choice, const data::Catalog& catalog) {
  const auto given = choice.overrides.find(std::string(key));
  return given != choice.overrides.end() ? given->second : catalog.economic(key, choice.region).mid;
}

CapacityTask make_task(const data::Scenario& scenario, const data::Workload& workload, const RequestList& requests,
                       const data::Catalog& catalog, const data::EfficiencyTable& efficiency, std::uint64_t seed) {
  return {.scenario = scenario,
          .workload = workload,
          .requests = requests,
          .efficiency = efficiency,
          .power_a = economic_middle("gpu_power_a", scenario.cost, catalog),
          .power_b = economic_middle("gpu_power_b", scenario.cost, catalog),
          .idle_share_of_tdp = economic_middle("gpu_idle_share_of_tdp", scenario.cost, catalog),
          .seed = seed};
}

/// What changed precision does to the answers, as far as the scenario knows.
std::string quality_of(data::Precision precision, const data::ModelChoice& model) {
  using data::Precision;
  const bool reference = precision == Precision::fp16 || precision == Precision::bf16 || precision == Precision::fp32 ||
                         precision == Precision::tf32;
  if (reference && model.compression.none()) return "reference precision";
  if (!model.quality.empty() && precision == model.weights) return model.quality;
  return "unknown: test before buying";
}

void note_price(PlanOption& option) {
  const std::string prefix = option.tenure == "owned" ? "server_price_usd." : "cloud_usd_per_hour.";
  for (const CostInput& input : option.cost->inputs) {
    if (!input.key.starts_with(prefix)) continue;
    option.evidence.push_back({"price " + readable_number(input.value.mid) + " " + input.value.unit,
                               input.value.evidence, input.value.source});
  }
}

PlanOption make_option(const Variant& variant, const Capacity& capacity, const std::string& tenure,
                       const data::CostChoice& choice, const data::Workload& workload, const data::Catalog& catalog,
                       std::uint64_t seed) {
  PlanOption option;
  option.hardware = variant.replica.accelerator.id;
  option.hardware_name = variant.replica.accelerator.name;
  option.tenure = tenure;
  option.precision = variant.precision;
  option.engine = variant.replica.engine;
  option.tensor_parallel = variant.replica.tensor_parallel;
  option.pipeline_parallel = variant.replica.pipeline_parallel;
  option.expert_parallel = variant.replica.expert_parallel;
  option.why_not = capacity.why_not;
  option.quality = quality_of(variant.precision, workload.model);
  option.run = capacity.run;
  if (option.run) option.evidence = option.run->evidence;
  option.feasible = capacity.replicas.has_value();
  if (!option.feasible) return option;

  option.replicas = capacity.replicas;
  option.accelerators = *capacity.replicas * variant.replica.accelerators();
  FleetUse use = fleet_use(variant.replica, workload, *capacity.run, capacity.memory);
  use.load_factor = capacity.load_factor;
  use.timing_relative_error = capacity.relative_error;
  CostResult priced = tenure == "owned" ? price_owned(use, choice, catalog) : price_cloud(use, choice, catalog);
  option.cost = std::move(priced.cost);
  option.why_no_price = std::move(priced.why_not);
  if (!option.cost) return option;
  if (tenure == "owned") option.servers = option.cost->servers;
  if (const auto range = tco_range(use, choice, catalog, tenure, seed)) option.range["tco"] = *range;
  note_price(option);
  return option;
}

void collect_inputs(PlanResult& result) {
  std::set<std::string> seen;
  for (const PlanOption& option : result.options) {
    if (!option.cost) continue;
    for (const CostInput& input : option.cost->inputs) {
      if (seen.insert(input.key).second) result.cost_inputs.push_back(input);
    }
  }
}

}  // namespace

PlanResult plan(const data::Scenario& scenario, const data::Catalog& catalog, const data::EfficiencyTable& efficiency,
                const PlanOptions& options) {
  PlanResult result;
  result.scenario = scenario;
  result.scenario.seed = options.seed;
  const data::Workload& workload = choose_workload(scenario, options.workload);
  refuse_cancellations(scenario, workload);
  require_targets(scenario, workload);
  fill_defaults(result.scenario, workload, catalog);
  const CandidateList candidates = list_candidates(result.scenario, workload, catalog, options.calibration);
  const RequestList requests = make_requests(scenario, workload, options.trace, options.seed, options.progress);

  result.seed = options.seed;
  result.trace_name = demand_name(workload, options.trace);
  result.requests = static_cast<std::int64_t>(requests.requests.size());
  result.span_s = (requests.requests.back().arrival - requests.requests.front().arrival).seconds();
  result.notes = requests.notes;
  result.currency = scenario.cost.currency;
  result.horizon_months = scenario.cost.horizon_months;
  result.considered = candidates.considered;
  result.pruned = candidates.pruned;

  const CapacityTask task = make_task(result.scenario, workload, requests, catalog, efficiency, options.seed);
  const std::optional<CapacityKeys> keys = options.cache != nullptr ? std::optional<CapacityKeys>(task) : std::nullopt;
  std::vector<std::vector<PlanOption>> found(candidates.variants.size());
  for_each_index(
      found.size(), options.threads, options.progress, "planning", [&](std::size_t i, const data::Progress& progress) {
        const Variant& variant = candidates.variants[i];
        const std::shared_ptr<CapacityMemo> memo = keys ? options.cache->memo(keys->of(variant)) : nullptr;
        const Capacity capacity = find_capacity(task, variant, progress, memo.get());
        for (const std::string& tenure : variant.tenures) {
          found[i].push_back(make_option(variant, capacity, tenure, scenario.cost, workload, catalog, options.seed));
        }
      });
  for (std::vector<PlanOption>& some : found) {
    for (PlanOption& option : some) result.options.push_back(std::move(option));
  }
  fill_break_even(result.options);
  rank(result.options);
  result.pareto = pareto_front(result.options);
  collect_inputs(result);
  recommend(result);
  return result;
}

namespace {

/// A replica of `chosen` with what follows from it.
struct BuiltReplica {
  ReplicaSpec spec;
  MemoryPlan memory;
  std::unique_ptr<StepTimer> timer;
};

BuiltReplica build_replica(const data::Scenario& scenario, const data::DeploymentChoice& chosen,
                           const data::Workload& workload, const data::Catalog& catalog,
                           const data::EfficiencyTable& efficiency, const PlanOptions& options) {
  if (chosen.accelerator.empty()) {
    throw data::InputError(scenario.name, "/deployment/accelerator", "",
                           "a simulation needs the accelerator to run on");
  }
  BuiltReplica built;
  ReplicaSpec& replica = built.spec;
  replica.accelerator = find_hardware(chosen.accelerator, catalog, options.calibration);
  if (!chosen.slice.empty()) {
    int per_card = 0;
    replica.accelerator =
        data::mig_slice(replica.accelerator, chosen.slice, scenario.name, "/deployment/slice", per_card);
  }
  set_model(replica, workload.model, catalog);
  const auto precisions = precisions_on(replica.accelerator, workload.model.weights, workload.model.activations);
  if (!precisions) {
    throw data::InputError(scenario.name, "/workloads/" + workload.name + "/model/weights",
                           std::string(data::to_string(workload.model.weights)),
                           replica.accelerator.name + " does not support it");
  }
  replica.weights = precisions->weights;
  replica.activations = precisions->activations;
  set_degrees(replica, chosen.tensor_parallel, chosen.parallel);
  replica.engine = scenario.serving.engine;
  if (!chosen.links.network.empty()) replica.network = catalog.network(chosen.links.network);
  replica.all_reduce_overlap = chosen.links.all_reduce_overlap;

  built.memory = plan_memory(replica, scenario.serving);
  if (!built.memory.fits()) {
    throw data::InputError(scenario.name, "/deployment", replica.model.name + " on " + replica.accelerator.name,
                           built.memory.why_not());
  }
  const bool measured = options.calibration != nullptr && chosen.accelerator == options.calibration->device_id;
  built.timer = make_step_timer(replica, efficiency, measured ? options.calibration : nullptr);
  return built;
}

PoolSpec pool_of(const BuiltReplica& built, const data::Scenario& scenario, const data::Catalog& catalog) {
  PoolSpec pool;
  pool.accelerator = built.spec.accelerator.id;
  pool.accelerators_per_replica = built.spec.accelerators();
  pool.kv_tokens = built.memory.kv_tokens;
  pool.copies = copy_times(scenario.serving.pipeline, built.spec.accelerator);
  pool.power = power_model(built.spec.accelerator, economic_middle("gpu_power_a", scenario.cost, catalog),
                           economic_middle("gpu_power_b", scenario.cost, catalog),
                           economic_middle("gpu_idle_share_of_tdp", scenario.cost, catalog));
  pool.timer = built.timer.get();
  return pool;
}

/// One deployment for each pool; one for all without pools.
std::vector<data::DeploymentChoice> deployments_of(const data::DeploymentChoice& chosen) {
  if (chosen.pools.empty()) return {chosen};
  std::vector<data::DeploymentChoice> all;
  for (const data::PoolChoice& pool : chosen.pools) {
    data::DeploymentChoice& one = all.emplace_back();
    one.accelerator = pool.accelerator;
    one.replicas = pool.replicas;
    one.tensor_parallel = pool.tensor_parallel;
    one.parallel = chosen.parallel;
    one.links = chosen.links;
  }
  return all;
}

}  // namespace

RunResult run_scenario(const data::Scenario& scenario, const data::Catalog& catalog,
                       const data::EfficiencyTable& efficiency, const PlanOptions& options) {
  const bool shared = scenario.workloads.size() > 1 && options.workload.empty() && options.trace == nullptr;
  SharedDemand all;
  if (shared) {
    all = shared_demand(scenario, options.seed, options.progress);
  } else {
    all.workload = choose_workload(scenario, options.workload);
  }
  const data::Workload& workload = all.workload;
  refuse_cancellations(scenario, workload);
  FleetSpec fleet;
  std::vector<BuiltReplica> replicas;
  for (const data::DeploymentChoice& chosen : deployments_of(scenario.deployment)) {
    replicas.push_back(build_replica(scenario, chosen, workload, catalog, efficiency, options));
    PoolSpec& pool = fleet.pools.emplace_back(pool_of(replicas.back(), scenario, catalog));
    pool.replicas = chosen.replicas;
  }
  for (std::size_t i = 0; i < scenario.deployment.pools.size(); ++i) {
    const data::PoolChoice& chosen = scenario.deployment.pools[i];
    fleet.pools[i].cloud = chosen.cloud;
    fleet.pools[i].speed = chosen.speed.value_or(
        replica_speed(*replicas[i].timer, workload.kind, scenario.serving, replicas[i].memory.kv_tokens));
  }
  fleet.conduct = scenario.fleet;
  std::vector<EvidenceNote> notes;
  if (scenario.fleet.autoscaling) {
    const BuiltReplica& one = replicas.front();
    const StartUp start = start_up(*scenario.fleet.autoscaling, one.memory.weights_bytes, one.spec, catalog);
    fleet.start_up_s = start.seconds;
    notes = start.notes;
  }
  if (!shared) all.demand = make_demand(scenario, workload, options.trace, options.seed, options.progress);
  SimulateOptions how;
  how.scenario_name = scenario.name;
  how.seed = options.seed;
  how.progress = options.progress;
  RunResult run = simulate(workload, scenario.serving, *all.demand.source, fleet, *replicas.front().timer, how);
  run.evidence.insert(run.evidence.end(), notes.begin(), notes.end());
  return run;
}

}  // namespace weir::sim

#include "app/cli/deployment_cost.h"

#include "data/errors.h"
#include "sim/plan/candidates.h"
#include "sim/plan/fleet_use.h"
#include "sim/timing/deployment_timer.h"

namespace weir::cli {
namespace {

sim::FleetUse use_of(const Inputs& inputs, const sim::RunResult& run, const data::Accelerator& accelerator) {
  const data::Scenario& scenario = inputs.scenario;
  const data::Workload& workload = scenario.workloads.front();
  sim::ReplicaSpec replica;
  replica.accelerator = accelerator;
  sim::set_model(replica, workload.model, data::Catalog::builtin());
  if (const auto precisions = sim::precisions_on(accelerator, workload.model.weights, workload.model.activations)) {
    replica.weights = precisions->weights;
    replica.activations = precisions->activations;
  }
  sim::set_degrees(replica, scenario.deployment.tensor_parallel, scenario.deployment.parallel);
  replica.engine = scenario.serving.engine;
  return sim::fleet_use(replica, workload, run, sim::plan_memory(replica, scenario.serving));
}

}  // namespace

reports::CostReport price_deployment(const Inputs& inputs, const sim::RunResult& run) {
  const data::Catalog& catalog = data::Catalog::builtin();
  const data::Scenario& scenario = inputs.scenario;
  if (scenario.workloads.size() > 1) {
    throw data::InputError(scenario.name, "/workloads", "",
                           "the fleet of one workload is priced at a time; choose one with --workload");
  }
  if (!scenario.deployment.pools.empty()) {
    throw data::InputError(scenario.name, "/deployment/pools", "",
                           "one kind of replica is priced at a time; mixed pools can be simulated");
  }
  if (scenario.fleet.autoscaling) {
    throw data::InputError(scenario.name, "/fleet/autoscaling", "",
                           "fixed fleets are priced; a simulation says the replica hours of an autoscaled one");
  }
  const data::Calibration* calibration = inputs.calibration ? &*inputs.calibration : nullptr;
  const data::Accelerator accelerator = sim::find_hardware(scenario.deployment.accelerator, catalog, calibration);
  const sim::FleetUse use = use_of(inputs, run, accelerator);
  reports::CostReport report;
  report.scenario = scenario.name;
  report.seed = inputs.seed;
  report.currency = scenario.cost.currency;
  report.horizon_months = scenario.cost.horizon_months;
  report.hardware = accelerator.id;
  report.replicas = run.replicas;
  report.tensor_parallel = scenario.deployment.tensor_parallel;
  report.accelerators = run.replicas * use.accelerators_per_replica;
  report.busy_share = run.gpu_busy;
  for (sim::CostResult result :
       {sim::price_owned(use, scenario.cost, catalog), sim::price_cloud(use, scenario.cost, catalog)}) {
    if (result.cost) {
      report.tenures.push_back(*std::move(result.cost));
    } else {
      report.why_no_price.push_back(std::move(result.why_not));
    }
  }
  if (report.tenures.size() == 2) report.break_even_month = sim::break_even_month(report.tenures[0], report.tenures[1]);
  return report;
}

}  // namespace weir::cli

#include "sim/plan/shared_demand.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "data/errors.h"
#include "sim/core/draw.h"
#include "sim/workload/merged_source.h"

namespace weir::sim {
namespace {

bool same_model(const data::ModelChoice& a, const data::ModelChoice& b) {
  return a.id == b.id && a.weights == b.weights && a.activations == b.activations && a.kv == b.kv &&
         a.compression == b.compression && a.expert_skew == b.expert_skew;
}

void check(const data::Scenario& scenario) {
  for (const data::Workload& workload : scenario.workloads) {
    if (same_model(workload.model, scenario.workloads.front().model)) continue;
    throw data::InputError(scenario.name, "/workloads/" + workload.name + "/model", workload.model.id,
                           "workloads that share a fleet serve the same model at the same precision; choose one with "
                           "--workload");
  }
  if (scenario.serving.prefix_cache || scenario.serving.router == "affinity") {
    throw data::InputError(scenario.name, scenario.serving.prefix_cache ? "/serving/prefix_cache" : "/serving/router",
                           "", "the prompts of several workloads are not told apart; choose one with --workload");
  }
}

}  // namespace

SharedDemand shared_demand(const data::Scenario& scenario, std::uint64_t seed, const data::Progress& progress) {
  check(scenario);
  const Draws seeds(seed, "workload");
  SharedDemand shared;
  shared.workload.kind = scenario.workloads.front().kind;
  shared.workload.model = scenario.workloads.front().model;
  std::vector<MergedSource::Part> parts;
  for (std::size_t i = 0; i < scenario.workloads.size(); ++i) {
    const data::Workload& workload = scenario.workloads[i];
    shared.workload.name += (i == 0 ? "" : " + ") + workload.name;
    for (data::RequestClass c : workload.classes) {
      c.name = workload.name + "/" + c.name;
      shared.workload.classes.push_back(std::move(c));
    }
    Demand demand = make_demand(scenario, workload, nullptr, i == 0 ? seed : seeds.bits(i), progress);
    parts.push_back({workload.name, std::move(demand.source)});
    shared.demand.notes.insert(shared.demand.notes.end(), demand.notes.begin(), demand.notes.end());
  }
  shared.demand.source = std::make_unique<MergedSource>(std::move(parts));
  return shared;
}

}  // namespace weir::sim

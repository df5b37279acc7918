#include "sim/plan/candidates.h"

#include <algorithm>
#include <set>
#include <tuple>

#include "data/errors.h"

namespace weir::sim {
namespace {

using data::Precision;

constexpr std::string_view kThisMachine = "this-machine";

bool is_half(Precision p) { return p == Precision::fp16 || p == Precision::bf16; }

/// Degrees that split the attention heads evenly.
bool divides_heads(const data::Model& model, int ranks) {
  if (model.heads <= 0 || model.kv_heads <= 0) return true;  // the timing model says what it cannot simulate
  return model.heads % ranks == 0 && (model.kv_heads % ranks == 0 || ranks % model.kv_heads == 0);
}

/// Precisions whose matrix products were measured and that a plan compares.
std::vector<Precision> measured_precisions(const data::Calibration& calibration, const data::Candidates& wanted) {
  std::set<Precision> measured;
  for (const data::Sample& sample : calibration.samples) {
    if (sample.op == "gemm") measured.insert(sample.precision);
  }
  std::vector<Precision> kept;
  for (const Precision p : measured) {
    // Full precision is what nobody serves in, unless the scenario asks for it.
    const bool asked = std::ranges::count(wanted.precisions, p) > 0;
    if (asked || (p != Precision::fp32 && p != Precision::tf32)) kept.push_back(p);
  }
  return kept;
}

class Lister {
 public:
  Lister(const data::Scenario& scenario, const data::Workload& workload, const data::Catalog& catalog)
      : scenario_(scenario), workload_(workload), model_(catalog.model(workload.model.id)) {}

  void add(const data::Accelerator& accelerator, Precision precision, int tensor_parallel,
           const std::vector<std::string>& tenures, const data::Calibration* calibration) {
    const int count = static_cast<int>(tenures.size());
    list_.considered += count;
    const auto prune = [&](const std::string& reason) { list_.pruned[reason] += count; };
    const bool as_chosen = precision == workload_.model.weights;
    const auto precisions = precisions_on(accelerator, precision, as_chosen ? workload_.model.activations : precision);
    if (!precisions) return prune("the hardware does not support the precision");
    const double most = accelerator.max_per_server.value.value_or(tensor_parallel);
    if (tensor_parallel > most) return prune("tensor parallel above the accelerators of a server");
    if (!divides_heads(model_, tensor_parallel)) return prune("tensor parallel does not divide the model's heads");
    const auto key = std::make_tuple(accelerator.id, precisions->weights, precisions->activations, tensor_parallel);
    if (!seen_.insert(key).second) return prune("the same as another candidate on this hardware");

    Variant variant;
    variant.replica.accelerator = accelerator;
    variant.replica.model = model_;
    variant.replica.weights = precisions->weights;
    variant.replica.activations = precisions->activations;
    variant.replica.kv = workload_.model.kv;
    variant.replica.tensor_parallel = tensor_parallel;
    variant.replica.engine = scenario_.serving.engine;
    variant.precision = precisions->weights;
    variant.tenures = tenures;
    variant.calibration = calibration;
    list_.variants.push_back(std::move(variant));
  }

  CandidateList take() { return std::move(list_); }

 private:
  const data::Scenario& scenario_;
  const data::Workload& workload_;
  const data::Model& model_;
  CandidateList list_;
  std::set<std::tuple<std::string, Precision, Precision, int>> seen_;
};

}  // namespace

std::optional<ReplicaPrecisions> precisions_on(const data::Accelerator& accelerator, Precision weights,
                                               Precision activations) {
  const auto half = [&]() -> std::optional<Precision> {
    if (accelerator.supports(Precision::fp16)) return Precision::fp16;
    if (accelerator.supports(Precision::bf16)) return Precision::bf16;
    return std::nullopt;
  };
  const auto on = [&](Precision p) {
    return p == Precision::fp16 ? half() : accelerator.supports(p) ? std::optional(p) : std::nullopt;
  };
  // Weights narrower than the activations are unpacked on the way in: only the activations' arithmetic is needed.
  if (weights == Precision::int4 && (activations == Precision::int4 || is_half(activations))) {
    const auto wide = activations == Precision::bf16 ? on(Precision::bf16) : half();
    if (!wide) return std::nullopt;
    return ReplicaPrecisions{Precision::int4, *wide};
  }
  const auto w = on(weights), a = on(activations);
  if (!w || !a) return std::nullopt;
  return ReplicaPrecisions{*w, *a};
}

data::Accelerator find_hardware(std::string_view name, const data::Catalog& catalog,
                                const data::Calibration* calibration) {
  if (calibration != nullptr && name == calibration->device_id) return calibration->as_accelerator();
  if (name == kThisMachine && catalog.find_accelerator(name) == nullptr) {
    throw data::InputError("", "accelerator", std::string(name),
                           "no calibration of this machine was given: measure it first (weir probe)");
  }
  return catalog.accelerator(name);
}

void fill_defaults(data::Scenario& scenario, const data::Workload& workload, const data::Catalog& catalog) {
  data::Candidates& c = scenario.candidates;
  if (c.accelerators.empty() && !scenario.deployment.accelerator.empty()) {
    c.accelerators = {scenario.deployment.accelerator};
  }
  if (c.accelerators.empty()) {
    for (const data::Accelerator& a : catalog.accelerators()) {
      const bool priced = catalog.server_price(a.id, "USD") ||
                          catalog.cloud_price_per_hour(a.id, scenario.cost.cloud_term, scenario.cost.region, "USD");
      if (priced && a.memory_bytes.known() && a.memory_bandwidth_bytes_per_s.known()) c.accelerators.push_back(a.id);
    }
  }
  if (c.precisions.empty()) c.precisions = {workload.model.weights};
  if (c.tensor_parallel.empty()) c.tensor_parallel = {1};
  if (c.tenures.empty()) c.tenures = {"owned", "cloud"};
  if (!scenario.cost.discount_rate) {
    const auto given = scenario.cost.overrides.find("discount_rate");
    scenario.cost.discount_rate = given != scenario.cost.overrides.end()
                                      ? given->second
                                      : catalog.economic("discount_rate", scenario.cost.region).mid;
  }
}

CandidateList list_candidates(const data::Scenario& scenario, const data::Workload& workload,
                              const data::Catalog& catalog, const data::Calibration* calibration) {
  Lister lister(scenario, workload, catalog);
  const data::Candidates& c = scenario.candidates;
  for (const std::string& name : c.accelerators) {
    if (calibration != nullptr && name == calibration->device_id) continue;  // comes below, as it was measured
    const data::Accelerator accelerator = find_hardware(name, catalog, calibration);
    for (const Precision precision : c.precisions) {
      for (const int ranks : c.tensor_parallel) lister.add(accelerator, precision, ranks, c.tenures, nullptr);
    }
  }
  if (calibration != nullptr) {
    const data::Accelerator machine = calibration->as_accelerator();
    for (const Precision precision : measured_precisions(*calibration, c)) {
      lister.add(machine, precision, 1, {"owned"}, calibration);
    }
  }
  return lister.take();
}

}  // namespace weir::sim

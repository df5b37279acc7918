#include "sim/plan/candidates.h"

#include <algorithm>
#include <set>
#include <tuple>

#include "data/errors.h"
#include "sim/timing/efficiency_kernels.h"

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

std::vector<int> or_one(const std::vector<int>& degrees) { return degrees.empty() ? std::vector<int>{1} : degrees; }

bool has_kernels(const data::Accelerator& accelerator, const ReplicaPrecisions& precisions, bool sparse) {
  try {
    require_kernels(accelerator, precisions.weights, precisions.activations, sparse);
  } catch (const data::InputError&) {
    return false;
  }
  return true;
}

class Lister {
 public:
  Lister(const data::Scenario& scenario, const data::Workload& workload, const data::Catalog& catalog)
      : scenario_(scenario),
        workload_(workload),
        catalog_(catalog),
        model_(data::compressed(catalog, workload.model.id, workload.model.compression)) {}

  void add(const data::Accelerator& accelerator, Precision precision, int tensor_parallel,
           const data::ParallelChoice& parallel, const std::vector<std::string>& tenures,
           const data::Calibration* calibration) {
    const int count = static_cast<int>(tenures.size());
    list_.considered += count;
    const auto prune = [&](const std::string& reason) { list_.pruned[reason] += count; };
    const bool as_chosen = precision == workload_.model.weights;
    const auto precisions = precisions_on(accelerator, precision, as_chosen ? workload_.model.activations : precision);
    if (!precisions) return prune("the hardware does not support the precision");
    const double most = accelerator.max_per_server.value.value_or(tensor_parallel);
    const data::LinkChoice& links = scenario_.deployment.links;
    if (tensor_parallel > most && links.network.empty())
      return prune("tensor parallel above the accelerators of a server");
    if (!divides_heads(model_, tensor_parallel)) return prune("tensor parallel does not divide the model's heads");
    const bool sparse = workload_.model.compression.sparsity == "2:4";
    if (!has_kernels(accelerator, *precisions, sparse)) return prune("the hardware has no kernels for these weights");
    const int most_stages = model_.kind == data::ModelKind::llm ? model_.layers : 1;
    if (parallel.pipeline > most_stages) return prune("more pipeline stages than layers");
    const int experts = model_.experts.count;
    if (parallel.expert > 1 && (experts == 0 || experts % parallel.expert != 0)) {
      return prune("expert parallel does not divide the model's experts");
    }
    if (tensor_parallel * parallel.pipeline * parallel.expert > most && links.network.empty()) {
      return prune("more accelerators than a server has, and no network between servers");
    }
    const auto key = std::make_tuple(accelerator.id, precisions->weights, precisions->activations, tensor_parallel,
                                     parallel.pipeline, parallel.expert);
    if (!seen_.insert(key).second) return prune("the same as another candidate on this hardware");

    Variant variant;
    variant.replica.accelerator = accelerator;
    set_model(variant.replica, workload_.model, catalog_);
    variant.replica.weights = precisions->weights;
    variant.replica.activations = precisions->activations;
    set_degrees(variant.replica, tensor_parallel, parallel);
    variant.replica.engine = scenario_.serving.engine;
    if (!links.network.empty()) variant.replica.network = catalog_.network(links.network);
    variant.replica.all_reduce_overlap = links.all_reduce_overlap;
    variant.precision = precisions->weights;
    variant.tenures = tenures;
    variant.calibration = calibration;
    list_.variants.push_back(std::move(variant));
  }

  CandidateList take() { return std::move(list_); }

 private:
  const data::Scenario& scenario_;
  const data::Workload& workload_;
  const data::Catalog& catalog_;
  data::Model model_;
  CandidateList list_;
  std::set<std::tuple<std::string, Precision, Precision, int, int, int>> seen_;
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

void set_model(ReplicaSpec& replica, const data::ModelChoice& choice, const data::Catalog& catalog) {
  replica.model = data::compressed(catalog, choice.id, choice.compression);
  replica.kv = choice.kv;
  replica.sparse = choice.compression.sparsity == "2:4";
  replica.expert_skew = choice.expert_skew;
}

void set_degrees(ReplicaSpec& replica, int tensor_parallel, const data::ParallelChoice& parallel) {
  replica.tensor_parallel = tensor_parallel;
  replica.pipeline_parallel = parallel.pipeline;
  replica.micro_batches = parallel.pipeline > 1 ? parallel.micro_batches : 0;
  replica.expert_parallel = parallel.expert;
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
  if (!scenario.deployment.slice.empty()) {
    throw data::InputError(scenario.name, "/deployment/slice", scenario.deployment.slice,
                           "a plan prices whole accelerators; slices can be simulated");
  }
  if (!scenario.deployment.pools.empty()) {
    throw data::InputError(scenario.name, "/deployment/pools", "",
                           "a plan sizes fleets of one kind of replica; mixed pools can be simulated");
  }
  if (scenario.fleet.autoscaling) {
    throw data::InputError(scenario.name, "/fleet/autoscaling", "",
                           "a plan sizes fixed fleets; autoscaling can be simulated");
  }
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
  c.parallel = {or_one(c.parallel.pipeline), or_one(c.parallel.expert)};
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
      for (const int ranks : c.tensor_parallel) {
        for (const int stages : or_one(c.parallel.pipeline)) {
          for (const int groups : or_one(c.parallel.expert)) {
            const data::ParallelChoice parallel{stages, scenario.deployment.parallel.micro_batches, groups};
            lister.add(accelerator, precision, ranks, parallel, c.tenures, nullptr);
          }
        }
      }
    }
  }
  if (calibration != nullptr) {
    const data::Accelerator machine = calibration->as_accelerator();
    for (const Precision precision : measured_precisions(*calibration, c)) {
      lister.add(machine, precision, 1, {}, {"owned"}, calibration);
    }
  }
  return lister.take();
}

}  // namespace weir::sim

#include "reports/decide.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "data/json_io.h"
#include "reports/format.h"
#include "sim/timing/deployment_timer.h"

namespace weir::reports {
namespace {

using Json = nlohmann::ordered_json;

/// The model whose layer shapes weir-probe measures.
constexpr const char* kProbedModel = "llama-3.1-8b";

std::int64_t whole(const data::Sample& sample, const char* key, std::int64_t otherwise) {
  const auto found = sample.shape.find(key);
  return found == sample.shape.end() ? otherwise : std::llround(found->second);
}

std::string count_text(std::int64_t count, const char* noun) {
  return grouped(count) + " " + noun + (count == 1 ? "" : "s");
}

std::string text_or_empty(const Json& json, const char* key) {
  const auto found = json.find(key);
  return found != json.end() && found->is_string() ? found->get<std::string>() : "";
}

}  // namespace

Decision decide(const DecisionInputs& inputs, const std::string& weir_version) {
  sim::PlanOptions options;
  options.seed = inputs.seed;
  options.threads = inputs.threads;
  options.trace = inputs.trace;
  options.calibration = inputs.calibration;
  options.progress = inputs.progress;
  options.cache = inputs.cache;
  Decision decision;
  decision.plan = sim::plan(inputs.scenario, data::Catalog::builtin(), data::EfficiencyTable::builtin(), options);
  if (inputs.calibration != nullptr) {
    decision.calibration = *inputs.calibration;
    decision.checks = check_layers(*inputs.calibration);
  }
  decision.weir_version = weir_version;
  return decision;
}

std::vector<LayerCheck> check_layers(const data::Calibration& calibration) {
  std::vector<LayerCheck> checks;
  sim::ReplicaSpec replica;
  replica.accelerator = calibration.as_accelerator();
  replica.model = data::Catalog::builtin().model(kProbedModel);
  for (const data::Sample& sample : calibration.held_out) {
    if (sample.op != "layer") continue;
    replica.weights = replica.activations = sample.precision;
    const std::int64_t batch = std::max<std::int64_t>(1, whole(sample, "batch", 1));
    const std::int64_t tokens = whole(sample, "tokens", batch);
    const std::int64_t context = whole(sample, "context_tokens", tokens / batch);
    std::vector<sim::PrefillChunk> chunks;
    sim::IterationShape shape;
    std::string what = replica.model.name + " layer, " + std::string(data::to_string(sample.precision)) + ", ";
    if (whole(sample, "phase", 0) == 0) {
      const std::int64_t each = tokens / batch;
      chunks.assign(static_cast<std::size_t>(batch), {each, context - each});
      shape.prefill = chunks;
      what += "prefill of " + count_text(tokens, "token");
    } else {
      shape.decode_sequences = batch;
      shape.decode_context_tokens = batch * context;
      what += "decode of " + count_text(batch, "sequence") + " of " + count_text(context, "token");
    }
    checks.push_back({std::move(what),
                      sim::predict_layer_seconds(replica, data::EfficiencyTable::builtin(), calibration, shape),
                      sample.median_s, sample.mad_s, sample.n});
  }
  return checks;
}

std::optional<data::Scenario> stored_scenario(const data::Project& project, const std::string& name) {
  const auto stored = project.document("scenario", name);
  if (!stored) return std::nullopt;
  data::Scenario scenario = data::scenario_from_json(data::parse_json(*stored, name), name);
  if (const auto folder = project.document(kScenarioFolder, name)) {
    const Json json = data::parse_json(*folder, name);
    if (json.is_string()) scenario.folder = json.get<std::string>();
  } else {
    scenario.folder.clear();
  }
  return scenario;
}

std::vector<data::Document> scenario_documents(const data::Scenario& scenario) {
  std::vector<data::Document> documents = {{"scenario", scenario.name, data::dump(data::to_json(scenario))}};
  if (!scenario.folder.empty()) {
    const Json folder = std::filesystem::absolute(scenario.folder).string();
    documents.push_back({kScenarioFolder, scenario.name, data::dump(folder)});
  }
  return documents;
}

data::Document calibration_document(const data::Calibration& calibration) {
  return {"calibration", calibration.device_id, data::dump(data::to_json(calibration))};
}

data::Document plan_document(const Decision& decision) {
  return {"plan", decision.plan.scenario.name, data::dump(to_json(decision))};
}

std::optional<PlanRecipe> stored_recipe(const data::Project& project, const std::string& name) {
  const auto stored = project.document("plan", name);
  if (!stored) return std::nullopt;
  const Json plan = data::parse_json(*stored, name);
  PlanRecipe recipe;
  if (!plan.is_object()) return recipe;
  if (plan.contains("seed") && plan["seed"].is_number_unsigned()) recipe.seed = plan["seed"].get<std::uint64_t>();
  const std::string trace = text_or_empty(plan, "trace");
  const std::vector<std::string> traces = project.trace_names();
  if (std::find(traces.begin(), traces.end(), trace) != traces.end()) recipe.trace = trace;
  const auto calibration = plan.find("calibration");
  if (calibration != plan.end() && calibration->is_object()) {
    recipe.calibration = text_or_empty(*calibration, "device_id");
  }
  return recipe;
}

}  // namespace weir::reports

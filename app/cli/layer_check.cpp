#include <cmath>

#include "app/cli/inputs.h"
#include "data/errors.h"
#include "reports/format.h"
#include "sim/timing/deployment_timer.h"

namespace weir::cli {
namespace {

/// The model whose layer shapes weir-probe measures.
constexpr const char* kProbedModel = "llama-3.1-8b";

std::int64_t whole(const data::Sample& sample, const char* key, std::int64_t otherwise) {
  const auto found = sample.shape.find(key);
  return found == sample.shape.end() ? otherwise : std::llround(found->second);
}

std::string count_text(std::int64_t count, const char* noun) {
  return reports::grouped(count) + " " + noun + (count == 1 ? "" : "s");
}

}  // namespace

std::vector<reports::LayerCheck> check_layers(const data::Calibration& calibration) {
  std::vector<reports::LayerCheck> checks;
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

}  // namespace weir::cli

// One option of llm-chat recomputed with pencil and paper: 1 x A100 SXM4 80GB at int8, rented on demand. The numbers
// below are written out as the catalogue prints them (weir catalog hardware a100-sxm4-80gb, weir catalog models
// llama-3.1-8b, data/catalog/efficiency.json, weir catalog economics), not looked up, so that a change of the catalogue
// shows here.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>

#include "data/scenario.h"
#include "sim/fleet/simulate.h"
#include "sim/plan/plan.h"
#include "sim/timing/deployment_timer.h"

namespace weir::sim {
namespace {

constexpr double kTolerance = 0.05;

double both(double compute_s, double memory_s) {
  return std::pow(std::pow(compute_s, 1.9) + std::pow(memory_s, 1.9), 1 / 1.9);
}

/// Output tokens a second of a replica that never runs out of work: every request reads 1,155 and writes 211 tokens,
/// 256 decode together, and a prompt has an iteration to itself (two do not fit into 2,048 tokens).
double tokens_per_second_by_hand() {
  const double int8_flops = 624e12, fp16_flops = 312e12, bandwidth = 2.039e12;                    // datasheet
  const double gemm_int8 = 0.839, gemm_fp16 = 0.831, weights_int8 = 0.658, weights_fp16 = 0.738;  // published medians
  const double prefill_share = 0.371, decode_share = 0.743;
  const double layers = 32, layer_weights = 218.1e6, head_weights = 4096.0 * 128256;
  const double kv_bytes = 131072;  // of one token
  const double prompt = 1155, answer = 211, batch = 256;
  const double host_s = 0.8e-3 + layers * 9 * 2.5e-6, sequence_s = 6.7e-6;  // engine, fitted

  // Bytes of the passes between the matrices, 16 bit in and out, at 0.7 of the bandwidth.
  const double between_s = layers * 2 * (10 * 4096 + 3 * 14336 + 2 * 6144) / (0.7 * bandwidth);
  const auto matrices_s = [&](double tokens, double sequences) {
    const double ops = 2 * layers * layer_weights * tokens, head_ops = 2 * head_weights * sequences;
    return both(ops / (int8_flops * gemm_int8), layers * layer_weights / (bandwidth * weights_int8)) +
           both(head_ops / (fp16_flops * gemm_fp16), 2 * head_weights / (bandwidth * weights_fp16)) +
           tokens * between_s + host_s + sequences * sequence_s;
  };
  const double read_s = matrices_s(prompt, 1) + layers * 4 * 4096 * prompt * prompt / 2 / (fp16_flops * prefill_share);
  const double context = prompt + answer / 2;
  const double write_s = matrices_s(batch, batch) + batch * context * kv_bytes / (bandwidth * decode_share);
  return answer / (read_s + (answer - 1) * write_s / batch);
}

TEST(ByHand, CapacityOfAFloodedReplica) {
  const data::Scenario scenario = data::find_scenario("llm-chat");
  const data::Workload& workload = scenario.workloads.front();
  const data::Catalog& catalog = data::Catalog::builtin();
  const ReplicaSpec replica{.accelerator = catalog.accelerator("a100-sxm4-80gb"),
                            .model = catalog.model("llama-3.1-8b"),
                            .weights = data::Precision::int8,
                            .activations = data::Precision::int8,
                            .kv = data::Precision::fp16,
                            .tensor_parallel = 1,
                            .engine = scenario.serving.engine};
  RequestList flood;
  for (const data::RequestClass& c : workload.classes) flood.class_names.push_back(c.name);
  SimRequest request;
  request.input_tokens = 1155;
  request.output_tokens = 211;
  flood.requests.assign(6000, request);
  FleetSpec fleet;
  fleet.kv_tokens = plan_memory(replica, scenario.serving).kv_tokens;
  data::Serving serving = scenario.serving;
  serving.queue_limit.reset();
  serving.timeout_s.reset();
  const auto timer = make_step_timer(replica, data::EfficiencyTable::builtin(), nullptr);
  const RunResult run = simulate(workload, serving, flood, fleet, *timer, {});
  const double by_hand = tokens_per_second_by_hand();
  std::printf("output tokens/s of one flooded A100 at int8: simulated %.0f, by hand %.0f (%+.1f %%)\n",
              run.output_tokens_per_s, by_hand, 100 * (run.output_tokens_per_s / by_hand - 1));
  EXPECT_NEAR(run.output_tokens_per_s, by_hand, kTolerance * by_hand);
}

TEST(ByHand, TcoOfTheRentedReplica) {
  data::Scenario scenario = data::find_scenario("llm-chat");
  scenario.candidates.accelerators = {"a100-sxm4-80gb"};
  scenario.candidates.precisions = {data::Precision::int8};
  scenario.candidates.tensor_parallel = {1};
  scenario.candidates.tenures = {"cloud"};
  const PlanResult result = plan(scenario, data::Catalog::builtin(), data::EfficiencyTable::builtin(), {});
  ASSERT_EQ(result.options.size(), 1u);
  const PlanOption& option = result.options.front();
  ASSERT_TRUE(option.cost);
  ASSERT_EQ(option.replicas, 1);

  // Traffic grows 30 % a year; the month of the second replica is the simulation's to say, the rest is arithmetic:
  // 4.902 USD an hour x 730 h / (1 - 3 % lost to neighbours), 5 % cheaper a year, and 3 % for support.
  const double first_month = option.cost->months.at(1).opex.units();
  double by_hand = 0;
  for (int month = 1; month <= 36; ++month) {
    const double accelerators =
        std::round(option.cost->months.at(static_cast<std::size_t>(month)).opex.units() / first_month);
    by_hand += accelerators * 4.902 * 730 / 0.97 * std::pow(0.95, (month - 1) / 12.0) * 1.03;
  }
  std::printf("TCO of one rented A100 over 36 months: plan %.0f USD, by hand %.0f USD (%+.1f %%)\n",
              option.cost->total.units(), by_hand, 100 * (option.cost->total.units() / by_hand - 1));
  EXPECT_NEAR(option.cost->total.units(), by_hand, kTolerance * by_hand);
}

}  // namespace
}  // namespace weir::sim

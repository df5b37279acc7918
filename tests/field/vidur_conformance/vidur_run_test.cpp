// What is read of a run of Vidur, what is refused, and that a deviation is one.
#include <fstream>
#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "data/errors.h"
#include "tests/field/vidur_conformance/conformance.h"
#include "tests/field/vidur_conformance/vidur_run.h"

namespace weir::field {
namespace {

namespace fs = std::filesystem;

constexpr const char* kConfig = R"({
  "time_limit": 0,
  "cluster_config": {
    "num_replicas": 1,
    "replica_config": {"num_pipeline_stages": 1, "tensor_parallel_size": 2,
      "model_config": {"num_layers": 48, "num_q_heads": 64, "num_kv_heads": 8, "post_attn_norm": true}},
    "global_scheduler_config": {"name": "round_robin"},
    "replica_scheduler_config": {"name": "sarathi", "batch_size_cap": 100, "block_size": 16,
      "watermark_blocks_fraction": 0.01, "num_blocks": null, "chunk_size": 512}},
  "request_generator_config": {"name": "trace_replay", "prefill_scale_factor": 1.0, "decode_scale_factor": 1.0,
    "time_scale_factor": 1.0, "max_tokens": 4096},
  "execution_time_predictor_config": {"kv_cache_prediction_granularity": 64,
    "attention_decode_batching_overhead_fraction": 0.1, "attention_prefill_batching_overhead_fraction": 0.2,
    "nccl_cpu_launch_overhead_ms": 0.02, "nccl_cpu_skew_overhead_per_device_ms": 0.0,
    "skip_cpu_overhead_modeling": true}})";

class VidurRunFiles : public ::testing::Test {
 protected:
  VidurRunFiles()
      : folder_(fs::path(::testing::TempDir()) /
                (std::string("vidur_run_") + ::testing::UnitTest::GetInstance()->current_test_info()->name())),
        config_(nlohmann::json::parse(kConfig)) {
    fs::create_directories(folder_);
    write("summary.json", R"({"timing": {"num_blocks": 27904}})");
  }
  void write(const char* name, const std::string& text) const { std::ofstream(folder_ / name) << text; }
  VidurRun read() const {
    write("config.json", config_.dump());
    return read_vidur_run(folder_);
  }
  /// The error when `value` stands at `pointer`.
  std::string refusal(const char* pointer, const nlohmann::json& value) {
    config_[nlohmann::json::json_pointer(pointer)] = value;
    try {
      read();
    } catch (const data::InputError& error) {
      return error.place();
    }
    return "accepted";
  }

  fs::path folder_;
  nlohmann::json config_;
};

TEST_F(VidurRunFiles, SarathiBecomesChunkedRules) {
  const VidurRun run = read();
  EXPECT_EQ(run.rules.policy, sim::Policy::chunked);
  EXPECT_EQ(run.rules.max_batch, 100);
  EXPECT_EQ(run.rules.token_budget, 512);
  EXPECT_EQ(run.rules.kv_blocks, 27904);  // Vidur's own plan, from the summary
  EXPECT_EQ(run.rules.watermark_blocks, 279);
  EXPECT_TRUE(run.rules.restart_cuts_prompt);
  EXPECT_TRUE(run.grouped_queries);
  EXPECT_EQ(run.layers, 48);
  EXPECT_EQ(run.prefill_batching_overhead, 0.2);
}

TEST_F(VidurRunFiles, VllmBecomesContinuousRules) {
  auto& scheduler = config_["cluster_config"]["replica_scheduler_config"];
  scheduler["name"] = "vllm";
  scheduler["max_tokens_in_batch"] = 2048;
  scheduler["num_blocks"] = 350;
  const VidurRun run = read();
  EXPECT_EQ(run.rules.policy, sim::Policy::continuous);
  EXPECT_EQ(run.rules.token_budget, 2048);
  EXPECT_EQ(run.rules.kv_blocks, 350);
  EXPECT_EQ(run.rules.watermark_blocks, 3);
  EXPECT_TRUE(run.rules.padded_budget);
  EXPECT_TRUE(run.rules.decode_by_arrival);
}

TEST_F(VidurRunFiles, WhatCannotBeFollowedIsRefusedAtItsPlace) {
  for (const auto& [pointer, value] : std::initializer_list<std::pair<const char*, nlohmann::json>>{
           {"/cluster_config/replica_config/num_pipeline_stages", 2},
           {"/cluster_config/replica_scheduler_config/name", "orca"},
           {"/cluster_config/replica_scheduler_config/batch_size_cap", nullptr},
           {"/execution_time_predictor_config/skip_cpu_overhead_modeling", false},
           {"/request_generator_config/name", "synthetic"},
           {"/time_limit", 100}}) {
    config_ = nlohmann::json::parse(kConfig);
    EXPECT_EQ(refusal(pointer, value), pointer);
  }
}

TEST_F(VidurRunFiles, SeveralReplicasAreServedInTurnOnly) {
  const char* router = "/cluster_config/global_scheduler_config/name";
  EXPECT_EQ(refusal(router, "lor"), "accepted");  // one replica: whoever sends, it gets all
  EXPECT_EQ(refusal("/cluster_config/num_replicas", 2), router);
  EXPECT_EQ(refusal(router, "round_robin"), "accepted");
}

// 0.5 x 9 = 4.5 is cut to 4; 0.5 x 1 is cut to 0 and raised to 1; 20 + 90 tokens are 10 above 100: 10 prompt tokens.
TEST_F(VidurRunFiles, ATraceIsScaledAndCutAsVidurDoes) {
  VidurRun run = read();
  run.input_scale = 0.5;
  run.time_scale = 2;
  run.max_tokens = 100;
  write("trace.csv", "arrived_at,num_prefill_tokens,num_decode_tokens\n0.25,9,7\n1,1,7\n2,40,90\n");
  const std::vector<VidurRequest> requests = read_vidur_trace(folder_ / "trace.csv", run);
  ASSERT_EQ(requests.size(), 3U);
  EXPECT_EQ(requests[0].arrival, sim::Time::from_seconds(0.5));
  EXPECT_EQ(requests[0].input_tokens, 4);
  EXPECT_EQ(requests[1].input_tokens, 1);
  EXPECT_EQ(requests[2].input_tokens, 10);
  EXPECT_EQ(requests[2].output_tokens, 90);
  write("trace.csv", "arrived_at,num_prefill_tokens,num_decode_tokens\n0,9,100\n");
  EXPECT_THROW(read_vidur_trace(folder_ / "trace.csv", run), data::InputError);
}

TEST_F(VidurRunFiles, AnswersToOtherRequestsAreRefused) {
  const std::vector<VidurRequest> requests = {{sim::Time(), 10, 5}};
  const std::string header =
      "id,num_prefill_tokens,num_decode_tokens,scheduled_at,first_token_at,completed_at,restarts\n";
  write("requests.csv", header + "0,10,5,0.0,1.5,2.5,3\n");
  const std::vector<VidurAnswer> answers = read_vidur_answers(folder_ / "requests.csv", requests);
  EXPECT_EQ(answers[0].first_token_s, 1.5);
  EXPECT_EQ(answers[0].restarts, 3);
  write("requests.csv", header + "0,10,6,0.0,1.5,2.5,3\n");
  EXPECT_THROW(read_vidur_answers(folder_ / "requests.csv", requests), data::InputError);
  write("requests.csv", header);
  EXPECT_THROW(read_vidur_answers(folder_ / "requests.csv", requests), data::InputError);
}

TEST(VidurComparison, EveryTimeAndEveryRestartCounts) {
  const auto at = [](double s) { return sim::Time::from_seconds(s); };
  const std::vector<VidurAnswer> expected = {{1, 2, 3, 0}, {1, 2, 3, 1}};
  const OurAnswer first{at(1), at(2), at(3), 0, true}, second{at(1), at(2), at(3), 1, true};
  EXPECT_TRUE(compare(expected, {first, second}).within(1e-6));

  OurAnswer other = second;
  other.first_token = at(2.000002);
  const Comparison later = compare(expected, {first, other});
  EXPECT_FALSE(later.within(1e-6));
  EXPECT_EQ(later.first_token.request, 1U);
  EXPECT_NEAR(later.first_token.seconds, 2e-6, 1e-10);

  other = second;
  other.restarts = 2;
  EXPECT_FALSE(compare(expected, {first, other}).within(1e-6));
  other = second;
  other.served = false;
  EXPECT_FALSE(compare(expected, {first, other}).within(1e-6));
  for (sim::Time OurAnswer::*time : {&OurAnswer::scheduled, &OurAnswer::completed}) {
    other = first;
    other.*time = other.*time + at(2e-6);
    EXPECT_FALSE(compare(expected, {other, second}).within(1e-6));
  }
}

}  // namespace
}  // namespace weir::field

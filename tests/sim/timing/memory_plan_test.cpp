#include <gtest/gtest.h>

#include <string>

#include "data/errors.h"
#include "sim/timing/deployment_timer.h"
#include "tests/sim/timing/test_replicas.h"

namespace weir::sim {
namespace {

using data::Precision;
using test::replica;

TEST(MemoryPlan, LlamaOn40GigabytesByHand) {
  const MemoryPlan plan = plan_memory(replica(), data::Serving{});
  const double weights = 2 * (32 * 218'103'808.0 + 2 * 128256.0 * 4096) + 32 * 2 * 4096 * 2;
  EXPECT_NEAR(plan.weights_bytes, weights, 1);
  EXPECT_DOUBLE_EQ(plan.usable_bytes, 36e9);
  EXPECT_DOUBLE_EQ(plan.kv_bytes_per_token, 131072);
  // 2,048 tokens x (4 x 4096 + gate-up 28672 + 4096) x 2 bytes + 256 x 128256 logits x 6 bytes
  const double activations = 2048.0 * (4 * 4096 + 28672 + 4096) * 2 + 256.0 * 128256 * 6;
  EXPECT_NEAR(plan.activation_bytes, activations, 1);
  const double left = 36e9 - weights - activations - 1.5e9;
  EXPECT_EQ(plan.kv_tokens, static_cast<std::int64_t>(left / (16 * 131072.0)) * 16);
  EXPECT_TRUE(plan.fits());
  EXPECT_EQ(plan.why_not(), "");
}

TEST(MemoryPlan, SeventyBillionParametersDoNotFitAT4) {
  const data::Catalog& catalog = data::Catalog::builtin();
  ReplicaSpec spec = replica(catalog.accelerator("t4"), catalog.model("llama-3.1-70b"));
  const MemoryPlan plan = plan_memory(spec, data::Serving{});
  EXPECT_FALSE(plan.fits());
  EXPECT_EQ(plan.kv_tokens, 0);
  const std::string text = plan.why_not();
  EXPECT_EQ(text.rfind("does not fit: needs ", 0), 0u) << text;
  EXPECT_NE(text.find(" GB of 15.5 GB usable"), std::string::npos) << text;  // 0.9 x 16 GiB
  EXPECT_NE(text.find("weights 141.1 GB"), std::string::npos) << text;       // 70.55e9 parameters x 2 bytes
}

TEST(MemoryPlan, RanksAndNarrowWeightsMakeItFit) {
  const data::Catalog& catalog = data::Catalog::builtin();
  ReplicaSpec spec = replica(catalog.accelerator("a100-sxm4-80gb"), catalog.model("llama-3.1-70b"));
  EXPECT_FALSE(plan_memory(spec, data::Serving{}).fits());
  spec.tensor_parallel = 4;
  const MemoryPlan four = plan_memory(spec, data::Serving{});
  EXPECT_TRUE(four.fits());
  spec.tensor_parallel = 1;
  spec.weights = Precision::int4;
  EXPECT_TRUE(plan_memory(spec, data::Serving{}).fits());
  spec.tensor_parallel = 8;
  EXPECT_GT(plan_memory(spec, data::Serving{}).kv_tokens, four.kv_tokens);
}

TEST(MemoryPlan, EncodersNeedNoCache) {
  const MemoryPlan plan = plan_memory(replica(test::round_part(), test::bert_large()), data::Serving{});
  EXPECT_TRUE(plan.fits());
  EXPECT_EQ(plan.kv_bytes_per_token, 0);
}

TEST(MemoryPlan, RefusesDegreesThatDoNotDivideTheHeads) {
  ReplicaSpec spec = replica();
  spec.tensor_parallel = 3;
  EXPECT_THROW(plan_memory(spec, data::Serving{}), data::InputError);
}

}  // namespace
}  // namespace weir::sim

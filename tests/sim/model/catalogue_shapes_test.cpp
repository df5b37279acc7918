// Catalogue models against the figures their publishers give.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "data/catalog.h"
#include "data/errors.h"
#include "sim/model/sharded_model.h"

namespace weir::sim {
namespace {

ShardedModel model(const std::string& id, const Sharding& sharding = {}) {
  return ShardedModel(data::Catalog::builtin().model(id), ModelPrecisions{}, sharding);
}

struct Published {
  const char* id;
  double all, active;  ///< 1e9 parameters in all; in the matrices one token passes through
  double kv_bytes;     ///< a token, 16 bits, all layers
};

TEST(CatalogueShapes, ParametersAndCacheAsPublished) {
  // facts/models.json: computed_params_b, computed_matmul_params_active_b, kv_bytes_per_token_bf16
  for (const Published& p :
       {Published{"mixtral-8x7b", 46.703, 12.749, 131072}, Published{"qwen3-30b-a3b", 30.532, 3.042, 98304},
        Published{"qwen3-235b-a22b", 235.093, 21.568, 192512}, Published{"qwen2-57b-a14b", 57.408, 13.704, 57344},
        Published{"llama-4-scout", 107.769, 16.138, 196608}, Published{"deepseek-v2", 235.741, 20.851, 69120},
        Published{"deepseek-v2-lite", 15.706, 2.451, 31104}, Published{"deepseek-v3", 671.025, 36.625, 70272},
        Published{"gemma-2-9b", 9.241, 9.241, 344064}, Published{"llama-3.1-8b", 8.03, 7.505, 131072}}) {
    const ShardedModel m = model(p.id);
    EXPECT_NEAR(m.weight_bytes() / 2e9, p.all, 1e-3 * p.all) << p.id;
    EXPECT_NEAR((m.active_parameters() + m.head_parameters()) / 1e9, p.active, 1e-3 * p.active) << p.id;
    EXPECT_DOUBLE_EQ(m.kv_bytes_per_token(), p.kv_bytes) << p.id;
  }
}

TEST(CatalogueShapes, LatentAttentionByHand) {
  const ShardedModel m = model("deepseek-v3");
  // A prompt: 128 heads x (128 + 64 + 128) x 2 a pair; the past unfolds to 128 x 256 values from 512.
  const Operator prompt = m.prefill_attention(100, 50);
  EXPECT_DOUBLE_EQ(prompt.flops, 2.0 * 128 * 320 * (100 * 100) + 2.0 * 50 * 512 * 128 * 256);
  // A decode in the latent space: 2 x 128 x (2 x 512 + 64) a cached token of 576 values.
  const Operator decode = m.decode_attention(3, 1000);
  EXPECT_DOUBLE_EQ(decode.flops, 2.0 * 128 * 1088 * 1000);
  EXPECT_DOUBLE_EQ(decode.bytes, 576.0 * 2 * 1000 + 2 * 3 * 128 * 1088 * 2.0);
  // Eight ranks share the heads, not the cache.
  const ShardedModel rank = model("deepseek-v3", {.tensor = 8});
  EXPECT_DOUBLE_EQ(rank.kv_bytes_per_token(), m.kv_bytes_per_token());
  EXPECT_DOUBLE_EQ(8 * rank.decode_attention(3, 1000).flops, decode.flops);
}

TEST(CatalogueShapes, OneLayerOfExpertsByHand) {
  const ShardedModel m = model("mixtral-8x7b");
  const auto operators = m.expert_operators(4);
  ASSERT_EQ(operators.size(), 4u);  // two grouped GEMMs, activation, combine
  const double distinct = 8 * (1 - 81.0 / 256), up = 2 * 14336.0 * 4096, down = 4096.0 * 14336;
  EXPECT_EQ(operators[0].kind, OperatorKind::grouped_gemm);
  EXPECT_DOUBLE_EQ(operators[0].flops, 2 * 8 * up);  // 4 tokens x 2 experts
  EXPECT_NEAR(operators[0].bytes, 2 * (distinct * up + 8 * 4096 + 8 * 28672.0), 1);
  EXPECT_NEAR(operators[1].bytes, 2 * (distinct * down + 8 * 14336 + 8 * 4096.0), 1);
  // the activation moves 3 x 14336 a pair, the sum reads 8 rows and writes 4
  EXPECT_NEAR(operators[2].bytes + operators[3].bytes, 2.0 * (8 * 3 * 14336 + 12 * 4096), 1e-6);
}

TEST(CatalogueShapes, GroupsShareExpertsAndExchange) {
  const ShardedModel m = model("deepseek-v3", {.expert = 8});
  const auto operators = m.expert_operators(64);
  ASSERT_EQ(operators.size(), 6u);
  const double factor = m.experts()->pairs(64) / 64;  // busiest group over the mean of 64 x 8 / 8
  const double sent = 8 * 8 * (1 - std::pow(7.0 / 8, 8)) * factor * 7168;
  EXPECT_EQ(operators[4].kind, OperatorKind::all_to_all);
  EXPECT_NEAR(operators[4].bytes, 2 * sent, 1e-6 * sent);
  // Attention whole in each group: 3 dense layers and 58 with 1 shared and 32 of the 256 experts.
  const ShardedModel whole = model("deepseek-v3");
  const double expert = 3 * 7168.0 * 2048;
  EXPECT_NEAR(whole.weight_bytes() - m.weight_bytes(), 58 * 224 * expert * 2, 1);
}

TEST(CatalogueShapes, StagesShareLayers) {
  const ShardedModel m = model("deepseek-v3", {.pipeline = 4});  // 61 layers: 16 on the widest stage
  EXPECT_EQ(m.layers(), 16);
  EXPECT_EQ(m.layers(LayerKind::dense), 0);
  EXPECT_DOUBLE_EQ(m.kv_bytes_per_token(), 16 * 576 * 2);
  const ShardedModel gemma = model("gemma-2-9b", {.pipeline = 2});  // 21 + 21 of 42: at most 11 without a window
  EXPECT_EQ(gemma.layers(), 21);
  EXPECT_EQ(gemma.window_layers(), 10);
}

TEST(CatalogueShapes, WindowsCapWhatALayerSees) {
  const ShardedModel m = model("gemma-2-9b");  // window 4096, 16 heads of 256
  const double width = 4.0 * 16 * 256;
  EXPECT_DOUBLE_EQ(m.prefill_attention(1000, 0, true).flops, m.prefill_attention(1000, 0).flops);
  EXPECT_DOUBLE_EQ(m.prefill_attention(8192, 0, true).flops, width * (0.5 * 4096 * 4096 + 4096.0 * 4096));
  EXPECT_DOUBLE_EQ(m.prefill_attention(10, 8000, true).flops, width * 10 * 4096);
  EXPECT_DOUBLE_EQ(m.decode_attention(2, 20000, true).flops, width * 2 * 4096);
  EXPECT_DOUBLE_EQ(m.decode_attention(2, 6000, true).flops, m.decode_attention(2, 6000).flops);
  EXPECT_EQ(window_pairs(5, 2, 4), 3 + 4 + 4 + 4 + 4);
}

TEST(CatalogueShapes, DegreesThatDoNotDivideAreRefused) {
  const auto refusal = [](const std::string& id, const Sharding& sharding) -> std::string {
    try {
      model(id, sharding);
    } catch (const data::InputError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_NE(refusal("mixtral-8x7b", {.expert = 3}).find("1 2 4 8"), std::string::npos);
  EXPECT_NE(refusal("llama-3.1-8b", {.expert = 2}).find("no experts"), std::string::npos);
  EXPECT_NE(refusal("llama-3.1-8b", {.pipeline = 33}).find("32 layers"), std::string::npos);
}

TEST(CatalogueShapes, SparseWeightsByHand) {
  // 16 bits: 9 of 16 are stored; 8 bits: 5 of 8; 4 bits: 3 of 4 and the scale of 2 bytes for 128.
  EXPECT_DOUBLE_EQ(weight_bytes_per_parameter(data::Precision::fp16, true), 9.0 / 8);
  EXPECT_DOUBLE_EQ(weight_bytes_per_parameter(data::Precision::fp8, true), 5.0 / 8);
  EXPECT_DOUBLE_EQ(weight_bytes_per_parameter(data::Precision::int4, true), 3.0 / 8 + 2.0 / 128);
}

TEST(CatalogueShapes, UnfusedPassesByHand) {
  const ShardedModel fused = model("llama-3.1-8b"), single = model("llama-3.1-8b", {.fused = false});
  const auto bytes = [](const ShardedModel& m) {
    double sum = 0;
    for (const Operator& op : m.token_operators(7)) sum += op.count * op.bytes;
    return sum;
  };
  // Two norms of 16 elements more, the gate's 2 x 14336, 8 more for 32 + 8 heads of 128.
  EXPECT_NEAR(bytes(single) - bytes(fused), 7 * 2.0 * (2 * 16 * 4096 + 2 * 14336 + 8 * 40 * 128), 1e-6);
}

RC_GTEST_PROP(CatalogueShapesProperty, WindowPairsAreTheSumTheySay, ()) {
  const auto q = *rc::gen::inRange<std::int64_t>(1, 60), past = *rc::gen::inRange<std::int64_t>(0, 60);
  const auto window = *rc::gen::inRange<std::int64_t>(1, 80);
  std::int64_t sum = 0;
  for (std::int64_t i = 0; i < q; ++i) sum += std::min(past + i + 1, window);
  RC_ASSERT(window_pairs(q, past, window) == sum);
}

}  // namespace
}  // namespace weir::sim

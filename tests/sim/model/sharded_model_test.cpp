#include "sim/model/sharded_model.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <string>

#include "data/errors.h"

namespace weir::sim {
namespace {

using data::Precision;

constexpr double kExact = 1e-12;          // relative
constexpr double kPublishedGflops = 0.1;  // the published numbers are rounded

data::Model llama_8b() {
  data::Model m;
  m.id = "llama-3.1-8b";
  m.kind = data::ModelKind::llm;
  m.layers = 32;
  m.hidden = 4096;
  m.heads = 32;
  m.kv_heads = 8;
  m.head_dim = 128;
  m.intermediate = 14336;
  m.vocabulary = 128256;
  m.mlp_matrices = 3;
  m.attention = "gqa";
  return m;
}

data::Model bert_large() {
  data::Model m;
  m.id = "bert-large";
  m.kind = data::ModelKind::encoder;
  m.layers = 24;
  m.hidden = 1024;
  m.heads = m.kv_heads = 16;
  m.head_dim = 64;
  m.intermediate = 4096;
  m.vocabulary = 30522;
  m.max_positions = 512;
  m.mlp_matrices = 2;
  m.attention = "mha";
  return m;
}

ModelPrecisions fp16() { return {}; }

double total(const std::vector<Operator>& operators, OperatorKind kind, double Operator::*what) {
  double sum = 0;
  for (const Operator& op : operators) {
    if (op.kind == kind) sum += op.count * op.*what;
  }
  return sum;
}

TEST(ShardedModel, LlamaLayerByHand) {
  const ShardedModel model(llama_8b(), fp16(), 1);
  // qkv (32 + 2 x 8) x 128 x 4096, o 4096 x 4096, gate-up 28672 x 4096, down 4096 x 14336
  const double parameters = 25'165'824.0 + 16'777'216.0 + 117'440'512.0 + 58'720'256.0;
  EXPECT_DOUBLE_EQ(model.layer_parameters(), parameters);
  // 32 layers + head: 7.505e9 parameters in matrices, as the catalogue's source computes them.
  EXPECT_NEAR(32 * parameters + model.head_parameters(), 7.505e9, 0.001e9);
  const std::vector<Operator> operators = model.token_operators(10);
  EXPECT_NEAR(total(operators, OperatorKind::gemm, &Operator::flops), 2 * 10 * parameters, kExact * 20 * parameters);
  // Elements in and out of the four GEMMs for a token: 4096 + 6144, 4096 + 4096, 4096 + 28672, 14336 + 4096.
  const double moved = 10 * 2.0 * (10240 + 8192 + 32768 + 18432);
  EXPECT_NEAR(total(operators, OperatorKind::gemm, &Operator::bytes), 2 * parameters + moved, 1);
}

TEST(ShardedModel, ElementwiseBytesFollowThePublishedFormula) {
  for (const int ranks : {1, 2, 4}) {
    const ShardedModel model(llama_8b(), fp16(), ranks);
    double bytes = 0;
    for (const Operator& op : model.token_operators(7)) {
      if (op.kind != OperatorKind::gemm && op.kind != OperatorKind::all_reduce) bytes += op.count * op.bytes;
    }
    // 2 T (10 h + (3 I + 2 (H + 2 K) d) / ranks)
    const double expected = 2.0 * 7 * (10 * 4096.0 + (3 * 14336.0 + 2 * 48 * 128.0) / ranks);
    EXPECT_NEAR(bytes, expected, 1e-6) << ranks;
  }
}

TEST(ShardedModel, AttentionByHand) {
  const ShardedModel model(llama_8b(), fp16(), 1);
  const Operator prefill = model.prefill_attention(100, 50);
  EXPECT_DOUBLE_EQ(prefill.flops, 4.0 * 4096 * 100 * (50 + 50));
  EXPECT_DOUBLE_EQ(prefill.bytes, 2.0 * 100 * 4096 * 2 + 2.0 * 150 * 1024 * 2);
  const Operator decode = model.decode_attention(3, 1000);
  EXPECT_DOUBLE_EQ(decode.flops, 4.0 * 4096 * 1000);
  EXPECT_DOUBLE_EQ(decode.bytes, 2.0 * 1024 * 2 * 1000);
  EXPECT_DOUBLE_EQ(model.kv_bytes_per_token(), 131072);  // the catalogue's kv_bytes_per_token_bf16
}

TEST(ShardedModel, BertLargeMatchesThePublishedOperations) {
  const ShardedModel model(bert_large(), fp16(), 1);
  for (const auto& [tokens, gflops] : {std::pair<std::int64_t, double>{128, 78.9}, {384, 246.5}}) {
    const double layer = total(model.token_operators(tokens), OperatorKind::gemm, &Operator::flops) +
                         model.prefill_attention(tokens, 0).flops;
    EXPECT_NEAR(24 * layer / 1e9, gflops, kPublishedGflops) << tokens;
  }
  EXPECT_DOUBLE_EQ(model.layer_parameters(), 12.0 * 1024 * 1024);
  EXPECT_EQ(model.kv_bytes_per_token(), 0);
}

TEST(ShardedModel, RanksShareTheWork) {
  const ShardedModel one(llama_8b(), fp16(), 1), four(llama_8b(), fp16(), 4), sixteen(llama_8b(), fp16(), 16);
  EXPECT_DOUBLE_EQ(4 * four.layer_parameters(), one.layer_parameters());
  EXPECT_EQ(four.heads(), 8);
  EXPECT_EQ(four.kv_heads(), 2);
  EXPECT_EQ(sixteen.kv_heads(), 1);  // two ranks hold the same KV head
  EXPECT_DOUBLE_EQ(total(four.token_operators(5), OperatorKind::all_reduce, &Operator::bytes), 2 * 5 * 4096.0 * 2);
  EXPECT_DOUBLE_EQ(total(one.token_operators(5), OperatorKind::all_reduce, &Operator::bytes), 0);
}

TEST(ShardedModel, NarrowWeightsKeepWideTables) {
  ModelPrecisions int4;
  int4.weights = Precision::int4;
  const ShardedModel model(llama_8b(), int4, 1);
  const double layers = 32 * (model.layer_parameters() * (0.5 + 2.0 / 128) + 2 * 4096 * 2.0);
  const double tables = 2 * 128256.0 * 4096 * 2;
  EXPECT_NEAR(model.weight_bytes(), layers + tables, 1);
  data::Model tied = llama_8b();
  tied.tied_embeddings = true;
  EXPECT_NEAR(ShardedModel(tied, int4, 1).weight_bytes(), layers + tables / 2, 1);
}

TEST(ShardedModel, WeightOnlyGemmsComputeInTheActivationsPrecision) {
  EXPECT_EQ(compute_precision(Precision::int4, Precision::fp16), Precision::fp16);
  EXPECT_EQ(compute_precision(Precision::int8, Precision::bf16), Precision::bf16);
  EXPECT_EQ(compute_precision(Precision::int8, Precision::int8), Precision::int8);
  EXPECT_EQ(compute_precision(Precision::fp8, Precision::fp8), Precision::fp8);
}

template <class Change>
std::string refusal(Change change, int ranks = 1) {
  data::Model model = llama_8b();
  change(model);
  try {
    ShardedModel(model, fp16(), ranks);
  } catch (const data::InputError& error) {
    return error.what();
  }
  return "";
}

TEST(ShardedModel, RefusesWhatItCannotSimulate) {
  EXPECT_NE(refusal([](data::Model& m) { m.mixture_of_experts = true; }).find("needs experts, experts_active"),
            std::string::npos);
  EXPECT_NE(refusal([](data::Model& m) { m.attention = "mla"; }).find("MLA"), std::string::npos);
  EXPECT_NE(refusal([](data::Model& m) { m.kind = data::ModelKind::other; }).find("decoder LLMs and encoders"),
            std::string::npos);
  EXPECT_NE(refusal([](data::Model& m) { m.heads = 0; }).find("heads"), std::string::npos);
  const std::string three = refusal([](data::Model&) {}, 3);
  EXPECT_NE(three.find("divides the 32 heads"), std::string::npos) << three;
  EXPECT_NE(three.find("1 2 4 8 16 32"), std::string::npos) << three;
  EXPECT_EQ(refusal([](data::Model&) {}, 8), "");
}

RC_GTEST_PROP(ShardedModelProperty, WorkIsProportionalToTokensAndNeverNegative, ()) {
  const auto tokens = *rc::gen::inRange<std::int64_t>(1, 100000);
  const ShardedModel model(llama_8b(), fp16(), *rc::gen::element(1, 2, 4, 8));
  const double one = total(model.token_operators(1), OperatorKind::gemm, &Operator::flops);
  const double many = total(model.token_operators(tokens), OperatorKind::gemm, &Operator::flops);
  RC_ASSERT(std::abs(many - one * static_cast<double>(tokens)) <= kExact * many);
  for (const Operator& op : model.token_operators(tokens)) RC_ASSERT(op.bytes > 0);
}

}  // namespace
}  // namespace weir::sim

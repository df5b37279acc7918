#include "sim/serving/rules.h"

#include <gtest/gtest.h>

#include "data/errors.h"
#include "sim/serving/affine_scheduler.h"
#include "sim/serving/dynamic_scheduler.h"
#include "sim/serving/step_scheduler.h"

namespace weir::sim {
namespace {

constexpr auto kGenerative = data::WorkloadKind::generative;
constexpr auto kOneShot = data::WorkloadKind::one_shot;

data::Serving serving(const std::string& rules, const std::string& policy) {
  data::Serving s;
  s.rules = rules;
  s.policy = policy;
  s.max_batch = 128;
  s.token_budget = 512;
  return s;
}

// 10,050 tokens are 628 blocks of 16; 1% of them are 6.28, so 6 stay free.
TEST(MakeRules, WeirPagesWithAWatermark) {
  const Rules r = make_rules(kGenerative, serving("weir", "continuous"), 10'050);
  EXPECT_EQ(r.policy, Policy::continuous);
  EXPECT_EQ(r.kv_blocks, 628);
  EXPECT_EQ(r.watermark_blocks, 6);
  EXPECT_TRUE(r.long_prompt_alone);
  EXPECT_FALSE(r.padded_budget || r.reserve_output || r.prefix_cache || r.decode_wants_free_block);
  EXPECT_EQ(r.steps_in_flight, 1);
}

TEST(MakeRules, ReservedNeedsNoWatermark) {
  data::Serving s = serving("weir", "chunked");
  s.kv_cache = "reserved";
  const Rules r = make_rules(kGenerative, s, 10'050);
  EXPECT_TRUE(r.reserve_output);
  EXPECT_EQ(r.watermark_blocks, 0);
}

TEST(MakeRules, VllmV1KeepsTwoStepsInFlight) {
  data::Serving s = serving("vllm-v1", "chunked");
  s.prefix_cache = true;
  const Rules r = make_rules(kGenerative, s, 10'050);
  EXPECT_EQ(r.steps_in_flight, 2);
  EXPECT_EQ(r.watermark_blocks, 0);
  EXPECT_TRUE(r.blocks_by_chunk && r.no_admission_after_preemption && r.graph_padding && r.prefix_cache);
}

TEST(MakeRules, VllmV0AndVidur) {
  const Rules v0 = make_rules(kGenerative, serving("vllm-v0", "continuous"), 10'050);
  EXPECT_EQ(v0.watermark_blocks, 6);
  EXPECT_FALSE(v0.long_prompt_alone || v0.padded_budget || v0.decode_wants_free_block);
  const Rules vidur = make_rules(kGenerative, serving("vidur-vllm", "continuous"), 10'050);
  EXPECT_TRUE(vidur.padded_budget && vidur.decode_wants_free_block && vidur.decode_by_arrival);
  EXPECT_EQ(vidur.watermark_blocks, 6);
  const Rules sarathi = make_rules(kGenerative, serving("vidur-sarathi", "chunked"), 10'050);
  EXPECT_TRUE(sarathi.decode_wants_free_block && sarathi.restart_cuts_prompt);
  EXPECT_FALSE(sarathi.decode_by_arrival);
}

std::string place_of_error(data::WorkloadKind kind, const data::Serving& s) {
  try {
    make_rules(kind, s, 10'050);
  } catch (const data::InputError& error) {
    return error.place();
  }
  return "none";
}

TEST(MakeRules, RefusesWhatDoesNotGoTogether) {
  EXPECT_EQ(place_of_error(kGenerative, serving("vllm-v1", "continuous")), "/serving/policy");
  EXPECT_EQ(place_of_error(kGenerative, serving("vidur-sarathi", "static")), "/serving/policy");
  EXPECT_EQ(place_of_error(kGenerative, serving("vllm-v0", "chunked")), "/serving/policy");
  EXPECT_EQ(place_of_error(kGenerative, serving("vidur-vllm", "chunked")), "/serving/policy");
  EXPECT_EQ(place_of_error(kGenerative, serving("weir", "sjf")), "/serving/policy");
  EXPECT_EQ(place_of_error(kGenerative, serving("orca", "continuous")), "/serving/policy");
  EXPECT_EQ(place_of_error(kGenerative, serving("orca", "chunked")), "/serving/rules");
  EXPECT_EQ(place_of_error(kOneShot, serving("weir", "continuous")), "/serving/policy");
  data::Serving s = serving("vllm-v1", "chunked");
  s.kv_cache = "reserved";
  EXPECT_EQ(place_of_error(kGenerative, s), "/serving/kv_cache");
  s = serving("vidur-sarathi", "chunked");
  s.prefix_cache = true;
  EXPECT_EQ(place_of_error(kGenerative, s), "/serving/prefix_cache");
  for (const char* policy : {"static", "dynamic", "continuous", "chunked"}) {
    EXPECT_EQ(place_of_error(kGenerative, serving("weir", policy)), "none");
  }
  EXPECT_EQ(place_of_error(kOneShot, serving("weir", "dynamic")), "none");
  EXPECT_EQ(place_of_error(kOneShot, serving("weir", "static")), "none");
}

TEST(MakeScheduler, TakesTheFastOneOnlyWhereItCanFollow) {
  const Rules v1 = make_rules(kGenerative, serving("vllm-v1", "chunked"), 10'050);
  const Rules weir = make_rules(kGenerative, serving("weir", "chunked"), 10'050);
  const auto is_affine = [](const Rules& r, bool affine) {
    return dynamic_cast<AffineScheduler*>(make_scheduler(kGenerative, r, affine).get()) != nullptr;
  };
  EXPECT_TRUE(is_affine(weir, true));
  EXPECT_FALSE(is_affine(weir, false));
  EXPECT_FALSE(is_affine(v1, true));
  const auto one_shot = make_scheduler(kOneShot, make_rules(kOneShot, serving("weir", "dynamic"), 0), true);
  EXPECT_NE(dynamic_cast<DynamicScheduler*>(one_shot.get()), nullptr);
}

QueuedRequest request(int input, int output) {
  QueuedRequest r;
  r.input_tokens = input, r.output_tokens = output;
  return r;
}

// Ten blocks of 16: 150 + 10 tokens fill them exactly. A watermark of two leaves eight: 128 tokens.
TEST(NeverFits, WhatCouldNotRunToItsEndAlone) {
  Rules r;
  r.kv_blocks = 10;
  EXPECT_FALSE(never_fits(r, request(150, 11)));  // the last of 161 tokens is never in the cache
  EXPECT_TRUE(never_fits(r, request(150, 12)));
  r.watermark_blocks = 2;
  EXPECT_FALSE(never_fits(r, request(120, 9)));
  EXPECT_TRUE(never_fits(r, request(120, 10)));
  r.watermark_blocks = 0;
  r.decode_wants_free_block = true;
  EXPECT_FALSE(never_fits(r, request(134, 11)));
  EXPECT_TRUE(never_fits(r, request(134, 12)));
  r.reserve_output = true;  // what is set aside is input + output
  EXPECT_FALSE(never_fits(r, request(150, 10)));
  EXPECT_TRUE(never_fits(r, request(150, 11)));
}

TEST(NeverFits, APromptThatNoStepMayHold) {
  Rules r;
  r.kv_blocks = 1000;
  r.token_budget = 100;
  EXPECT_FALSE(never_fits(r, request(101, 1)));
  r.long_prompt_alone = false;
  EXPECT_TRUE(never_fits(r, request(101, 1)));
  EXPECT_FALSE(never_fits(r, request(100, 1)));
  r.policy = Policy::chunked;
  EXPECT_FALSE(never_fits(r, request(101, 1)));
}

TEST(GraphPadded, ToTheSizesThatAreCaptured) {
  const std::pair<int, int> cases[] = {{1, 1},     {2, 2},     {3, 4},     {4, 4},     {5, 8},     {8, 8},    {9, 16},
                                       {249, 256}, {256, 256}, {257, 272}, {497, 512}, {512, 512}, {513, 513}};
  for (const auto& [tokens, padded] : cases) EXPECT_EQ(graph_padded(tokens), padded) << tokens;
}

}  // namespace
}  // namespace weir::sim

// Two steps in flight (vLLM V1), by hand: the next step is formed while one runs.
#include <stdexcept>

#include <gtest/gtest.h>

#include "tests/sim/serving/by_hand.h"

namespace weir::sim {
namespace {

using testing::ByHand;
using testing::request;

/// The rules vllm-v1 with blocks of 4 tokens.
Rules rules(int kv_blocks, int token_budget = 2048) {
  Rules r;
  r.policy = Policy::chunked;
  r.token_budget = token_budget;
  r.kv_blocks = kv_blocks;
  r.block_tokens = 4;
  r.blocks_by_chunk = true;
  r.no_admission_after_preemption = true;
  r.steps_in_flight = 2;
  return r;
}

// Three tokens: the prompt's, and two decodes that are formed before the token they read is known. Nothing is formed
// for a fourth.
TEST(TwoInFlight, StopsWhenWrittenAndInFlightAreTheOutput) {
  ByHand hand(rules(100));
  hand.scheduler.submit(request(0, 4, 3));
  EXPECT_EQ(hand.next(), "read 4+0");
  EXPECT_EQ(hand.next(), "decode 1 (5)");
  EXPECT_THROW(hand.next(), std::logic_error);
  EXPECT_EQ(hand.end_and_next(), "decode 1 (6)");
  EXPECT_EQ(hand.end_and_next(), "nothing");
  EXPECT_EQ(hand.scheduler.running(), 1);
  EXPECT_EQ(hand.end(), "0");
  EXPECT_EQ(hand.done[0].first.ticks(), 100);
  EXPECT_EQ(hand.now.ticks(), 300);
  EXPECT_EQ(hand.scheduler.kv_blocks_held(), 0);
}

// 1 arrives in step 1 [0, 100]. Step 2 [100, 200] has been formed without it; step 3, formed at 100, reads its prompt
// in [200, 300]. With one step in flight it would be read in [100, 200].
TEST(TwoInFlight, ANewRequestWaitsOutOneMoreStep) {
  ByHand hand(rules(100));
  hand.scheduler.submit(request(0, 4, 9));
  hand.next();
  hand.next();
  hand.scheduler.submit(request(1, 6, 1, 50));
  EXPECT_EQ(hand.end_and_next(), "decode 1 (6) read 6+0");
  EXPECT_EQ(hand.end_and_next(), "decode 1 (7)");
  EXPECT_EQ(hand.end(), "1");
  EXPECT_EQ(hand.done[0].admitted.ticks(), 100);
  EXPECT_EQ(hand.done[0].first.ticks(), 300);
}

// Room for one. 0 has its last token at 200, when step 3 has been formed (empty) already: 1 is admitted at 200.
TEST(TwoInFlight, AFreedPlaceIsSeenOneStepLater) {
  Rules r = rules(100);
  r.max_batch = 1;
  ByHand hand(r);
  hand.scheduler.submit(request(0, 4, 2));
  hand.scheduler.submit(request(1, 4, 1));
  EXPECT_EQ(hand.next(), "read 4+0");
  EXPECT_EQ(hand.next(), "decode 1 (5)");
  EXPECT_EQ(hand.end_and_next(), "nothing");
  EXPECT_EQ(hand.end_and_next(), "done 0; read 4+0");
}

// Tokens of the cache are those of the step that runs and not of the one formed behind it.
TEST(TwoInFlight, TokensInTheCache) {
  ByHand hand(rules(100));
  hand.scheduler.submit(request(0, 4, 9));
  hand.next();
  EXPECT_EQ(hand.scheduler.kv_use().tokens, 4);
  hand.next();
  hand.end();
  EXPECT_EQ(hand.scheduler.kv_use().tokens, 5);
}

// A chunk takes its own blocks; but the whole prompt must find room when it is admitted.
TEST(TwoInFlight, BlocksByChunk) {
  ByHand hand(rules(3, 4));
  hand.scheduler.submit(request(0, 8, 3));
  hand.scheduler.submit(request(1, 8, 1));
  EXPECT_EQ(hand.next(), "read 4+0");
  EXPECT_EQ(hand.scheduler.kv_blocks_held(), 1);
  EXPECT_EQ(hand.next(), "read 4+4");
  EXPECT_EQ(hand.scheduler.kv_blocks_held(), 2);
  // 1's first chunk would fit into the third block, but its two blocks do not.
  EXPECT_EQ(hand.end_and_next(), "decode 1 (9)");
  EXPECT_EQ(hand.scheduler.waiting(), 1);
}

// Four blocks; 0: 7 + 6 tokens, 1: 8 + 3 tokens, two blocks each (0 and 1; 2 and 3).
//   t = 0: step 1 reads both. Step 2: 0 at 8 tokens; 1 at 9 tokens finds no block and loses its own, 3 first: the free
//          list is 3, 2. Its first token is in flight and comes at 100. Nobody is admitted in that pass.
//   t = 100: step 3: 0 at 9 tokens takes block 3, which held 1's tokens 4-7. Of 1's 9 tokens the first 4 are found in
//          block 2, which nobody holds: three blocks are needed, one of them is that one, and one is free in all.
//   0 goes on alone to 12 tokens; its sixth token comes at the end of step 6, at 600. Until then 1 waits.
//   t = 600: 1 finds its first 4 tokens and reads the other 5. Then it decodes at 10 tokens and has its three at 800.
TEST(TwoInFlight, APreemptedRequestKeepsTheTokenInFlightAndFindsWhatIsLeftOfItsBlocks) {
  Rules r = rules(4);
  r.prefix_cache = true;
  ByHand hand(r);
  hand.scheduler.submit(request(0, 7, 6));
  hand.scheduler.submit(request(1, 8, 3));
  EXPECT_EQ(hand.next(), "read 7+0 8+0");
  EXPECT_EQ(hand.next(), "decode 1 (8)");
  EXPECT_EQ(hand.scheduler.kv_blocks_held(), 2);
  EXPECT_EQ(hand.end(), "");
  EXPECT_EQ(hand.outcome->tokens_written, 2);
  EXPECT_EQ(hand.next(), "decode 1 (9)");
  EXPECT_EQ(hand.end_and_next(), "decode 1 (10)");
  EXPECT_EQ(hand.end_and_next(), "decode 1 (11)");
  EXPECT_EQ(hand.end_and_next(), "decode 1 (12)");
  EXPECT_EQ(hand.end_and_next(), "nothing");
  EXPECT_EQ(hand.end_and_next(), "done 0; read 5+4");
  EXPECT_EQ(hand.next(), "decode 1 (10)");
  EXPECT_EQ(hand.end(), "");
  EXPECT_EQ(hand.outcome->gaps[0].first_ticks, 600);
  EXPECT_EQ(hand.next(), "nothing");
  EXPECT_EQ(hand.end(), "1");
  EXPECT_EQ(hand.now.ticks(), 800);
  EXPECT_EQ(hand.done[1].first.ticks(), 100);
  EXPECT_EQ(hand.done[1].preempted_for.ticks(), 600);  // from its token in flight, at 100, to the next at 700
  EXPECT_EQ(hand.done[1].cached_tokens, 0);
  SchedulerCounts counts;
  counts.preemptions = 1;
  counts.tokens_read = 7 + 8 + 5, counts.recomputed_tokens = 5;
  counts.cache_queried_tokens = 15;
  counts.kv_blocks_peak = 4;
  EXPECT_EQ(hand.scheduler.counts(), counts);
}

// A decode that wants a free block without taking one leaves all that 1 lost: 1 could come back in the same pass.
TEST(TwoInFlight, NobodyIsAdmittedInAPassThatPreempted) {
  for (const bool admits : {true, false}) {
    Rules r = rules(4);
    r.decode_wants_free_block = true;
    r.no_admission_after_preemption = !admits;
    ByHand hand(r);
    hand.scheduler.submit(request(0, 5, 4));
    hand.scheduler.submit(request(1, 5, 4));
    EXPECT_EQ(hand.next(), "read 5+0 5+0");
    EXPECT_EQ(hand.next(), admits ? "decode 1 (6) read 6+0" : "decode 1 (6)");
    EXPECT_EQ(hand.scheduler.counts().preemptions, 1);
  }
}

// 1's last token is in flight when it loses its blocks to 0: it need not come back, and leaves when the token is there.
TEST(TwoInFlight, ARequestPreemptedWithItsLastTokenInFlightIsDone) {
  ByHand hand(rules(4));
  hand.scheduler.submit(request(0, 8, 4));
  hand.scheduler.submit(request(1, 7, 1));
  EXPECT_EQ(hand.next(), "read 8+0 7+0");
  EXPECT_EQ(hand.next(), "decode 1 (9)");
  EXPECT_EQ(hand.scheduler.waiting(), 1);
  EXPECT_FALSE(hand.scheduler.admission_blocked());
  EXPECT_EQ(hand.end_and_next(), "done 1; decode 1 (10)");
  EXPECT_EQ(hand.scheduler.waiting(), 0);
  EXPECT_EQ(hand.done[0].preemptions, 1);
  EXPECT_EQ(hand.done[0].preempted_for.ticks(), 0);
}

// The same when there is room for it to come back in that pass: it must not write a second token.
TEST(TwoInFlight, ARequestPreemptedWithItsLastTokenInFlightDoesNotComeBack) {
  Rules r = rules(4);
  r.decode_wants_free_block = true;
  r.no_admission_after_preemption = false;
  ByHand hand(r);
  hand.scheduler.submit(request(0, 5, 4));
  hand.scheduler.submit(request(1, 5, 1));
  EXPECT_EQ(hand.next(), "read 5+0 5+0");
  EXPECT_EQ(hand.next(), "decode 1 (6)");
  EXPECT_EQ(hand.end_and_next(), "done 1; decode 1 (7)");
}

// Seven blocks of one token. Step 1 reads prompts 0 (1) and 1 (3); step 2, formed at once, decodes both at 2 and 4
// tokens and reads prompt 2 (1): seven are held. Step 3: 0 takes 2's block; 1 finds none and loses its four. The fourth
// was filled by step 2 with the token that step 1 was still writing, so that nobody could know what it holds: when 0 is
// done, 1 finds three of its five tokens.
TEST(TwoInFlight, ABlockThatEndsWithATokenInFlightIsNotFound) {
  Rules r = rules(7);
  r.block_tokens = 1;
  r.prefix_cache = true;
  ByHand hand(r);
  hand.scheduler.submit(request(0, 1, 3));
  hand.scheduler.submit(request(1, 3, 4));
  EXPECT_EQ(hand.next(), "read 1+0 3+0");
  hand.scheduler.submit(request(2, 1, 5));
  EXPECT_EQ(hand.next(), "decode 2 (6) read 1+0");
  EXPECT_EQ(hand.end_and_next(), "decode 1 (3)");
  EXPECT_EQ(hand.scheduler.kv_blocks_held(), 3);
  EXPECT_EQ(hand.end_and_next(), "nothing");
  EXPECT_EQ(hand.end_and_next(), "done 0; read 2+3 2+0");
}

// Six tokens. At 100 one is written and two are in flight; 4, 5 and 6 are still to be formed, one a pass: three pairs.
TEST(TwoInFlight, SteadySteps) {
  ByHand hand(rules(100));
  hand.scheduler.submit(request(0, 4, 6));
  hand.next();
  hand.next();
  EXPECT_EQ(hand.scheduler.steady_steps(), 0);  // a prompt is in flight
  EXPECT_EQ(hand.end_and_next(), "decode 1 (6)");
  EXPECT_EQ(hand.scheduler.steady_steps(), 3);
  const auto gaps = hand.scheduler.skip(2, 100, 0, Time::from_ticks(300));
  ASSERT_EQ(gaps.size(), 1u);
  EXPECT_EQ(gaps[0].steps, 2);
  hand.now = Time::from_ticks(300);
  EXPECT_EQ(hand.end_and_next(), "decode 1 (9)");
  EXPECT_EQ(hand.end_and_next(), "nothing");
  EXPECT_EQ(hand.end(), "0");
}

}  // namespace
}  // namespace weir::sim

// Small caches, by hand: who gets blocks, who loses them and how it comes back.
#include <gtest/gtest.h>

#include "tests/sim/serving/by_hand.h"

namespace weir::sim {
namespace {

using testing::ByHand;
using testing::request;

/// Blocks of 4 tokens.
Rules rules(Policy policy, int kv_blocks, int token_budget = 100) {
  Rules r;
  r.policy = policy;
  r.max_batch = 8;
  r.token_budget = token_budget;
  r.kv_blocks = kv_blocks;
  r.block_tokens = 4;
  return r;
}

// Four blocks; 0: 7 + 6 tokens, 1: 8 + 3 tokens; two blocks each after step 1 [0, 100].
//   step 2: 0 at 8 tokens needs no third block. 1 at 9 tokens does, none is free and nobody is behind it: it loses its
//   own.
//           Its 9 tokens are its prompt now; they need three blocks and two are free.
//   step 3: 0 at 9 tokens takes a third. It goes on alone to its sixth token at the end of step 6.
//   step 7 [600, 700]: 1 reads its 9 tokens again and writes its second token, 600 after its first.
//   step 8: it decodes at 10 tokens and is done.
TEST(Preemption, RecomputesWhatWasReadAndWritten) {
  ByHand hand(rules(Policy::chunked, 4));
  hand.scheduler.submit(request(0, 7, 6));
  hand.scheduler.submit(request(1, 8, 3));
  EXPECT_EQ(hand.next(), "read 7+0 8+0");
  EXPECT_EQ(hand.scheduler.kv_blocks_held(), 4);
  EXPECT_EQ(hand.end_and_next(), "decode 1 (8)");
  EXPECT_EQ(hand.scheduler.kv_blocks_held(), 2);
  EXPECT_EQ(hand.scheduler.waiting(), 1);
  EXPECT_EQ(hand.scheduler.kv_use().tokens, 8);
  EXPECT_EQ(hand.end_and_next(), "decode 1 (9)");
  EXPECT_EQ(hand.scheduler.kv_blocks_held(), 3);
  EXPECT_TRUE(hand.scheduler.admission_blocked());
  EXPECT_EQ(hand.end_and_next(), "decode 1 (10)");
  EXPECT_EQ(hand.end_and_next(), "decode 1 (11)");
  EXPECT_EQ(hand.end_and_next(), "decode 1 (12)");
  EXPECT_EQ(hand.end_and_next(), "done 0; read 9+0");
  EXPECT_EQ(hand.end(), "");
  ASSERT_EQ(hand.outcome->gaps.size(), 1u);
  EXPECT_EQ(hand.outcome->gaps[0].first_ticks, 600);
  EXPECT_EQ(hand.next(), "decode 1 (10)");
  EXPECT_EQ(hand.end_and_next(), "done 1; nothing");
  const ServedRequest& back = hand.done[1];
  EXPECT_EQ(back.preemptions, 1);
  EXPECT_EQ(back.admitted.ticks(), 0);
  EXPECT_EQ(back.first.ticks(), 100);
  EXPECT_EQ(back.preempted_for.ticks(), 600);
  EXPECT_EQ(back.preempted_before_first.ticks(), 0);
  SchedulerCounts counts;
  counts.preemptions = 1, counts.tokens_read = 7 + 8 + 9, counts.recomputed_tokens = 9, counts.kv_blocks_peak = 4;
  EXPECT_EQ(hand.scheduler.counts(), counts);
}

// The same four blocks, but it is the first that needs one: the last of the running loses its own, all of them.
TEST(Preemption, TakesFromTheLast) {
  for (const Policy policy : {Policy::chunked, Policy::continuous, Policy::static_batch}) {
    ByHand hand(rules(policy, 4));
    hand.scheduler.submit(request(0, 8, 4));
    hand.scheduler.submit(request(1, 7, 3));
    EXPECT_EQ(hand.next(), "read 8+0 7+0");
    EXPECT_EQ(hand.end_and_next(), "decode 1 (9)");
    EXPECT_EQ(hand.scheduler.kv_blocks_held(), 3);
    EXPECT_EQ(hand.end_and_next(), "decode 1 (10)");
    EXPECT_EQ(hand.end_and_next(), "decode 1 (11)");
    EXPECT_EQ(hand.end_and_next(), "done 0; read 8+0");
  }
}

// Three run; the first two need a block each in step 2. Five blocks: 0 and 1 hold two each, 2 holds one and loses it to
// 0; then 1 finds none and loses its own. Both wait; 1 went last and comes back first, with 9 tokens, then 2 with 4.
TEST(Preemption, TheLatestPreemptedComesBackFirst) {
  ByHand hand(rules(Policy::continuous, 5));
  hand.scheduler.submit(request(0, 8, 2));
  hand.scheduler.submit(request(1, 8, 2));
  hand.scheduler.submit(request(2, 3, 2));
  EXPECT_EQ(hand.next(), "read 8+0 8+0 3+0");
  EXPECT_EQ(hand.end_and_next(), "decode 1 (9)");
  EXPECT_EQ(hand.scheduler.waiting(), 2);
  hand.scheduler.submit(request(3, 1, 1));
  EXPECT_EQ(hand.end_and_next(), "done 0; read 9+0 4+0 1+0");
  EXPECT_EQ(hand.end_and_next(), "done 1 2 3; nothing");
  EXPECT_EQ(hand.scheduler.counts().recomputed_tokens, 13);
}

// 0 writes while 1 has read 2 of its 12 tokens. Step 2: 0 at 5 tokens needs a block and all four are held, so 1 loses
// its three. Then two are free, and 12 tokens need three: 1 waits till 0 is done.
TEST(Preemption, APartialPromptBeginsAgain) {
  ByHand hand(rules(Policy::chunked, 4, 6));
  hand.scheduler.submit(request(0, 4, 3));
  hand.scheduler.submit(request(1, 12, 2));
  EXPECT_EQ(hand.next(), "read 4+0 2+0");
  EXPECT_EQ(hand.end_and_next(), "decode 1 (5)");
  EXPECT_EQ(hand.end_and_next(), "decode 1 (6)");
  EXPECT_EQ(hand.end_and_next(), "done 0; read 6+0");
  EXPECT_EQ(hand.end_and_next(), "read 6+6");
  EXPECT_EQ(hand.end_and_next(), "decode 1 (13)");
  EXPECT_EQ(hand.end(), "1");
  // Preempted at 100; its first token came at 500.
  EXPECT_EQ(hand.done[1].first.ticks(), 500);
  EXPECT_EQ(hand.done[1].preempted_for.ticks(), 400);
  EXPECT_EQ(hand.done[1].preempted_before_first.ticks(), 400);
  EXPECT_EQ(hand.scheduler.counts().tokens_read, 4 + 2 + 12);
  EXPECT_EQ(hand.scheduler.counts().recomputed_tokens, 2);
}

// Vidur's quirk on the same requests: 1 comes back at once with the 2 tokens it had read as its prompt and the other 10
// as output to write, 12 tokens in all with its own two. Its decodes go on at 3, 4, ... 13 tokens.
TEST(Preemption, UnderVidursRuleAPartialPromptIsCut) {
  Rules r = rules(Policy::chunked, 4, 6);
  r.restart_cuts_prompt = true;
  ByHand hand(r);
  hand.scheduler.submit(request(0, 4, 3));
  hand.scheduler.submit(request(1, 12, 2));
  EXPECT_EQ(hand.next(), "read 4+0 2+0");
  EXPECT_EQ(hand.end_and_next(), "decode 1 (5) read 2+0");
  EXPECT_EQ(hand.end_and_next(), "decode 2 (9)");  // 6 + 3
  EXPECT_EQ(hand.end_and_next(), "done 0; decode 1 (4)");
  for (int length = 5; length <= 13; ++length) {
    EXPECT_EQ(hand.end_and_next(), "decode 1 (" + std::to_string(length) + ")");
  }
  EXPECT_EQ(hand.end(), "1");
  EXPECT_EQ(hand.done[1].first.ticks(), 200);
  // The tokens that it pretends to write but knew are read: 4 + 2 + (2 again) + 10, and 2 are written.
  EXPECT_EQ(hand.scheduler.counts().tokens_read, 18);
  EXPECT_EQ(hand.scheduler.counts().recomputed_tokens, 2);
}

// Nobody needs a block at 6 tokens, but none is free: under Vidur's rule 1 loses its own to 0.
TEST(Preemption, ADecodeMayWantAFreeBlockThatItDoesNotTake) {
  for (const bool wants : {false, true}) {
    Rules r = rules(Policy::chunked, 4);
    r.decode_wants_free_block = wants;
    ByHand hand(r);
    hand.scheduler.submit(request(0, 5, 2));
    hand.scheduler.submit(request(1, 5, 2));
    EXPECT_EQ(hand.next(), "read 5+0 5+0");
    EXPECT_EQ(hand.end_and_next(), wants ? "decode 1 (6) read 6+0" : "decode 2 (12)");
    EXPECT_EQ(hand.scheduler.counts().preemptions, wants ? 1 : 0);
  }
}

// Order `shortest` admits 1 (10 tokens) before 0 (12 tokens). In step 2 0 needs a block at 9 tokens. In order of
// admission 0 is last and loses its own; in order of arrival 1 is.
TEST(Preemption, RunningCanBeInOrderOfArrival) {
  for (const bool by_arrival : {false, true}) {
    Rules r = rules(Policy::continuous, 4);
    r.order = Order::shortest;
    r.decode_by_arrival = by_arrival;
    ByHand hand(r);
    hand.scheduler.submit(request(0, 8, 4, 0));
    hand.scheduler.submit(request(1, 7, 3, 1));
    EXPECT_EQ(hand.next(), "read 7+0 8+0");
    EXPECT_EQ(hand.end_and_next(), by_arrival ? "decode 1 (9)" : "decode 1 (8)");
  }
}

// First come first served runs 0 before 1, and 0 takes 1's blocks. Under `priority` 1 (7 tokens) is admitted first, and
// 0 loses its own.
TEST(Preemption, UnderPriorityTheLowestLoses) {
  for (const Order order : {Order::fcfs, Order::priority}) {
    Rules r = rules(Policy::chunked, 4);
    r.order = order;
    ByHand hand(r);
    hand.scheduler.submit(request(0, 8, 4));
    QueuedRequest vip = request(1, 7, 3);
    vip.priority = 5;
    hand.scheduler.submit(vip);
    EXPECT_EQ(hand.next(), order == Order::fcfs ? "read 8+0 7+0" : "read 7+0 8+0");
    EXPECT_EQ(hand.end_and_next(), order == Order::fcfs ? "decode 1 (9)" : "decode 1 (8)");
  }
}

// 0 (10 tokens) runs when 1, worth more, is admitted behind it: five blocks, three and two. At 13 tokens 0 needs its
// fourth. 1 is the last but worth more and keeps its own: 0 loses what it has. First come first served takes 1's.
TEST(Preemption, UnderPriorityTheLastMayBeWorthMore) {
  for (const Order order : {Order::fcfs, Order::priority}) {
    Rules r = rules(Policy::chunked, 5);
    r.order = order;
    ByHand hand(r);
    hand.scheduler.submit(request(0, 10, 8));
    EXPECT_EQ(hand.next(), "read 10+0");
    QueuedRequest vip = request(1, 6, 3);
    vip.priority = 5;
    hand.scheduler.submit(vip);
    EXPECT_EQ(hand.end_and_next(), "decode 1 (11) read 6+0");
    EXPECT_EQ(hand.end_and_next(), "decode 2 (19)");  // 12 + 7
    EXPECT_EQ(hand.end_and_next(), order == Order::fcfs ? "decode 1 (13)" : "decode 1 (8)");
  }
}

// 2 (priority 1) is admitted before 0 and 1 (priority 0): of equals the last loses.
TEST(Preemption, UnderPriorityOfEqualsTheLastLoses) {
  Rules r = rules(Policy::chunked, 5);
  r.order = Order::priority;
  ByHand hand(r);
  for (const auto& [index, input, priority] : {std::tuple{0, 8, 0}, {1, 4, 0}, {2, 3, 1}}) {
    QueuedRequest q = request(static_cast<std::uint64_t>(index), input, 4);
    q.priority = static_cast<std::int16_t>(priority);
    hand.scheduler.submit(q);
  }
  EXPECT_EQ(hand.next(), "read 3+0 8+0 4+0");  // 2, 0, 1: one, two and one block
  // Step 2: 2 at 4 tokens takes none; 0 at 9 takes the fifth; 1 at 5 finds none and is last.
  EXPECT_EQ(hand.end_and_next(), "decode 2 (13)");
  // Step 3: 2 at 5 tokens takes the block that 1 left. 0 at 10 needs none.
  EXPECT_EQ(hand.end_and_next(), "decode 2 (15)");
  EXPECT_EQ(hand.scheduler.kv_blocks_held(), 5);
}

// A request that runs alone fills the cache and preempts itself: it reads everything again in the same step.
TEST(Preemption, OfTheOnlyOneStartsAgainAtOnce) {
  for (const Policy policy : {Policy::chunked, Policy::continuous, Policy::static_batch, Policy::dynamic}) {
    Rules r = rules(policy, 4);
    r.watermark_blocks = 1;
    r.decode_wants_free_block = true;
    ByHand hand(r);
    hand.scheduler.submit(request(0, 8, 4));
    EXPECT_EQ(hand.next(), "read 8+0");
    EXPECT_EQ(hand.end_and_next(), "decode 1 (9)") << static_cast<int>(policy);
    EXPECT_EQ(hand.end_and_next(), "decode 1 (10)");
    EXPECT_EQ(hand.end_and_next(), "decode 1 (11)");
    EXPECT_EQ(hand.end(), "0");
  }
}

// --- admission

// Ten blocks, four a prompt. A watermark of two lets the second in (10 - 8 = 2), one of three does not.
TEST(Admission, LeavesTheWatermarkFree) {
  for (const int watermark : {2, 3}) {
    Rules r = rules(Policy::chunked, 10);
    r.watermark_blocks = watermark;
    ByHand hand(r);
    hand.scheduler.submit(request(0, 16, 4));
    hand.scheduler.submit(request(1, 16, 4));
    EXPECT_EQ(hand.next(), watermark == 2 ? "read 16+0 16+0" : "read 16+0");
  }
}

// Ten blocks of 16. Requests need ceil((50 + 20) / 16) = 5 each, so 2 waits for a finish: 1 prompt step, 19 decodes.
TEST(Admission, ReservedBlocksAreForAllThatWillBeWritten) {
  Rules r = rules(Policy::continuous, 10, 1000);
  r.block_tokens = 16;
  r.reserve_output = true;
  ByHand hand(r);
  for (std::uint64_t i = 0; i < 3; ++i) EXPECT_EQ(hand.scheduler.submit(request(i, 50, 20)), Submitted::queued);
  EXPECT_EQ(hand.next(), "read 50+0 50+0");
  EXPECT_EQ(hand.scheduler.kv_blocks_held(), 10);
  EXPECT_EQ(hand.scheduler.kv_use().tokens, 160);
  EXPECT_EQ(hand.scheduler.kv_use().growth, 0);
  for (int step = 1; step <= 19; ++step) {
    EXPECT_EQ(hand.end_and_next(), "decode 2 (" + std::to_string(100 + 2 * step) + ")");
    EXPECT_EQ(hand.scheduler.waiting(), 1);
  }
  EXPECT_EQ(hand.end_and_next(), "done 0 1; read 50+0");
  EXPECT_EQ(hand.scheduler.kv_blocks_held(), 5);
  EXPECT_EQ(hand.scheduler.counts().preemptions, 0);
}

TEST(Admission, WhatCanNeverFitIsRefusedAtOnce) {
  ByHand hand(rules(Policy::continuous, 10));
  EXPECT_EQ(hand.scheduler.submit(request(0, 30, 12)), Submitted::never_fits);
  EXPECT_EQ(hand.scheduler.submit(request(1, 30, 11)), Submitted::queued);
  EXPECT_EQ(hand.scheduler.waiting(), 1);
}

// Two blocks of 4: six tokens are read and the second of three that are written is the eighth in the cache. The third
// is written with all blocks full.
TEST(Admission, TheLastTokenTakesNoPlaceInTheCache) {
  ByHand hand(rules(Policy::continuous, 2, 4));
  EXPECT_EQ(hand.scheduler.submit(request(0, 6, 4)), Submitted::never_fits);
  EXPECT_EQ(hand.scheduler.submit(request(1, 6, 3)), Submitted::queued);
  EXPECT_EQ(hand.next(), "read 6+0");
  EXPECT_EQ(hand.end_and_next(), "decode 1 (7)");
  EXPECT_EQ(hand.end_and_next(), "decode 1 (8)");
  EXPECT_EQ(hand.end_and_next(), "done 1; nothing");
  EXPECT_EQ(hand.scheduler.counts().preemptions, 0);
}

// A preempted request may have outgrown the budget of a step of prompts; it is read alone all the same.
TEST(Admission, APreemptedPromptLongerThanTheBudgetComesBackAlone) {
  Rules r = rules(Policy::continuous, 4, 16);
  r.long_prompt_alone = false;
  r.token_budget = 15;
  ByHand hand(r);
  hand.scheduler.submit(request(0, 4, 5));
  hand.scheduler.submit(request(1, 8, 5));
  EXPECT_EQ(hand.next(), "read 4+0 8+0");
  EXPECT_EQ(hand.end_and_next(), "decode 1 (5)");  // the fourth block; 1 at 9 tokens finds none
  hand.scheduler.submit(request(2, 1, 1));
  for (int length = 6; length <= 8; ++length) {
    EXPECT_EQ(hand.end_and_next(), "decode 1 (" + std::to_string(length) + ")");
  }
  EXPECT_EQ(hand.end_and_next(), "done 0; read 9+0 1+0");
}

}  // namespace
}  // namespace weir::sim

// What is read is found again, by hand.
#include <deque>
#include <numeric>

#include <gtest/gtest.h>

#include "tests/sim/serving/by_hand.h"

namespace weir::sim {
namespace {

using testing::ByHand;
using testing::request;

Rules rules(int kv_blocks, int block_tokens) {
  Rules r;
  r.policy = Policy::chunked;
  r.token_budget = 1000;
  r.kv_blocks = kv_blocks;
  r.block_tokens = block_tokens;
  r.prefix_cache = true;
  return r;
}

/// Requests whose prompts consist of given pieces.
class Demand {
 public:
  QueuedRequest of_hashes(std::uint64_t index, int input, int output, std::vector<std::uint64_t> hashes,
                          int tokens_per_hash) {
    hashes_.push_back(std::move(hashes));
    contents_.push_back({hashes_.back(), tokens_per_hash, -1});
    QueuedRequest r = request(index, input, output);
    r.content = &contents_.back();
    return r;
  }
  QueuedRequest of_session(std::uint64_t index, int input, int output, std::int64_t session) {
    contents_.push_back({{}, 16, session});
    QueuedRequest r = request(index, input, output);
    r.content = &contents_.back();
    return r;
  }

 private:
  std::deque<std::vector<std::uint64_t>> hashes_;
  std::deque<PromptContent> contents_;
};

// Two prompts of 40 tokens with the first 32 in common, in one step: the second finds two blocks that the first is
// about to fill and reads the other 8 tokens. Three blocks and one more are held: 48 tokens.
TEST(PrefixCache, SharesWithinAStep) {
  Demand demand;
  ByHand hand(rules(100, 16));
  hand.scheduler.submit(demand.of_hashes(0, 40, 2, {1, 2}, 16));
  hand.scheduler.submit(demand.of_hashes(1, 40, 2, {1, 2}, 16));
  EXPECT_EQ(hand.next(), "read 40+0 8+32");
  EXPECT_EQ(hand.scheduler.kv_blocks_held(), 4);
  EXPECT_EQ(hand.scheduler.kv_use().tokens, 48);
  EXPECT_EQ(hand.end_and_next(), "decode 2 (82)");
  EXPECT_EQ(hand.end(), "0 1");
  EXPECT_EQ(hand.scheduler.kv_use().tokens, 0);
  EXPECT_EQ(hand.done[0].cached_tokens, 0);
  EXPECT_EQ(hand.done[1].cached_tokens, 32);
  SchedulerCounts counts;
  counts.tokens_read = 48, counts.cache_queried_tokens = 80, counts.cache_hit_tokens = 32, counts.kv_blocks_peak = 4;
  EXPECT_EQ(hand.scheduler.counts(), counts);
}

// The last token must be read: of an equal prompt of 32 tokens only one block of 16 can be taken over.
TEST(PrefixCache, NeverTheWholePrompt) {
  Demand demand;
  ByHand hand(rules(100, 16));
  hand.scheduler.submit(demand.of_hashes(0, 32, 1, {1, 2}, 16));
  hand.scheduler.submit(demand.of_hashes(1, 32, 1, {1, 2}, 16));
  hand.scheduler.submit(demand.of_hashes(2, 33, 1, {1, 2}, 16));
  EXPECT_EQ(hand.next(), "read 32+0 16+16 1+32");
}

// Hashes of 32 tokens over blocks of 16: 40 tokens in common, of which the first hash vouches for 32.
TEST(PrefixCache, HashesOfManyBlocks) {
  Demand demand;
  ByHand hand(rules(100, 16));
  hand.scheduler.submit(demand.of_hashes(0, 64, 1, {1, 2}, 32));
  hand.scheduler.submit(demand.of_hashes(1, 64, 1, {1, 3}, 32));
  EXPECT_EQ(hand.next(), "read 64+0 32+32");
}

// Turn 1 of a session: 6 tokens read and 4 written, the last of which is never in the cache: 9 tokens, two full blocks
// of 4. Turn 2 repeats them and goes on; so does another session, which finds nothing.
TEST(PrefixCache, ASessionFindsWhatItWrote) {
  Demand demand;
  ByHand hand(rules(100, 4));
  hand.scheduler.submit(demand.of_session(0, 6, 4, 7));
  EXPECT_EQ(hand.next(), "read 6+0");
  for (int step = 0; step < 3; ++step) hand.end_and_next();
  EXPECT_EQ(hand.end(), "0");
  hand.scheduler.submit(demand.of_session(1, 14, 1, 7));
  hand.scheduler.submit(demand.of_session(2, 14, 1, 8));
  EXPECT_EQ(hand.next(), "read 6+8 14+0");
}

// Four blocks of 4. 0 (12 tokens, blocks 0-2) is done; its blocks are freed from the last: free are 3, 2, 1, 0.
// 1 (another prompt, 5 tokens) takes 3 and 2: the end of 0's prompt is gone. An equal prompt finds blocks 0 and 1, not
// taken yet, and needs one more: with those two three are needed, and two are free. When 1 is done it reads 4 tokens.
TEST(PrefixCache, TheLongestFreeIsReusedFirstAndTheTailOfAPromptBeforeItsHead) {
  Demand demand;
  ByHand hand(rules(4, 4));
  hand.scheduler.submit(demand.of_hashes(0, 12, 1, {1, 2, 3}, 4));
  EXPECT_EQ(hand.next(), "read 12+0");
  EXPECT_EQ(hand.end(), "0");
  hand.scheduler.submit(request(1, 5, 1));
  hand.scheduler.submit(demand.of_hashes(2, 12, 1, {1, 2, 3}, 4));
  EXPECT_EQ(hand.next(), "read 5+0");
  EXPECT_TRUE(hand.scheduler.admission_blocked());
  EXPECT_EQ(hand.end_and_next(), "done 1; read 4+8");
  EXPECT_EQ(hand.scheduler.kv_blocks_held(), 3);
}

// Blocks that others hold cost nothing: 1 shares three of 0's four and needs one more, which is the last one.
TEST(PrefixCache, SharedBlocksNeedNoRoom) {
  Demand demand;
  ByHand hand(rules(5, 4));
  hand.scheduler.submit(demand.of_hashes(0, 14, 2, {1, 2, 3}, 4));
  hand.scheduler.submit(demand.of_hashes(1, 14, 2, {1, 2, 3}, 4));
  hand.scheduler.submit(demand.of_hashes(2, 14, 2, {1, 2, 3}, 4));
  EXPECT_EQ(hand.next(), "read 14+0 2+12");
  EXPECT_EQ(hand.scheduler.waiting(), 1);
}

// A step of prompts counts what must be read: 40 + 8 tokens are within a budget of 48.
TEST(PrefixCache, OnlyNewTokensCountAgainstTheBudget) {
  Demand demand;
  Rules r = rules(100, 16);
  r.policy = Policy::continuous;
  r.token_budget = 48;
  ByHand hand(r);
  hand.scheduler.submit(demand.of_hashes(0, 40, 2, {1, 2}, 16));
  hand.scheduler.submit(demand.of_hashes(1, 40, 2, {1, 2}, 16));
  hand.scheduler.submit(demand.of_hashes(2, 40, 2, {1, 2}, 16));
  EXPECT_EQ(hand.next(), "read 40+0 8+32");
  EXPECT_EQ(hand.end_and_next(), "read 8+32");
}

// A turn waits for blocks while the turn before it still writes: what that one fills up may let it in any time, so the
// queue is not known to be blocked.
TEST(PrefixCache, ATurnMayGetInWhileTheOneBeforeItWrites) {
  Demand demand;
  ByHand hand(rules(6, 4));
  hand.scheduler.submit(demand.of_session(0, 8, 9, 7));
  EXPECT_EQ(hand.next(), "read 8+0");
  hand.scheduler.submit(demand.of_session(1, 23, 1, 7));  // six blocks, of which 0 has filled two: four
  EXPECT_EQ(hand.end_and_next(), "decode 1 (9)");
  EXPECT_EQ(hand.scheduler.waiting(), 1);
  EXPECT_FALSE(hand.scheduler.admission_blocked());
  EXPECT_EQ(hand.scheduler.steady_steps(), 0);
  EXPECT_EQ(hand.end_and_next(), "decode 1 (10)");
  EXPECT_EQ(hand.end_and_next(), "decode 1 (11)");
  // 0's third block is full: 1 needs three more and three are free.
  EXPECT_EQ(hand.end_and_next(), "decode 1 (12) read 11+12");
}

}  // namespace
}  // namespace weir::sim

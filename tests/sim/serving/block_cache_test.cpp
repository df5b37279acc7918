#include "tests/sim/serving/block_cache.h"

#include <stdexcept>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace weir::sim {
namespace {

using ::testing::ElementsAre;

BlockKey key(std::uint64_t content) { return {content, 0}; }

std::vector<std::int32_t> take(BlockCache& cache, int count) {
  std::vector<std::int32_t> blocks;
  for (int i = 0; i < count; ++i) blocks.push_back(cache.take());
  return blocks;
}

TEST(BlockCache, TakesTheLongestFree) {
  BlockCache cache(4);
  EXPECT_THAT(take(cache, 4), ElementsAre(0, 1, 2, 3));
  EXPECT_EQ(cache.free(), 0);
  EXPECT_THROW(cache.take(), std::logic_error);
  for (const std::int32_t block : {2, 0, 3}) EXPECT_TRUE(cache.give_back(block));
  EXPECT_EQ(cache.held(), 1);
  EXPECT_THAT(take(cache, 3), ElementsAre(2, 0, 3));
}

// Blocks 0 and 1 hold contents 10 and 11 and are given back, 1 first. They are found and shared until they are taken
// again, block 2 and 3 before them, then 1, then 0.
TEST(BlockCache, FreeBlocksAreFoundUntilTheyAreTaken) {
  BlockCache cache(4);
  take(cache, 2);
  cache.publish(0, key(10));
  cache.publish(1, key(11));
  cache.give_back(1);
  cache.give_back(0);
  EXPECT_EQ(cache.find(key(10)), 0);
  EXPECT_EQ(cache.find(key(11)), 1);
  EXPECT_EQ(cache.find(key(12)), BlockCache::kNone);
  EXPECT_THAT(take(cache, 3), ElementsAre(2, 3, 1));
  EXPECT_EQ(cache.find(key(11)), BlockCache::kNone);
  EXPECT_EQ(cache.find(key(10)), 0);
  cache.share(0);
  EXPECT_EQ(cache.free(), 0);
  cache.share(0);
  EXPECT_FALSE(cache.give_back(0));
  EXPECT_TRUE(cache.is_held(0));
  EXPECT_TRUE(cache.give_back(0));
  EXPECT_THROW(cache.give_back(0), std::logic_error);
}

// A block that is shared leaves the middle of the list of the free.
TEST(BlockCache, SharingKeepsABlockFromBeingTaken) {
  BlockCache cache(3);
  take(cache, 3);
  for (const std::int32_t block : {0, 1, 2}) cache.publish(block, key(static_cast<std::uint64_t>(block)));
  for (const std::int32_t block : {0, 1, 2}) cache.give_back(block);
  cache.share(1);
  EXPECT_THAT(take(cache, 2), ElementsAre(0, 2));
  EXPECT_EQ(cache.find(key(1)), 1);
}

TEST(BlockCache, OfEqualBlocksTheFirstIsFoundThenTheNext) {
  BlockCache cache(3);
  take(cache, 3);
  for (const std::int32_t block : {2, 0, 1}) cache.publish(block, key(7));
  EXPECT_EQ(cache.find(key(7)), 2);
  for (const std::int32_t block : {0, 2, 1}) cache.give_back(block);
  EXPECT_EQ(cache.take(), 0);
  EXPECT_EQ(cache.find(key(7)), 2);
  EXPECT_EQ(cache.take(), 2);
  EXPECT_EQ(cache.find(key(7)), 1);
  EXPECT_EQ(cache.take(), 1);
  EXPECT_EQ(cache.find(key(7)), BlockCache::kNone);
}

// Many contents, evicted over and over: whatever was published last into a block is found, nothing else.
TEST(BlockCache, TheTableForgetsExactlyWhatIsTaken) {
  constexpr std::uint64_t kBlocks = 37;
  BlockCache cache(kBlocks);
  for (std::uint64_t content = 0; content < 1000; ++content) {
    const std::int32_t block = cache.take();
    ASSERT_EQ(block, static_cast<std::int32_t>(content % kBlocks));
    cache.publish(block, key(content * 977));
    cache.give_back(block);
    for (std::uint64_t old = 0; old <= content; ++old) {
      const bool still = content - old < kBlocks;
      ASSERT_EQ(cache.find(key(old * 977)) != BlockCache::kNone, still) << content << ' ' << old;
    }
  }
}

// --- keys

struct Prompt {
  std::vector<std::uint64_t> hashes;
  PromptContent content;
  QueuedRequest request;
  Prompt(std::uint64_t index, int input, int tokens_per_hash, std::vector<std::uint64_t> h, std::int64_t session = -1)
      : hashes(std::move(h)) {
    content = {hashes, tokens_per_hash, session};
    request.index = index;
    request.input_tokens = input;
    request.output_tokens = 100;
    request.content = &content;
  }
};

// 64 tokens in blocks of 16 under two hashes of 32: blocks 0, 1 lie in the first, 2, 3 in the second.
TEST(BlockKey, AHashLongerThanABlock) {
  const Prompt a(0, 64, 32, {100, 200}), b(1, 64, 32, {100, 201});
  const auto same = [&](std::int64_t i, std::int64_t j) {
    return block_key(a.request, i, 16) == block_key(b.request, j, 16);
  };
  EXPECT_TRUE(same(0, 0));
  EXPECT_TRUE(same(1, 1));
  EXPECT_FALSE(same(0, 1));
  EXPECT_FALSE(same(2, 2));
  EXPECT_FALSE(same(3, 3));
}

// Blocks of 32 under hashes of 16: block 0 needs hashes 0 and 1. Of three hashes the third covers half of block 1,
// which is no match.
TEST(BlockKey, AHashShorterThanABlock) {
  const Prompt a(0, 64, 16, {1, 2, 3}), b(1, 64, 16, {1, 2, 3}), c(2, 64, 16, {1, 9, 3});
  EXPECT_EQ(block_key(a.request, 0, 32), block_key(b.request, 0, 32));
  EXPECT_NE(block_key(a.request, 0, 32), block_key(c.request, 0, 32));
  EXPECT_NE(block_key(a.request, 1, 32), block_key(b.request, 1, 32));
}

// 40 tokens: block 2 holds 8 of the prompt and 8 that are generated, which a hash does not know.
TEST(BlockKey, ABlockWithGeneratedTokensHasNoHash) {
  const Prompt a(0, 40, 16, {1, 2, 3}), b(1, 40, 16, {1, 2, 3});
  EXPECT_EQ(block_key(a.request, 1, 16), block_key(b.request, 1, 16));
  EXPECT_NE(block_key(a.request, 2, 16), block_key(b.request, 2, 16));
}

TEST(BlockKey, PastTheHashesSessionsShareAndOthersDoNot) {
  const Prompt a(0, 64, 16, {1}, 5), b(1, 96, 16, {1}, 5), c(2, 64, 16, {1}, 6);
  EXPECT_EQ(block_key(a.request, 0, 16), block_key(c.request, 0, 16));
  EXPECT_EQ(block_key(a.request, 1, 16), block_key(b.request, 1, 16));
  EXPECT_EQ(block_key(a.request, 5, 16), block_key(b.request, 5, 16));  // generated in a, read in b
  EXPECT_NE(block_key(a.request, 1, 16), block_key(c.request, 1, 16));
  QueuedRequest x, y;
  x.index = 0, y.index = 1;
  EXPECT_EQ(block_key(x, 1, 16), block_key(x, 1, 16));
  EXPECT_NE(block_key(x, 1, 16), block_key(y, 1, 16));
  EXPECT_NE(block_key(x, 1, 16), block_key(x, 2, 16));
}

}  // namespace
}  // namespace weir::sim

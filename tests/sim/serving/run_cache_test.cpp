// The prefix cache that keeps runs of blocks finds, takes and holds the same as one that keeps every block by itself.
#include "sim/serving/run_cache.h"

#include <deque>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "sim/serving/kv_store.h"
#include "tests/sim/dice.h"
#include "tests/sim/drawn_contents.h"
#include "tests/sim/serving/block_store.h"

namespace weir::sim {
namespace {

using testing::BlockStore;
using testing::Dice;

/// A prompt of hashes of 64 tokens, four blocks of 16 each.
struct Prompt {
  std::vector<std::uint64_t> hashes;
  PromptContent content;
  QueuedRequest request;
  Prompt(std::uint64_t index, std::vector<std::uint64_t> h) : hashes(std::move(h)), content{hashes, 64, -1} {
    request.index = index;
    request.input_tokens = static_cast<std::int32_t>(64 * hashes.size());
    request.content = &content;
  }
};

RunCache::Holding fill(RunCache& cache, const Prompt& prompt) {
  RunCache::Holding holding;
  const auto blocks = static_cast<std::int64_t>(4 * prompt.hashes.size());
  cache.look_up(prompt.request, blocks);
  cache.share(holding);
  cache.take(blocks - cache.found());
  cache.publish(holding, prompt.request, blocks);
  return holding;
}

// Twelve blocks. a = (1, 2) takes eight of them, b = (1, 3) shares four and takes the last four. b leaves: its second
// run is free, the first is still a's. Two more blocks are those two at the end of (3); the other two are found.
TEST(RunCache, ARunIsTakenFromItsTail) {
  RunCache cache(12, 16);
  const Prompt a(0, {1, 2}), b(1, {1, 3});
  RunCache::Holding of_a = fill(cache, a), of_b = fill(cache, b);
  EXPECT_EQ(cache.free(), 0);
  EXPECT_EQ(of_b.runs.size(), 2u);
  EXPECT_EQ(cache.give_back(of_b, 0), 4);
  cache.take(2);
  EXPECT_EQ(cache.look_up(b.request, 8), 6);
  EXPECT_EQ(cache.found_held(), 4);
  EXPECT_EQ(cache.look_up(a.request, 8), 8);
  EXPECT_EQ(cache.give_back(of_a, 0), 8);
  EXPECT_EQ(cache.held(), 2);
  EXPECT_THROW(cache.take(11), std::logic_error);
}

// a's three last blocks stay free when somebody shares the five before them: they are the first to be taken.
TEST(RunCache, APartThatIsSharedIsCutOff) {
  RunCache cache(8, 16);
  const Prompt a(0, {1, 2});
  RunCache::Holding of_a = fill(cache, a);
  cache.give_back(of_a, 0);
  EXPECT_EQ(cache.look_up(a.request, 5), 5);
  EXPECT_EQ(cache.found_held(), 0);
  EXPECT_EQ(cache.share(of_a), 5);
  EXPECT_EQ(cache.free(), 3);
  EXPECT_EQ(cache.look_up(a.request, 8), 8);
  cache.take(1);
  EXPECT_EQ(cache.look_up(a.request, 8), 7);
  EXPECT_EQ(cache.give_back(of_a, 0), 5);
}

// Both read (1) at once; a's was first. When a's is taken, b's is found.
TEST(RunCache, OfEqualRunsTheFirstIsFoundThenTheNext) {
  RunCache cache(8, 16);
  const Prompt a(0, {1}), b(1, {1});
  RunCache::Holding of_a, of_b, again;
  cache.take(8);
  cache.publish(of_a, a.request, 4);
  cache.publish(of_b, b.request, 4);
  EXPECT_EQ(cache.give_back(of_a, 0), 4);
  EXPECT_EQ(cache.look_up(b.request, 4), 4);
  EXPECT_EQ(cache.found_held(), 0);  // a's
  cache.take(4);
  EXPECT_EQ(cache.look_up(b.request, 4), 4);
  EXPECT_EQ(cache.found_held(), 4);  // b's
}

/// Two stores that are told the same, by chance.
class Twins {
 public:
  explicit Twins(std::uint64_t seed)
      : dice_(seed, "run_cache"), rules_(draw_rules(dice_)), runs_(rules_), blocks_(rules_) {
    for (std::int64_t i = dice_.from_to(2, 40); i > 0; --i) add_request();
  }

  void play(int turns) {
    for (; turns > 0 && !::testing::Test::HasFatalFailure(); --turns) {
      switch (dice_.from_to(0, 5)) {
        case 0:
        case 1:
          admit();
          break;
        case 2:
          leave();
          break;
        case 3:
          decode();
          break;
        default:
          read();
      }
      compare();
    }
  }
  std::int64_t hits() const { return hits_; }

 private:
  struct Pair {
    Job runs;
    BlockStore::Job blocks;
    bool running = false;
  };
  static Rules draw_rules(Dice& dice) {
    Rules rules;
    rules.prefix_cache = true;
    rules.block_tokens = dice.one_in(4) ? 12 : std::int64_t{1} << dice.from_to(0, 5);
    rules.kv_blocks = dice.from_to(4, 200);
    rules.watermark_blocks = dice.from_to(0, 3);
    return rules;
  }
  void add_request() {
    Pair& pair = pairs_.emplace_back();
    QueuedRequest r;
    r.index = pairs_.size();
    r.input_tokens = static_cast<std::int32_t>(dice_.from_to(1, 40 * rules_.block_tokens));
    r.output_tokens = 1 << 20;
    if (!dice_.one_in(6)) r.content = contents_.draw(dice_, r.input_tokens);
    pair.runs.served.request = pair.blocks.request = r;
    pair.runs.input = pair.runs.prompt = r.input_tokens;
  }
  Pair& any() {
    return pairs_[static_cast<std::size_t>(dice_.from_to(0, static_cast<std::int64_t>(pairs_.size()) - 1))];
  }

  void admit() {
    Pair& pair = any();
    if (pair.running) return;
    const QueuedRequest& request = pair.blocks.request;
    const std::int64_t length = pair.runs.length();
    const std::int64_t found = runs_.look_up(request, length);
    ASSERT_EQ(found, blocks_.look_up(request, length));
    const std::int64_t blocks = blocks_for(dice_.one_in(2) ? length : found + 1, rules_.block_tokens);
    ASSERT_EQ(runs_.fits(blocks), blocks_.fits(blocks));
    if (!runs_.fits(blocks)) return;
    hits_ += found;
    runs_.start(pair.runs, blocks);
    blocks_.start(pair.blocks, blocks);
    pair.runs.prompt = length;
    pair.running = true;
  }
  void leave() {
    Pair& pair = any();
    if (!pair.running) return;
    runs_.release(pair.runs);
    blocks_.release(pair.blocks);
    pair.running = false;
  }
  void read() {
    Pair& pair = any();
    if (!pair.running || !pair.runs.reading()) return;
    const std::int64_t most = std::min(pair.runs.prompt - pair.runs.computed, 10 * rules_.block_tokens);
    advance(pair, dice_.from_to(1, most));
  }
  void advance(Pair& pair, std::int64_t tokens) {
    const std::int64_t missing = runs_.missing(pair.runs, pair.runs.computed + tokens);
    if (missing > runs_.free()) return;
    runs_.take(pair.runs, missing);
    blocks_.take(pair.blocks, missing);
    runs_.advance(pair.runs, tokens);
    const std::int64_t known = std::min(pair.runs.computed, pair.runs.input + pair.runs.written);
    blocks_.advance(pair.blocks, tokens, known);
    if (!pair.runs.reading()) ++pair.runs.written;
  }
  /// All that have read their prompts write a token, or some of them, over and over: some get ahead of others.
  void decode() {
    const bool all = dice_.one_in(2);
    std::vector<Pair*> decoding;
    for (Pair& pair : pairs_) {
      if (pair.running && !pair.runs.reading() && (all || dice_.one_in(2))) decoding.push_back(&pair);
    }
    for (std::int64_t steps = dice_.from_to(1, 40); steps > 0; --steps) {
      for (Pair* pair : decoding) advance(*pair, 1);
    }
  }
  void compare() {
    ASSERT_EQ(runs_.held(), blocks_.held());
    ASSERT_EQ(runs_.tokens(), blocks_.tokens());
    const Pair& pair = any();
    const std::int64_t length = dice_.from_to(1, pair.runs.length());
    ASSERT_EQ(runs_.look_up(pair.blocks.request, length), blocks_.look_up(pair.blocks.request, length));
    for (std::int64_t room = 0; room <= 3; ++room) ASSERT_EQ(runs_.fits(room * 20), blocks_.fits(room * 20));
  }

  Dice dice_;
  Rules rules_;
  testing::DrawnContents contents_;
  KvStore runs_;
  BlockStore blocks_;
  std::deque<Pair> pairs_;
  std::int64_t hits_ = 0;
};

TEST(RunCache, IsABlockCache) {
  std::int64_t hits = 0;
  for (std::uint64_t seed = 1; seed <= 1000 && !HasFatalFailure(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Twins twins(seed);
    twins.play(300);
    hits += twins.hits();
  }
  EXPECT_GT(hits, 100'000);
}

RC_GTEST_PROP(RunCacheProperty, IsABlockCache, (std::uint64_t seed)) {
  Twins twins(seed);
  twins.play(500);
  RC_ASSERT(!::testing::Test::HasFailure());
}

}  // namespace
}  // namespace weir::sim

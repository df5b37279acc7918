// Who gets a request when the router knows where its prefix went.
#include "sim/fleet/prefix_affinity.h"

#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "data/errors.h"
#include "sim/fleet/simulate.h"
#include "tests/sim/dice.h"
#include "tests/sim/fleet/support.h"

namespace weir::sim {
namespace {

using testing::Dice;

/// Prompts of whole hashes of 16 tokens before three replicas.
struct Desk {
  PrefixAffinity router;
  std::vector<std::int32_t> outstanding{0, 0, 0};
  explicit Desk(std::int64_t remembered_tokens = 1'000'000) : router(3, 0, remembered_tokens) {}
  std::size_t send(const std::vector<std::uint64_t>& hashes) {
    const PromptContent content{hashes, 16, -1};
    return router.pick(&content, static_cast<std::int64_t>(16 * hashes.size()), outstanding);
  }
  std::size_t send_turn(std::int64_t session, std::int64_t tokens) {
    const PromptContent content{{}, 16, session};
    return router.pick(&content, tokens, outstanding);
  }
};

// 1-2-3 goes to replica 0, 4-5 to 1. 1-2-9 has 2/3 of the first: to 0, busier by 8 though it is. With 9 more there is
// no room; replica 2 is next in turn, and as it got 1 and 2 as well, the next one like it goes there.
TEST(PrefixAffinity, FollowsThePrefixWhileThereIsRoom) {
  Desk desk;
  EXPECT_EQ(desk.send({1, 2, 3}), 0u);
  EXPECT_EQ(desk.send({4, 5}), 1u);
  desk.outstanding = {8, 0, 0};
  EXPECT_EQ(desk.send({1, 2, 9}), 0u);
  desk.outstanding = {9, 0, 0};
  EXPECT_EQ(desk.send({1, 2, 7}), 2u);
  EXPECT_EQ(desk.send({1, 2, 7, 8}), 2u);
}

// Beyond eight requests more it may still be half as many again: 30 against 20, not 31.
TEST(PrefixAffinity, RoomIsRelativeInABusyFleet) {
  Desk desk;
  EXPECT_EQ(desk.send({1, 2}), 0u);
  desk.outstanding = {30, 20, 20};
  EXPECT_EQ(desk.send({1, 2, 3}), 0u);
  desk.outstanding = {31, 20, 20};
  EXPECT_EQ(desk.send({1, 2, 4}), 1u);
}

// One hash in four is less than 0.3 of the prompt, one in three more.
TEST(PrefixAffinity, AShortPrefixDoesNotCount) {
  Desk desk;
  EXPECT_EQ(desk.send({1}), 0u);
  EXPECT_EQ(desk.send({1, 11, 12, 13}), 1u);
  EXPECT_EQ(desk.send({11, 21, 22}), 1u);  // 11 is known without the 1 before it: hashes stand for all before them
}

// Room for six hashes. 1 and 2 have been asked for again since 3 was, so that 4, 5, 6, 7 push out 3 first, and then 2
// before 1, on which it stands.
TEST(PrefixAffinity, ForgetsTheLongestUnusedAndEndsFirst) {
  Desk desk(6 * 16);
  EXPECT_EQ(desk.send({1, 2}), 0u);
  EXPECT_EQ(desk.send({3}), 1u);
  EXPECT_EQ(desk.send({1, 2}), 0u);
  desk.outstanding = {0, 1, 0};
  EXPECT_EQ(desk.send({4, 5, 6, 7}), 2u);
  EXPECT_EQ(desk.router.units(), 6u);
  desk.outstanding = {1, 1, 0};
  EXPECT_EQ(desk.send({8}), 2u);
  EXPECT_EQ(desk.send({1, 9}), 0u);
  EXPECT_EQ(desk.send({3, 30}), 2u);
}

TEST(PrefixAffinity, TurnsOfASessionStayTogether) {
  Desk desk;
  EXPECT_EQ(desk.send_turn(7, 100), 0u);
  EXPECT_EQ(desk.send_turn(8, 100), 1u);
  EXPECT_EQ(desk.send_turn(7, 300), 0u);
  EXPECT_EQ(desk.send_turn(7, 1001), 2u);  // 300 tokens are less than 0.3 of it
  EXPECT_EQ(desk.router.pick(nullptr, 100, desk.outstanding), 0u);
}

/// Conversations of growing prompts over replicas with caches for a few of them.
testing::Experiment conversations(std::uint64_t seed) {
  Dice dice(seed, "prefix_affinity");
  testing::Experiment e;
  e.timer.per_step_s = 0.01;
  e.timer.per_prompt_token_s = 1e-5;
  e.serving.policy = "chunked";
  e.serving.prefix_cache = true;
  e.fleet.replicas = static_cast<int>(dice.from_to(2, 6));
  e.fleet.kv_tokens = dice.from_to(10, 30) * 1000;
  e.options.seed = seed;
  auto contents = std::make_shared<PromptContents>();
  const std::int64_t talks = dice.from_to(5, 60);
  std::vector<std::vector<std::uint64_t>> said(static_cast<std::size_t>(talks));
  std::uint64_t next = 1;
  double now_s = 0;
  for (int i = 0; i < 600; ++i) {
    now_s += static_cast<double>(dice.from_to(1, 100)) * 1e-3;
    auto& talk = said[static_cast<std::size_t>(dice.from_to(0, talks - 1))];
    if (talk.size() > 60) talk.clear();
    for (std::int64_t more = dice.from_to(2, 8); more > 0; --more) talk.push_back(next++);
    e.add(now_s, static_cast<int>(talk.size()) * 64, static_cast<int>(dice.from_to(1, 60)));
    PromptContent& content = contents->contents.emplace_back();
    content.hashes = contents->hashes.emplace_back(talk);
    content.tokens_per_hash = 64;
    e.requests.requests.back().content = &content;
  }
  e.requests.contents = contents;
  return e;
}

TEST(PrefixAffinity, NeverLowersTheHitRate) {
  double gained = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    testing::Experiment e = conversations(seed);
    const double without = e.run().prefix_cache_hit_rate.value();
    e.serving.router = "affinity";
    const double with = e.run().prefix_cache_hit_rate.value();
    EXPECT_GE(with, without) << "seed " << seed;
    gained += with - without;
  }
  EXPECT_GT(gained, 60 * 0.1);
}

TEST(PrefixAffinity, IsTheSameBytesHoweverARunIsStepped) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    testing::Experiment e = conversations(seed);
    e.serving.router = "affinity";
    const std::string fast = testing::fingerprint(e.run());
    e.options.stepping = Stepping::step_by_step;
    EXPECT_EQ(testing::fingerprint(e.run()), fast) << "seed " << seed;
  }
}

// Prompts that nobody knows go where they would go without it. (One is known, or the demand would be refused.)
TEST(PrefixAffinity, WithoutContentsIsLeastOutstanding) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    testing::Experiment e = conversations(seed);
    for (SimRequest& request : std::span(e.requests.requests).subspan(1)) request.content = nullptr;
    const std::string without = testing::fingerprint(e.run());
    e.serving.router = "affinity";
    EXPECT_EQ(testing::fingerprint(e.run()), without) << "seed " << seed;
  }
}

TEST(PrefixAffinity, NeedsSomethingToGoBy) {
  testing::Experiment e = conversations(1);
  e.serving.router = "affinity";
  for (SimRequest& request : e.requests.requests) request.content = nullptr;
  EXPECT_THROW(e.run(), data::InputError);
}

}  // namespace
}  // namespace weir::sim

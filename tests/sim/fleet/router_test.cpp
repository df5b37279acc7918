#include "sim/fleet/router.h"

#include <map>
#include <vector>

#include <gtest/gtest.h>

namespace weir::sim {
namespace {

QueuedRequest request(std::uint64_t index) {
  QueuedRequest r;
  r.index = index;
  return r;
}

Router router_of(RouterKind kind, int replicas, std::uint64_t first = 0) {
  return Router({.kind = kind, .first = first}, replicas);
}

TEST(Router, TakesEqualsInTurn) {
  Router router = router_of(RouterKind::least_outstanding, 3, 1);
  EXPECT_EQ(router.pick({}), 1u);
  EXPECT_EQ(router.pick({}), 2u);
  EXPECT_EQ(router.pick({}), 0u);
  EXPECT_EQ(router.pick({}), 1u);
}

TEST(Router, TakesTheLeastLoaded) {
  Router router = router_of(RouterKind::least_outstanding, 3);
  for (const std::size_t replica : {0u, 0u, 1u, 2u, 2u, 2u}) router.sent(replica, {});  // 2, 1, 3
  EXPECT_EQ(router.pick({}), 1u);
  router.sent(1, {});
  router.sent(1, {});  // 2, 3, 3
  EXPECT_EQ(router.pick({}), 0u);
  router.left(2, {});
  router.left(2, {});  // 2, 3, 1
  EXPECT_EQ(router.pick({}), 2u);
  EXPECT_EQ(router.outstanding(1), 3);
}

TEST(Router, CountsTokensOfInputAndOutput) {
  Router router = router_of(RouterKind::least_tokens, 2);
  QueuedRequest large = request(0), small = request(1);
  large.input_tokens = 900, large.output_tokens = 100;
  small.input_tokens = 300, small.output_tokens = 200;
  router.sent(0, large);
  router.sent(1, small), router.sent(1, small);  // 1000 tokens each, one request against two
  router.sent(1, small);                         // 1000 : 1500
  EXPECT_EQ(router.pick(small), 0u);
  router.sent(0, large);  // 2000 : 1500
  EXPECT_EQ(router.pick(small), 1u);
  router.left(0, large), router.left(0, large);
  EXPECT_EQ(router.outstanding_tokens(0), 0);
}

// 3 requests at a replica three times as fast are as many as 1 at the other: with the new one (3 + 1) / 3 < (1 + 1)
// / 1.
TEST(Router, LoadsAreRelativeToSpeeds) {
  Router router({.kind = RouterKind::least_outstanding, .speed = {3, 1}}, 2);
  for (int i = 0; i < 3; ++i) router.sent(0, {});
  router.sent(1, {});
  EXPECT_EQ(router.pick({}), 0u);
  for (int i = 0; i < 3; ++i) router.sent(0, {});  // (6 + 1) / 3 > 2
  EXPECT_EQ(router.pick({}), 1u);
}

TEST(Router, RoundRobinPassesOverTheClosed) {
  Router router = router_of(RouterKind::round_robin, 4, 2);
  router.close(3);
  std::vector<std::size_t> picks;
  for (std::uint64_t i = 0; i < 5; ++i) picks.push_back(router.pick(request(i)));
  EXPECT_EQ(picks, (std::vector<std::size_t>{2, 0, 1, 2, 0}));
}

TEST(Router, EveryKindPicksOpenReplicasAlone) {
  PromptContent session;
  session.session = 7;
  for (int kind = 0; kind <= static_cast<int>(RouterKind::kept_for_priority); ++kind) {
    Router router({.kind = static_cast<RouterKind>(kind), .kept_replicas = 2}, 5);
    for (const std::size_t replica : {0u, 2u, 4u}) router.close(replica);
    std::map<std::size_t, int> picks;
    for (std::uint64_t i = 0; i < 400; ++i) {
      QueuedRequest r = request(i);
      r.priority = static_cast<std::int16_t>(i % 2);
      session.session = static_cast<std::int64_t>(i);
      r.content = &session;
      const std::size_t picked = router.pick(r);
      router.sent(picked, r);
      ++picks[picked];
    }
    ASSERT_EQ(picks.size(), 2u) << "kind " << kind;
    EXPECT_GT(picks[1], 80) << "kind " << kind;
    EXPECT_GT(picks[3], 80) << "kind " << kind;
    router.close(1), router.close(3);
    EXPECT_EQ(router.pick(request(0)), Router::kNobody);
    router.open(4);
    EXPECT_EQ(router.pick(request(0)), 4u);
    EXPECT_EQ(router.outstanding(4), 0);
  }
}

TEST(Router, DrawsDependOnTheRequestAlone) {
  Router one = router_of(RouterKind::random, 16), other = router_of(RouterKind::random, 16);
  std::vector<std::size_t> forward, backward;
  for (std::uint64_t i = 0; i < 100; ++i) forward.push_back(one.pick(request(i)));
  for (std::uint64_t i = 100; i-- > 0;) backward.insert(backward.begin(), other.pick(request(i)));
  EXPECT_EQ(forward, backward);
  QueuedRequest again = request(3);
  std::map<std::size_t, int> picks;
  for (again.retries = 0; again.retries < 50; ++again.retries) ++picks[one.pick(again)];
  EXPECT_GT(picks.size(), 10u);  // one that comes back is not bound to the replica it lost
}

TEST(Router, RandomIsEven) {
  Router router = router_of(RouterKind::random, 7);
  std::map<std::size_t, int> picks;
  for (std::uint64_t i = 0; i < 70'000; ++i) ++picks[router.pick(request(i))];
  for (const auto& [replica, n] : picks) EXPECT_NEAR(n, 10'000, 400) << replica;  // 4 standard deviations
}

TEST(Router, ASessionStaysAndMovesOnlyWithItsReplica) {
  Router router = router_of(RouterKind::session_affinity, 8);
  std::vector<PromptContent> sessions(200);
  const auto home = [&](std::size_t i) {
    sessions[i].session = static_cast<std::int64_t>(i);
    QueuedRequest r = request(1000 + i);
    r.content = &sessions[i];
    return router.pick(r);
  };
  std::vector<std::size_t> before;
  for (std::size_t i = 0; i < sessions.size(); ++i) before.push_back(home(i));
  for (std::size_t i = 0; i < sessions.size(); ++i) EXPECT_EQ(home(i), before[i]);
  router.close(5);
  for (std::size_t i = 0; i < sessions.size(); ++i) {
    if (before[i] == 5) {
      EXPECT_NE(home(i), 5u);
    } else {
      EXPECT_EQ(home(i), before[i]);
    }
  }
  EXPECT_EQ(router.with_affinity(), 600);
}

// Replicas 2 and 3 are kept for priority 5 and more.
TEST(Router, KeptReplicasTakeNoLowPriority) {
  Router router({.kind = RouterKind::kept_for_priority, .kept_replicas = 2, .from_priority = 5}, 4);
  QueuedRequest low = request(0), high = request(1);
  low.priority = 4, high.priority = 5;
  for (int i = 0; i < 10; ++i) {
    const std::size_t picked = router.pick(low);
    EXPECT_LT(picked, 2u);
    router.sent(picked, low);
  }
  EXPECT_GE(router.pick(high), 2u);
  for (int i = 0; i < 12; ++i) router.sent(2 + static_cast<std::size_t>(i % 2), high);
  EXPECT_LT(router.pick(high), 2u);  // 5 and 5 against 6 and 6
  router.close(0), router.close(1);
  EXPECT_GE(router.pick(low), 2u);  // rather than nowhere
}

}  // namespace
}  // namespace weir::sim

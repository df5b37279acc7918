#include "sim/fleet/router.h"

#include <gtest/gtest.h>

namespace weir::sim {
namespace {

TEST(LeastOutstandingRouter, TakesEqualsInTurn) {
  LeastOutstandingRouter router(3, 1);
  EXPECT_EQ(router.pick(), 1u);
  EXPECT_EQ(router.pick(), 2u);
  EXPECT_EQ(router.pick(), 0u);
  EXPECT_EQ(router.pick(), 1u);
}

TEST(LeastOutstandingRouter, TakesTheLeastLoaded) {
  LeastOutstandingRouter router(3, 0);
  for (const std::size_t replica : {0u, 0u, 1u, 2u, 2u, 2u}) router.sent(replica);  // 2, 1, 3
  EXPECT_EQ(router.pick(), 1u);
  router.sent(1);
  router.sent(1);  // 2, 3, 3
  EXPECT_EQ(router.pick(), 0u);
  router.left(2);
  router.left(2);  // 2, 3, 1
  EXPECT_EQ(router.pick(), 2u);
  EXPECT_EQ(router.outstanding(1), 3);
}

}  // namespace
}  // namespace weir::sim

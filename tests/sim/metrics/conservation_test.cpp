#include "sim/metrics/conservation.h"

#include <stdexcept>

#include <gtest/gtest.h>

namespace weir::sim {
namespace {

Time s(double seconds) { return Time::from_seconds(seconds); }

/// Two requests of 10 + 2 tokens, arriving at 0 and 1 s, leaving at 2 and 4 s: sojourns 2 + 3 s; the replica is busy
/// for 4 s. The second read 3 of its tokens twice and found 1 in the prefix cache. With `drop` it is dropped instead.
struct Books {
  RunMetrics metrics;
  FleetTotals totals;
  Time wall = s(4);
  std::optional<double> joules = 500, idle_joules = 400;

  static MetricsSpec spec() {
    MetricsSpec spec;
    spec.class_names = {"a"};
    spec.slo.resize(1);
    return spec;
  }
  explicit Books(bool drop = false) : metrics(spec()) {
    ServedRequest first{.request = {.index = 0, .input_tokens = 10, .output_tokens = 2}};
    ServedRequest second{.request = {.index = 1, .arrival = s(1), .input_tokens = 10, .output_tokens = 2}};
    second.admitted = second.first = s(2);
    metrics.completed(first, s(2));
    if (drop) {
      metrics.dropped(second.request, s(4), RequestOutcome::timed_out);
    } else {
      metrics.completed(second, s(4));
    }
    metrics.settle();
    totals.in_system_ticks = s(5).ticks();
    totals.busy_ticks = s(4).ticks();
    totals.work[1].ticks = s(1).ticks();
    totals.work[5].ticks = s(3).ticks();
    totals.scheduler.tokens_read = drop ? 10 : 22;
    totals.scheduler.recomputed_tokens = drop ? 0 : 3;
    totals.scheduler.cache_hit_tokens = drop ? 0 : 1;
    totals.tokens_written = drop ? 2 : 4;
  }
  Conservation check() const { return check_conservation({totals, metrics, 1, wall, joules, idle_joules}); }
};

TEST(Conservation, PassesWhatAddsUp) {
  const Conservation c = Books().check();
  EXPECT_EQ(c.little_law_relative_error, 0);
  EXPECT_EQ(c.tokens_in, 24);
  EXPECT_EQ(c.tokens_out, 24);
  EXPECT_EQ(c.tokens_dropped, 0);
}

TEST(Conservation, CountsTheTokensOfTheDropped) {
  const Conservation c = Books(true).check();
  EXPECT_EQ(c.tokens_in, 24);
  EXPECT_EQ(c.tokens_out, 12);
  EXPECT_EQ(c.tokens_dropped, 12);
}

TEST(Conservation, OneTickOffBreaksLittlesLaw) {
  Books books;
  books.totals.in_system_ticks += 1;
  EXPECT_THROW(books.check(), std::logic_error);
}

TEST(Conservation, EveryOtherLawIsCheckedToo) {
  Books lost_token, read_twice, swapped, ghost_step, overtime, cold;
  lost_token.totals.tokens_written = 3;
  EXPECT_THROW(lost_token.check(), std::logic_error);
  read_twice.totals.scheduler.recomputed_tokens = 2;
  EXPECT_THROW(read_twice.check(), std::logic_error);
  swapped.totals.scheduler.tokens_read += 1;  // the sum over both kinds of tokens still agrees
  swapped.totals.tokens_written -= 1;
  EXPECT_THROW(swapped.check(), std::logic_error);
  ghost_step.totals.work[5].ticks -= 1;
  EXPECT_THROW(ghost_step.check(), std::logic_error);
  overtime.wall = s(3.9);
  EXPECT_THROW(overtime.check(), std::logic_error);
  cold.joules = 399;
  EXPECT_THROW(cold.check(), std::logic_error);
}

}  // namespace
}  // namespace weir::sim

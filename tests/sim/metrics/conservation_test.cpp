#include "sim/metrics/conservation.h"

#include <stdexcept>
#include <vector>

#include <gtest/gtest.h>

namespace weir::sim {
namespace {

/// Two requests of 10 + 2 tokens, arriving at 0 and 1 s, done at 2 and 4 s: sojourns 2 + 3 s; the replica is busy 4 s.
struct Books {
  RequestList requests;
  std::vector<RequestRecord> records;
  ReplicaTotals totals;
  Time wall = Time::from_seconds(4);
  std::optional<double> joules = 500, idle_joules = 400;

  Books() {
    requests.class_names = {"a"};
    requests.requests = {{Time(), 10, 2, 1, 0}, {Time::from_seconds(1), 10, 2, 1, 0}};
    for (const double done_s : {2.0, 4.0}) {
      records.push_back({Time(), Time(), Time::from_seconds(done_s), RequestOutcome::completed});
    }
    totals.in_system_ticks = Time::from_seconds(5).ticks();
    totals.busy_ticks = totals.step_ticks = Time::from_seconds(4).ticks();
    totals.tokens_read = 20;
    totals.tokens_written = 4;
  }
  Conservation check() const { return check_conservation({requests, records, totals, 1, wall, joules, idle_joules}); }
};

TEST(Conservation, PassesWhatAddsUp) {
  const Conservation c = Books().check();
  EXPECT_EQ(c.little_law_relative_error, 0);
  EXPECT_EQ(c.tokens_in, 24);
  EXPECT_EQ(c.tokens_out, 24);
  EXPECT_EQ(c.tokens_dropped, 0);
}

TEST(Conservation, CountsTheTokensOfTheDropped) {
  Books books;
  books.records[1].outcome = RequestOutcome::timed_out;
  books.totals.tokens_read = 10;
  books.totals.tokens_written = 2;
  EXPECT_EQ(books.check().tokens_dropped, 12);
}

TEST(Conservation, OneTickOffBreaksLittlesLaw) {
  Books books;
  books.totals.in_system_ticks += 1;
  EXPECT_THROW(books.check(), std::logic_error);
}

TEST(Conservation, EveryOtherLawIsCheckedToo) {
  Books lost_token, ghost_step, overtime, cold, left_over;
  lost_token.totals.tokens_written = 3;
  EXPECT_THROW(lost_token.check(), std::logic_error);
  ghost_step.totals.step_ticks -= 1;
  EXPECT_THROW(ghost_step.check(), std::logic_error);
  overtime.wall = Time::from_seconds(3.9);
  EXPECT_THROW(overtime.check(), std::logic_error);
  cold.joules = 399;
  EXPECT_THROW(cold.check(), std::logic_error);
  left_over.records[0].outcome = RequestOutcome::pending;
  EXPECT_THROW(left_over.check(), std::logic_error);
}

}  // namespace
}  // namespace weir::sim

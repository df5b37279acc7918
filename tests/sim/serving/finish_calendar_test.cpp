#include "sim/serving/finish_calendar.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <stdexcept>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace weir::sim {
namespace {

std::vector<FinishCalendar::Slot> take(FinishCalendar& calendar) {
  std::vector<FinishCalendar::Slot> slots;
  for (FinishCalendar::Slot s = calendar.take(); s != FinishCalendar::kNone; s = calendar.after(s)) slots.push_back(s);
  return slots;
}

TEST(FinishCalendar, TheLatestAddedOfAStepIsFirst) {
  FinishCalendar calendar(4);
  EXPECT_EQ(calendar.next(), FinishCalendar::kNever);
  calendar.add(2, 7, 0);
  calendar.add(0, 9, 0);
  calendar.add(1, 7, 3);
  EXPECT_EQ(calendar.next(), 7);
  EXPECT_EQ(take(calendar), (std::vector<FinishCalendar::Slot>{1, 2}));
  EXPECT_EQ(calendar.next(), 9);
  EXPECT_THROW(calendar.remove(3, 9), std::logic_error);
  calendar.remove(0, 9);
  EXPECT_EQ(calendar.next(), FinishCalendar::kNever);
}

// Near steps, steps beyond the 1,024 buckets it has at first, and so many rounds that the ring turns many times: the
// same as a sorted map.
RC_GTEST_PROP(FinishCalendar, IsASortedMap, ()) {
  constexpr std::size_t kSlots = 12;
  FinishCalendar calendar(kSlots);
  std::multimap<std::int64_t, FinishCalendar::Slot> map;
  std::vector<FinishCalendar::Slot> unused;
  for (std::size_t i = 0; i < kSlots; ++i) unused.push_back(static_cast<FinishCalendar::Slot>(i));
  const auto farthest = *rc::gen::element<std::int64_t>(5, 1000, 1024, 1025, 3000, 40'000);
  std::int64_t now = 0;
  for (int turn = 0; turn < 200; ++turn) {
    const int what = *rc::gen::inRange(0, 4);
    if (what < 2 && !unused.empty()) {
      const std::int64_t step = now + 1 + *rc::gen::resize(100, rc::gen::inRange<std::int64_t>(0, farthest));
      calendar.add(unused.back(), step, now);
      map.emplace(step, unused.back());
      unused.pop_back();
    } else if (what == 2 && !map.empty()) {
      const auto gone = std::next(map.begin(), *rc::gen::inRange<int>(0, static_cast<int>(map.size())));
      calendar.remove(gone->second, gone->first);
      unused.push_back(gone->second);
      map.erase(gone);
    } else if (!map.empty()) {
      now = calendar.next();
      RC_ASSERT(now == map.begin()->first);
      std::vector<FinishCalendar::Slot> taken = take(calendar), expected;
      for (auto end = map.upper_bound(now); map.begin() != end;) {
        expected.push_back(map.begin()->second);
        map.erase(map.begin());
      }
      std::reverse(expected.begin(), expected.end());  // a multimap keeps the order of adding
      RC_ASSERT(taken == expected);
      unused.insert(unused.end(), taken.begin(), taken.end());
    }
    RC_ASSERT(calendar.next() == (map.empty() ? FinishCalendar::kNever : map.begin()->first));
  }
}

}  // namespace
}  // namespace weir::sim

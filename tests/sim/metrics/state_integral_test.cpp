#include "sim/metrics/state_integral.h"

#include <array>
#include <cstdint>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace weir::sim {
namespace {

MetricsSpec in_cells_of(std::int64_t ticks) {
  MetricsSpec spec;
  spec.class_names = {"chat"};
  spec.slo.resize(1);
  spec.begin = Time::from_ticks(100);
  spec.series_step = Time::from_ticks(ticks);
  return spec;
}

// 2 wait from 105 on; from 112 on 1 waits and 1 runs; from 131 on nobody: 2 x 7 + 2 x 19 request ticks, busy for 19.
TEST(StateIntegral, IntegratesOverTime) {
  RunMetrics metrics(in_cells_of(10));
  StateIntegral state;
  state.change(Time::from_ticks(105), 2, 0, 0, metrics);
  state.change(Time::from_ticks(112), 1, 1, 1, metrics);
  state.change(Time::from_ticks(131), 0, 0, 0, metrics);
  EXPECT_TRUE(state.in_system_ticks() == WideInt{52});
  EXPECT_EQ(state.busy_ticks(), 19);
  state.settle(metrics);
  EXPECT_TRUE(state.in_system_ticks() == WideInt{52});
  EXPECT_EQ(state.busy_ticks(), 19);
}

// Two replicas that take turns, over so long a time that the grid becomes coarser on the way: the series is the one of
// a grid that heard of every change when it came.
RC_GTEST_PROP(StateIntegral, TellsTheSeriesWhatSingleChangesTell, ()) {
  const MetricsSpec spec = in_cells_of(*rc::gen::inRange<std::int64_t>(1, 50));
  RunMetrics at_once(spec), one_by_one(spec);
  std::array<StateIntegral, 2> states;
  Time now = spec.begin;
  const auto hurry = *rc::gen::element<std::int64_t>(3, 100, 300'000);
  for (int i = 0; i < 200; ++i) {
    now += Time::from_ticks(*rc::gen::resize(100, rc::gen::inRange<std::int64_t>(0, hurry)));
    StateIntegral& state = states[*rc::gen::inRange<std::size_t>(0, 2)];
    const auto waiting = *rc::gen::inRange<std::int64_t>(0, 5), running = *rc::gen::inRange<std::int64_t>(0, 3);
    const auto busy = *rc::gen::inRange<std::int64_t>(0, 2);
    one_by_one.change(now, waiting - state.waiting(), running - state.running(), static_cast<int>(busy - state.busy()));
    state.change(now, waiting, running, busy, at_once);
  }
  for (StateIntegral& state : states) state.settle(at_once);
  RC_ASSERT(at_once == one_by_one);
}

}  // namespace
}  // namespace weir::sim

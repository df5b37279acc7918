// Processes beside the replicas: requests that come again, and new ones that follow a departure.
#include <gtest/gtest.h>

#include "tests/sim/fleet/support.h"

namespace weir::sim {
namespace {

using testing::Experiment;

/// Every request is served twice: when it is done it comes to the same replica again, `pause` later.
class Twice final : public FleetProcess {
 public:
  explicit Twice(Time pause) : pause_(pause) {}
  void begin(FleetHandle& fleet, Time) override { fleet_ = &fleet; }
  bool served(const ServedRequest& served, Time now, std::int32_t replica) override {
    if (served.request.elsewhere > Time()) return false;
    fleet_->send(served.request, now, now + pause_, replica);
    return true;
  }

 private:
  Time pause_;
  FleetHandle* fleet_ = nullptr;
};

/// Each departure brings a new request `think` later, `more` times.
class Follow final : public FleetProcess {
 public:
  Follow(Time think, int more) : think_(think), more_(more) {}
  void begin(FleetHandle& fleet, Time) override { fleet_ = &fleet; }
  void left(const RequestRecord& record) override {
    if (more_-- <= 0) return;
    SimRequest next;
    next.arrival = record.done + think_;
    next.input_tokens = record.served.request.input_tokens;
    next.output_tokens = record.served.request.output_tokens;
    fleet_->arrive(next);
  }

 private:
  Time think_;
  int more_;
  FleetHandle* fleet_ = nullptr;
};

TEST(FleetProcess, ARequestThatComesAgainKeepsItsArrival) {
  // One step of 1 s reads the prompt and writes the only token. At 0 and 0.5 s two requests come: the first is served
  // in [0, 1), comes again at 1.25; the second is served in [1, 2), then the first again in [2, 3), the second, back at
  // 2.25, in [3, 4).
  Experiment e;
  e.timer.per_step_s = 1;
  e.add(0.0, 10, 1);
  e.add(0.5, 10, 1);
  Twice twice(Time::from_seconds(0.25));
  FleetProcess* const processes[] = {&twice};
  e.options.processes = processes;
  const RunResult run = e.run();
  EXPECT_EQ(run.requests.completed, 2);
  EXPECT_DOUBLE_EQ(run.latency.e2e.mean, (3.0 + 3.5) / 2);
}

TEST(FleetProcess, ADepartureCanBringTheNextRequest) {
  // 1 s of service and 3 s until the next: four requests, the last leaves at 3 x 4 + 1 = 13 s.
  Experiment e;
  e.timer.per_step_s = 1;
  e.add(0.0, 10, 1);
  Follow follow(Time::from_seconds(3), 3);
  FleetProcess* const processes[] = {&follow};
  e.options.processes = processes;
  const RunResult run = e.run();
  EXPECT_EQ(run.requests.completed, 4);
  EXPECT_DOUBLE_EQ(run.simulated_s, 13);
  EXPECT_DOUBLE_EQ(run.gpu_busy, 4.0 / 13);
}

}  // namespace
}  // namespace weir::sim

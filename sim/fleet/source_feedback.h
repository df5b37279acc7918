#pragma once

#include "sim/fleet/fleet_process.h"
#include "sim/workload/request_source.h"

namespace weir::sim {

/// Tells a source whose clients wait for their answers what has left, and brings what they ask next.
class SourceFeedback final : public FleetProcess {
 public:
  explicit SourceFeedback(RequestSource& source) : source_(source) {}
  void begin(FleetHandle& fleet, Time) override { fleet_ = &fleet; }
  void left(const RequestRecord& record) override {
    const QueuedRequest& request = record.served.request;
    if (request.chain < 0) return;
    const Outcome outcome = outcome_of(record.outcome);
    const std::optional<SimRequest> next =
        source_.after({.chain = request.chain,
                       .class_index = request.class_index,
                       .outcome = outcome,
                       .output_tokens = outcome == Outcome::served ? request.output_tokens : 0,
                       .departed = record.done});
    if (next) fleet_->arrive(*next);
  }

 private:
  static Outcome outcome_of(RequestOutcome outcome) {
    switch (outcome) {
      case RequestOutcome::completed:
        return Outcome::served;
      case RequestOutcome::timed_out:
        return Outcome::timed_out;
      case RequestOutcome::cancelled:
        return Outcome::cancelled;
      case RequestOutcome::lost:
        return Outcome::lost;
      default:
        return Outcome::rejected;
    }
  }

  RequestSource& source_;
  FleetHandle* fleet_ = nullptr;
};

}  // namespace weir::sim

#include "tests/field/vidur_conformance/conformance.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace weir::field {
namespace {

/// Keeps what became of the requests of one replica.
class Collector final : public sim::RequestSink {
 public:
  Collector(std::vector<OurAnswer>& answers, const std::vector<std::size_t>& positions)
      : answers_(answers), positions_(positions) {}

  void left(const sim::RequestRecord& record) override {
    OurAnswer& answer = answers_[positions_[record.served.request.index]];
    answer = {.scheduled = record.served.admitted,
              .first_token = record.served.first,
              .completed = record.done,
              .restarts = record.served.preemptions,
              .served = record.outcome == sim::RequestOutcome::completed};
  }

 private:
  std::vector<OurAnswer>& answers_;
  const std::vector<std::size_t>& positions_;
};

void run_replica(const VidurRun& run, const std::vector<VidurRequest>& requests,
                 const std::vector<std::size_t>& positions, const sim::StepTimer& timer, sim::Stepping stepping,
                 std::vector<OurAnswer>& answers) {
  data::Workload workload;
  workload.name = "trace";
  workload.kind = data::WorkloadKind::generative;
  sim::RequestList list;
  list.class_names = {"all"};
  for (const std::size_t position : positions) {
    const VidurRequest& request = requests[position];
    sim::SimRequest next;
    next.arrival = request.arrival;
    next.input_tokens = request.input_tokens;
    next.output_tokens = request.output_tokens;
    list.requests.push_back(next);
  }
  Collector collector(answers, positions);
  sim::SimulateOptions options;
  options.series_step_s = 0;
  options.tails = false;
  options.stepping = stepping;
  options.sink = &collector;
  sim::FleetSpec fleet;
  fleet.kv_tokens = run.rules.kv_blocks * run.rules.block_tokens;
  sim::ListSource source(list);
  simulate(workload, run.rules, source, fleet, timer, options);
}

void widen(Deviation& deviation, double expected_s, sim::Time ours, std::size_t request) {
  const double seconds = std::fabs(ours.seconds() - expected_s);
  if (!(seconds <= deviation.seconds)) deviation = {seconds, request};
}

}  // namespace

std::vector<OurAnswer> simulate_vidur(const VidurRun& run, const std::vector<VidurRequest>& requests,
                                      const sim::StepTimer& timer, sim::Stepping stepping) {
  std::vector<std::size_t> by_arrival(requests.size());
  std::iota(by_arrival.begin(), by_arrival.end(), std::size_t{0});
  std::ranges::stable_sort(by_arrival, {}, [&](std::size_t i) { return requests[i].arrival; });

  // In turn, whatever the replicas do: they never see each other.
  std::vector<OurAnswer> answers(requests.size());
  const auto replicas = static_cast<std::size_t>(run.replicas);
  for (std::size_t replica = 0; replica < std::min(replicas, requests.size()); ++replica) {
    std::vector<std::size_t> positions;
    for (std::size_t i = replica; i < by_arrival.size(); i += replicas) positions.push_back(by_arrival[i]);
    run_replica(run, requests, positions, timer, stepping, answers);
  }
  return answers;
}

Comparison compare(const std::vector<VidurAnswer>& expected, const std::vector<OurAnswer>& ours) {
  Comparison c;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    c.expected_restarts += expected[i].restarts;
    if (!ours[i].served) {
      ++c.not_served;
      continue;
    }
    widen(c.scheduled, expected[i].scheduled_s, ours[i].scheduled, i);
    widen(c.first_token, expected[i].first_token_s, ours[i].first_token, i);
    widen(c.completed, expected[i].completed_s, ours[i].completed, i);
    c.restarts += ours[i].restarts;
    if (ours[i].restarts != expected[i].restarts) ++c.other_restarts;
  }
  return c;
}

bool Comparison::within(double tolerance_s) const {
  return not_served == 0 && other_restarts == 0 && scheduled.seconds <= tolerance_s &&
         first_token.seconds <= tolerance_s && completed.seconds <= tolerance_s;
}

}  // namespace weir::field

#include "tests/field/vllm_fidelity/fidelity.h"
#include "data/errors.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "data/errors.h"
#include "sim/fleet/simulate.h"

namespace weir::field {
namespace {

/// Keeps the times of every request, by index as measured.
class Answers final : public sim::LockstepSink {
 public:
  explicit Answers(const FidelityCase& c) : order_(c.order), requests_(c.order.size()) {}

  void noticed(const sim::QueuedRequest& request, sim::Time now, std::int32_t) override {
    of(request).queued_s = now.seconds();
  }
  void left(const sim::RequestRecord& record) override {
    SimulatedRequest& r = of(record.served.request);
    r.served = record.outcome == sim::RequestOutcome::completed;
    r.first_token_s = record.served.first.seconds();
    r.last_token_s = record.done.seconds();
    r.preemptions = record.served.preemptions;
  }
  const std::vector<SimulatedRequest>& requests() const { return requests_; }

 private:
  SimulatedRequest& of(const sim::QueuedRequest& request) { return requests_[order_[request.index]]; }
  const std::vector<std::size_t>& order_;
  std::vector<SimulatedRequest> requests_;
};

/// One rank is a replica like any other.
void expect_same_of_fleet(const FidelityCase& c, const sim::ProfileTimer& timer,
                          const std::vector<SimulatedRequest>& expected) {
  data::Workload workload;
  workload.name = "run";
  workload.kind = data::WorkloadKind::generative;
  workload.classes.resize(1);
  workload.classes[0].name = "all";
  sim::FleetSpec fleet;
  fleet.kv_tokens = c.rules.kv_blocks * c.rules.block_tokens;
  Answers answers(c);
  sim::SimulateOptions options;
  options.series_step_s = 0;
  options.tails = false;
  options.stepping = sim::Stepping::step_by_step;
  options.sink = &answers;
  sim::ListSource source(c.requests);
  sim::simulate(workload, c.rules, source, fleet, timer, options);
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const SimulatedRequest &a = expected[i], &b = answers.requests()[i];
    if (a.first_token_s != b.first_token_s || a.last_token_s != b.last_token_s || a.preemptions != b.preemptions) {
      throw std::logic_error("request " + std::to_string(i) +
                             ": the fleet simulator gives another answer than lockstep");
    }
  }
}

/// Sorted values' quantile, linear between ranks (as numpy.percentile).
double percentile(const std::vector<double>& sorted, double q) {
  const double place = q * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  if (below + 1 >= sorted.size()) return sorted.back();
  return sorted[below] + (place - static_cast<double>(below)) * (sorted[below + 1] - sorted[below]);
}

std::array<double, 5> statistics(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  double sum = 0;
  for (const double v : values) sum += v;
  return {sum / static_cast<double>(values.size()), percentile(values, 0.5), percentile(values, 0.9),
          percentile(values, 0.95), percentile(values, 0.99)};
}

struct Samples {
  std::array<std::vector<double>, 3> of;
  void add(double queued, double first, double last, std::int64_t output) {
    of[0].push_back(first - queued);
    if (output > 1) of[1].push_back((last - first) / static_cast<double>(output - 1));
    of[2].push_back(last - queued);
  }
};

}  // namespace

SimulatedRun simulate_run(const FidelityCase& c) {
  const sim::ProfileTimer timer(c.profile, c.deployment);
  Answers answers(c);
  sim::Lockstep lockstep(c.rules, c.ranks, timer, answers);
  sim::ListSource source(c.requests);
  lockstep.run(source);
  SimulatedRun run;
  run.requests = answers.requests();
  run.steps = lockstep.steps();
  for (int rank = 0; rank < c.ranks.ranks; ++rank) run.preemptions += lockstep.counts(rank).preemptions;
  for (std::size_t i = 0; i < run.requests.size(); ++i) {
    if (run.requests[i].served) continue;
    throw data::InputError("requests.jsonl", std::to_string(i + 1), "a request of this length",
                           "its tokens never fit the KV cache or the step's token budget");
  }
  if (c.ranks.ranks == 1) expect_same_of_fleet(c, timer, run.requests);
  return run;
}

Report compare(const std::vector<MeasuredRequest>& measured, const SimulatedRun& simulated) {
  Samples ours, theirs;
  for (std::size_t i = 0; i < measured.size(); ++i) {
    const MeasuredRequest& m = measured[i];
    const SimulatedRequest& s = simulated.requests.at(i);
    theirs.add(m.queued_s, m.first_token_s, m.last_token_s, m.output_tokens);
    ours.add(s.queued_s, s.first_token_s, s.last_token_s, m.output_tokens);
  }
  Report report;
  for (std::size_t q = 0; q < kQuantities.size(); ++q) {
    if (theirs.of[q].empty()) throw std::logic_error("no request has more than one token");
    const auto a = statistics(theirs.of[q]), b = statistics(ours.of[q]);
    for (std::size_t s = 0; s < a.size(); ++s) {
      report.figures[q][s] = {a[s], b[s]};
      const double error = std::abs(report.figures[q][s].error());
      report.mean_error += error / static_cast<double>(kQuantities.size() * a.size());
      report.largest_error = std::max(report.largest_error, error);
    }
  }
  return report;
}

bool Gate::passes(const Report& report) const {
  for (std::size_t q = 0; q < kQuantities.size(); ++q) {
    const double limit = q == static_cast<std::size_t>(Quantity::ttft) ? ttft : others;
    for (const Figure& figure : report.figures[q]) {
      if (!(std::abs(figure.error()) <= limit)) return false;
    }
  }
  return true;
}

Gate gate_of(const FidelityCase& c) {
  Gate gate;
  if (c.profile.experts) {
    gate.ttft = 0.07;
  } else if (c.gpu.find("RTX 4090") != std::string::npos) {
    gate.ttft = 0.04;
  }
  return gate;
}

}  // namespace weir::field

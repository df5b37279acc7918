#include "sim/fleet/simulate.h"

#include <algorithm>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "data/errors.h"
#include "sim/core/event_queue.h"
#include "sim/core/random.h"
#include "sim/fleet/replica.h"
#include "sim/fleet/router.h"
#include "sim/fleet/run_context.h"
#include "sim/metrics/conservation.h"
#include "sim/metrics/summary.h"
#include "sim/serving/scheduler.h"

namespace weir::sim {
namespace {

/// Limits of each class of the list, found by name; a class the workload does not know has none.
std::vector<data::Slo> slo_by_class(const data::Workload& workload, const RequestList& requests) {
  std::vector<data::Slo> limits;
  for (const std::string& name : requests.class_names) {
    const auto found = std::find_if(workload.classes.begin(), workload.classes.end(),
                                    [&](const data::RequestClass& c) { return c.name == name; });
    limits.push_back(found == workload.classes.end() ? data::Slo{} : found->slo);
    const data::Slo& slo = limits.back();
    if (workload.kind == data::WorkloadKind::one_shot && !(slo.ttft_s.empty() && slo.tpot_s.empty())) {
      throw data::InputError("scenario", "/workloads/" + workload.name + "/classes/" + name + "/slo",
                             slo.ttft_s.empty() ? "tpot_s" : "ttft_s", "one-shot work takes limits on e2e_s only");
    }
  }
  return limits;
}

void check_requests(const RequestList& list) {
  if (list.requests.empty()) throw std::logic_error("simulate: no requests");
  const auto earlier = [](const SimRequest& a, const SimRequest& b) { return a.arrival < b.arrival; };
  if (!std::is_sorted(list.requests.begin(), list.requests.end(), earlier)) {
    throw std::logic_error("simulate: requests are not in order of arrival");
  }
  for (const SimRequest& r : list.requests) {
    if (r.class_index < 0 || static_cast<std::size_t>(r.class_index) >= list.class_names.size()) {
      throw std::logic_error("simulate: a request has no class");
    }
  }
}

Time last_departure(const std::vector<RequestRecord>& records) {
  Time last;
  for (const RequestRecord& record : records) last = std::max(last, record.done);
  return last;
}

/// The replicas, the router before them and the queue of what happens next.
class Fleet {
 public:
  Fleet(const data::Workload& workload, const data::Serving& serving, const FleetSpec& spec, std::uint64_t seed,
        RunContext& context)
      : context_(context),
        router_(spec.replicas, RandomStream(seed, "router").bits()),
        scheduled_(static_cast<std::size_t>(spec.replicas), Time::never()) {
    if (serving.router != "least-outstanding") {
      throw data::InputError("scenario", "/serving/router", serving.router, "this version has \"least-outstanding\"");
    }
    replicas_.reserve(scheduled_.size());
    for (std::size_t i = 0; i < scheduled_.size(); ++i) {
      replicas_.emplace_back(i, make_scheduler(workload.kind, serving, spec.kv_tokens), context_, router_);
    }
  }

  /// Until every request has left, or the targets are out of reach. Throws InputError when the clock runs out first.
  void run() {
    const std::vector<SimRequest>& requests = context_.requests.requests;
    for (std::size_t i = 0; i < requests.size() && !context_.hopeless; ++i) {
      const Time now = requests[i].arrival;
      advance(now);
      if (context_.hopeless) return;
      context_.tick();
      if (context_.series) context_.series->arrival(now);
      const std::size_t chosen = router_.pick();
      replicas_[chosen].submit(static_cast<RequestId>(i), now);
      schedule(chosen);
    }
    advance(Time::never());
    if (!context_.hopeless && context_.departed < static_cast<std::int64_t>(requests.size())) refuse_backlog();
  }

  ReplicaTotals totals() const {
    ReplicaTotals sum;
    for (const Replica& replica : replicas_) sum.add(replica.totals());
    return sum;
  }
  std::int64_t kv_blocks_per_replica() const { return replicas_.front().kv_blocks(); }

 private:
  [[noreturn]] void refuse_backlog() const {
    throw data::InputError("scenario", "replicas", std::to_string(replicas_.size()),
                           "more: these do not get through the demand within " +
                               std::to_string(static_cast<std::int64_t>(Time::never().seconds() / 86'400)) +
                               " days of simulated time");
  }

  void advance(Time limit) {
    while (!queue_.empty() && queue_.top().time() <= limit && !context_.hopeless) {
      const Event event = queue_.pop();
      // An earlier event was scheduled for the replica since, and has done what this one is for.
      if (event.time() != scheduled_[event.target]) continue;
      scheduled_[event.target] = Time::never();
      replicas_[event.target].advance(limit);
      schedule(event.target);
    }
  }

  /// Keeps one live event a replica: at its next event or before it, in which case nothing happens then.
  void schedule(std::size_t replica) {
    const Time next = replicas_[replica].next_event();
    if (next >= scheduled_[replica]) return;
    scheduled_[replica] = next;
    queue_.push(next, 0, static_cast<std::uint32_t>(replica));
  }

  RunContext& context_;
  LeastOutstandingRouter router_;
  std::vector<Replica> replicas_;
  std::vector<Time> scheduled_;
  EventQueue queue_;
};

void fill_utilisation(const ReplicaTotals& totals, const FleetSpec& spec, const StepTimer& timer,
                      std::int64_t kv_blocks_per_replica, Time wall, RunResult& result) {
  if (totals.batches > 0) {
    result.batch_size_mean = static_cast<double>(totals.batch_members) / static_cast<double>(totals.batches);
  }
  if (wall <= Time()) return;
  // Ratios of integers, so that a share that cannot pass 1 does not pass it by rounding either.
  const WideInt replica_ticks = WideInt{wall.ticks()} * spec.replicas;
  const double replica_s = wall.seconds() * spec.replicas;
  result.gpu_busy = static_cast<double>(totals.busy_ticks) / static_cast<double>(replica_ticks);
  if (timer.peak_flops_per_s() > 0) result.mfu = totals.flops / timer.peak_flops_per_s() / replica_s;
  if (timer.peak_bytes_per_s() > 0) result.mbu = totals.bytes / timer.peak_bytes_per_s() / replica_s;
  if (kv_blocks_per_replica > 0) {
    result.kv_occupancy =
        static_cast<double>(totals.kv_block_ticks) / static_cast<double>(replica_ticks * kv_blocks_per_replica);
  }
}

/// Energy of the accelerators over the run. A busy accelerator never takes less than an idle one.
void fill_energy(const ReplicaTotals& totals, const FleetSpec& spec, RunResult& result,
                 std::optional<double>& idle_joules) {
  if (!spec.power.tdp_w || !spec.power.idle_w) return;
  const auto ticks_per_s = static_cast<double>(Time::kTicksPerSecond);
  const double busy_s = static_cast<double>(totals.busy_ticks) / ticks_per_s;
  const double wall_s = result.simulated_s * spec.replicas;
  const double busy_w_s = std::max(totals.tdp_ticks / ticks_per_s * *spec.power.tdp_w, *spec.power.idle_w * busy_s);
  const double joules =
      (busy_w_s + *spec.power.idle_w * std::max(0.0, wall_s - busy_s)) * spec.accelerators_per_replica;
  idle_joules = *spec.power.idle_w * wall_s * spec.accelerators_per_replica;
  result.joules = joules;
  const double written = result.output_tokens_per_s * result.simulated_s;
  if (written > 0) result.joules_per_output_token = joules / written;
}

RunResult hopeless_result(const RunContext& context, const std::vector<data::Slo>& slo, RunResult result) {
  result.requests.offered = static_cast<std::int64_t>(context.records.size());
  for (const data::Slo& limits : slo) {
    if (!limits.empty()) result.slo.required_attainment = std::max(result.slo.required_attainment, limits.attainment);
  }
  result.slo.met = false;
  result.exactness = "stopped early: the targets were out of reach";
  return result;
}

}  // namespace

RunResult simulate(const data::Workload& workload, const data::Serving& serving, const RequestList& requests,
                   const FleetSpec& fleet, const StepTimer& timer, const SimulateOptions& options) {
  check_requests(requests);
  if (fleet.replicas < 1) throw std::logic_error("simulate: a fleet has at least one replica");
  const std::vector<data::Slo> slo = slo_by_class(workload, requests);
  const Time begin = requests.requests.front().arrival;
  RunContext context{.requests = requests,
                     .timer = timer,
                     .power = fleet.power,
                     .records = std::vector<RequestRecord>(requests.requests.size()),
                     .itl = std::vector<Histogram>(slo.size()),
                     .series = std::nullopt,
                     .watch = std::nullopt,
                     .progress = options.progress};
  if (options.series_step_s > 0) context.series.emplace(begin, Time::from_seconds(options.series_step_s));
  if (options.stop_when_hopeless) context.watch.emplace(slo, requests);

  Fleet running(workload, serving, fleet, options.seed, context);
  running.run();

  RunResult result;
  result.scenario = options.scenario_name;
  result.seed = options.seed;
  result.replicas = fleet.replicas;
  result.evidence = timer.evidence();
  if (context.hopeless) return hopeless_result(context, slo, std::move(result));

  const Time wall = last_departure(context.records) - begin;
  result.simulated_s = wall.seconds();
  summarise_requests({requests, context.records, slo, context.itl, workload.kind, options.tails}, result);
  const ReplicaTotals totals = running.totals();
  fill_utilisation(totals, fleet, timer, running.kv_blocks_per_replica(), wall, result);
  std::optional<double> idle_joules;
  fill_energy(totals, fleet, result, idle_joules);
  if (context.series) result.series = context.series->points(begin + wall, fleet.replicas);
  result.conservation =
      check_conservation({requests, context.records, totals, fleet.replicas, wall, result.joules, idle_joules});
  if (options.progress && !options.progress(1.0, "simulating")) throw data::Cancelled();
  return result;
}

}  // namespace weir::sim

#include "sim/plan/capacity.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <memory>
#include <stdexcept>

#include "data/errors.h"
#include "sim/core/math.h"
#include "sim/cost/readable_number.h"
#include "sim/plan/capacity_cache.h"
#include "sim/timing/deployment_timer.h"

namespace weir::sim {
namespace {

/// Requests of `list` spread so far apart that each finds an idle replica; at most `most`, evenly chosen.
RequestList one_at_a_time(const RequestList& list, std::size_t most) {
  const double apart_s = Time::never().seconds() / 2 / static_cast<double>(most);
  RequestList alone;
  alone.class_names = list.class_names;
  const std::size_t n = list.requests.size(), kept = std::min(n, most);
  for (std::size_t i = 0; i < kept; ++i) {
    SimRequest request = list.requests[i * n / kept];
    request.arrival = Time::from_seconds(apart_s * static_cast<double>(i));
    alone.requests.push_back(request);
  }
  return alone;
}

class Search {
 public:
  Search(const CapacityTask& task, const Variant& variant, const MemoryPlan& memory, const StepTimer& timer,
         const data::Progress& progress)
      : task_(task), timer_(timer), progress_(progress) {
    fleet_.accelerators_per_replica = variant.replica.accelerators();
    fleet_.kv_tokens = memory.kv_tokens;
    fleet_.conduct = task.scenario.fleet;
    fleet_.copies = copy_times(task.scenario.serving.pipeline, variant.replica.accelerator);
    fleet_.power = power_model(variant.replica.accelerator, task.power_a, task.power_b, task.idle_share_of_tdp);
    const auto requests = static_cast<int>(std::min<std::size_t>(task.requests.requests.size(), 1'000'000));
    most_ = std::min(task.scenario.candidates.max_replicas, requests);
  }

  int most() const { return most_; }
  /// Replicas kept for some requests leave at least one for the others.
  int least() const { return task_.scenario.serving.routing.kept_replicas + 1; }

  bool unloaded_meets() {
    constexpr std::size_t kSample = 256;
    Search calm = *this;  // nothing happens to the replica: that would take it over years
    calm.fleet_.conduct = {};
    return calm.simulate_with(one_at_a_time(task_.requests, kSample), least(), false, false).slo.met;
  }

  bool meets(int replicas) {
    if (replicas < least()) return false;
    const auto known = met_.find(replicas);
    if (known != met_.end()) return known->second;
    return met_[replicas] = simulate_with(task_.requests, replicas, true, false).slo.met;
  }

  /// The load in [1, most] that `replicas` carry, as a multiple of today's, which they are known to carry: the largest
  /// of the steps 1.02^k below `most`, or `most`. The steps and the order in which they are tried do not depend on
  /// `most`, so that another horizon finds most of them in the memo.
  double load_factor(int replicas, double most, CapacityMemo* memo) {
    const auto carries = [&](double factor) {
      if (const auto known = memo != nullptr ? memo->carries(factor) : std::nullopt) return *known;
      RequestList faster = task_.requests;
      for (SimRequest& request : faster.requests) {
        request.arrival = Time::from_ticks(std::llround(static_cast<double>(request.arrival.ticks()) / factor));
      }
      const bool met = simulate_with(faster, replicas, true, false).slo.met;
      if (memo != nullptr) memo->keep_carries(factor, met);
      return met;
    };
    if (!(most > 1)) return 1;
    constexpr double kStep = 1.02;
    const auto step = [](unsigned k) { return math::pow(kStep, static_cast<double>(k)); };
    unsigned last = 1;  // the first step at or above `most`
    while (step(last) < most) ++last;
    unsigned low = 0, high = std::bit_ceil(last);  // low carries, high does not or is out of range
    while (high - low > 1) {
      const unsigned middle = low + (high - low) / 2;
      (middle < last && carries(step(middle)) ? low : high) = middle;
    }
    return low + 1 == last && carries(most) ? most : step(low);
  }

  RunResult full(int replicas) { return simulate_with(task_.requests, replicas, false, true); }

  /// The smallest count that meets the targets, from a first guess; 0 = none up to most().
  int smallest(int guess) {
    int low = 0, high = std::clamp(guess, 1, most_);  // low: too few
    if (meets(high)) {
      while (high - low > 1) {
        const int half = std::max(low + 1, high / 2);
        if (!meets(half)) {
          low = half;
          break;
        }
        high = half;
      }
    } else {
      do {
        if (high == most_) return 0;
        low = high;
        high = high > most_ / 2 ? most_ : 2 * high;
      } while (!meets(high));
    }
    while (high - low > 1) {
      const int middle = low + (high - low) / 2;
      (meets(middle) ? high : low) = middle;
    }
    return high;
  }

 private:
  RunResult simulate_with(const RequestList& requests, int replicas, bool stop_early, bool in_full) {
    FleetSpec fleet = fleet_;
    fleet.replicas = replicas;
    SimulateOptions options;
    options.scenario_name = task_.scenario.name;
    options.seed = task_.seed;
    options.series_step_s = in_full ? 60 : 0;
    options.tails = in_full;
    options.stop_when_hopeless = stop_early;
    options.progress = progress_;
    return simulate(task_.workload, task_.scenario.serving, requests, fleet, timer_, options);
  }

  const CapacityTask& task_;
  const StepTimer& timer_;
  const data::Progress& progress_;
  FleetSpec fleet_;
  int most_ = 1;
  std::map<int, bool> met_;
};

std::string cannot_meet(const RunResult& run) {
  // With a replica to itself every request decodes in a batch of one.
  const bool alone = run.batch_size_mean <= 1 || run.replicas >= run.requests.offered;
  const std::string load =
      alone ? "with one request at a time"
            : "with " + readable_number(run.replicas) + (run.replicas == 1 ? " replica" : " replicas");
  return "cannot meet: " + worst_miss(run, load);
}

double mean_span_s(const RequestList& list) {
  return std::max(1.0, (list.requests.back().arrival - list.requests.front().arrival).seconds());
}

}  // namespace

PowerModel power_model(const data::Accelerator& accelerator, double a, double b, double idle_share_of_tdp) {
  PowerModel power;
  power.tdp_w = accelerator.tdp_w.value;
  power.idle_w = accelerator.idle_w.value;
  if (!power.idle_w && power.tdp_w) power.idle_w = *power.tdp_w * idle_share_of_tdp;
  power.a = a;
  power.b = b;
  return power;
}

std::string upper_case(std::string text) {
  std::ranges::transform(text, text.begin(),
                         [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; });
  return text;
}

std::string seconds_text(double seconds) {
  return seconds < 1 ? readable_number(std::round(seconds * 1e5) / 1e2) + " ms" : fixed_text(seconds, 2) + " s";
}

std::string worst_miss(const RunResult& run, const std::string& situation) {
  std::string worst;
  double worst_ratio = 0;
  const auto of_class = [&](const std::string& name) { return run.classes.size() > 1 ? " of " + name : ""; };
  for (const SloTarget& target : run.slo.targets) {
    if (target.met || !target.value_s || *target.value_s / target.limit_s <= worst_ratio) continue;
    worst_ratio = *target.value_s / target.limit_s;
    worst = upper_case(target.metric) + " " + target.percentile + of_class(target.class_name) + " is " +
            seconds_text(*target.value_s) + " " + situation + "; target " + seconds_text(target.limit_s);
  }
  if (!worst.empty()) return worst;
  for (const ClassResult& c : run.classes) {
    if (c.slo.met) continue;
    const std::int64_t lost = c.requests.offered - c.requests.completed;
    return fixed_text(c.slo.attainment.value_or(0) * 100, 2) + "% of requests" + of_class(c.name) +
           " keep their limits " + situation +
           (lost > 0 ? " (" + readable_number(static_cast<double>(lost)) + " rejected, timed out or too long)" : "") +
           "; target " + readable_number(c.slo.required_attainment * 100) + "%";
  }
  return "";
}

int replicas_by_work(const CapacityTask& task, const StepTimer& timer, const MemoryPlan& memory) {
  const data::Serving& serving = task.scenario.serving;
  double input = 0, output = 0, items = 0;
  for (const SimRequest& r : task.requests.requests) {
    input += static_cast<double>(r.input_tokens) * r.items;
    output += r.output_tokens;
    items += r.items;
  }
  const auto n = static_cast<double>(task.requests.requests.size());
  double work_s = 0;
  if (task.workload.kind == data::WorkloadKind::one_shot) {
    const auto tokens = std::max<std::int64_t>(1, static_cast<std::int64_t>(input / items));
    work_s = items * timer.batch(serving.max_batch, tokens).seconds() / serving.max_batch;
  } else {
    const PrefillChunk chunk{serving.token_budget, 0};
    const double prefill_s = timer.iteration({{&chunk, 1}, 0, 0}).seconds() / serving.token_budget;
    const double context = std::max(1.0, (input + output / 2) / n);
    const double fits = static_cast<double>(memory.kv_tokens) / context;
    const auto batch = static_cast<std::int64_t>(std::clamp<double>(fits, 1, serving.max_batch));
    const auto contexts = static_cast<std::int64_t>(static_cast<double>(batch) * context);
    const double decode_s = timer.iteration({{}, batch, contexts}).seconds() / static_cast<double>(batch);
    work_s = input * prefill_s + output * decode_s;
  }
  const double replicas = std::ceil(work_s / mean_span_s(task.requests));
  return static_cast<int>(std::clamp(replicas, 1.0, 1e6));
}

namespace {

/// All but the load factor.
Capacity find_replicas(Search& search, const CapacityTask& task, const StepTimer& timer, Capacity capacity) {
  // A sample of single requests tells most hopeless variants quickly; the largest fleet has the last word.
  const bool possible = search.unloaded_meets() || search.meets(search.most());
  const int replicas = possible ? search.smallest(replicas_by_work(task, timer, capacity.memory)) : 0;
  if (replicas == 0) {
    try {
      capacity.run = search.full(search.most());
      capacity.why_not = cannot_meet(*capacity.run);
    } catch (const data::InputError&) {  // what can be too much for the clock is only the backlog
      capacity.why_not =
          "cannot meet: the demand is never worked off with " + readable_number(search.most()) + " replicas";
    }
    return capacity;
  }
  capacity.run = search.full(replicas);
  if (!capacity.run->slo.met) throw std::logic_error("a fleet met its targets in the search and misses them in full");
  capacity.replicas = replicas;
  return capacity;
}

/// Growth of the traffic up to the horizon, as a factor; 1 when it doesn't grow.
double growth_to_horizon(const CapacityTask& task) {
  const double growth = task.workload.growth_per_year;
  return growth > 0 ? math::pow(1 + growth, task.scenario.cost.horizon_months / 12.0) : 1;
}

}  // namespace

Capacity find_capacity(const CapacityTask& task, const Variant& variant, const data::Progress& progress,
                       CapacityMemo* memo) {
  Capacity capacity;
  capacity.memory = plan_memory(variant.replica, task.scenario.serving);
  if (!capacity.memory.fits()) {
    capacity.why_not = capacity.memory.why_not();
    return capacity;
  }
  const std::unique_ptr<StepTimer> timer = make_step_timer(variant.replica, task.efficiency, variant.calibration);
  capacity.relative_error = timer->relative_error();
  Search search(task, variant, capacity.memory, *timer, progress);
  if (auto known = memo != nullptr ? memo->capacity() : std::nullopt) {
    capacity = *std::move(known);
  } else {
    capacity = find_replicas(search, task, *timer, std::move(capacity));
    if (memo != nullptr) memo->keep(capacity);
  }
  if (capacity.replicas && task.workload.growth_per_year > 0) {
    capacity.load_factor = search.load_factor(*capacity.replicas, growth_to_horizon(task), memo);
  }
  return capacity;
}

}  // namespace weir::sim

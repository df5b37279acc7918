#include <algorithm>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "data/errors.h"
#include "sim/workload/draw_class.h"
#include "sim/workload/replay_trace.h"
#include "sim/workload/sim_request.h"
#include "sim/workload/trace_source.h"

namespace weir::sim {
namespace {

/// The demand of one workload while it is put together.
class DemandList {
 public:
  DemandList(const data::Scenario& scenario, const data::Workload& workload, std::uint64_t seed,
             const data::Progress& progress)
      : scenario_(scenario), workload_(workload), seed_(seed), progress_(progress) {
    for (const data::RequestClass& c : workload.classes) list_.class_names.push_back(c.name);
    if (list_.class_names.empty()) list_.class_names.push_back(workload.name);
  }

  /// `trace` is all there is.
  RequestList only(const data::Trace& trace) {
    replay(trace, {.file = trace.name, .rate_scale = 1, .window_begin_s = {}, .window_end_s = {}, .repeat = 1},
           all_shares());
    return finish();
  }

  RequestList from_scenario() {
    if (workload_.trace) replay(find_trace(scenario_, *workload_.trace, progress_), *workload_.trace, shared_shares());
    for (std::size_t i = 0; i < workload_.classes.size(); ++i) {
      const data::RequestClass& c = workload_.classes[i];
      if (!c.trace) continue;
      std::vector<double> only_this(workload_.classes.size(), 0);
      only_this[i] = 1;
      data::Trace trace = find_trace(scenario_, *c.trace, progress_);
      for (data::Request& request : trace.requests) request.class_index = -1;
      replay(trace, *c.trace, only_this);
    }
    draw_arrivals();
    return finish();
  }

 private:
  std::vector<double> all_shares() const {
    if (workload_.classes.empty()) return {1};
    std::vector<double> shares;
    for (const data::RequestClass& c : workload_.classes) shares.push_back(c.share);
    return shares;
  }

  /// The workload's trace is dealt to the classes without a demand of their own.
  std::vector<double> shared_shares() const {
    std::vector<double> shares = all_shares();
    for (std::size_t i = 0; i < workload_.classes.size(); ++i) {
      if (workload_.classes[i].trace || workload_.classes[i].arrivals) shares[i] = 0;
    }
    if (std::accumulate(shares.begin(), shares.end(), 0.0) > 0) return shares;
    throw data::InputError(scenario_.name, "/workloads/" + workload_.name + "/trace", workload_.trace->file,
                           "every class has a demand of its own; a trace of the workload needs one that has not");
  }

  void replay(const data::Trace& trace, const data::TraceReference& reference, const std::vector<double>& shares) {
    const bool oneshot = workload_.kind == data::WorkloadKind::one_shot;
    const Time end = replay_trace(trace, reference, oneshot, shares, seed_, list_, *contents_);
    trace_end_ = std::max(trace_end_.value_or(Time()), end);
  }

  void draw_arrivals() {
    if (std::none_of(workload_.classes.begin(), workload_.classes.end(),
                     [](const data::RequestClass& c) { return c.arrivals.has_value(); })) {
      return;
    }
    const double horizon_s = trace_end_ && *trace_end_ > Time() ? trace_end_->seconds() : drawn_horizon_s(workload_);
    for (std::size_t i = 0; i < workload_.classes.size(); ++i) {
      if (workload_.classes[i].arrivals) draw_class(scenario_, workload_, i, horizon_s, seed_, list_);
    }
  }

  RequestList finish() {
    std::stable_sort(list_.requests.begin(), list_.requests.end(),
                     [](const SimRequest& a, const SimRequest& b) { return a.arrival < b.arrival; });
    if (list_.requests.empty()) refuse_empty_demand(scenario_, workload_);
    if (!contents_->contents.empty()) list_.contents = std::move(contents_);
    return std::move(list_);
  }

  const data::Scenario& scenario_;
  const data::Workload& workload_;
  std::uint64_t seed_;
  const data::Progress& progress_;
  RequestList list_;
  std::shared_ptr<PromptContents> contents_ = std::make_shared<PromptContents>();
  std::optional<Time> trace_end_;  ///< of the longest replayed trace
};

}  // namespace

RequestList make_requests(const data::Scenario& scenario, const data::Workload& workload, const data::Trace* trace,
                          std::uint64_t seed, const data::Progress& progress) {
  DemandList demand(scenario, workload, seed, progress);
  return trace != nullptr ? demand.only(*trace) : demand.from_scenario();
}

}  // namespace weir::sim

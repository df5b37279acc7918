#include <algorithm>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "data/errors.h"
#include "sim/workload/draw_class.h"
#include "sim/workload/duration_law.h"
#include "sim/workload/replay_trace.h"
#include "sim/workload/sim_request.h"
#include "sim/workload/trace_source.h"

namespace weir::sim {
namespace {

/// The demand of one workload while it is put together.
class DemandList {
 public:
  DemandList(const data::Scenario& scenario, const data::Workload& workload, std::uint64_t seed,
             const data::Progress& progress, bool fold_repeats)
      : scenario_(scenario), workload_(workload), seed_(seed), progress_(progress) {
    const auto has_its_own = [](const data::RequestClass& c) { return c.trace || c.arrivals || c.cancel; };
    fold_repeats_ = fold_repeats && std::none_of(workload.classes.begin(), workload.classes.end(), has_its_own);
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
    const Time end = replay_trace(trace, reference, oneshot, shares, seed_, list_, *contents_, fold_repeats_);
    trace_end_ = std::max(trace_end_.value_or(Time()), end);
  }

  void draw_arrivals() {
    std::optional<double> end_s;
    if (trace_end_ && *trace_end_ > Time()) end_s = trace_end_->seconds();
    for (const data::RequestClass& c : workload_.classes) drawn_.push_back(c.arrivals.has_value());
    draw_classes(scenario_, workload_, end_s, contents_->clients, seed_, progress_, list_);
  }

  RequestList finish() {
    std::stable_sort(list_.requests.begin(), list_.requests.end(),
                     [](const SimRequest& a, const SimRequest& b) { return a.arrival < b.arrival; });
    if (list_.requests.empty()) refuse_empty_demand(scenario_, workload_);
    for (std::size_t i = 0; i < workload_.classes.size(); ++i) cancel_some(i);
    if (!contents_->contents.empty()) list_.contents = std::move(contents_);
    return std::move(list_);
  }

  /// Clients of a replayed class hang up; those of a drawn one were drawn with it.
  void cancel_some(std::size_t index) {
    const data::RequestClass& c = workload_.classes[index];
    if (!c.cancel) return;
    const CancelLaw law(*c.cancel, seed_, c.name);
    std::uint64_t number = 0;
    for (SimRequest& request : list_.requests) {
      if (request.class_index != static_cast<std::int16_t>(index)) continue;
      if (drawn_.empty() || !drawn_[index]) request.cancel_after = law.after(number++);
    }
    if (number > 0) list_.notes.push_back(cancel_note(c.name, *c.cancel));
  }

  const data::Scenario& scenario_;
  const data::Workload& workload_;
  std::uint64_t seed_;
  const data::Progress& progress_;
  bool fold_repeats_ = false;
  RequestList list_;
  std::shared_ptr<PromptContents> contents_ = std::make_shared<PromptContents>();
  std::optional<Time> trace_end_;  ///< of the longest replayed trace
  std::vector<bool> drawn_;        ///< the classes that are; empty = none
};

}  // namespace

RequestList make_requests(const data::Scenario& scenario, const data::Workload& workload, const data::Trace* trace,
                          std::uint64_t seed, const data::Progress& progress, bool fold_repeats) {
  DemandList demand(scenario, workload, seed, progress, fold_repeats);
  return trace != nullptr ? demand.only(*trace) : demand.from_scenario();
}

}  // namespace weir::sim

#include "sim/workload/drawn_source.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "data/errors.h"
#include "sim/workload/draw_class.h"
#include "sim/workload/limits.h"

namespace weir::sim {
namespace {

/// A list with what it belongs to.
class OwnedListSource final : public RequestSource {
 public:
  explicit OwnedListSource(RequestList list) : list_(std::move(list)), source_(list_) {}
  std::span<const SimRequest> next() override { return source_.next(); }
  const std::vector<std::string>& class_names() const override { return list_.class_names; }
  std::vector<std::int64_t> offered_by_class() const override { return source_.offered_by_class(); }

 private:
  RequestList list_;
  ListSource source_;
};

bool only_arrivals(const data::Workload& workload) {
  return !workload.trace && !workload.classes.empty() &&
         std::all_of(workload.classes.begin(), workload.classes.end(),
                     [](const data::RequestClass& c) { return c.arrivals && !c.trace; });
}

}  // namespace

DrawnClass drawn_class(const data::Scenario& scenario, const data::Workload& workload, std::size_t index) {
  const data::RequestClass& c = workload.classes.at(index);
  DrawnClass drawn{.name = c.name,
                   .arrivals = c.arrivals.value(),
                   .input_tokens = c.input_tokens,
                   .output_tokens = c.output_tokens,
                   .pairs = nullptr,
                   .oneshot = workload.kind == data::WorkloadKind::one_shot,
                   .scenario = scenario.name,
                   .place = "/workloads/" + workload.name + "/classes/" + c.name};
  if (!drawn.oneshot && (!c.input_tokens || !c.output_tokens)) {
    throw data::InputError(scenario.name, drawn.place, c.input_tokens ? "no output_tokens" : "no input_tokens",
                           "a class with arrivals states how many tokens its requests read and write");
  }
  return drawn;
}

ClassDraw::ClassDraw(const DrawnClass& what, std::int16_t index, std::uint64_t seed)
    : arrivals_(what.arrivals, what.scenario, what.place + "/arrivals", seed, what.name),
      index_(index),
      oneshot_(what.oneshot) {
  if (what.pairs) {
    pairs_.emplace(what.pairs, seed, "lengths/" + what.name);
    return;
  }
  // One-shot work without a length, such as an image, is one token an item.
  const data::LengthDistribution one{"fixed", 1, std::nullopt};
  input_.emplace(what.input_tokens.value_or(one), what.place + "/input_tokens", seed, "input_tokens/" + what.name);
  output_.emplace(what.output_tokens.value_or(one), what.place + "/output_tokens", seed, "output_tokens/" + what.name);
}

DrawnSource::DrawnSource(const std::vector<DrawnClass>& classes, Time end, std::uint64_t seed, std::int64_t most)
    : end_(end), left_(most) {
  if (end > kLongestDemand) throw std::invalid_argument("a demand lasts at most 10,000,000 s");
  for (const DrawnClass& c : classes) {
    names_.push_back(c.name);
    draws_.emplace_back(c, static_cast<std::int16_t>(draws_.size()), seed);
    heads_.push_back(draws_.back().next_arrival());
  }
  batch_.reserve(kBatch);
}

bool DrawnSource::empty() const {
  return left_ <= 0 || std::none_of(heads_.begin(), heads_.end(), [this](Time head) { return head < end_; });
}

void DrawnSource::fill_from_one() {
  ClassDraw& draw = draws_.front();
  Time head = heads_.front();
  for (; batch_.size() < kBatch && head < end_; head = draw.next_arrival()) draw.append(head, batch_);
  heads_.front() = head;
}

void DrawnSource::fill_merged() {
  while (batch_.size() < kBatch) {
    const auto first = std::min_element(heads_.begin(), heads_.end());  // of equal ones the first class
    if (first == heads_.end() || *first >= end_) return;
    ClassDraw& draw = draws_[static_cast<std::size_t>(first - heads_.begin())];
    draw.append(*first, batch_);
    *first = draw.next_arrival();
  }
}

std::span<const SimRequest> DrawnSource::next() {
  batch_.clear();
  if (left_ <= 0) return {};
  heads_.size() == 1 ? fill_from_one() : fill_merged();
  if (static_cast<std::int64_t>(batch_.size()) > left_) batch_.resize(static_cast<std::size_t>(left_));
  left_ -= static_cast<std::int64_t>(batch_.size());
  return batch_;
}

Demand make_demand(const data::Scenario& scenario, const data::Workload& workload, const data::Trace* trace,
                   std::uint64_t seed, const data::Progress& progress) {
  if (trace != nullptr || !only_arrivals(workload)) {
    RequestList list = make_requests(scenario, workload, trace, seed, progress);
    std::vector<std::string> notes = list.notes;
    return {std::make_unique<OwnedListSource>(std::move(list)), std::move(notes)};
  }
  Demand demand;
  const double horizon_s = drawn_horizon_s(workload);
  std::vector<DrawnClass> classes;
  for (std::size_t i = 0; i < workload.classes.size(); ++i) {
    classes.push_back(drawn_class(scenario, workload, i));
    for (std::string& note : arrival_notes(classes.back(), horizon_s, seed, {}))
      demand.notes.push_back(std::move(note));
  }
  auto source = std::make_unique<DrawnSource>(classes, Time::from_seconds(horizon_s), seed);
  if (source->empty()) refuse_empty_demand(scenario, workload);
  demand.source = std::move(source);
  return demand;
}

}  // namespace weir::sim

#include "sim/workload/drawn_source.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "data/errors.h"
#include "sim/workload/client_windows.h"
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

ClassDraw::ClassDraw(const DrawnClass& what, std::int16_t index, std::uint64_t seed, Time end,
                     std::int32_t first_client)
    : loop_(what.arrivals.closed_loop), first_client_(first_client), index_(index), oneshot_(what.oneshot) {
  if (what.windows) {
    clients_ = std::make_unique<WindowClients>(what.windows, seed, what.name);
  } else if (what.clients) {
    clients_ = std::make_unique<MixedClients>(what.arrivals, *what.clients, seed, what.name);
  } else if (!loop_) {
    arrivals_.emplace(what.arrivals, what.scenario, what.place + "/arrivals", seed, what.name);
  }
  if (what.cancel) cancel_.emplace(*what.cancel, seed, what.name);
  if (what.reacts()) {
    chains_ = std::make_unique<Chains>(what, index, seed, end);
  } else if (clients_) {
    lengths_.emplace(what);
    length_draws_.emplace(seed, "client-requests/" + what.name);
  } else if (what.pairs) {
    pairs_.emplace(what.pairs, seed, "lengths/" + what.name);
  } else {
    // One-shot work without a length, such as an image, is one token an item.
    const data::LengthDistribution one{"fixed", 1, std::nullopt};
    input_.emplace(what.input_tokens.value_or(one), what.place + "/input_tokens", seed, "input_tokens/" + what.name);
    output_.emplace(what.output_tokens.value_or(one), what.place + "/output_tokens", seed,
                    "output_tokens/" + what.name);
  }
}

std::int32_t ClassDraw::clients() const { return clients_ ? clients_->count() : loop_ ? loop_->clients : 0; }

/// The clients of a closed loop begin evenly over its ramp.
Time ClassDraw::next_of_clients() {
  if (clients_) return clients_->next();
  if (begun_ >= loop_->clients) return Time::never();
  return Time::from_seconds(loop_->ramp_s * (static_cast<double>(begun_++) / loop_->clients));
}

void ClassDraw::append_of_client(Time arrival, std::vector<SimRequest>& to) {
  const std::int32_t client = clients_ ? first_client_ + clients_->client()
                              : loop_  ? first_client_ + begun_ - 1
                                       : std::int32_t{-1};
  const double factor = clients_ ? clients_->length_factor() : 1;
  const ClientLengths* own = clients_ ? clients_->lengths() : nullptr;
  if (chains_) {
    to.push_back(chains_->begin(arrival, client, factor, own));
    return;
  }
  const LengthPair lengths = lengths_->draw(*length_draws_, factor, own);
  SimRequest& request = to.emplace_back();
  request.arrival = arrival;
  request.input_tokens = lengths.input_tokens;
  request.output_tokens = lengths.output_tokens;
  request.class_index = index_;
  request.client = client;
  if (cancel_) request.cancel_after = cancel_->after(appended_++);
}

DrawnSource::DrawnSource(const std::vector<DrawnClass>& classes, Time end, std::uint64_t seed, std::int64_t most)
    : end_(end), left_(most) {
  if (end > kLongestDemand) throw std::invalid_argument("a demand lasts at most 10,000,000 s");
  std::int32_t clients = 0;
  for (const DrawnClass& c : classes) {
    names_.push_back(c.name);
    draws_.emplace_back(c, static_cast<std::int16_t>(draws_.size()), seed, end, clients);
    clients += draws_.back().clients();
    heads_.push_back(draws_.back().next_arrival());
  }
  batch_.reserve(kBatch);
}

bool DrawnSource::empty() const {
  return left_ <= 0 || std::none_of(heads_.begin(), heads_.end(), [this](Time head) { return head < end_; });
}

bool DrawnSource::reacts() const {
  return std::any_of(draws_.begin(), draws_.end(), [](const ClassDraw& draw) { return draw.reacts(); });
}

std::optional<SimRequest> DrawnSource::after(const LeftRequest& left) {
  return draws_.at(static_cast<std::size_t>(left.class_index)).after(left);
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
    RequestList list = make_requests(scenario, workload, trace, seed, progress, true);
    std::vector<std::string> notes = list.notes;
    return {std::make_unique<OwnedListSource>(std::move(list)), std::move(notes)};
  }
  constexpr double kMostStreamed = 1e9;  // minutes of work for the simulator, whatever the fleet
  Demand demand;
  std::vector<DrawnClass> classes;
  for (std::size_t i = 0; i < workload.classes.size(); ++i) {
    classes.push_back(drawn_class(scenario, workload, i, progress));
  }
  const double horizon_s = drawn_horizon_s(classes, workload.duration_s);
  check_count(classes, horizon_s, kMostStreamed);
  for (const DrawnClass& c : classes) {
    for (std::string& note : arrival_notes(c, horizon_s, seed, {})) demand.notes.push_back(std::move(note));
  }
  auto source = std::make_unique<DrawnSource>(classes, Time::from_seconds(horizon_s), seed);
  if (source->empty()) refuse_empty_demand(scenario, workload);
  demand.source = std::move(source);
  return demand;
}

}  // namespace weir::sim

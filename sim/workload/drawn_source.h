#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "data/scenario.h"
#include "sim/workload/arrival_stream.h"
#include "sim/workload/chains.h"
#include "sim/workload/client_arrivals.h"
#include "sim/workload/drawn_class.h"
#include "sim/workload/duration_law.h"
#include "sim/workload/length_source.h"
#include "sim/workload/request_source.h"

namespace weir::sim {

/// The requests of one class in order of arrival, without end. Arrivals, input and output lengths (or pairs) have a
/// random stream each, named by the class; where clients wait for their answers, these are first requests.
class ClassDraw {
 public:
  /// `first_client` is the number of its first client, if it has any.
  ClassDraw(const DrawnClass& what, std::int16_t index, std::uint64_t seed, Time end, std::int32_t first_client = 0);

  /// Time::never() at the end.
  Time next_arrival() { return arrivals_ ? arrivals_->next() : next_of_clients(); }

  /// Appends the request that arrives then; to be called once for every arrival, in order. Made in place: a copy
  /// of what was just written field by field would wait for the fields.
  void append(Time arrival, std::vector<SimRequest>& to) {
    if (chains_ || clients_) {
      append_of_client(arrival, to);
      return;
    }
    SimRequest& request = to.emplace_back();
    request.arrival = arrival;
    request.class_index = index_;
    if (pairs_) {
      const LengthPair lengths = pairs_->draw();
      request.input_tokens = lengths.input_tokens;
      request.output_tokens = oneshot_ ? 0 : lengths.output_tokens;
    } else {
      request.input_tokens = input_->draw();
      request.output_tokens = oneshot_ ? 0 : output_->draw();
    }
    if (cancel_) request.cancel_after = cancel_->after(appended_++);
  }

  bool reacts() const { return chains_ != nullptr; }
  std::optional<SimRequest> after(const LeftRequest& left) { return chains_->after(left); }
  /// Clients it counts, from first_client on.
  std::int32_t clients() const;

 private:
  Time next_of_clients();
  void append_of_client(Time arrival, std::vector<SimRequest>& to);

  std::optional<ArrivalStream> arrivals_;    ///< empty: those of the clients
  std::unique_ptr<ClientArrivals> clients_;  ///< empty: of one stream, or a closed loop
  std::optional<data::ClosedLoop> loop_;
  std::unique_ptr<Chains> chains_;
  std::optional<LengthSource> input_, output_;
  std::optional<PairSource> pairs_;
  std::optional<ClassLengths> lengths_;  ///< of clients that do not wait
  std::optional<RandomStream> length_draws_;
  std::optional<CancelLaw> cancel_;
  std::uint64_t appended_ = 0;
  std::int32_t first_client_, begun_ = 0;
  std::int16_t index_;
  bool oneshot_;
};

/// Requests drawn as they are asked for, so that a run of any length takes no more memory than a batch, its clients and
/// its conversations. The classes are merged by arrival, ties in the order of the classes: the same requests as
/// make_requests draws.
class DrawnSource final : public RequestSource {
 public:
  static constexpr std::size_t kBatch = 1024;

  /// Arrivals in [0, end), at most `most` of them; end <= kLongestDemand.
  DrawnSource(const std::vector<DrawnClass>& classes, Time end, std::uint64_t seed,
              std::int64_t most = std::numeric_limits<std::int64_t>::max());

  std::span<const SimRequest> next() override;
  const std::vector<std::string>& class_names() const override { return names_; }
  Time end() const override { return end_; }
  bool reacts() const override;
  std::optional<SimRequest> after(const LeftRequest& left) override;
  /// Nothing (more) arrives.
  bool empty() const;

 private:
  void fill_from_one();
  void fill_merged();

  std::vector<std::string> names_;
  std::vector<ClassDraw> draws_;
  std::vector<Time> heads_;  ///< the next arrival of each class
  std::vector<SimRequest> batch_;
  Time end_;
  std::int64_t left_;
};

/// The demand of a workload as a source, and where it comes from. Drawn as it is asked for when nothing but arrivals
/// make it up; otherwise the list of make_requests. The same requests either way; the errors of make_requests, but up
/// to 1e9 requests are drawn, and clients may wait for their answers.
struct Demand {
  std::unique_ptr<RequestSource> source;
  std::vector<std::string> notes;
};
Demand make_demand(const data::Scenario& scenario, const data::Workload& workload, const data::Trace* trace,
                   std::uint64_t seed, const data::Progress& progress = {});

}  // namespace weir::sim

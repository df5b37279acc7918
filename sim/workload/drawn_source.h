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
#include "sim/workload/length_source.h"
#include "sim/workload/request_source.h"

namespace weir::sim {

/// What is drawn for one class: arrivals, and either lengths from two distributions or pairs from a table.
struct DrawnClass {
  std::string name;
  data::ArrivalProcess arrivals;
  std::optional<data::LengthDistribution> input_tokens = {},
                                          output_tokens = {};  ///< without input: one token, as an image
  std::shared_ptr<const std::vector<LengthPair>> pairs = {};   ///< instead of the two
  bool oneshot = false;                                        ///< nothing is written
  std::string scenario = "scenario", place = {};               ///< name and JSON pointer for complaints
};

/// The class `index` of a workload. Throws InputError when generative work has no lengths.
DrawnClass drawn_class(const data::Scenario& scenario, const data::Workload& workload, std::size_t index);

/// The requests of one class in order of arrival, without end. Arrivals, input and output lengths (or pairs) have a
/// random stream each, named by the class.
class ClassDraw {
 public:
  ClassDraw(const DrawnClass& what, std::int16_t index, std::uint64_t seed);

  Time next_arrival() { return arrivals_.next(); }

  /// Appends the request that arrives then; to be called once for every arrival, in order. Made in place: a copy
  /// of what was just written field by field would wait for the fields.
  void append(Time arrival, std::vector<SimRequest>& to) {
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
  }

 private:
  ArrivalStream arrivals_;
  std::optional<LengthSource> input_, output_;
  std::optional<PairSource> pairs_;
  std::int16_t index_;
  bool oneshot_;
};

/// Requests drawn as they are asked for, so that a run of any length takes no more memory than a batch. The classes are
/// merged by arrival, ties in the order of the classes: the same requests as make_requests draws.
class DrawnSource final : public RequestSource {
 public:
  static constexpr std::size_t kBatch = 1024;

  /// Arrivals in [0, end), at most `most` of them; end <= kLongestDemand.
  DrawnSource(const std::vector<DrawnClass>& classes, Time end, std::uint64_t seed,
              std::int64_t most = std::numeric_limits<std::int64_t>::max());

  std::span<const SimRequest> next() override;
  const std::vector<std::string>& class_names() const override { return names_; }
  Time end() const override { return end_; }
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
/// make it up; otherwise the list of make_requests. The same requests either way; the errors of make_requests, but no
/// limit on how many are drawn.
struct Demand {
  std::unique_ptr<RequestSource> source;
  std::vector<std::string> notes;
};
Demand make_demand(const data::Scenario& scenario, const data::Workload& workload, const data::Trace* trace,
                   std::uint64_t seed, const data::Progress& progress = {});

}  // namespace weir::sim

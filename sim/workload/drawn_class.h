#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "data/progress.h"
#include "data/scenario.h"
#include "sim/workload/length_source.h"

namespace weir::sim {

struct ClientWindowTable;

/// What is drawn for one class: arrivals, and either lengths from two distributions or pairs from a table.
struct DrawnClass {
  std::string name;
  data::ArrivalProcess arrivals;  ///< a rate series is a list here
  std::optional<data::LengthDistribution> input_tokens = {},
                                          output_tokens = {};  ///< without input: one token, as an image
  std::shared_ptr<const std::vector<LengthPair>> pairs = {};   ///< instead of the two
  bool oneshot = false;                                        ///< nothing is written
  std::string scenario = "scenario", place = {};               ///< name and JSON pointer for complaints
  std::optional<data::Sessions> sessions = {};
  std::optional<data::ClientMix> clients = {};
  std::optional<data::Cancellation> cancel = {};
  std::shared_ptr<const ClientWindowTable> windows = {};  ///< of "client-windows"

  /// Its clients wait for their answers.
  bool reacts() const { return arrivals.closed_loop || sessions; }
};

/// The class `index` of a workload, with the files it names. Throws InputError when generative work has no lengths.
DrawnClass drawn_class(const data::Scenario& scenario, const data::Workload& workload, std::size_t index,
                       const data::Progress& progress = {});

/// Requests a second that are expected of the class; empty for a closed loop, where the fleet decides.
std::optional<double> expected_rate_per_s(const DrawnClass& drawn);

/// How long arrivals are drawn when neither a trace nor `duration_s` sets the time: the length of the longest rate
/// series or client window, else one hour, but at least 20,000 and at most 200,000 requests expected of all classes
/// together. So a p99 rests on at least 200 requests, and busy services stay quick to simulate. Conversations last at
/// most a tenth of it on average. A shape needs whole days or weeks, or the part that is drawn would set the load: then
/// it is the fewest whole ones that last as long, at least one.
double drawn_horizon_s(const std::vector<DrawnClass>& classes, std::optional<double> duration_s = {});

/// Throws InputError when more than `most` requests are expected, or more than 10,000,000 conversations.
void check_count(const std::vector<DrawnClass>& classes, double horizon_s, double most);

}  // namespace weir::sim

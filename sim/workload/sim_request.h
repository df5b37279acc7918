#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "data/catalog.h"
#include "data/progress.h"
#include "data/scenario.h"
#include "data/trace.h"
#include "sim/core/time.h"
#include "sim/workload/prompt_content.h"

namespace weir::sim {

/// One request as the simulator sees it. Order in a list: by arrival, ties keep the trace's order.
struct SimRequest {
  Time arrival;
  std::int32_t input_tokens = 0;
  std::int32_t output_tokens = 0;  ///< 0 for one-shot work
  std::int32_t items = 1;
  std::int16_t class_index = 0;
  std::int32_t client = -1;                ///< who asks, for fair sharing; -1 = the class stands for it
  const PromptContent* content = nullptr;  ///< of the list it is in; null = like no other prompt
  std::int32_t chain = -1;                 ///< of a source that reacts; -1 = nobody waits for the answer to go on
  Time cancel_after = Time::never();       ///< from its arrival: its client hangs up then if it has not left
};

/// What the prompts of a list hold. The requests point into it, so a list is moved or copied with shared ownership.
struct PromptContents {
  std::deque<std::vector<std::uint64_t>> hashes;  ///< of one replayed trace each; nothing here moves when it grows
  std::deque<PromptContent> contents;
  /// The traces that were replayed. Prompts and clients of different ones are different, those of one trace the same
  /// wherever it is replayed.
  struct Origin {
    std::string trace;
    std::int32_t first_client = 0;
  };
  std::vector<Origin> origins;
  std::int32_t clients = 0;
};

struct RequestList {
  std::vector<SimRequest> requests;
  std::vector<std::string> class_names;
  std::vector<std::string> notes;  ///< where the demand comes from: trace, process and seed
  std::shared_ptr<const PromptContents> contents;
  /// Not 1: the list is the first of so many passes, which differ by nothing but their begin.
  int passes = 1;
  Time pass_length;
};

/// The demand of a workload. A trace (the argument, else the one the scenario names) is replayed; rows without a class
/// are dealt to the classes by share, drawn with the seed. Classes with `arrivals` are drawn from their process.
/// `trace`, when given, replaces the whole demand. Throws InputError when there is none, or when no request is left in
/// the window. `fold_repeats`: a trace that is all there is and is repeated may stay one pass (RequestList::passes).
RequestList make_requests(const data::Scenario& scenario, const data::Workload& workload, const data::Trace* trace,
                          std::uint64_t seed, const data::Progress& progress = {}, bool fold_repeats = false);

}  // namespace weir::sim

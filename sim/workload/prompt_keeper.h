#pragma once

#include "data/trace.h"
#include "sim/workload/sim_request.h"

namespace weir::sim {

/// Puts the contents and clients of one trace's rows into a list's.
class PromptKeeper {
 public:
  PromptKeeper(const data::Trace& trace, PromptContents& contents);

  /// The row's content; null when the trace knows nothing of it. To be asked once a row.
  const PromptContent* content(const data::Request& row);
  /// Distinct from the clients of every other trace; -1 when the trace does not say.
  std::int32_t client(const data::Request& row) const { return row.client < 0 ? -1 : first_client_ + row.client; }

  std::int64_t by_hashes() const { return by_hashes_; }    ///< rows so far
  std::int64_t by_session() const { return by_session_; }  ///< rows so far

 private:
  const data::Trace& trace_;
  PromptContents& contents_;
  std::uint64_t origin_;  ///< position of the trace among those of the list
  std::int32_t first_client_;
  std::vector<std::uint64_t>* hashes_ = nullptr;
  std::int64_t by_hashes_ = 0, by_session_ = 0;
};

}  // namespace weir::sim

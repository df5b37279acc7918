#include "sim/workload/request_source.h"

#include <algorithm>

namespace weir::sim {

std::span<const SimRequest> ListSource::next() {
  constexpr std::size_t kBatch = 1024;
  if (pass_ == list_.passes || list_.requests.empty()) return {};
  if (list_.passes == 1) {
    ++pass_;
    return list_.requests;
  }
  const std::span rest = std::span(list_.requests).subspan(next_);
  batch_.assign(rest.begin(), rest.begin() + static_cast<std::ptrdiff_t>(std::min(kBatch, rest.size())));
  const Time begin = list_.pass_length * pass_;
  for (SimRequest& request : batch_) request.arrival += begin;
  next_ += batch_.size();
  if (next_ == list_.requests.size()) ++pass_, next_ = 0;
  return batch_;
}

std::vector<std::int64_t> ListSource::offered_by_class() const {
  std::vector<std::int64_t> offered(list_.class_names.size(), 0);
  for (const SimRequest& request : list_.requests) {
    offered.at(static_cast<std::size_t>(request.class_index)) += list_.passes;
  }
  return offered;
}

}  // namespace weir::sim

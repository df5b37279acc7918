#include "sim/workload/request_source.h"

namespace weir::sim {

std::span<const SimRequest> ListSource::next() {
  if (given_) return {};
  given_ = true;
  return list_.requests;
}

std::vector<std::int64_t> ListSource::offered_by_class() const {
  std::vector<std::int64_t> offered(list_.class_names.size());
  for (const SimRequest& request : list_.requests) ++offered.at(static_cast<std::size_t>(request.class_index));
  return offered;
}

}  // namespace weir::sim

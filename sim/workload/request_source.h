#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sim/workload/sim_request.h"

namespace weir::sim {

/// Requests in order of arrival, a batch at a time, so that a run of any length needs no list.
class RequestSource {
 public:
  virtual ~RequestSource() = default;
  /// The next requests; empty at the end. Valid until the next call; what their `content` points to lives as long as
  /// the source.
  virtual std::span<const SimRequest> next() = 0;
  virtual const std::vector<std::string>& class_names() const = 0;
  /// Nothing arrives after this; never = not known. For progress only.
  virtual Time end() const { return Time::never(); }
  /// Requests each class will offer in all; empty when that is not known before.
  virtual std::vector<std::int64_t> offered_by_class() const { return {}; }
};

/// A list as a source. The list must outlive it.
class ListSource final : public RequestSource {
 public:
  explicit ListSource(const RequestList& list) : list_(list) {}
  std::span<const SimRequest> next() override;
  const std::vector<std::string>& class_names() const override { return list_.class_names; }
  std::vector<std::int64_t> offered_by_class() const override;

 private:
  const RequestList& list_;
  bool given_ = false;
};

}  // namespace weir::sim

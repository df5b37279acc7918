#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sim/workload/sim_request.h"

namespace weir::sim {

/// What became of a request.
enum class Outcome : std::uint8_t { served, rejected, timed_out, cancelled, lost };

/// A request that has left, as its client sees it.
struct LeftRequest {
  std::int32_t chain = -1;  ///< as the source gave it
  std::int16_t class_index = 0;
  Outcome outcome = Outcome::served;
  std::int32_t output_tokens = 0;  ///< written
  Time departed;
};

/// Requests in order of arrival, a batch at a time, so that a run of any length needs no list.
///
/// Some clients wait for an answer before they ask again. Their first requests come from next(), the others from
/// after(): the fleet puts them in between. At one tick those of next() arrive before those of after(), and these by
/// chain. What next() gives never depends on after(); what after() gives depends on seed, chain and the requests of
/// that chain alone, so that the order in which chains are told does not matter.
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
  /// Clients wait for their answers: after() must be called.
  virtual bool reacts() const { return false; }
  /// To be called once for every request with a chain that has left, whatever became of it, and before any request
  /// that arrives after it left is taken. Returns what its client asks next, which arrives later than it left; nothing
  /// when the chain is at its end.
  virtual std::optional<SimRequest> after(const LeftRequest& /*left*/) { return {}; }
};

/// A list as a source, pass by pass. The list must outlive it.
class ListSource final : public RequestSource {
 public:
  explicit ListSource(const RequestList& list) : list_(list) {}
  std::span<const SimRequest> next() override;
  const std::vector<std::string>& class_names() const override { return list_.class_names; }
  std::vector<std::int64_t> offered_by_class() const override;

 private:
  const RequestList& list_;
  std::vector<SimRequest> batch_;  ///< of a pass that is not the only one
  int pass_ = 0;
  std::size_t next_ = 0;  ///< of the pass
};

}  // namespace weir::sim

#include "sim/timing/step_timer.h"

#include <charconv>

namespace weir::sim {
namespace {

std::string gigabytes(double bytes) {
  char buffer[64];
  const auto [end, error] = std::to_chars(buffer, buffer + sizeof buffer, bytes / 1e9, std::chars_format::fixed, 1);
  return (error == std::errc{} ? std::string(buffer, end) : std::string("?")) + " GB";
}

}  // namespace

std::string MemoryPlan::why_not() const {
  if (fits()) return "";
  const double needed = weights_bytes + activation_bytes + reserve_bytes + least_kv_bytes;
  return "does not fit: needs " + gigabytes(needed) + " of " + gigabytes(usable_bytes) + " usable (weights " +
         gigabytes(weights_bytes) + ", activations " + gigabytes(activation_bytes) + ", runtime " +
         gigabytes(reserve_bytes) + ", first KV block " + gigabytes(least_kv_bytes) + ")";
}

}  // namespace weir::sim

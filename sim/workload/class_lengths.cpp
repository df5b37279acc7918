#include "sim/workload/class_lengths.h"

namespace weir::sim {
namespace {

/// One-shot work without a length, such as an image, is one token an item.
data::LengthDistribution or_one(const std::optional<data::LengthDistribution>& lengths) {
  return lengths.value_or(data::LengthDistribution{"fixed", 1, std::nullopt});
}

}  // namespace

ClassLengths::ClassLengths(const DrawnClass& what)
    : input_(or_one(what.input_tokens), what.place + "/input_tokens"),
      output_(or_one(what.output_tokens), what.place + "/output_tokens"),
      oneshot_(what.oneshot) {
  if (what.pairs) pairs_.emplace(what.pairs);
}

}  // namespace weir::sim

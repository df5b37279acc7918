#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>

#include "sim/workload/client_arrivals.h"
#include "sim/workload/drawn_class.h"
#include "sim/workload/limits.h"

namespace weir::sim {

/// How the token counts of a class are drawn from a stream the caller gives.
class ClassLengths {
 public:
  explicit ClassLengths(const DrawnClass& what);

  /// Output 0 for one-shot work. `own` lengths of a client go before those of the class.
  template <class Random>
  LengthPair draw(Random& random, double factor, const ClientLengths* own = nullptr) const {
    LengthPair lengths;
    if (own == nullptr && pairs_) {
      lengths = pairs_->draw(random);
      lengths.input_tokens = scaled(lengths.input_tokens, factor);
      lengths.output_tokens = scaled(lengths.output_tokens, factor);
    } else {
      lengths.input_tokens = (own != nullptr ? own->input : input_).draw(random, factor);
      if (!oneshot_) lengths.output_tokens = (own != nullptr ? own->output : output_).draw(random, factor);
    }
    if (oneshot_) lengths.output_tokens = 0;
    return lengths;
  }

 private:
  static std::int32_t scaled(std::int32_t tokens, double factor) {
    if (factor == 1) return tokens;
    return static_cast<std::int32_t>(std::clamp(std::floor(tokens * factor + 0.5), 1.0, kMostTokens));
  }

  LengthLaw input_, output_;
  std::optional<PairTable> pairs_;
  bool oneshot_;
};

}  // namespace weir::sim

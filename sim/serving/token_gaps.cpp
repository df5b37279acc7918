#include "sim/serving/token_gaps.h"

#include <stdexcept>

namespace weir::sim {

void TokenGaps::joined_later(Time now, std::int16_t class_index) {
  if (!fresh_.empty() && fresh_.back().at == now && fresh_.back().class_index == class_index) {
    ++fresh_.back().count;
  } else {
    fresh_.push_back({now, class_index, 1});
  }
}

Time TokenGaps::evicted(std::int16_t class_index, Time joined, bool fresh) {
  if (!fresh || joined == last_) {
    --settled(class_index);
    return last_;
  }
  for (Fresh& f : fresh_) {
    if (f.at == joined && f.class_index == class_index && f.count > 0) {
      --f.count;
      return joined;
    }
  }
  throw std::logic_error("TokenGaps: a request that never joined was evicted");
}

}  // namespace weir::sim

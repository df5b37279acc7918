#include "sim/workload/number_text.h"

#include <charconv>

namespace weir::sim {

std::string number_text(double value) {
  char buffer[32];
  const auto result = std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::general, 6);
  return std::string(buffer, result.ptr);
}

}  // namespace weir::sim

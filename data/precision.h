#pragma once

#include <optional>
#include <string_view>

namespace weir::data {

enum class Precision { fp32, tf32, fp16, bf16, fp8, int8, int4 };

/// "fp32", ... in lower case.
std::string_view to_string(Precision precision);
std::optional<Precision> parse_precision(std::string_view text);

/// Bytes one stored element takes (tf32 is stored as fp32; int4 without its group scales is 0.5).
double bytes_per_element(Precision precision);

}  // namespace weir::data

#include "data/precision.h"

#include <array>

namespace weir::data {
namespace {

struct Row {
  Precision precision;
  std::string_view name;
  double bytes;
};
constexpr std::array<Row, 7> kRows{{
    {Precision::fp32, "fp32", 4},
    {Precision::tf32, "tf32", 4},
    {Precision::fp16, "fp16", 2},
    {Precision::bf16, "bf16", 2},
    {Precision::fp8, "fp8", 1},
    {Precision::int8, "int8", 1},
    {Precision::int4, "int4", 0.5},
}};

}  // namespace

std::string_view to_string(Precision precision) {
  for (const Row& row : kRows) {
    if (row.precision == precision) return row.name;
  }
  return "fp32";
}

std::optional<Precision> parse_precision(std::string_view text) {
  for (const Row& row : kRows) {
    if (row.name == text) return row.precision;
  }
  return std::nullopt;
}

double bytes_per_element(Precision precision) {
  for (const Row& row : kRows) {
    if (row.precision == precision) return row.bytes;
  }
  return 4;
}

}  // namespace weir::data

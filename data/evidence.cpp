#include "data/evidence.h"

#include <array>
#include <utility>

namespace weir::data {
namespace {

constexpr std::array<std::pair<Evidence, std::string_view>, 5> kNames{{
    {Evidence::measured_here, "measured-here"},
    {Evidence::measured_elsewhere, "measured-elsewhere"},
    {Evidence::fitted, "fitted"},
    {Evidence::datasheet, "datasheet"},
    {Evidence::assumption, "assumption"},
}};

}  // namespace

std::string_view to_string(Evidence evidence) {
  for (const auto& [value, name] : kNames) {
    if (value == evidence) return name;
  }
  return "assumption";
}

std::optional<Evidence> parse_evidence(std::string_view text) {
  for (const auto& [value, name] : kNames) {
    if (name == text) return value;
  }
  return std::nullopt;
}

}  // namespace weir::data

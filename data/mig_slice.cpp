#include "data/mig_slice.h"

#include <cmath>
#include <span>
#include <string>

#include "data/errors.h"

namespace weir::data {
namespace {

struct Profile {
  int parts = 0;         ///< of the compute, by which it is named
  int memory_parts = 0;  ///< of the memory
  int per_card = 0;
};
struct Cut {
  int compute_parts = 0, memory_parts = 0;  ///< that a card has
  std::span<const Profile> profiles;
};
constexpr Profile kSevenths[] = {{1, 1, 7}, {2, 2, 3}, {3, 4, 2}, {4, 4, 1}, {7, 8, 1}};
constexpr Profile kQuarters[] = {{1, 1, 4}, {2, 2, 2}, {4, 4, 1}};
constexpr const char* kSource = "NVIDIA MIG User Guide, Supported MIG Profiles";

/// Cards that can be cut begin with one of these.
Cut cut_of(const Accelerator& card) {
  if (card.id == "a30") return {4, 4, kQuarters};
  for (const char* family : {"a100-", "a800-", "h100-", "h800-", "h200-", "h20-", "b200-", "gb200-"}) {
    if (card.id.starts_with(family)) return {7, 8, kSevenths};
  }
  return {};
}

double memory_gb(const Accelerator& card, const Cut& cut, const Profile& p) {
  return card.memory_bytes.value.value_or(0) / 1073741824.0 * p.memory_parts / cut.memory_parts;
}

std::string name_of(const Accelerator& card, const Cut& cut, const Profile& p) {
  std::string name = std::to_string(p.parts);
  name.append("g.").append(std::to_string(static_cast<int>(memory_gb(card, cut, p)))).append("gb");
  return name;
}

bool is_called(const Accelerator& card, const Cut& cut, const Profile& p, std::string_view name) {
  const std::string parts = std::to_string(p.parts) + "g";
  if (name == parts) return true;
  if (!name.starts_with(parts + ".") || !name.ends_with("gb")) return false;
  const std::string size(name.substr(parts.size() + 1, name.size() - parts.size() - 3));
  if (size.empty() || size.size() > 3 || size.find_first_not_of("0123456789") != std::string::npos) return false;
  return std::fabs(std::stod(size) - memory_gb(card, cut, p)) <= 1;  // vendors round as they like
}

Quantity part(const Quantity& whole, double share, Evidence evidence) {
  Quantity q = whole;
  if (q.value) *q.value *= share;
  q.evidence = weakest(q.evidence, evidence);
  q.source.append("; ").append(kSource);
  return q;
}

}  // namespace

Accelerator mig_slice(const Accelerator& card, std::string_view profile, const std::string& file,
                      const std::string& pointer, int& slices_per_card) {
  const Cut cut = cut_of(card);
  if (cut.profiles.empty())
    throw InputError(file, pointer, std::string(profile), card.name + " cannot be cut into slices");
  const Profile* chosen = nullptr;
  std::string known;
  for (const Profile& p : cut.profiles) {
    if (is_called(card, cut, p, profile)) chosen = &p;
    if (!known.empty()) known += ", ";
    known += name_of(card, cut, p);
  }
  if (chosen == nullptr) throw InputError(file, pointer, std::string(profile), "slices of " + card.name + ": " + known);
  slices_per_card = chosen->per_card;
  const double compute = static_cast<double>(chosen->parts) / cut.compute_parts;
  const double memory = static_cast<double>(chosen->memory_parts) / cut.memory_parts;
  const double card_share = 1.0 / chosen->per_card;
  Accelerator slice = card;
  slice.name = card.name + " " + name_of(card, cut, *chosen);
  slice.memory_bytes = part(card.memory_bytes, memory, Evidence::datasheet);
  slice.memory_bandwidth_bytes_per_s = part(card.memory_bandwidth_bytes_per_s, memory, Evidence::datasheet);
  for (auto& [precision, peak] : slice.peak_flops_per_s) peak = part(peak, compute, Evidence::datasheet);
  slice.compute_units = part(card.compute_units, compute, Evidence::datasheet);
  slice.tdp_w = part(card.tdp_w, compute, Evidence::assumption);
  slice.idle_w = part(card.idle_w, card_share, Evidence::assumption);
  slice.pcie_bytes_per_s = part(card.pcie_bytes_per_s, card_share, Evidence::assumption);
  slice.interconnect_bytes_per_s = {};
  slice.interconnect_name = "none";
  return slice;
}

}  // namespace weir::data

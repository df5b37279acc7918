#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "sim/workload/request_source.h"

namespace weir::bench {

struct Lengths {
  std::int32_t input_tokens = 1, output_tokens = 1;
};

/// Lengths of the rows of AzureLLMInferenceTrace_conv.csv. Throws std::runtime_error when it cannot be read.
std::vector<Lengths> azure_lengths(const std::filesystem::path& csv);

/// `count` requests of lengths drawn from `lengths` that arrive as a Poisson process, 1024 at a time.
class DrawnSource final : public sim::RequestSource {
 public:
  DrawnSource(std::span<const Lengths> lengths, double per_s, std::int64_t count, std::uint64_t seed)
      : lengths_(lengths), gap_s_(1 / per_s), left_(count), state_(seed) {}
  std::span<const sim::SimRequest> next() override;
  const std::vector<std::string>& class_names() const override { return names_; }
  std::vector<std::int64_t> offered_by_class() const override { return {left_}; }

 private:
  /// SplitMix64 (Steele, Lea, Flood, OOPSLA 2014): the run is to be timed, not the generator of its demand.
  std::uint64_t bits() {
    std::uint64_t x = state_ += 0x9e3779b97f4a7c15ULL;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
    return x ^ (x >> 31);
  }

  std::span<const Lengths> lengths_;
  double gap_s_;
  std::int64_t left_;
  std::uint64_t state_;
  sim::Time now_;
  std::array<sim::SimRequest, 1024> batch_;
  std::vector<std::string> names_{"conversation"};
};

}  // namespace weir::bench

#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "sim/core/random.h"
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
      : lengths_(lengths), gap_s_(1 / per_s), left_(count), random_(seed, "bench") {}
  std::span<const sim::SimRequest> next() override;
  const std::vector<std::string>& class_names() const override { return names_; }
  std::vector<std::int64_t> offered_by_class() const override { return {left_}; }

 private:
  std::span<const Lengths> lengths_;
  double gap_s_;
  std::int64_t left_;
  sim::RandomStream random_;
  sim::Time now_;
  std::array<sim::SimRequest, 1024> batch_;
  std::vector<std::string> names_{"conversation"};
};

}  // namespace weir::bench

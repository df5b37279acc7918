#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "tests/field/vidur_conformance/vidur_timer.h"

namespace weir::field {

/// An iteration that Vidur recorded.
struct VidurIteration {
  double begin_s = 0, end_s = 0;
  VidurFeatures features;
};
std::vector<VidurIteration> read_vidur_iterations(const std::filesystem::path& file);

/// "", or where and how ours differ first.
std::string first_difference(const std::vector<VidurIteration>& expected, const std::vector<VidurFeatures>& ours);

/// Passes everything on and keeps the features of each iteration it is asked for. For one thread, step by step.
class RecordingTimer final : public sim::StepTimer {
 public:
  explicit RecordingTimer(const VidurTimer& timer) : timer_(timer) {}

  const std::vector<VidurFeatures>& recorded() const { return recorded_; }

  sim::Time iteration(const sim::IterationShape& shape) const override {
    recorded_.push_back(timer_.features(shape));
    return timer_.time(recorded_.back());
  }
  sim::Time batch(std::int64_t items, std::int64_t tokens) const override { return timer_.batch(items, tokens); }
  double peak_flops_per_s() const override { return 0; }
  double peak_bytes_per_s() const override { return 0; }
  double relative_error() const override { return 0; }
  std::vector<sim::EvidenceNote> evidence() const override { return timer_.evidence(); }

 private:
  const VidurTimer& timer_;
  mutable std::vector<VidurFeatures> recorded_;
};

}  // namespace weir::field

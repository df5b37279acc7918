#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "data/evidence.h"
#include "data/precision.h"

namespace weir::data {

/// Share of the datasheet limit that published kernels reached. `op`:
///   gemm               share of peak flops, rows with m >= 256
///   gemm_memory        share of peak memory bandwidth, rows with m <= 16
///   attention_prefill  share of the fp16 peak
///   attention_decode   share of peak memory bandwidth
///   encoder            share of peak flops of a whole encoder forward pass (batch x tokens >= 1024)
struct Efficiency {
  std::string architecture;  ///< "Hopper"; "*" = all architectures together
  std::string op;
  Precision precision = Precision::fp16;
  int n = 0;                             ///< measurements
  double median = 0, p10 = 0, p90 = 0;   ///< of the achieved share
  Evidence evidence = Evidence::measured_elsewhere;
  std::string source;
};

/// What an engine adds to the kernels. Times are added up as
/// iteration = host_s + sequences x sequence_s + layers x (kernels_per_layer x kernel_s) + kernels.
struct EngineOverhead {
  std::string engine;     ///< "compiled-graphs", "compiled", "eager", ...
  double host_s = 0, sequence_s = 0, kernel_s = 0, kernels_per_layer = 0;
  double relative_error = 0;  ///< P80 of |log(predicted/measured)| on left-out rows
  Evidence evidence = Evidence::fitted;
  std::string source;
};

/// weir.efficiency/1. Nothing is ever timed at the bare roofline: a device without its own calibration uses these.
class EfficiencyTable {
 public:
  static const EfficiencyTable& builtin();
  static EfficiencyTable load(const std::filesystem::path& file);

  /// The row of this architecture, op and precision; else the nearest precision of the same architecture; else the
  /// same op over all architectures, as an assumption with its wider spread. The row's source says which it was.
  Efficiency find(std::string_view architecture, std::string_view op, Precision precision) const;
  /// Throws InputError for an unknown engine and names those that are known.
  const EngineOverhead& engine(std::string_view name) const;

  const std::vector<Efficiency>& rows() const { return rows_; }
  const std::vector<EngineOverhead>& engines() const { return engines_; }

 private:
  friend class EfficiencyReader;
  std::vector<Efficiency> rows_;
  std::vector<EngineOverhead> engines_;
};

}  // namespace weir::data

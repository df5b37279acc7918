#pragma once

#include <filesystem>
#include <functional>
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
///   encoder            share of peak flops of a whole encoder forward pass (batch x tokens >= 1024), under TensorRT
///   all_reduce         share of the interconnect's bandwidth a ring reaches; latency_s is the time of one hop
///   all_reduce_pcie    the same over PCIe
/// `precision` of gemm and encoder is the one the arithmetic runs in, of gemm_memory the one of the weights. fp16
/// stands for bf16 too.
struct Efficiency {
  std::string architecture;  ///< "Hopper"; "*" = all architectures together
  std::string hardware;      ///< catalogue id when the row is of one part only; else empty
  std::string op;
  Precision precision = Precision::fp16;
  int n = 0;                            ///< measurements
  double median = 0, p10 = 0, p90 = 0;  ///< of the achieved share
  double latency_s = 0;                 ///< all_reduce only
  Evidence evidence = Evidence::measured_elsewhere;
  std::string source;
};

/// What an engine adds to the kernels. Times are added up as
/// iteration = host_s + sequences x sequence_s + layers x (kernels_per_layer x kernel_s) + kernels;
/// when launches overlap (eager mode: the CPU launches ahead) the larger of launches and kernels counts, not their sum.
/// An encoder takes encoder_host_s + (G^1.5 + launches^1.5)^(2/3), G = kernels x encoder_time_factor.
struct EngineOverhead {
  std::string engine;  ///< "compiled-graphs", "compiled", "eager", ...
  double host_s = 0, sequence_s = 0, kernel_s = 0, kernels_per_layer = 0;
  bool launches_overlap = false;
  double relative_error = 0;  ///< P80 of |log(predicted/measured)| on left-out rows
  double encoder_host_s = 0, encoder_kernel_s = 0, encoder_kernels_per_layer = 0;
  double encoder_time_factor = 1;  ///< of its kernels against the share in the table
  double encoder_relative_error = 0;
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
  /// The same, but rows of the part itself (in any precision) go before those of its architecture.
  Efficiency find(std::string_view architecture, std::string_view hardware, std::string_view op,
                  Precision precision) const;
  /// How much longer an encoder's kernel launch takes than on the newest parts; 1 where nothing is known.
  double launch_factor(std::string_view architecture) const;
  /// Throws InputError for an unknown engine and names those that are known.
  const EngineOverhead& engine(std::string_view name) const;

  const std::vector<Efficiency>& rows() const { return rows_; }
  const std::vector<EngineOverhead>& engines() const { return engines_; }

 private:
  friend class EfficiencyReader;
  std::vector<Efficiency> rows_;
  std::vector<EngineOverhead> engines_;
  std::map<std::string, double, std::less<>> launch_factors_;
};

}  // namespace weir::data

#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "data/collective_fit.h"
#include "data/evidence.h"
#include "data/precision.h"

namespace weir::data {

/// Share of the datasheet limit that published kernels reached. `op`:
///   gemm               share of peak flops, rows with m >= 256
///   gemm_memory        share of peak memory bandwidth, rows with m <= 16
///   attention_prefill  share of the fp16 peak
///   attention_decode   share of peak memory bandwidth
///   grouped_gemm       experts of a mixture: share of peak flops, rows of at least 256 tokens an expert
///   grouped_gemm_memory  the same: share of peak memory bandwidth, at most 16 tokens an expert
///   mla_prefill        latent attention: share of the fp16 peak
///   mla_decode         the same in the latent space: share of the longer of the limits of fp16 peak and bandwidth
///   encoder            share of peak flops of a whole encoder forward pass (batch x tokens >= 1024), under TensorRT
/// `precision` of gemm and encoder is the one the arithmetic runs in, of gemm_memory the one of the weights. fp16
/// stands for bf16 too.
struct Efficiency {
  std::string architecture;  ///< "Hopper"; "*" = all architectures together
  std::string hardware;      ///< catalogue id when the row is of one part only; else empty
  std::string op;
  Precision precision = Precision::fp16;
  int n = 0;                            ///< measurements
  double median = 0, p10 = 0, p90 = 0;  ///< of the achieved share
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
  double expert_kernels_per_layer = 0;  ///< of a layer with a mixture of experts
  /// Norms, rotations and activations in one kernel each; else as single tensor operations that go through memory, each
  /// at least pass_gap_s after the one before.
  bool fused_passes = true;
  double pass_gap_s = 0;
  bool launches_overlap = false;
  double relative_error = 0;  ///< P80 of |log(predicted/measured)| on left-out rows
  double encoder_host_s = 0, encoder_kernel_s = 0, encoder_kernels_per_layer = 0;
  double encoder_time_factor = 1;  ///< of its kernels against the share in the table
  double encoder_relative_error = 0;
  std::string collective_kernels = "nccl";  ///< CollectiveFit::kernels its all-reduces run as
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

  /// The fit of this operation over this kind of link: of the architecture, else of all together (as an assumption);
  /// of NCCL where the kernels have no such operation.
  CollectiveFit collective(std::string_view link, std::string_view architecture, std::string_view kernels,
                           std::string_view op) const;

  const std::vector<Efficiency>& rows() const { return rows_; }
  const std::vector<CollectiveFit>& collectives() const { return collectives_; }
  const std::vector<EngineOverhead>& engines() const { return engines_; }

 private:
  friend class EfficiencyReader;
  std::vector<Efficiency> rows_;
  std::vector<CollectiveFit> collectives_;
  std::vector<EngineOverhead> engines_;
  std::map<std::string, double, std::less<>> launch_factors_;
};

}  // namespace weir::data

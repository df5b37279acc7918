#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "data/catalog.h"
#include "data/evidence.h"
#include "data/precision.h"

namespace weir::data {

/// One measured point. `op` and the keys of `shape`:
///   gemm               m, n, k                                      precision = of the weights
///   attention_prefill  batch, q_tokens, past_tokens, heads, kv_heads, head_dim
///   attention_decode   batch, context_tokens (of each sequence), heads, kv_heads, head_dim
///   norm, activation   tokens, width       rope  tokens, heads, head_dim
///   layer              phase (0 prefill, 1 decode), batch, tokens, context_tokens: a whole decoder layer; never fitted
struct Sample {
  std::string op;
  std::map<std::string, double> shape;
  Precision precision = Precision::fp32;
  double median_s = 0, mad_s = 0;  ///< mad = median absolute deviation
  int n = 0;                       ///< clean samples behind the median
  double flops = 0, bytes = 0;     ///< operations and least bytes of one execution
  std::optional<double> energy_j;
  std::optional<double> relative_error_vs_fp32;  ///< numerical error of the kernel against FP32
  std::vector<std::string> flags;                ///< "contended", "few-samples"
};

/// A ceiling measured in the same run: "read_bandwidth" (bytes/s), "fp32_peak", "bf16_peak", "int8_peak" (flop/s).
struct MeasuredLimit {
  std::string name;
  double value = 0;
  std::string unit;
  double spread = 0;  ///< (max - min) / median over repetitions
};

/// weir.calibration/1: what was measured on one device.
struct Calibration {
  std::string device_id, device_name, device_kind;  ///< id: "this-machine"; kind: "cpu" or "gpu"
  double memory_bytes = 0;                          ///< usable
  std::map<std::string, std::string> environment;   ///< cpu_flags, threads, container_limits, libraries, ...
  std::string kernel_set;                           ///< "weir-0.1"
  Evidence evidence = Evidence::measured_here;
  std::string source, date;
  bool contended = false;  ///< the machine was busy with other work
  std::vector<MeasuredLimit> limits;
  std::vector<Sample> samples;              ///< for the timing model
  std::vector<Sample> held_out;             ///< measured too, never fitted: predicted against measured
  std::map<std::string, double> overheads;  ///< "step_host_s", ... seconds
  std::vector<std::string> fitted_on;       ///< hashes of the samples the timing tables use

  /// Limit by name; empty if it was not measured.
  std::optional<double> limit(std::string_view name) const;
  /// The device as a catalogue entry (peaks are the measured limits), so that it can be a candidate.
  Accelerator as_accelerator() const;
};

/// Throws InputError with file and JSON pointer. Unknown minor versions are read, newer majors refused.
Calibration load_calibration(const std::filesystem::path& file);
Calibration calibration_from_json(const nlohmann::ordered_json& json, const std::string& file);
nlohmann::ordered_json to_json(const Calibration& calibration);

}  // namespace weir::data

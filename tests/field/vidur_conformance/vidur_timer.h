#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "sim/timing/step_timer.h"
#include "tests/field/vidur_conformance/vidur_run.h"

namespace weir::field {

/// All that Vidur's time of an iteration depends on.
struct VidurFeatures {
  std::int64_t tokens = 0;  ///< read in the iteration, decodes included
  std::int64_t decodes = 0;
  std::int64_t decode_context = 0;  ///< mean context of the decodes, cut to a whole number, rounded up to the grid
  std::int64_t prefills = 0;
  std::int64_t prefill_past = 0;   ///< sum of the tokens already read of each prompt, each rounded up to the grid
  std::int64_t prefill_chunk = 0;  ///< root of the sum of the squared chunks, rounded

  bool operator==(const VidurFeatures&) const = default;
};

/// Vidur's composition of an iteration from its tables of predicted milliseconds per layer. Steps are constant while
/// the mean context stays within one cell of the grid, so that decode runs are runs of equal steps.
class VidurTimer final : public sim::StepTimer {
 public:
  /// `folder` holds by_num_tokens_ms.csv, attn_decode_ms.csv and attn_prefill_ms.csv. Throws InputError.
  VidurTimer(const std::filesystem::path& folder, const VidurRun& run);

  VidurFeatures features(const sim::IterationShape& shape) const;
  /// Throws InputError when the tables do not reach so far (where Vidur ends with an error, too).
  sim::Time time(const VidurFeatures& features) const;

  sim::Time iteration(const sim::IterationShape& shape) const override { return time(features(shape)); }
  sim::DecodeRun decode_run(const sim::IterationShape& shape) const override;
  /// One-shot work is not Vidur's: std::logic_error.
  sim::Time batch(std::int64_t items, std::int64_t tokens) const override;
  double peak_flops_per_s() const override { return 0; }
  double peak_bytes_per_s() const override { return 0; }
  double relative_error() const override { return 0; }
  std::vector<sim::EvidenceNote> evidence() const override;

 private:
  /// Milliseconds by (row, column); NaN where the file has no row.
  struct Grid {
    std::string file;
    std::size_t columns = 0;
    std::vector<double> ms;
    double at(std::int64_t row, std::int64_t column) const;
  };
  static Grid read_grid(const std::filesystem::path& file, const char* row, const char* column, const char* value,
                        std::int64_t row_unit, std::int64_t column_unit);
  void read_token_table(const std::filesystem::path& file, const VidurRun& run);
  double token_ms(const std::vector<double>& table, std::int64_t tokens) const;

  std::string token_file_;
  std::vector<double> rounded_ms_, exact_ms_;  ///< per layer by tokens: operators that see them rounded up, and not
  Grid decode_, prefill_;                      ///< by (sequences, context / grid), (past / grid, chunk)
  std::int64_t grid_ = 64;
  int layers_ = 1;
  double decode_overhead_ = 0, prefill_overhead_ = 0;
};

}  // namespace weir::field

#pragma once

#include <filesystem>

#include "sim/timing/iteration_tables.h"
#include "sim/timing/step_timer.h"

namespace weir::bench {

/// Iteration times of Llama-3-8B on one A100 as a peer predicts them (`predictions` holds by_num_tokens_ms.csv,
/// attn_decode_ms.csv and attn_prefill_ms.csv, milliseconds a layer), made piecewise linear: 32 layers, decode
/// attention of more than one sequence 10% dearer. Beyond the peer's 4096 tokens the last slope goes on. Throws
/// std::runtime_error when a file is missing or not of this form.
sim::IterationTables llama3_tables(const std::filesystem::path& predictions);

/// A timer that is nothing but tables.
class TablesTimer final : public sim::StepTimer {
 public:
  explicit TablesTimer(sim::IterationTables tables) : tables_(std::move(tables)) {}
  sim::Time iteration(const sim::IterationShape& shape) const override {
    return sim::Time::from_ticks(tables_.ticks(shape));
  }
  sim::Time batch(std::int64_t items, std::int64_t tokens) const override {
    return sim::Time::from_ticks(tables_.tokens.ticks(items * tokens));
  }
  sim::DecodeRun decode_run(const sim::IterationShape& shape) const override { return tables_.decode_run(shape); }
  const sim::IterationTables* tables() const override { return &tables_; }
  double peak_flops_per_s() const override { return 312e12; }
  double peak_bytes_per_s() const override { return 2039e9; }
  double relative_error() const override { return 0; }
  std::vector<sim::EvidenceNote> evidence() const override { return {}; }

 private:
  sim::IterationTables tables_;
};

}  // namespace weir::bench

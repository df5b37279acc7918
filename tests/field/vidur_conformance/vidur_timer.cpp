#include "tests/field/vidur_conformance/vidur_timer.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "data/errors.h"
#include "sim/core/math.h"
#include "tests/field/vidur_conformance/number_table.h"

namespace weir::field {
namespace {

constexpr std::int64_t kTokenGrid = 8;  // the matrices run on multiples of this

std::int64_t rounded_up(std::int64_t value, std::int64_t grid) { return (value + grid - 1) / grid * grid; }

/// The whole number nearest to the square root. There are no ties: (k + 1/2)^2 is not whole.
std::int64_t rounded_root(std::int64_t square) {
  auto root = static_cast<std::int64_t>(std::sqrt(static_cast<double>(square)));
  while (root * root + root < square) ++root;
  while (root > 0 && (root - 1) * (root - 1) + (root - 1) >= square) --root;
  return root;
}

std::size_t index_of(double value, std::int64_t unit, const std::string& file) {
  const double index = value / static_cast<double>(unit);
  if (index < 0 || index > 1e6 || index != std::floor(index)) {
    throw data::InputError(file, "", std::to_string(value), "expected multiples of " + std::to_string(unit));
  }
  return static_cast<std::size_t>(index);
}

}  // namespace

double VidurTimer::Grid::at(std::int64_t row, std::int64_t column) const {
  const std::size_t index = static_cast<std::size_t>(row) * columns + static_cast<std::size_t>(column);
  if (static_cast<std::size_t>(column) >= columns || index >= ms.size() || std::isnan(ms[index])) {
    throw data::InputError(file, "", "row " + std::to_string(row) + ", column " + std::to_string(column),
                           "the table does not reach so far");
  }
  return ms[index];
}

VidurTimer::Grid VidurTimer::read_grid(const std::filesystem::path& file, const char* row, const char* column,
                                       const char* value, std::int64_t row_unit, std::int64_t column_unit) {
  const NumberTable table(file);
  const std::vector<double>&rows = table[row], &columns = table[column], &values = table[value];
  if (table.rows() == 0) throw data::InputError(file.string(), "", "", "expected at least one row");
  Grid grid;
  grid.file = file.string();
  grid.columns = index_of(*std::ranges::max_element(columns), column_unit, grid.file) + 1;
  const std::size_t height = index_of(*std::ranges::max_element(rows), row_unit, grid.file) + 1;
  grid.ms.assign(height * grid.columns, std::numeric_limits<double>::quiet_NaN());
  for (std::size_t i = 0; i < table.rows(); ++i) {
    const std::size_t r = index_of(rows[i], row_unit, grid.file), c = index_of(columns[i], column_unit, grid.file);
    grid.ms[r * grid.columns + c] = values[i];
  }
  return grid;
}

void VidurTimer::read_token_table(const std::filesystem::path& file, const VidurRun& run) {
  const NumberTable table(file);
  std::vector<const char*> once = {"attn_pre_proj", "attn_post_proj", "attn_rope",     "input_layernorm",
                                   "mlp_up_proj",   "mlp_act",        "mlp_down_proj", "add"};
  if (run.post_attention_norm) once.push_back("post_attention_layernorm");
  const std::vector<double>&tokens = table["num_tokens"], &saving = table["attn_kv_cache_save"];
  token_file_ = file.string();
  const double overhead_ms =
      run.collective_launch_ms + run.collective_skew_ms * sim::math::pow(run.tensor_parallel, 1.25);
  for (std::size_t i = 0; i < table.rows(); ++i) {
    if (tokens[i] != static_cast<double>(i + 1)) {
      throw data::InputError(token_file_, std::to_string(i + 2), std::to_string(tokens[i]), "expected 1, 2, 3, ...");
    }
    double sum = 0;
    for (const char* column : once) sum += table[column][i];
    if (run.tensor_parallel > 1) {  // after the attention and after the MLP
      sum += 2 * (table["all_reduce"][i] + overhead_ms);
    }
    rounded_ms_.push_back(sum);
    exact_ms_.push_back(saving[i]);
  }
}

VidurTimer::VidurTimer(const std::filesystem::path& folder, const VidurRun& run)
    : decode_(read_grid(folder / "attn_decode_ms.csv", "batch_size", "kv_cache_size", "attn_decode_ms", 1,
                        run.context_grid)),
      prefill_(read_grid(folder / "attn_prefill_ms.csv", "kv_cache_size", "prefill_chunk_size", "attn_prefill_ms",
                         run.context_grid, 1)),
      grid_(run.context_grid),
      layers_(run.layers),
      decode_overhead_(run.grouped_queries ? run.decode_batching_overhead : 0),
      prefill_overhead_(run.grouped_queries ? run.prefill_batching_overhead : 0) {
  read_token_table(folder / "by_num_tokens_ms.csv", run);
}

double VidurTimer::token_ms(const std::vector<double>& table, std::int64_t tokens) const {
  if (tokens < 1 || static_cast<std::size_t>(tokens) > table.size()) {
    throw data::InputError(token_file_, "", std::to_string(tokens) + " tokens", "the table does not reach so far");
  }
  return table[static_cast<std::size_t>(tokens - 1)];
}

VidurFeatures VidurTimer::features(const sim::IterationShape& shape) const {
  VidurFeatures f;
  f.decodes = shape.decode_sequences;
  f.tokens = f.decodes;
  if (f.decodes > 0) f.decode_context = rounded_up(shape.decode_context_tokens / f.decodes, grid_);
  std::int64_t squares = 0;
  for (const sim::PrefillChunk& chunk : shape.prefill) {
    f.tokens += chunk.new_tokens;
    f.prefill_past += rounded_up(chunk.past_tokens, grid_);
    squares += chunk.new_tokens * chunk.new_tokens;
    ++f.prefills;
  }
  f.prefill_chunk = rounded_root(squares);
  return f;
}

sim::Time VidurTimer::time(const VidurFeatures& f) const {
  double ms = token_ms(rounded_ms_, rounded_up(f.tokens, kTokenGrid)) + token_ms(exact_ms_, f.tokens);
  if (f.decodes > 0) {
    ms += decode_.at(f.decodes, f.decode_context / grid_) * (f.decodes > 1 ? 1 + decode_overhead_ : 1);
  }
  if (f.prefills > 0) {
    ms += prefill_.at(f.prefill_past / grid_, f.prefill_chunk) * (f.prefills > 1 ? 1 + prefill_overhead_ : 1);
  }
  return sim::Time::from_seconds(ms * layers_ * 1e-3);
}

sim::DecodeRun VidurTimer::decode_run(const sim::IterationShape& shape) const {
  // Every sequence grows by one token a step, and so does the mean, cut or not.
  const std::int64_t mean = shape.decode_context_tokens / std::max<std::int64_t>(1, shape.decode_sequences);
  return {iteration(shape).ticks(), 0, rounded_up(mean, grid_) - mean + 1};
}

sim::Time VidurTimer::batch(std::int64_t, std::int64_t) const {
  throw std::logic_error("VidurTimer: Vidur times iterations of generative work only");
}

std::vector<sim::EvidenceNote> VidurTimer::evidence() const {
  return {{"operator times", data::Evidence::assumption, "predictions of Vidur, " + token_file_}};
}

}  // namespace weir::field

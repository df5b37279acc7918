#include "tests/field/vidur_conformance/vidur_iterations.h"

#include <algorithm>
#include <cmath>

#include "tests/field/vidur_conformance/number_table.h"

namespace weir::field {
namespace {

std::string text_of(const VidurFeatures& f) {
  return std::to_string(f.tokens) + " tokens, " + std::to_string(f.decodes) + " decodes at " +
         std::to_string(f.decode_context) + ", " + std::to_string(f.prefills) + " prefills of " +
         std::to_string(f.prefill_chunk) + " after " + std::to_string(f.prefill_past);
}

}  // namespace

std::vector<VidurIteration> read_vidur_iterations(const std::filesystem::path& file) {
  const NumberTable table(file);
  const std::vector<double>&begin = table["scheduled_at"], &end = table["completed_at"],
        &tokens = table["total_tokens"], &decodes = table["decode_batch_size"],
        &context = table["decode_avg_kv_rounded64"], &prefills = table["n_prefill_reqs"],
        &past = table["prefill_agg_kv"], &chunk = table["prefill_agg_chunk"];
  std::vector<VidurIteration> iterations(table.rows());
  for (std::size_t i = 0; i < table.rows(); ++i) {
    iterations[i] = {begin[i],
                     end[i],
                     {std::llround(tokens[i]), std::llround(decodes[i]), std::llround(context[i]),
                      std::llround(prefills[i]), std::llround(past[i]), std::llround(chunk[i])}};
  }
  return iterations;
}

std::string first_difference(const std::vector<VidurIteration>& expected, const std::vector<VidurFeatures>& ours) {
  for (std::size_t i = 0; i < std::min(expected.size(), ours.size()); ++i) {
    if (expected[i].features == ours[i]) continue;
    return "iteration " + std::to_string(i) + " at " + std::to_string(expected[i].begin_s) + " s: Vidur " +
           text_of(expected[i].features) + "; ours " + text_of(ours[i]);
  }
  if (expected.size() == ours.size()) return "";
  return "Vidur has " + std::to_string(expected.size()) + " iterations, ours " + std::to_string(ours.size());
}

}  // namespace weir::field

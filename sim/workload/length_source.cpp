#include "sim/workload/length_source.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <utility>

#include "data/errors.h"
#include "sim/workload/limits.h"
#include "sim/workload/number_text.h"

namespace weir::sim {

LengthSource::LengthSource(const data::LengthDistribution& lengths, const std::string& place, std::uint64_t seed,
                           const std::string& stream)
    : mean_(lengths.mean), random_(seed, stream) {
  if (lengths.distribution == "fixed") return;
  if (lengths.distribution != "lognormal") {
    throw data::InputError("scenario", place + "/distribution", lengths.distribution, "\"fixed\", \"lognormal\"");
  }
  const double most = lengths.mean * lognormal_largest_p99_ratio();
  if (!lengths.p99 || !(*lengths.p99 > lengths.mean) || *lengths.p99 > most) {
    throw data::InputError(
        "scenario", place + "/p99", lengths.p99 ? number_text(*lengths.p99) : "missing",
        "a lognormal needs a p99 above its mean and at most 14.97 times it (" + number_text(most) + ")");
  }
  parameters_ = lognormal_from_mean_and_p99(lengths.mean, *lengths.p99);
}

std::int32_t LengthSource::draw() {
  const double tokens = parameters_ ? random_.lognormal(parameters_->mu, parameters_->sigma) : mean_;
  return static_cast<std::int32_t>(std::clamp(std::floor(tokens + 0.5), 1.0, kMostTokens));
}

PairSource::PairSource(std::shared_ptr<const std::vector<LengthPair>> table, std::uint64_t seed,
                       const std::string& stream)
    : table_(std::move(table)), random_(seed, stream) {
  if (!table_ || table_->empty() || table_->size() > std::numeric_limits<std::uint32_t>::max()) {
    throw std::invalid_argument("a table of lengths has from 1 to 2^32 - 1 rows");
  }
  for (const LengthPair& row : *table_) {
    if (row.input_tokens < 1 || row.output_tokens < 1) throw std::invalid_argument("a length in a table is below 1");
  }
  rows_ = table_->data();
  size_ = table_->size();
}

}  // namespace weir::sim

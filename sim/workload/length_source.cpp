#include "sim/workload/length_source.h"

#include <limits>
#include <stdexcept>

#include "data/errors.h"
#include "sim/workload/number_text.h"

namespace weir::sim {
namespace {

/// Weights of k = least..most as k^-exponent; 0^0 does not come up.
std::vector<double> zipf_weights(const data::LengthDistribution& lengths) {
  std::vector<double> weights;
  for (int k = lengths.least; k <= lengths.most; ++k) {
    weights.push_back(math::exp(-lengths.exponent * math::log(static_cast<double>(k) / lengths.least)));
  }
  return weights;
}

[[noreturn]] void refuse(const std::string& place, const std::string& value, const std::string& allowed) {
  throw data::InputError("scenario", place, value, allowed);
}

}  // namespace

LengthLaw::LengthLaw(const data::LengthDistribution& lengths, const std::string& place) : mean_(lengths.mean) {
  const std::string& name = lengths.distribution;
  if (name == "fixed") return;
  if (name == "geometric") {
    if (mean_ > 1) geometric_ = math::log(1 - 1 / mean_);
    return;
  }
  if (name == "zipf" || name == "empirical") {
    auto table = std::make_shared<Table>();
    table->values = lengths.values;
    table->least = lengths.least;
    std::vector<double> weights = name == "zipf" ? zipf_weights(lengths) : lengths.weights;
    if (name == "empirical" && weights.empty()) weights.assign(lengths.values.size(), 1);
    while (!weights.empty() && weights.back() <= 0) weights.pop_back();  // so that no rounding draws them
    if (weights.empty()) refuse(place, "no values", "expected a table of token counts");
    double sum = 0, moment = 0;
    for (std::size_t i = 0; i < weights.size(); ++i) {
      sum += weights[i];
      moment += weights[i] * (table->values.empty() ? table->least + static_cast<double>(i) : table->values[i]);
      table->cumulative.push_back(sum);
    }
    mean_ = moment / sum;
    table_ = std::move(table);
    return;
  }
  if (name != "lognormal") {
    refuse(place + "/distribution", name, R"("fixed", "lognormal", "geometric", "zipf", "empirical")");
  }
  const double most = lengths.mean * lognormal_largest_p99_ratio();
  if (!lengths.p99 || !(*lengths.p99 > lengths.mean) || *lengths.p99 > most) {
    throw data::InputError(
        "scenario", place + "/p99", lengths.p99 ? number_text(*lengths.p99) : "missing",
        "a lognormal needs a p99 above its mean and at most 14.97 times it (" + number_text(most) + ")");
  }
  parameters_ = lognormal_from_mean_and_p99(lengths.mean, *lengths.p99);
}

double LengthLaw::table_value(double uniform) const {
  const auto& cumulative = table_->cumulative;
  // A product that rounds to the sum belongs to the last value.
  const auto found = std::upper_bound(cumulative.begin(), cumulative.end(), uniform * cumulative.back());
  const auto i =
      std::min<std::ptrdiff_t>(found - cumulative.begin(), static_cast<std::ptrdiff_t>(cumulative.size()) - 1);
  return table_->values.empty() ? table_->least + static_cast<double>(i) : table_->values[static_cast<std::size_t>(i)];
}

PairTable::PairTable(std::shared_ptr<const std::vector<LengthPair>> table) : table_(std::move(table)) {
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

// Reading and writing of token counts and of who asks.
#include <algorithm>
#include <string_view>

#include <nlohmann/json.hpp>

#include "data/json_reader.h"
#include "data/scenario_traffic.h"

namespace weir::data {
namespace {

using Json = nlohmann::ordered_json;

/// A lognormal of mean m reaches at most p99 = m exp(z^2/2) with z = 2.326 (its sigma is then z), 14.97 times the mean.
constexpr double kMostP99OverMean = 14.9;
constexpr double kMostTokens = 1e8;
constexpr int kMostRows = 1 << 20;  ///< of a table
constexpr NumberRange kSpread{1, kMostP99OverMean, false, true};

void refuse_keys(const ObjectReader& entry, const std::string& distribution,
                 std::initializer_list<std::string_view> others) {
  for (const std::string_view key : others) {
    if (entry.find(key)) entry.fail_at(key, "a \"" + distribution + "\" distribution has no such key");
  }
}

void read_zipf(const ObjectReader& entry, LengthDistribution& to) {
  refuse_keys(entry, "zipf", {"mean", "p99", "values", "weights", "file", "column"});
  to.exponent = entry.at("exponent").number({0, 10});
  to.most = entry.at("max").small_integer(1, 1 << 24);
  to.least = entry.integer_or("min", 1, 1, to.most);
  if (to.most - to.least >= kMostRows) entry.fail_at("max", "a Zipf distribution has at most 1048576 values");
}

void read_table(const ObjectReader& entry, LengthDistribution& to) {
  const auto values = entry.at("values").non_empty_array();
  if (values.size() > kMostRows) entry.fail_at("values", "a table has at most 1048576 values");
  for (const JsonReader& value : values) {
    to.values.push_back(static_cast<double>(value.integer(1, static_cast<std::int64_t>(kMostTokens))));
  }
  const auto weights = entry.find("weights");
  if (!weights) return;
  for (const JsonReader& weight : weights->array()) to.weights.push_back(weight.number({0, 1e12}));
  if (to.weights.size() != to.values.size()) weights->fail("expected a weight for each value");
  if (*std::max_element(to.weights.begin(), to.weights.end()) <= 0) weights->fail("expected a weight above 0");
}

void read_empirical(const ObjectReader& entry, const std::string& what, LengthDistribution& to) {
  refuse_keys(entry, "empirical", {"mean", "p99", "exponent", "min", "max"});
  if (entry.find("values").has_value() == entry.find("file").has_value()) {
    entry.fail_at("values", "an empirical distribution needs values or a file, one of them");
  }
  if (!entry.find("file")) {
    if (entry.find("column")) entry.fail_at("column", "only a file has columns");
    read_table(entry, to);
    return;
  }
  if (entry.find("weights")) entry.fail_at("weights", "the rows of a file weigh the same");
  to.file = entry.at("file").text();
  const auto column = entry.find("column");
  to.column = column ? column->one_of({"input_tokens", "output_tokens"}) : what;
  if (to.column == "turns") entry.fail_at("column", "missing; expected \"input_tokens\" or \"output_tokens\"");
}

}  // namespace

LengthDistribution read_lengths(const JsonReader& reader, const std::string& what) {
  const auto entry =
      reader.object({"distribution", "mean", "p99", "exponent", "min", "max", "values", "weights", "file", "column"});
  LengthDistribution result;
  result.distribution = entry.at("distribution").one_of({"fixed", "lognormal", "geometric", "zipf", "empirical"});
  if (result.distribution == "zipf") {
    read_zipf(entry, result);
    return result;
  }
  if (result.distribution == "empirical") {
    read_empirical(entry, what, result);
    return result;
  }
  refuse_keys(entry, result.distribution, {"exponent", "min", "max", "values", "weights", "file", "column"});
  result.mean = entry.at("mean").number({1, kMostTokens});
  const auto p99 = entry.find("p99");
  if (result.distribution != "lognormal") {
    if (p99 && result.distribution == "fixed") p99->fail("a fixed length has no p99");
    if (p99) p99->fail("a geometric length has the p99 of its mean");
    return result;
  }
  result.p99 = entry.at("p99").number({result.mean, kMostP99OverMean * result.mean, false, true});
  return result;
}

ClientMix read_client_mix(const JsonReader& reader) {
  const auto entry = reader.object({"count", "rates", "exponent", "p99_over_mean", "lengths_p99_over_mean"});
  ClientMix mix;
  mix.count = entry.at("count").small_integer(1, 1'000'000);
  if (const auto rates = entry.find("rates")) mix.rates = rates->one_of({"equal", "zipf", "lognormal"});
  if (mix.rates != "zipf" && entry.find("exponent")) entry.fail_at("exponent", "only rates \"zipf\" have an exponent");
  if (mix.rates != "lognormal" && entry.find("p99_over_mean")) {
    entry.fail_at("p99_over_mean", "only rates \"lognormal\" have a p99");
  }
  if (mix.rates == "zipf") mix.exponent = entry.at("exponent").number({0, 10});
  if (mix.rates == "lognormal") mix.p99_over_mean = entry.at("p99_over_mean").number(kSpread);
  mix.lengths_p99_over_mean = entry.optional_number("lengths_p99_over_mean", kSpread);
  return mix;
}

Json to_json(const LengthDistribution& l) {
  if (l.distribution == "zipf") {
    return {{"distribution", l.distribution}, {"exponent", l.exponent}, {"min", l.least}, {"max", l.most}};
  }
  if (l.distribution == "empirical") {
    if (!l.file.empty()) return {{"distribution", l.distribution}, {"file", l.file}, {"column", l.column}};
    Json json{{"distribution", l.distribution}, {"values", l.values}};
    if (!l.weights.empty()) json["weights"] = l.weights;
    return json;
  }
  return {{"distribution", l.distribution}, {"mean", l.mean}, {"p99", l.p99 ? Json(*l.p99) : Json()}};
}

Json to_json(const ClientMix& m) {
  Json json{{"count", m.count}, {"rates", m.rates}};
  if (m.rates == "zipf") json["exponent"] = m.exponent;
  if (m.rates == "lognormal") json["p99_over_mean"] = m.p99_over_mean;
  if (m.lengths_p99_over_mean) json["lengths_p99_over_mean"] = *m.lengths_p99_over_mean;
  return json;
}

}  // namespace weir::data

#include "data/efficiency.h"

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <stdexcept>

#include "data/collective_fit_reader.h"
#include "data/embedded.h"
#include "data/errors.h"
#include "data/json_io.h"
#include "data/json_reader.h"

namespace weir::data {
namespace {

constexpr std::string_view kFileName = "catalog/efficiency.json";

/// Precisions in the order in which one stands in for another. fp16 and bf16 run at the same rate everywhere.
int rank_of(Precision precision) {
  switch (precision) {
    case Precision::fp32:
      return 0;
    case Precision::tf32:
      return 1;
    case Precision::fp16:
    case Precision::bf16:
      return 2;
    case Precision::fp8:
      return 3;
    case Precision::int8:
      return 4;
    case Precision::int4:
      return 5;
  }
  throw std::logic_error("unknown precision");
}

struct Wanted {
  std::string_view architecture, hardware, op;
};

/// The row nearest to `precision` whose distance is at most `max_distance`; the wider one when two are equally near.
const Efficiency* nearest_row(const std::vector<Efficiency>& rows, const Wanted& wanted, Precision precision,
                              int max_distance) {
  const Efficiency* best = nullptr;
  int best_distance = max_distance + 1;
  for (const Efficiency& row : rows) {
    if (row.architecture != wanted.architecture || row.hardware != wanted.hardware || row.op != wanted.op) continue;
    const int distance = std::abs(rank_of(row.precision) - rank_of(precision));
    const bool wider = best && distance == best_distance && rank_of(row.precision) < rank_of(best->precision);
    if (distance < best_distance || wider) {
      best = &row;
      best_distance = distance;
    }
  }
  return best;
}

/// The row of another precision, and that it is one.
Efficiency borrowed(const Efficiency& row, Precision wanted) {
  Efficiency found = row;
  found.source = "no rows in " + std::string(to_string(wanted)) + ", share of " +
                 std::string(to_string(row.precision)) + " taken: " + row.source;
  found.evidence = Evidence::assumption;
  return found;
}

}  // namespace

/// Builds a table from JSON.
class EfficiencyReader {
 public:
  static EfficiencyTable read(const nlohmann::ordered_json& json, const std::string& file) {
    require_schema(json, file, "efficiency");
    EfficiencyTable table;
    const ObjectReader root(JsonReader(json, file),
                            {"schema", "note", "launch_factors", "rows", "collectives", "engines"});
    for (const JsonReader& row : root.at("rows").non_empty_array()) table.rows_.push_back(read_row(row));
    if (const auto fits = root.find("collectives")) {
      for (const JsonReader& row : fits->non_empty_array()) table.collectives_.push_back(read_collective_fit(row));
    } else {  // a user's own table of kernels
      table.collectives_ = EfficiencyTable::builtin().collectives();
    }
    for (const JsonReader& engine : root.at("engines").non_empty_array()) table.engines_.push_back(read_engine(engine));
    if (const auto factors = root.find("launch_factors")) {
      for (const auto& [architecture, factor] : factors->members()) {
        table.launch_factors_.emplace(architecture, factor.number(kPositive));
      }
    }
    return table;
  }

 private:
  static Efficiency read_row(const JsonReader& reader) {
    const ObjectReader object(
        reader, {"architecture", "hardware", "op", "precision", "n", "median", "p10", "p90", "evidence", "source"});
    Efficiency row;
    row.architecture = object.at("architecture").text();
    row.hardware = object.text_or("hardware", "");
    row.op = object.at("op").one_of({"gemm", "gemm_memory", "attention_prefill", "attention_decode", "grouped_gemm",
                                     "grouped_gemm_memory", "mla_prefill", "mla_decode", "encoder"});
    row.precision = object.at("precision").precision();
    row.n = object.at("n").small_integer(1, std::numeric_limits<int>::max());
    row.median = object.at("median").number(kPositiveFraction);
    row.p10 = object.at("p10").number(NumberRange{0, row.median, false, true});
    row.p90 = object.at("p90").number(NumberRange{row.median, 1, true, true});
    row.evidence = object.at("evidence").evidence();
    row.source = object.at("source").text();
    return row;
  }

  static EngineOverhead read_engine(const JsonReader& reader) {
    const ObjectReader object(
        reader, {"engine", "host_s", "sequence_s", "kernel_s", "kernels_per_layer", "expert_kernels_per_layer",
                 "fused_passes", "pass_gap_s", "launches_overlap", "relative_error", "encoder_host_s",
                 "encoder_kernel_s", "encoder_kernels_per_layer", "encoder_time_factor", "encoder_relative_error",
                 "collective_kernels", "evidence", "source"});
    EngineOverhead engine;
    engine.engine = object.at("engine").text();
    engine.host_s = object.at("host_s").number(kNonNegative);
    engine.sequence_s = object.at("sequence_s").number(kNonNegative);
    engine.kernel_s = object.at("kernel_s").number(kNonNegative);
    engine.kernels_per_layer = object.at("kernels_per_layer").number(kNonNegative);
    engine.expert_kernels_per_layer =
        object.number_or("expert_kernels_per_layer", engine.kernels_per_layer, kNonNegative);
    engine.fused_passes = object.boolean_or("fused_passes", true);
    engine.pass_gap_s = object.number_or("pass_gap_s", 0, kNonNegative);
    engine.launches_overlap = object.boolean_or("launches_overlap", false);
    engine.relative_error = object.at("relative_error").number(kNonNegative);
    engine.encoder_host_s = object.number_or("encoder_host_s", engine.host_s, kNonNegative);
    engine.encoder_kernel_s = object.number_or("encoder_kernel_s", engine.kernel_s, kNonNegative);
    engine.encoder_kernels_per_layer =
        object.number_or("encoder_kernels_per_layer", engine.kernels_per_layer, kNonNegative);
    engine.encoder_time_factor = object.number_or("encoder_time_factor", 1, kPositive);
    engine.encoder_relative_error = object.number_or("encoder_relative_error", engine.relative_error, kNonNegative);
    if (const auto kernels = object.find("collective_kernels")) {
      engine.collective_kernels = kernels->one_of(collective_kernel_names());
    }
    engine.evidence = object.at("evidence").evidence();
    engine.source = object.at("source").text();
    return engine;
  }
};

const EfficiencyTable& EfficiencyTable::builtin() {
  static const EfficiencyTable table = [] {
    const auto json = nlohmann::ordered_json::parse(embedded_file(kFileName));
    return EfficiencyReader::read(json, std::string(kFileName));
  }();
  return table;
}

EfficiencyTable EfficiencyTable::load(const std::filesystem::path& file) {
  return EfficiencyReader::read(read_json_file(file), file.string());
}

Efficiency EfficiencyTable::find(std::string_view architecture, std::string_view op, Precision precision) const {
  return find(architecture, {}, op, precision);
}

Efficiency EfficiencyTable::find(std::string_view architecture, std::string_view hardware, std::string_view op,
                                 Precision precision) const {
  const Wanted part{architecture, hardware, op}, family{architecture, {}, op}, all{"*", {}, op};
  constexpr int kAnyDistance = 99;
  if (const Efficiency* row = nearest_row(rows_, part, precision, 0)) return *row;
  // A part's own rows in another precision say more than its architecture's: H20 and L4 stay far below their siblings.
  // Vector units (fp32) and tensor cores are different machines, though.
  const Efficiency* nearest = nearest_row(rows_, part, precision, kAnyDistance);
  if (nearest && rank_of(nearest->precision) != 0 && rank_of(precision) != 0) return borrowed(*nearest, precision);
  if (const Efficiency* row = nearest_row(rows_, family, precision, 0)) return *row;
  nearest = nearest_row(rows_, family, precision, kAnyDistance);
  if (nearest) return borrowed(*nearest, precision);
  const Efficiency* row = nearest_row(rows_, all, precision, kAnyDistance);
  if (!row) throw std::logic_error("no efficiency row for the operator " + std::string(op));
  Efficiency found = *row;
  found.evidence = Evidence::assumption;
  found.source = "no rows of the architecture " + std::string(architecture) + ": " + row->source;
  return found;
}

CollectiveFit EfficiencyTable::collective(std::string_view link, std::string_view architecture,
                                          std::string_view kernels, std::string_view op) const {
  const auto row = [&](std::string_view of_architecture, std::string_view of_kernels) {
    return std::find_if(collectives_.begin(), collectives_.end(), [&](const CollectiveFit& fit) {
      return fit.link == link && fit.architecture == of_architecture && fit.kernels == of_kernels && fit.op == op;
    });
  };
  for (const std::string_view set : {kernels, std::string_view("nccl")}) {
    if (const auto own = row(architecture, set); own != collectives_.end()) return *own;
    if (const auto all = row("*", set); all != collectives_.end()) {
      CollectiveFit found = *all;
      found.evidence = Evidence::assumption;
      found.source = "no rows of the architecture " + std::string(architecture) + ": " + all->source;
      return found;
    }
  }
  throw std::logic_error("no rows of " + std::string(op) + " over " + std::string(link));
}

const EngineOverhead& EfficiencyTable::engine(std::string_view name) const {
  std::vector<std::string> known;
  for (const EngineOverhead& engine : engines_) {
    if (engine.engine == name) return engine;
    known.push_back(engine.engine);
  }
  throw InputError("", "engine", std::string(name), did_you_mean(name, known));
}

double EfficiencyTable::launch_factor(std::string_view architecture) const {
  const auto found = launch_factors_.find(architecture);
  return found == launch_factors_.end() ? 1.0 : found->second;
}

}  // namespace weir::data

#include "data/calibration_reader.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "data/errors.h"
#include "data/nearest.h"

namespace weir::data {
namespace {

/// An operation and the numbers that say its size; `may_be_zero` lists the sizes that need not be positive.
struct Operation {
  std::string_view name;
  std::vector<std::string> shape;
  std::vector<std::string> may_be_zero;
};

const std::vector<Operation>& operations() {
  static const std::vector<Operation> all{
      {"gemm", {"m", "n", "k"}, {}},
      {"attention_prefill", {"batch", "q_tokens", "past_tokens", "heads", "kv_heads", "head_dim"}, {"past_tokens"}},
      {"attention_decode", {"batch", "context_tokens", "heads", "kv_heads", "head_dim"}, {}},
      {"norm", {"tokens", "width"}, {}},
      {"activation", {"tokens", "width"}, {}},
      {"rope", {"tokens", "heads", "head_dim"}, {}},
      {"layer", {"phase", "batch", "tokens", "context_tokens"}, {"phase", "context_tokens"}},
  };
  return all;
}

bool contains(const std::vector<std::string>& list, const std::string& word) {
  return std::find(list.begin(), list.end(), word) != list.end();
}

const Operation& operation(const JsonReader& reader) {
  std::vector<std::string> names;
  for (const Operation& op : operations()) names.emplace_back(op.name);
  const auto name = reader.one_of(names);
  return *std::find_if(operations().begin(), operations().end(), [&](const Operation& op) { return op.name == name; });
}

std::map<std::string, double> shape_of(const Operation& op, const JsonReader& reader) {
  std::map<std::string, double> shape;
  for (const auto& [key, value] : reader.members()) {
    if (!contains(op.shape, key)) {
      throw InputError(value.file(), value.pointer(), "", "unknown key; " + did_you_mean(key, op.shape));
    }
    const std::int64_t low = contains(op.may_be_zero, key) ? 0 : 1;
    const std::int64_t high = key == "phase" ? 1 : 1'000'000'000'000;
    shape[key] = static_cast<double>(value.integer(low, high));
  }
  for (const std::string& key : op.shape) {
    if (!shape.contains(key)) {
      throw InputError(reader.file(), reader.pointer() + "/" + key, "",
                       "missing; the shape of " + std::string(op.name) + " needs it");
    }
  }
  return shape;
}

Sample read_sample(const JsonReader& reader) {
  const auto entry = reader.object({"op", "shape", "precision", "median_s", "mad_s", "n", "flops", "bytes", "energy_j",
                                    "relative_error_vs_fp32", "flags"});
  Sample s;
  const Operation& op = operation(entry.at("op"));
  s.op = op.name;
  s.shape = shape_of(op, entry.at("shape"));
  s.precision = entry.at("precision").precision();
  s.median_s = entry.at("median_s").number(kPositive);
  s.mad_s = entry.at("mad_s").number(kNonNegative);
  s.n = entry.at("n").small_integer(1, 1 << 30);
  s.flops = entry.number_or("flops", 0, kNonNegative);
  s.bytes = entry.number_or("bytes", 0, kNonNegative);
  s.energy_j = entry.optional_number("energy_j", kNonNegative);
  s.relative_error_vs_fp32 = entry.optional_number("relative_error_vs_fp32", kNonNegative);
  if (const auto flags = entry.find("flags")) {
    for (const JsonReader& flag : flags->array()) s.flags.push_back(flag.text());
  }
  return s;
}

std::vector<Sample> samples(const ObjectReader& root, std::string_view key) {
  std::vector<Sample> all;
  if (const auto list = root.find(key)) {
    for (const JsonReader& reader : list->array()) all.push_back(read_sample(reader));
  }
  return all;
}

MeasuredLimit measured_limit(const JsonReader& reader) {
  const auto entry = reader.object({"name", "value", "unit", "spread"});
  MeasuredLimit limit;
  limit.name = entry.at("name").text();
  limit.value = entry.at("value").number(kPositive);
  limit.unit = entry.at("unit").text();
  limit.spread = entry.number_or("spread", 0, kNonNegative);
  return limit;
}

/// Facts about the machine are texts; numbers and truth values of other tools become texts.
std::string environment_value(const JsonReader& reader) {
  if (reader.json().is_string()) return reader.any_text();
  if (reader.json().is_number() || reader.json().is_boolean()) return reader.json().dump();
  reader.fail("expected a text, a number, true or false");
}

void read_device(const JsonReader& reader, Calibration& c) {
  const auto entry = reader.object({"id", "name", "kind", "memory_bytes"});
  c.device_id = entry.at("id").text();
  c.device_name = entry.at("name").text();
  c.device_kind = entry.at("kind").one_of({"cpu", "gpu"});
  c.memory_bytes = entry.at("memory_bytes").number(kPositive);
}

}  // namespace

Calibration read_calibration(const JsonReader& reader) {
  const auto root = reader.object({"schema", "device", "environment", "kernel_set", "evidence", "source", "date",
                                   "contended", "limits", "samples", "held_out", "fit", "overheads", "fitted_on"});
  Calibration c;
  read_device(root.at("device"), c);
  if (const auto environment = root.find("environment")) {
    for (const auto& [key, value] : environment->members()) c.environment[key] = environment_value(value);
  }
  c.kernel_set = root.at("kernel_set").text();
  c.evidence = root.at("evidence").evidence();
  c.source = root.at("source").text();
  c.date = root.at("date").text();
  c.contended = root.boolean_or("contended", false);
  if (const auto list = root.find("limits")) {
    for (const JsonReader& entry : list->array()) {
      c.limits.push_back(measured_limit(entry));
      const auto& name = c.limits.back().name;
      const auto same = [&](const MeasuredLimit& other) { return other.name == name; };
      if (std::count_if(c.limits.begin(), c.limits.end(), same) > 1) {
        throw InputError(entry.file(), entry.pointer() + "/name", '"' + name + '"', "another limit has this name");
      }
    }
  }
  c.samples = samples(root, "samples");
  c.held_out = samples(root, "held_out");
  if (const auto fit = root.find("fit"); fit && !fit->members().empty()) {
    fit->not_in_this_version("timing tables are made from the samples on loading");
  }
  if (const auto overheads = root.find("overheads")) {
    for (const auto& [key, value] : overheads->members()) c.overheads[key] = value.number(kNonNegative);
  }
  if (const auto hashes = root.find("fitted_on")) {
    for (const JsonReader& hash : hashes->array()) c.fitted_on.push_back(hash.text());
  }
  return c;
}

}  // namespace weir::data

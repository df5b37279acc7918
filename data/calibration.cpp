#include "data/calibration.h"

#include <nlohmann/json.hpp>

#include "data/calibration_reader.h"
#include "data/json_io.h"

namespace weir::data {
namespace {

using Json = nlohmann::ordered_json;

Json or_null(const std::optional<double>& value) { return value ? Json(*value) : Json(); }

template <class T>
Json object_of(const std::map<std::string, T>& values) {
  Json json = Json::object();
  for (const auto& [key, value] : values) json[key] = value;
  return json;
}

Json samples_json(const std::vector<Sample>& samples) {
  Json list = Json::array();
  for (const Sample& s : samples) {
    list.push_back(Json{{"op", s.op},
                        {"shape", object_of(s.shape)},
                        {"precision", std::string(to_string(s.precision))},
                        {"median_s", s.median_s},
                        {"mad_s", s.mad_s},
                        {"n", s.n},
                        {"flops", s.flops},
                        {"bytes", s.bytes},
                        {"energy_j", or_null(s.energy_j)},
                        {"relative_error_vs_fp32", or_null(s.relative_error_vs_fp32)},
                        {"flags", s.flags}});
  }
  return list;
}

}  // namespace

std::optional<double> Calibration::limit(std::string_view name) const {
  for (const MeasuredLimit& measured : limits) {
    if (measured.name == name) return measured.value;
  }
  return std::nullopt;
}

Accelerator Calibration::as_accelerator() const {
  const std::string origin = source + (date.empty() ? "" : ", " + date);
  const auto quantity = [&](std::optional<double> value, std::string note) {
    Quantity q;
    q.value = value;
    q.evidence = value ? evidence : Evidence::assumption;
    q.source = origin;
    q.note = value ? std::move(note) : std::string();
    return q;
  };
  Accelerator a;
  a.id = device_id;
  a.name = device_name;
  a.vendor = "this machine";
  a.architecture = device_kind;
  a.memory_bytes = quantity(memory_bytes, "usable");
  a.memory_bandwidth_bytes_per_s = quantity(limit("read_bandwidth"), "measured limit, not a datasheet peak");
  constexpr std::string_view kEnding = "_peak";
  for (const MeasuredLimit& measured : limits) {
    const std::string& name = measured.name;
    if (name.size() <= kEnding.size() || name.substr(name.size() - kEnding.size()) != kEnding) continue;
    const auto precision = parse_precision(name.substr(0, name.size() - kEnding.size()));
    if (precision) a.peak_flops_per_s[*precision] = quantity(measured.value, "measured limit, not a datasheet peak");
  }
  a.interconnect_name = "none";
  a.max_per_server = quantity(1, "this machine is one server");
  return a;
}

Calibration calibration_from_json(const nlohmann::ordered_json& json, const std::string& file) {
  require_schema(json, file, "calibration");
  return read_calibration(JsonReader(json, file));
}

Calibration load_calibration(const std::filesystem::path& file) {
  return calibration_from_json(read_json_file(file), file.string());
}

nlohmann::ordered_json to_json(const Calibration& c) {
  Json limits = Json::array();
  for (const MeasuredLimit& limit : c.limits) {
    limits.push_back(
        Json{{"name", limit.name}, {"value", limit.value}, {"unit", limit.unit}, {"spread", limit.spread}});
  }
  return Json{
      {"schema", "weir.calibration/1"},
      {"device",
       {{"id", c.device_id}, {"name", c.device_name}, {"kind", c.device_kind}, {"memory_bytes", c.memory_bytes}}},
      {"environment", object_of(c.environment)},
      {"kernel_set", c.kernel_set},
      {"evidence", std::string(to_string(c.evidence))},
      {"source", c.source},
      {"date", c.date},
      {"contended", c.contended},
      {"limits", limits},
      {"samples", samples_json(c.samples)},
      {"held_out", samples_json(c.held_out)},
      {"overheads", object_of(c.overheads)},
      {"fitted_on", c.fitted_on}};
}

}  // namespace weir::data

#include "data/scenario.h"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "data/catalog.h"
#include "data/embedded.h"
#include "data/errors.h"
#include "data/json_io.h"
#include "data/scenario_reader.h"

namespace weir::data {
namespace {

using Json = nlohmann::ordered_json;

template <class T>
Json or_null(const std::optional<T>& value) {
  return value ? Json(*value) : Json();
}

Json text_or_null(const std::string& text) { return text.empty() ? Json() : Json(text); }

Json precision(Precision p) { return std::string(to_string(p)); }

Json trace_json(const std::optional<TraceReference>& trace) {
  if (!trace) return nullptr;
  Json window;
  if (trace->window_begin_s) window = Json::array({*trace->window_begin_s, or_null(trace->window_end_s)});
  return Json{
      {"file", trace->file}, {"rate_scale", trace->rate_scale}, {"window_s", window}, {"repeat", trace->repeat}};
}

Json lengths_json(const std::optional<LengthDistribution>& lengths) {
  if (!lengths) return nullptr;
  return Json{{"distribution", lengths->distribution}, {"mean", lengths->mean}, {"p99", or_null(lengths->p99)}};
}

Json limits_json(const PercentileLimits& limits) {
  if (limits.empty()) return nullptr;
  Json json = Json::object();
  for (const auto& [percentile, limit] : limits) json[percentile] = limit;
  return json;
}

Json class_json(const RequestClass& c) {
  Json arrivals;
  if (c.arrivals) {
    arrivals = Json{{"process", c.arrivals->process},
                    {"rate_per_s", c.arrivals->rate_per_s},
                    {"cv", c.arrivals->cv},
                    {"daily_shape", c.arrivals->daily_shape}};
  }
  return Json{{"name", c.name},
              {"share", c.share},
              {"priority", c.priority},
              {"trace", trace_json(c.trace)},
              {"arrivals", arrivals},
              {"input_tokens", lengths_json(c.input_tokens)},
              {"output_tokens", lengths_json(c.output_tokens)},
              {"slo",
               {{"ttft_s", limits_json(c.slo.ttft_s)},
                {"tpot_s", limits_json(c.slo.tpot_s)},
                {"e2e_s", limits_json(c.slo.e2e_s)},
                {"attainment", c.slo.attainment}}}};
}

Json workload_json(const Workload& w) {
  Json classes = Json::array();
  for (const RequestClass& c : w.classes) classes.push_back(class_json(c));
  return Json{{"name", w.name},
              {"kind", w.kind == WorkloadKind::generative ? "generative" : "one-shot"},
              {"model",
               {{"id", w.model.id},
                {"weights", precision(w.model.weights)},
                {"activations", precision(w.model.activations)},
                {"kv", precision(w.model.kv)},
                {"sparsity", "none"},
                {"quality", text_or_null(w.model.quality)}}},
              {"trace", trace_json(w.trace)},
              {"classes", classes},
              {"growth_per_year", w.growth_per_year}};
}

Json serving_json(const Serving& s) {
  return Json{{"engine", s.engine},
              {"policy", s.policy},
              {"rules", s.rules},
              {"order", s.order},
              {"max_batch", s.max_batch},
              {"token_budget", s.token_budget},
              {"max_delay_s", s.max_delay_s},
              {"queue_limit", or_null(s.queue_limit)},
              {"timeout_s", or_null(s.timeout_s)},
              {"kv_block_tokens", s.kv_block_tokens},
              {"kv_memory_fraction", s.kv_memory_fraction},
              {"kv_cache", s.kv_cache},
              {"kv_watermark", s.kv_watermark},
              {"prefix_cache", s.prefix_cache},
              {"router", s.router}};
}

/// An empty list is written as null: a list, where there is one, has entries.
template <class T>
Json list_or_null(const std::vector<T>& all) {
  return all.empty() ? Json() : Json(all);
}

Json candidates_json(const Candidates& c) {
  std::vector<std::string> precisions;
  for (const Precision p : c.precisions) precisions.emplace_back(to_string(p));
  return Json{{"accelerators", c.accelerators},
              {"precisions", list_or_null(precisions)},
              {"tensor_parallel", list_or_null(c.tensor_parallel)},
              {"tenures", list_or_null(c.tenures)},
              {"max_replicas", c.max_replicas}};
}

Json cost_json(const CostChoice& c) {
  Json overrides = Json::object();
  for (const auto& [key, value] : c.overrides) overrides[key] = value;
  return Json{{"horizon_months", c.horizon_months},        {"currency", c.currency},     {"region", c.region},
              {"discount_rate", or_null(c.discount_rate)}, {"cloud_term", c.cloud_term}, {"overrides", overrides}};
}

std::string embedded_path(std::string_view name) { return "scenarios/" + std::string(name) + ".json"; }

bool is_embedded(std::string_view name) {
  const auto names = embedded_scenario_names();
  return std::find(names.begin(), names.end(), name) != names.end();
}

}  // namespace

Scenario scenario_from_json(const nlohmann::ordered_json& json, const std::string& file, const Catalog& catalog) {
  require_schema(json, file, "scenario");
  return ScenarioReader(catalog).scenario(JsonReader(json, file));
}

Scenario scenario_from_json(const nlohmann::ordered_json& json, const std::string& file) {
  return scenario_from_json(json, file, Catalog::builtin());
}

Scenario load_scenario(const std::filesystem::path& file, const Catalog& catalog) {
  Scenario scenario = scenario_from_json(read_json_file(file), file.string(), catalog);
  if (scenario.name.empty()) scenario.name = file.stem().string();
  scenario.folder = file.has_parent_path() ? file.parent_path() : std::filesystem::path(".");
  return scenario;
}

Scenario load_scenario(const std::filesystem::path& file) { return load_scenario(file, Catalog::builtin()); }

nlohmann::ordered_json to_json(const Scenario& s) {
  Json title = Json::object();
  for (const auto& [language, text] : s.title) title[language] = text;
  Json workloads = Json::array();
  for (const Workload& w : s.workloads) workloads.push_back(workload_json(w));
  return Json{{"schema", "weir.scenario/1"},
              {"name", s.name},
              {"title", title},
              {"note", s.note},
              {"seed", s.seed},
              {"workloads", workloads},
              {"serving", serving_json(s.serving)},
              {"deployment",
               {{"accelerator", text_or_null(s.deployment.accelerator)},
                {"replicas", s.deployment.replicas},
                {"tensor_parallel", s.deployment.tensor_parallel},
                {"pipeline_parallel", 1},
                {"expert_parallel", 1}}},
              {"candidates", candidates_json(s.candidates)},
              {"cost", cost_json(s.cost)}};
}

Scenario find_scenario(std::string_view name_or_path) {
  const std::string name(name_or_path);
  if (is_embedded(name)) {
    const std::string path = embedded_path(name);
    Scenario scenario = scenario_from_json(parse_json(embedded_file(path), path), path);
    if (scenario.name.empty()) scenario.name = name;
    return scenario;
  }
  std::error_code error;
  if (std::filesystem::exists(name, error)) return load_scenario(name);
  throw InputError(
      name, "", "",
      "there is no such file and no built-in scenario of this name; " + did_you_mean(name, embedded_scenario_names()));
}

std::vector<std::string> embedded_scenario_names() {
  constexpr std::string_view kFolder = "scenarios/", kEnding = ".json";
  std::vector<std::string> names;
  for (const EmbeddedFile& file : embedded_files()) {
    if (file.path.substr(0, kFolder.size()) != kFolder) continue;
    const auto name = file.path.substr(kFolder.size());
    names.emplace_back(name.substr(0, name.size() - kEnding.size()));
  }
  return names;
}

}  // namespace weir::data

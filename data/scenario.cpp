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
  Json json{{"file", trace->file}, {"rate_scale", trace->rate_scale}, {"window_s", window}, {"repeat", trace->repeat}};
  if (trace->spread) json["spread"] = true;
  return json;
}

Json limits_json(const PercentileLimits& limits) {
  if (limits.empty()) return nullptr;
  Json json = Json::object();
  for (const auto& [percentile, limit] : limits) json[percentile] = limit;
  return json;
}

template <class T>
Json json_or_null(const std::optional<T>& value) {
  return value ? to_json(*value) : Json();
}

Json class_json(const RequestClass& c) {
  Json json{{"name", c.name},
            {"share", c.share},
            {"priority", c.priority},
            {"trace", trace_json(c.trace)},
            {"arrivals", json_or_null(c.arrivals)},
            {"input_tokens", json_or_null(c.input_tokens)},
            {"output_tokens", json_or_null(c.output_tokens)},
            {"slo",
             {{"ttft_s", limits_json(c.slo.ttft_s)},
              {"tpot_s", limits_json(c.slo.tpot_s)},
              {"e2e_s", limits_json(c.slo.e2e_s)},
              {"attainment", c.slo.attainment}}}};
  if (!c.token_pairs.empty()) json["token_pairs"] = c.token_pairs;
  if (c.sessions) json["sessions"] = to_json(*c.sessions);
  if (c.clients) json["clients"] = to_json(*c.clients);
  if (c.cancel) json["cancel"] = to_json(*c.cancel);
  return json;
}

Json model_json(const ModelChoice& m) {
  Json json{{"id", m.id},
            {"weights", precision(m.weights)},
            {"activations", precision(m.activations)},
            {"kv", precision(m.kv)}};
  write_compression(m.compression, json);
  json["expert_skew"] = m.expert_skew;
  json["quality"] = text_or_null(m.quality);
  return json;
}

Json workload_json(const Workload& w) {
  Json classes = Json::array();
  for (const RequestClass& c : w.classes) classes.push_back(class_json(c));
  Json json{{"name", w.name},
            {"kind", w.kind == WorkloadKind::generative ? "generative" : "one-shot"},
            {"model", model_json(w.model)},
            {"trace", trace_json(w.trace)},
            {"classes", classes},
            {"growth_per_year", w.growth_per_year}};
  if (w.duration_s) json["duration_s"] = *w.duration_s;
  return json;
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
              {"router", s.router},
              {"routing", to_json(s.routing, s.router)},
              {"pipeline", to_json(s.pipeline)}};
}

/// An empty list is written as null: a list, where there is one, has entries.
template <class T>
Json list_or_null(const std::vector<T>& all) {
  return all.empty() ? Json() : Json(all);
}

Json candidates_json(const Candidates& c) {
  std::vector<std::string> precisions;
  for (const Precision p : c.precisions) precisions.emplace_back(to_string(p));
  Json json{{"accelerators", c.accelerators},
            {"precisions", list_or_null(precisions)},
            {"tensor_parallel", list_or_null(c.tensor_parallel)}};
  write_parallel_lists(c.parallel, json);
  json["tenures"] = list_or_null(c.tenures);
  json["max_replicas"] = c.max_replicas;
  return json;
}

Json cost_json(const CostChoice& c) {
  Json overrides = Json::object();
  for (const auto& [key, value] : c.overrides) overrides[key] = value;
  return Json{{"horizon_months", c.horizon_months},        {"currency", c.currency},     {"region", c.region},
              {"discount_rate", or_null(c.discount_rate)}, {"cloud_term", c.cloud_term}, {"overrides", overrides}};
}

Json deployment_json(const DeploymentChoice& d) {
  if (d.pools.empty()) {
    Json json{{"accelerator", text_or_null(d.accelerator)},
              {"replicas", d.replicas},
              {"tensor_parallel", d.tensor_parallel},
              {"slice", text_or_null(d.slice)}};
    write_parallel(d.parallel, json);
    write_links(d.links, json);
    return json;
  }
  Json pools = Json::array();
  for (const PoolChoice& pool : d.pools) {
    pools.push_back({{"accelerator", pool.accelerator},
                     {"replicas", pool.replicas},
                     {"tensor_parallel", pool.tensor_parallel},
                     {"cloud", pool.cloud},
                     {"speed", or_null(pool.speed)}});
  }
  Json json{{"pools", pools}};
  write_parallel(d.parallel, json);
  write_links(d.links, json);
  return json;
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
              {"deployment", deployment_json(s.deployment)},
              {"fleet", to_json(s.fleet)},
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

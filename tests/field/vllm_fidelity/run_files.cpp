#include "tests/field/vllm_fidelity/run_files.h"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <sstream>
#include <utility>

#include "data/errors.h"
#include "data/json_io.h"

namespace weir::field {
namespace {

using Json = nlohmann::ordered_json;
using data::InputError;

const Json* find(const Json& json, std::initializer_list<const char*> path) {
  const Json* at = &json;
  for (const char* key : path) {
    if (!at->is_object() || !at->contains(key)) return nullptr;
    at = &(*at)[key];
  }
  return at->is_null() ? nullptr : at;
}

double number(const Json& json, const std::string& file, const std::string& place, double least) {
  if (!json.is_number() || json.get<double>() < least) {
    throw InputError(file, place, json.dump(), "expected a number of at least " + std::to_string(least));
  }
  return json.get<double>();
}

double required(const Json& line, const char* key, const std::string& file, const std::string& place, double least) {
  const Json* value = find(line, {key});
  if (value == nullptr) throw InputError(file, place, "", std::string("expected a field ") + key);
  return number(*value, file, place + "/" + key, least);
}

/// The numbers of "bench-12"; -1 when there is none at its end.
std::int64_t number_at_end(const std::string& id) {
  const std::size_t digits = id.find_last_not_of("0123456789") + 1;  // npos + 1 is 0
  std::int64_t value = -1;
  std::from_chars(id.data() + digits, id.data() + id.size(), value);
  return value;
}

std::vector<std::pair<Json, std::string>> read_lines(const std::filesystem::path& file) {
  std::ifstream in(file);
  if (!in) throw InputError(file.string(), "", "", "the file can't be opened");
  std::vector<std::pair<Json, std::string>> lines;
  std::string line;
  for (std::size_t n = 1; std::getline(in, line); ++n) {
    if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
    std::string place = "line " + std::to_string(n);
    Json json = data::parse_json(line, file.string() + ", " + place);
    if (!json.is_object()) throw InputError(file.string(), place, "", "expected an object");
    lines.emplace_back(std::move(json), std::move(place));
  }
  if (lines.empty()) throw InputError(file.string(), "", "", "expected at least one request");
  return lines;
}

/// A run with such a setting went by rules or kernels that are not followed here: its figures would say nothing.
void refuse_what_is_not_modelled(const Json& json, const std::string& file) {
  struct Setting {
    std::initializer_list<const char*> place;
    std::vector<Json> known;  ///< values that are followed; null and absence always are
  };
  const Setting settings[] = {
      {{"engine_kwargs", "pipeline_parallel_size"}, {1}},
      {{"resolved_config", "parallel_config", "pipeline_parallel_size"}, {1}},
      {{"engine_kwargs", "kv_cache_dtype"}, {"auto", "bfloat16"}},
      {{"resolved_config", "cache_config", "cache_dtype"}, {"auto", "bfloat16"}},
      {{"resolved_config", "cache_config", "kv_offloading_size"}, {0}},
      {{"engine_kwargs", "dtype"}, {"bfloat16", "auto"}},
      {{"engine_kwargs", "quantization"}, {}},
      {{"engine_kwargs", "speculative_config"}, {}},
      {{"resolved_config", "speculative_config"}, {}},
      {{"resolved_config", "scheduler_config", "policy"}, {"fcfs"}},
  };
  for (const Setting& setting : settings) {
    const Json* value = find(json, setting.place);
    if (value == nullptr || std::ranges::find(setting.known, *value) != setting.known.end()) continue;
    std::string place, known = "null";
    for (const char* key : setting.place) place += std::string("/") + key;
    for (const Json& v : setting.known) known += " or " + v.dump();
    throw InputError(file, place, value->dump(), known + ": nothing else is modelled");
  }
}

}  // namespace

RunMeta read_run_meta(const std::filesystem::path& path) {
  const Json json = data::read_json_file(path);
  const std::string file = path.string();
  refuse_what_is_not_modelled(json, file);
  RunMeta meta;
  const Json* model = find(json, {"model"});
  if (model == nullptr || !model->is_string()) throw InputError(file, "/model", "", "expected the model's name");
  meta.model = model->get<std::string>();
  if (const Json* v = find(json, {"vllm_version"}); v != nullptr && v->is_string())
    meta.engine_version = v->get<std::string>();

  const auto setting = [&](const char* key, std::initializer_list<const char*> resolved, double usual) {
    if (const Json* v = find(json, {"engine_kwargs", key}))
      return number(*v, file, std::string("/engine_kwargs/") + key, 1);
    if (const Json* v = find(json, resolved)) return number(*v, file, std::string("/resolved_config/.../") + key, 1);
    meta.assumed.push_back(std::string(key) + " " + std::to_string(static_cast<std::int64_t>(usual)));
    return usual;
  };
  meta.tensor_parallel = static_cast<int>(
      setting("tensor_parallel_size", {"resolved_config", "parallel_config", "tensor_parallel_size"}, 1));
  meta.data_parallel =
      static_cast<int>(setting("data_parallel_size", {"resolved_config", "parallel_config", "data_parallel_size"}, 1));
  meta.max_batch =
      static_cast<std::int64_t>(setting("max_num_seqs", {"resolved_config", "scheduler_config", "max_num_seqs"}, 256));
  meta.token_budget = static_cast<std::int64_t>(
      setting("max_num_batched_tokens", {"resolved_config", "scheduler_config", "max_num_batched_tokens"}, 2048));

  const auto flag = [&](std::initializer_list<const char*> place, bool usual) {
    const Json* v = find(json, place);
    return v != nullptr && v->is_boolean() ? v->get<bool>() : usual;
  };
  meta.expert_parallel = flag({"engine_kwargs", "enable_expert_parallel"}, false);
  meta.prefix_cache = flag({"kv_cache", "enable_prefix_caching"}, true);
  meta.async_scheduling = flag({"resolved_config", "scheduler_config", "async_scheduling"}, true);
  meta.graphs =
      !flag({"resolved_config", "model_config", "enforce_eager"}, flag({"engine_kwargs", "enforce_eager"}, false));
  if (find(json, {"resolved_config"}) == nullptr) {
    meta.assumed.push_back("asynchronous scheduling, prefix cache and CUDA graphs are on (the engine's defaults)");
  }

  if (const Json* v = find(json, {"kv_cache", "num_gpu_blocks"})) {
    meta.kv_blocks = static_cast<std::int64_t>(number(*v, file, "/kv_cache/num_gpu_blocks", 2));
  }
  if (const Json* v = find(json, {"kv_cache", "block_size"})) {
    meta.block_tokens = static_cast<std::int64_t>(number(*v, file, "/kv_cache/block_size", 1));
  }
  if (const Json* v = find(json, {"kv_cache", "gpu_memory_utilization"})) {
    meta.memory_utilization = number(*v, file, "/kv_cache/gpu_memory_utilization", 0);
  }
  if (const Json* v = find(json, {"hardware", "device_name"}); v != nullptr && v->is_string())
    meta.device = v->get<std::string>();
  if (const Json* v = find(json, {"hardware", "device_total_memory_bytes"})) {
    meta.device_memory_bytes = number(*v, file, "/hardware/device_total_memory_bytes", 1);
  }
  return meta;
}

std::vector<MeasuredRequest> read_requests(const std::filesystem::path& path) {
  const std::string file = path.string();
  std::vector<std::pair<std::int64_t, MeasuredRequest>> numbered;
  for (const auto& [line, place] : read_lines(path)) {
    MeasuredRequest r;
    r.input_tokens = static_cast<std::int64_t>(required(line, "input_toks", file, place, 1));
    r.output_tokens = static_cast<std::int64_t>(required(line, "output_toks", file, place, 1));
    r.arrival_s = required(line, "arrival_time", file, place, 0);
    r.queued_s = required(line, "queued_ts", file, place, 0);
    r.first_token_s = required(line, "first_token_ts", file, place, r.queued_s);
    r.last_token_s = required(line, "last_token_ts", file, place, r.first_token_s);
    const Json* id = find(line, {"request_id"});
    const std::int64_t index = id != nullptr && id->is_string() ? number_at_end(id->get<std::string>()) : -1;
    numbered.emplace_back(index >= 0 ? index : static_cast<std::int64_t>(numbered.size()), r);
  }
  std::stable_sort(numbered.begin(), numbered.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<MeasuredRequest> requests;
  for (auto& [index, request] : numbered) requests.push_back(request);
  const double begin = std::min_element(requests.begin(), requests.end(), [](const auto& a, const auto& b) {
                         return a.arrival_s < b.arrival_s;
                       })->arrival_s;
  for (MeasuredRequest& request : requests) request.arrival_s -= begin;
  return requests;
}

void read_arrivals(const std::filesystem::path& path, std::vector<MeasuredRequest>& requests) {
  const auto lines = read_lines(path);
  if (lines.size() < requests.size()) {
    throw InputError(path.string(), "", std::to_string(lines.size()) + " lines",
                     "expected one for each of the " + std::to_string(requests.size()) + " requests");
  }
  for (std::size_t i = 0; i < requests.size(); ++i) {
    const auto& [line, place] = lines[i];
    requests[i].arrival_s = find(line, {"arrival_time_ns"}) != nullptr
                                ? required(line, "arrival_time_ns", path.string(), place, 0) * 1e-9
                                : required(line, "arrival_time", path.string(), place, 0);
  }
}

std::vector<Sharing> read_sharing(const std::filesystem::path& path, std::size_t requests, bool must_exist) {
  std::ifstream in(path);
  if (!in) throw InputError(path.string(), "", "", "the file can't be opened");
  std::vector<Sharing> all;
  std::string line;
  for (std::size_t n = 1; std::getline(in, line); ++n) {
    std::istringstream words(line.substr(0, line.find('#')));
    for (std::string word; words >> word;) {
      Sharing s;
      char less = 0, colon = 0;
      std::istringstream parts(word);
      const bool read = static_cast<bool>(parts >> s.later >> less >> s.earlier >> colon >> s.blocks);
      if (!read || less != '<' || colon != ':' || s.earlier >= s.later || (must_exist && s.later >= requests) ||
          s.blocks < 1 || parts.peek() != std::istringstream::traits_type::eof()) {
        throw InputError(path.string(), "line " + std::to_string(n), word,
                         "expected LATER<EARLIER:BLOCKS with requests 0 to " + std::to_string(requests - 1));
      }
      if (s.later < requests) all.push_back(s);
    }
  }
  return all;
}

}  // namespace weir::field

#include "data/import/kind.h"

#include <algorithm>

#include "data/import/layout.h"
#include "data/import/record_reader.h"

namespace weir::data {
namespace {

struct Magic {
  std::string_view bytes;
  std::string_view what;
};

// Offset 0 signatures of the files that people take for a CSV.
constexpr Magic kMagic[] = {
    {"PK\x03\x04", "a ZIP or Excel file: save the table as CSV"},
    {"PAR1", "a Parquet file: write it as CSV or JSONL"},
    {"\x28\xB5\x2F\xFD", "a zstd file: unpack it, or use gzip"},
    {"BZh", "a bzip2 file: unpack it, or use gzip"},
    {"\xFD"
     "7zXZ",
     "an xz file: unpack it, or use gzip"},
    {"\xFF\xFE", "UTF-16 text: save it as UTF-8"},
    {"\xFE\xFF", "UTF-16 text: save it as UTF-8"},
};

bool holds(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

std::optional<ForeignKind> database(std::string_view head) {
  if (!head.starts_with("SQLite format 3")) return std::nullopt;
  constexpr std::string_view kApplicationId = "Weir";  // bytes 68 to 71 of the SQLite header
  if (head.size() >= 72 && head.substr(68, 4) == kApplicationId) return ForeignKind{"project", "a Weir project"};
  return ForeignKind{"", "an SQLite database"};
}

/// One JSON document over many lines, or one that names itself.
std::optional<ForeignKind> json_document(std::string_view head) {
  if (holds(head, "\"resultType\"") && holds(head, "\"result\"")) {
    return ForeignKind{"metrics", "a Prometheus query result"};
  }
  if (holds(head, "\"schema\"") && holds(head, "\"weir.")) return ForeignKind{"project", "a Weir document"};
  if (holds(head, "\"guidellm_version\"")) return ForeignKind{"benchmark", "a GuideLLM benchmark result"};
  if (holds(head, "\"num_model_requests\"")) return ForeignKind{"metrics", "an OpenAI usage export"};
  if (holds(head, "\"request_throughput\"")) {
    const bool sglang = holds(head, "\"sharegpt_output_len\"") || holds(head, "\"server_info\"");
    return ForeignKind{"benchmark", sglang ? "an SGLang benchmark result" : "a vLLM benchmark result"};
  }
  return std::nullopt;
}

bool is_access_log(std::string_view line) {
  return holds(line, " HTTP/") && holds(line, "] \"") && line.find('[') < line.find("] \"");
}

}  // namespace

std::optional<ForeignKind> foreign_bytes(std::string_view head) {
  if (auto found = database(head)) return found;
  for (const Magic& magic : kMagic) {
    if (head.starts_with(magic.bytes)) return ForeignKind{"", std::string(magic.what)};
  }
  if (holds(head.substr(0, 4096), std::string_view("\0", 1))) return ForeignKind{"", "a binary file, not text"};
  const std::string_view text = trimmed(head);
  if (text.starts_with(":::MLLOG") || holds(text.substr(0, 400), "MLPerf Results Summary")) {
    return ForeignKind{"benchmark", "an MLPerf log"};
  }
  if (is_access_log(text.substr(0, text.find('\n')))) return ForeignKind{"metrics", "a web server's access log"};
  if (text.starts_with('{')) return json_document(text.substr(0, 65536));
  return std::nullopt;
}

std::optional<ForeignKind> foreign_columns(const std::vector<std::string>& names) {
  std::vector<std::string> keys;
  for (const std::string& name : names) keys.push_back(column_key(name));
  const auto has = [&](std::string_view key) { return std::find(keys.begin(), keys.end(), key) != keys.end(); };
  const auto has_start = [&](std::string_view start) {
    return std::any_of(keys.begin(), keys.end(), [&](const std::string& key) { return key.starts_with(start); });
  };
  if (has("numberinputtokens") && has("errorcode")) return ForeignKind{"benchmark", "an LLMPerf result"};
  if (has_start("utilization.gpu") || has_start("power.draw")) return ForeignKind{"metrics", "an nvidia-smi log"};
  if (has("elapsed") && has("responsecode")) return ForeignKind{"benchmark", "a JMeter result"};
  if (has("timestamp") && has("value") && names.size() <= 4)
    return ForeignKind{"metrics", "a series of values over time"};
  return std::nullopt;
}

}  // namespace weir::data

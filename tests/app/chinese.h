#pragma once

#include <cctype>
#include <set>
#include <string>
#include <string_view>

/// Judges whether a line for people is Chinese: nothing of the English sentence may be left in it.
namespace weir::cli::testing {

inline bool has_han(std::string_view utf8) {
  for (std::size_t i = 0; i + 2 < utf8.size(); ++i) {
    const auto a = static_cast<unsigned char>(utf8[i]), b = static_cast<unsigned char>(utf8[i + 1]);
    if (a >= 0xE4 && a <= 0xE9 && b >= 0x80) return true;  // U+4000 to U+9FFF
  }
  return false;
}

/// Words that Chinese engineers write in Latin letters, and names of products and formats.
inline const std::set<std::string, std::less<>>& known_terms() {
  static const std::set<std::string, std::less<>> kTerms = {"AIBrix",
                                                            "BurstGPT",
                                                            "CUDA",
                                                            "Vidur",
                                                            "gamma",
                                                            "mooncake",
                                                            "Excel",
                                                            "GEMM",
                                                            "GuideLLM",
                                                            "HTML",
                                                            "JMeter",
                                                            "JSON",
                                                            "JSONL",
                                                            "KV",
                                                            "LLMPerf",
                                                            "MLPerf",
                                                            "MLP",
                                                            "Mooncake",
                                                            "NVIDIA",
                                                            "OpenAI",
                                                            "Parquet",
                                                            "PATH",
                                                            "Poisson",
                                                            "Prometheus",
                                                            "Qwen-Bailian",
                                                            "README",
                                                            "SGLang",
                                                            "SQLite",
                                                            "TOPS",
                                                            "token",
                                                            "vLLM",
                                                            "Ampere",
                                                            "MMPP",
                                                            "NVIDIA",
                                                            "PCIe",
                                                            "Weibull",
                                                            "Zipf",
                                                            "vidur",
                                                            "Weir",
                                                            "WEIR_PROBE",
                                                            "XLSX",
                                                            "VNNI",
                                                            "NUMA",
                                                            "bzip2",
                                                            "gzip",
                                                            "null",
                                                            "poisson",
                                                            "true",
                                                            "false",
                                                            "weir",
                                                            "zlib",
                                                            "zstd",
                                                            "AUTO",
                                                            "Debian",
                                                            "TIMESTAMP",
                                                            "ContextTokens",
                                                            "GeneratedTokens",
                                                            "timestamp"};
  return kTerms;
}

/// Latin words of four letters or more that are neither quoted, nor names (a digit or one of _-./ in them), nor known
/// terms, nor in `given`, the words of the input.
inline std::string english_left(std::string_view chinese, std::string_view given) {
  std::string left;
  bool quoted = false;
  for (std::size_t at = 0; at < chinese.size();) {
    const auto is_word = [](char c) {
      return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '-' || c == '.' || c == '/';
    };
    if (chinese[at] == '"') quoted = !quoted;
    if (static_cast<unsigned char>(chinese[at]) >= 0x80 || !is_word(chinese[at])) {
      ++at;
      continue;
    }
    std::size_t end = at;
    while (end < chinese.size() && static_cast<unsigned char>(chinese[end]) < 0x80 && is_word(chinese[end])) ++end;
    const std::string word(chinese.substr(at, end - at));
    at = end;
    const bool name = word.find_first_of("0123456789_-./") != std::string::npos;
    if (quoted || name || word.size() < 4 || known_terms().contains(word)) continue;
    if (given.find(word) == std::string_view::npos) left += (left.empty() ? "" : " ") + word;
  }
  return left;
}

}  // namespace weir::cli::testing

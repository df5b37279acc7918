#include "reports/sentences.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <regex>
#include <set>

#include "data/catalog.h"
#include "reports/decision_view.h"

namespace weir::reports {
namespace {

namespace fs = std::filesystem;

std::string read(const fs::path& file) {
  std::ifstream in(file);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// C++ escapes of a literal, as far as the sources use them.
std::string unescaped(const std::string& literal) {
  std::string out;
  for (std::size_t i = 0; i < literal.size(); ++i) {
    if (literal[i] != '\\') {
      out += literal[i];
      continue;
    }
    const char kind = literal[++i];
    if (kind == 'n') {
      out += '\n';
    } else if (kind == 'u') {
      const auto c = static_cast<unsigned>(std::stoul(literal.substr(i + 1, 4), nullptr, 16));
      i += 4;
      if (c < 0x800) {
        out += static_cast<char>(0xC0U | c >> 6U);
      } else {
        out += static_cast<char>(0xE0U | c >> 12U);
        out += static_cast<char>(0x80U | (c >> 6U & 0x3FU));
      }
      out += static_cast<char>(0x80U | (c & 0x3FU));
    } else {
      out += kind;
    }
  }
  return out;
}

/// The literals that a source gives to say(): adjoining pieces put together.
std::vector<std::string> said_in(const std::string& source) {
  static const std::regex call(
      R"re(\b(?:say|in_unit)\(\s*(?:[\w.\->()]*[lL]anguage\w*\s*,\s*)?((?:"(?:[^"\\]|\\.)*"\s*)+))re");
  static const std::regex piece(R"re("((?:[^"\\]|\\.)*)")re");
  std::vector<std::string> all;
  for (std::sregex_iterator at(source.begin(), source.end(), call), end; at != end; ++at) {
    const std::string pieces = (*at)[1].str();
    std::string text;
    for (std::sregex_iterator p(pieces.begin(), pieces.end(), piece); p != end; ++p) text += unescaped((*p)[1].str());
    all.push_back(text);
  }
  return all;
}

std::set<std::string> known() {
  std::set<std::string> all;
  for (const auto& [english, chinese] : entries(Language::zh_CN)) all.insert(english);
  return all;
}

TEST(Sentences, EveryOneSaidInReportsHasAnEntry) {
  const std::set<std::string> entries = known();
  std::size_t count = 0;
  for (const auto& file : fs::recursive_directory_iterator(WEIR_SOURCE_DIR "/reports")) {
    const std::string end = file.path().extension().string();
    if (end != ".cpp" && end != ".h") continue;
    for (const std::string& text : said_in(read(file.path()))) {
      ++count;
      EXPECT_TRUE(entries.contains(text)) << file.path() << ": " << text;
    }
  }
  EXPECT_GT(count, 150U);
}

TEST(Sentences, TheScanFindsWhatItShould) {
  const std::vector<std::string> found =
      said_in("x = say(language, \"Opex\\n({unit})\", {}); in.say(\n  \"one \"\n  \"two\\u2013\"); essay(\"no\");");
  EXPECT_EQ(found, (std::vector<std::string>{"Opex\n({unit})", "one two–"}));
}

TEST(Sentences, EveryEconomicInputAndEveryLineOfTheCostHasAName) {
  const data::Catalog& catalog = data::Catalog::builtin();
  std::vector<std::string> keys = catalog.economic_keys();
  for (const char* key : {"server",
                          "network",
                          "storage",
                          "rack_setup",
                          "spare_stock",
                          "purchase_tax",
                          "energy",
                          "demand_charge",
                          "colocation",
                          "maintenance",
                          "staff",
                          "software",
                          "insurance",
                          "internet",
                          "parts",
                          "residual",
                          "disposal",
                          "cloud",
                          "cloud_support",
                          "cloud_storage",
                          "cloud_tax",
                          "server_price_usd.t4",
                          "cloud_usd_per_hour.this-machine",
                          "exchange_rate.USD.CNY"})
    keys.emplace_back(key);
  std::set<std::string> names;
  for (const std::string& key : keys) {
    const std::string in_english = words_of_key(key), in_chinese = words_of_key(key, Language::zh_CN);
    EXPECT_EQ(in_english.find('_'), std::string::npos) << key;
    EXPECT_TRUE(key == "pue" || in_english != in_chinese) << key;
    // An input and the line that it alone makes may share a name.
    EXPECT_TRUE(names.insert((catalog.has_economic(key) ? "input " : "line ") + in_english).second) << in_english;
  }
  EXPECT_EQ(words_of_key("server_price_usd.t4"), "Price of a server, T4 16GB");
  EXPECT_EQ(words_of_key("server_price_usd.t4", Language::zh_CN), "服务器价格（T4 16GB）");
}

TEST(Sentences, EveryUnitOfTheCatalogueIsTranslated) {
  for (const auto& [key, value] : data::Catalog::builtin().economics())
    EXPECT_TRUE(is_translated(Language::zh_CN, value.unit)) << key << ": " << value.unit;
}

TEST(Sentences, WhatTheEngineComposesIsTranslated) {
  const auto chinese = [](const char* english) { return translate(Language::zh_CN, english); };
  EXPECT_EQ(chinese("cannot meet: TPOT p99 of interactive is 65.67 ms with one request at a time; target 50 ms"),
            "不能达标：interactive 的 TPOT p99 在每次只处理一个请求时为 65.67 ms；目标 50 ms");
  EXPECT_EQ(chinese("cannot meet: 97.50% of requests keep their limits with 4 replicas (12 rejected, timed out or too "
                    "long); target 99%"),
            "不能达标：请求在 4 个副本时（12 个被拒绝、超时或过长）有 97.50 % 满足限值；目标 99 %");
  EXPECT_EQ(chinese("does not fit: needs 18.0 GB of 15.5 GB usable (weights 16.1 GB, activations 0.4 GB, runtime 1.5 "
                    "GB, first KV block 0.0 GB)"),
            "显存放不下：需要 18.0 GB，可用 15.5 GB（权重 16.1 GB，激活 0.4 GB，运行时 1.5 GB，首个 KV 块 0.0 GB）");
  EXPECT_EQ(chinese("gemm int8 on Ampere"), "Ampere 上的 int8 矩阵乘");
  EXPECT_EQ(chinese("median 0.42 of the limit, P10-P90 0.35-0.84, n = 11: no rows in fp16, share of int8 taken: "
                    "published rows of l4: mlcommons/inference_results_v3.0"),
            "上限的中位 0.42，P10–P90 0.35-0.84，n = 11：没有 fp16 的实测行，取 int8 的比例：l4 的公开实测行："
            "mlcommons/inference_results_v3.0");
  EXPECT_EQ(chinese("12 shapes measured, left-one-out error P80 7% (machine was busy: doubled): weir-probe"),
            "实测 12 个形状，留一误差 P80 7%（测量时机器繁忙：加倍）：weir-probe");
  EXPECT_EQ(
      chinese("2 accelerators / (1 - 0.03 lost to neighbours) x 730 h x 4.902 USD/h a month (on-demand, always on "
              "at fleet size: no autoscaling in this version), price -5% a year, traffic +30% a year, of which 2 "
              "replicas carry 1.65 x today's within the targets"),
      "每月 2 张加速卡 /（1 - 邻居争用损失的 0.03）× 730 h × 4.902 USD/h（按需，按机群规模常开：本版本无自动伸缩），"
      "价格每年 -5%，流量每年 +30%，2 个副本在达标前提下可承载今日的 1.65 倍");
  EXPECT_EQ(chinese("Llama-3.1-8B layer, int8, decode of 8 sequences of 512 tokens"),
            "Llama-3.1-8B 单层，int8，解码 8 条序列，每条 512 个 token");
  EXPECT_EQ(
      chinese("sample.csv: 1000 requests of the window 60 s to the end, replayed at 2 times the rate, 3 times in a "
              "row"),
      "sample.csv：窗口 60 s 至 结束 内的 1000 次请求，按 2 倍速率回放，连续 3 遍");
}

TEST(Sentences, ArePutTogetherAsEachLanguageDoes) {
  EXPECT_EQ(join({"a", "b"}, Language::en), "a, b");
  EXPECT_EQ(join({"甲", "乙"}, Language::zh_CN), "甲，乙");
  EXPECT_EQ(sentences({"One.", "", "Two."}, Language::en), "One. Two.");
  EXPECT_EQ(sentences({"一。", "", "二。"}, Language::zh_CN), "一。二。");
  EXPECT_EQ(full_stop("One", Language::en), "One.");
  EXPECT_EQ(full_stop("一。", Language::zh_CN), "一。");
  EXPECT_EQ(typeset("2 x 3 >= 5", Spelling::typographic), "2 × 3 ≥ 5");
  EXPECT_EQ(typeset("2 x 3 >= 5", Spelling::ascii), "2 x 3 >= 5");
}

}  // namespace
}  // namespace weir::reports

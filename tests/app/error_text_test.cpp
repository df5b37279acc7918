// Every complaint is Chinese for those who read Chinese, and what() for the others. The complaints come from the bad
// inputs that the other tests use too, and from the phrases that stand in the sources.
#include "reports/error_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <optional>

#include "chinese.h"
#include "data/calibration.h"
#include "data/catalog.h"
#include "data/efficiency.h"
#include "data/errors.h"
#include "data/import/trace_import.h"
#include "data/json_io.h"
#include "data/scenario.h"
#include "data/store/project.h"
#include "run_weir.h"
#include "sim/plan/plan.h"

namespace weir::reports {
namespace {

using cli::testing::english_left;
using cli::testing::has_han;
using cli::testing::read_file;
using cli::testing::Scratch;
using cli::testing::write_file;
using ::testing::HasSubstr;

/// Words of our formats and options that stand in Chinese sentences as they are.
constexpr const char* kWordsOfTheFormats =
    "file SCENARIO accelerator share trace arrivals heads layers hidden intermediate high benchmark metrics profile "
    "prices project probe plan begin_s timestamp rate_per_s count value experts experts_active expert_intermediate "
    "pipeline pools sparsity speed states simulate values";

void expect_chinese(const std::exception& problem, const std::string& given) {
  const std::string text = error_text(Language::zh_CN, problem);
  EXPECT_TRUE(has_han(text)) << problem.what() << "\n  -> " << text;
  EXPECT_EQ(english_left(text, given + kWordsOfTheFormats), "") << problem.what() << "\n  -> " << text;
  EXPECT_EQ(error_text(Language::en, problem), problem.what());
  EXPECT_EQ(text.find('\n'), std::string::npos);
}

/// The work is refused, in Chinese as well; `given` is what the complaint may quote.
void expect_refused(const std::function<void()>& work, const std::string& given) {
  try {
    work();
    ADD_FAILURE() << "not refused: " << given.substr(0, 200);
  } catch (const data::InputError& problem) {
    expect_chinese(problem, given);
  } catch (const data::SystemError& problem) {
    expect_chinese(problem, given);
  }
}

TEST(ErrorText, PutsThePartsTogether) {
  const data::InputError problem("s.json", "/seed", "-3", "expected a whole number from 0 to 9");
  EXPECT_EQ(error_text(Language::zh_CN, problem), "s.json：/seed：不接受 -3：应为 0 到 9 的整数");
  EXPECT_STREQ(problem.what(), "s.json: /seed: -3 is not allowed: expected a whole number from 0 to 9");
  EXPECT_EQ(error_text(Language::zh_CN, data::InputError("t.csv", "line 3", "", "no tokens")),
            "t.csv：第 3 行：没有 token");
  EXPECT_EQ(error_text(Language::zh_CN, data::SystemError("my out.pdf: cannot be written: Permission denied")),
            "my out.pdf：无法写入：权限不足");
  EXPECT_EQ(error_text(Language::zh_CN, data::SystemError("quite another matter")), "quite another matter");
}

void load(const std::filesystem::path& file) {
  const std::string stem = file.stem().string(), format = stem.substr(0, stem.find('-'));
  if (format == "scenario") {
    data::load_scenario(file);
  } else if (format == "calibration") {
    data::load_calibration(file);
  } else if (format == "efficiency") {
    data::EfficiencyTable::load(file);
  } else {
    const Scratch scratch;
    write_file(scratch / (format + ".json"), read_file(file));
    data::Catalog::load(scratch.folder());
  }
}

TEST(ErrorText, SchemaSamples) {
  int refused = 0;
  for (const auto& entry : std::filesystem::directory_iterator(WEIR_SOURCE_DIR "/data/schema/samples/bad")) {
    const std::string name = entry.path().filename().string();
    const bool has_loader = !name.starts_with("run-") && !name.starts_with("plan-") && !name.starts_with("import-");
    if (entry.path().extension() != ".json" || !has_loader) continue;
    ++refused;
    expect_refused([&] { load(entry.path()); }, read_file(entry.path()));
  }
  EXPECT_GE(refused, 50);
}

TEST(ErrorText, Json) {
  for (const char* text :
       {"", "{", "[1, 2", "{\"a\" 1}", "{\"a\": tru}", "{\"a\": 1,}", "{\"a\": \"x", "{\"a\": 1e999}", "nothing",
        "{\"a\": 1} x", "{\"a\": 1, \"a\": 2}", "{\"a\": -}", "{\"a\": \"\\q\"}", "{\"a\": \"\x01\"}", "[1 2]"}) {
    expect_refused([&] { data::parse_json(text, "f.json"); }, text);
  }
  expect_refused([&] { data::parse_json(std::string(200, '['), "f.json"); }, "");
}

TEST(ErrorText, Scenarios) {
  const auto with = [](const std::string& more) {
    return R"({"schema":"weir.scenario/1","name":"s","workloads":[{"model":{"id":"llama-3.1-8b"},)"
           R"("trace":{"file":"t.csv"}}],)" +
           more + "}";
  };
  for (const char* more :
       {R"("serving":{"engine":"none such"})", R"("serving":{"policy":"disaggregated"})", R"("serving":{"network":{}})",
        R"("serving":{"max_batch":0.5})", R"("candidates":{"accelerators":["t5"]})",
        R"("candidates":{"accelerators":[]})", R"("candidates":{"accelerators":["t4","t4"]})",
        R"("candidates":{"engines":["eager"]})", R"("cost":{"currency":"XYZ"})", R"("cost":{"region":"mars"})",
        R"("cost":{"overrides":{"puee":1}})", R"("cost":{"overrides":{"server_price_usd.t5":1}})",
        R"("deployment":{"accelerator":5})", R"("seed":"one")", R"("deployment":[])", R"("note":3)",
        R"("serving":{"prefix_cache":"yes"})"}) {
    const std::string text = with(more);
    expect_refused([&] { data::scenario_from_json(data::parse_json(text, "s.json"), "s.json"); }, text);
  }
  expect_refused([] { data::find_scenario("llm-chatt"); }, "");
  for (const char* model : {"mixtral-8x7b", "llama-3.1-9b", "deepseek-v3", "bert-large"}) {
    expect_refused(
        [&] {
          const std::string text = R"({"schema":"weir.scenario/1","workloads":[{"model":{"id":")" + std::string(model) +
                                   R"("},"trace":{"file":"t.csv"}}]})";
          data::scenario_from_json(data::parse_json(text, "s.json"), "s.json");
        },
        model);
  }
}

/// What simulating the small scenario complains about after `change`.
void expect_not_simulated(const std::function<void(data::Scenario&)>& change) {
  const Scratch scratch;
  write_file(scratch / "small.csv", cli::testing::small_trace());
  write_file(scratch / "small.json", cli::testing::small_scenario());
  data::Scenario scenario = data::load_scenario(scratch / "small.json");
  change(scenario);
  expect_refused([&] { sim::run_scenario(scenario, data::Catalog::builtin(), data::EfficiencyTable::builtin(), {}); },
                 "small none-such.csv chat random round-trip " + scratch.folder().string());
}

TEST(ErrorText, Simulations) {
  expect_not_simulated([](data::Scenario& s) { s.workloads.front().trace->file = "none-such.csv"; });
  expect_not_simulated([](data::Scenario& s) { s.deployment.accelerator = ""; });
  expect_not_simulated([](data::Scenario& s) { s.deployment.accelerator = "this-machine"; });
  expect_not_simulated([](data::Scenario& s) { s.deployment.tensor_parallel = 3; });
  expect_not_simulated([](data::Scenario& s) { s.workloads.front().model.weights = data::Precision::fp8; });
  expect_not_simulated([](data::Scenario& s) { s.workloads.front().model.id = "llama-3.1-405b"; });
  expect_not_simulated([](data::Scenario& s) { s.workloads.front().trace->window_begin_s = 1e6; });
  expect_not_simulated([](data::Scenario& s) {
    s.workloads.push_back(s.workloads.front());
    s.workloads.back().name = "other";
    s.workloads.back().model.id = "qwen2.5-7b";
  });
  expect_not_simulated([](data::Scenario& s) { s.serving.router = "affinity"; });
  expect_not_simulated([](data::Scenario& s) { s.serving.policy = "round-trip"; });
  expect_not_simulated([](data::Scenario& s) { s.workloads.front().classes.front().cancel.emplace().share = 0.1; });
}

struct Import {
  std::string text;
  data::ImportOptions options = {};
};

std::vector<Import> bad_imports() {
  const std::string header = "arrival_s,input_tokens,output_tokens\n";
  std::vector<Import> all;
  for (const std::string& text :
       {std::string(),
        std::string("\n \n"),
        header,
        header + "x,1,1\ny,1,1\n",
        std::string("0,1,2\n1,2,3\n"),
        std::string("a,b,c\n1,2,3\n"),
        std::string("num_prefill_tokens,num_decode_tokens\n1,2\n"),
        std::string("timestamp,input_tokens,output_tokens\n1,1,1\n"),
        std::string("arrival_s,prompt_tokens,context_tokens,output_tokens\n1,1,1,1\n"),
        std::string("timestamp,start_time,input_tokens,output_tokens\n1,1,1,1\n"),
        std::string("[{\"arrival_s\": 0}]"),
        std::string("{\n\"a\": 1\n}"),
        std::string("a\0b", 3),
        std::string("PK\x03\x04"),
        std::string("PAR1"),
        std::string("\xFF\xFEx"),
        std::string("timestamp,value\n2026-01-01 00:00:00,5\n"),
        std::string("Timestamp,Model,Request tokens,Response tokens\n1,a,2,3\n"),
        std::string("{\"chat_id\": 1, \"timestamp\": 1, \"input_length\": 2, \"hash_ids\": [1]}\n"),
        std::string("{\"timestamp\": 1, \"input_length\": 2, \"output_length\": 3, \"hash_ids\": [1, 2]}\n"),
        std::string("\x1f\x8bgarbage that is no deflate stream")})
    all.push_back({text, {}});
  for (const char* as : {"benchmark", "none such"}) all.push_back({header + "0,1,1\n", {}}), all.back().options.as = as;
  for (const char* format : {"vidur", "azure-llm-2023", "mooncake", "plain-jsonl", "none such"})
    all.push_back({header + "0,1,1\n", {}}), all.back().options.format = format;
  return all;
}

TEST(ErrorText, ForeignFiles) {
  const Scratch scratch;
  for (const Import& import : bad_imports()) {
    write_file(scratch / "trace.csv", import.text);
    expect_refused([&] { data::import_trace(scratch / "trace.csv", import.options); },
                   import.text + import.options.as + import.options.format + (scratch / "").string());
  }
  expect_refused([&] { data::import_trace(scratch / "nowhere.csv", {}); }, (scratch / "").string());
  expect_refused([&] { data::import_trace(scratch.folder(), {}); }, (scratch / "").string());
}

void expect_findings_in_chinese(const data::Trace& trace, const std::string& given) {
  std::vector<std::string> findings = trace.warnings;
  for (const data::RejectedRow& row : trace.rejected) findings.push_back(row.reason);
  for (const std::string& finding : findings) {
    const std::string text = translate(Language::zh_CN, finding);
    EXPECT_TRUE(has_han(text)) << finding;
    EXPECT_EQ(english_left(text, given), "") << finding << "\n  -> " << text;
  }
}

TEST(ErrorText, RejectedRowsAndWarnings) {
  const Scratch scratch;
  for (const std::string& text :
       {std::string("request_id,arrival_s,input_tokens,output_tokens,status,spare,path\n"
                    "a,5,10,1,ok,x,/v1\na,5,10,1,ok,x,/v1\nb,1,10,1,odd,x,/v1,more\nb,2,11,1,ok,x,/health\n"
                    "c,,1,1,ok,x,\nd,9,-1,1,ok,x,\ne,9,1.5,1,ok,x,\nf,9,,1,ok,x,\ng,9,0,0,ok,x,\n"
                    "h,9,999999999999,1,ok,x,\ni,never,1,1,ok,x,\nj,9e99,1,1,ok,x,\nk,9,10,0,ok,x,\nl,9,0,5,ok,x,\n"
                    "m,9,5000,5000,ok,x,\nrequest_id,arrival_s,input_tokens,output_tokens,status,spare,path\n"
                    "n,1e10,1,1,ok,x,\no,\"9,1,1\n"),
        std::string("{\"arrival_s\": 0, \"input_tokens\": 5, \"output_tokens\": 1}\n{\"arrival_s\": 1\n[1]\n{x}\n"
                    "{\"arrival_s\": null, \"input_tokens\": 1, \"output_tokens\": 1}\n"
                    "{\"arrival_s\": 1, \"input_tokens\": [], \"output_tokens\": 1}\n{\"arrival_s\": 1}\n"),
        std::string("arrival_s;input_tokens;output_tokens\n0,5;10;1\n2,25;20;2\n"),
        std::string("timestamp,input_tokens,output_tokens\n1700000000,1,1\n1700000001,1,1\n1700000001,1,1\n"),
        std::string("timestamp,input_tokens,output_tokens\n2026-01-01 00:00:00Z,1,0\n2026-01-01 00:00:02,1,0\n"
                    "yesterday,1,1\n")}) {
    write_file(scratch / "trace.csv", text);
    data::ImportOptions options;
    options.max_context_tokens = 4096;
    const data::Trace trace = data::import_trace(scratch / "trace.csv", options);
    EXPECT_FALSE(trace.warnings.empty() && trace.rejected.empty()) << text;
    expect_findings_in_chinese(trace, text);
  }
}

TEST(ErrorText, FieldCases) {
  const char* root = std::getenv("WEIR_FIELD_DATA");
  if (root == nullptr) GTEST_SKIP() << "WEIR_FIELD_DATA is not set: the case files are not there";
  const std::filesystem::path folder = std::filesystem::path(root) / "cases" / "traces";
  if (!std::filesystem::is_directory(folder)) GTEST_SKIP() << folder << " is not there";
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    const std::string given = read_file(entry.path()) + entry.path().string();
    try {
      expect_findings_in_chinese(data::import_trace(entry.path(), {}), given);
    } catch (const data::InputError& problem) {
      expect_chinese(problem, given);
    }
  }
}

TEST(ErrorText, Projects) {
  const Scratch scratch;
  const std::string given = scratch.folder().string();
  write_file(scratch / "text.weir", "no database at all, only text");
  write_file(scratch / "empty.weir", "");
  write_file(scratch / "damaged.weir", "");
  { data::Project::open(scratch / "good.weir", data::Project::Mode::create).put_document("plan", "p", "{}"); }
  const std::string good = read_file(scratch / "good.weir");
  std::string damaged = good;
  std::fill(damaged.begin() + 1024, damaged.end(), 'x');
  write_file(scratch / "damaged.weir", damaged);
  for (const char* name : {"text.weir", "empty.weir", "damaged.weir", "nowhere.weir", ""}) {
    expect_refused([&] { data::Project::open(scratch / name, data::Project::Mode::read_only).document_names("plan"); },
                   given);
  }
}

// ---- The phrases that stand in the sources ----

/// From the string literals of `expression` the text that it makes, `filler` where a value is put in; empty when there
/// is a choice (?:) in it, whose branches are found as literals of their own only by running.
std::string phrase_of(std::string_view expression, std::string_view filler) {
  std::string text;
  bool value = false;
  int depth = 0;
  std::vector<bool> open;  // parentheses; those of std::string(...) do not hide what is in them
  for (std::size_t i = 0; i < expression.size(); ++i) {
    const char c = expression[i];
    if (c == '?') return "";
    if (c == '(') {
      open.push_back(!expression.substr(0, i).ends_with("std::string"));
      if (!open.back()) value = false;
      depth += open.back() ? 1 : 0;
    } else if (c == ')' && !open.empty()) {
      depth -= open.back() ? 1 : 0;
      open.pop_back();
    }
    if (c == '\'' && i + 2 < expression.size()) {  // a character that is put in, such as '"'
      if (value) text += filler;
      value = false;
      if (depth == 0) text += expression[i + 1];
      i += 2;
      continue;
    }
    if (c != '"') {
      value = value || std::isalnum(static_cast<unsigned char>(c)) != 0;
      continue;
    }
    std::string literal;
    for (++i; i < expression.size() && expression[i] != '"'; ++i) {
      if (expression[i] == '\\') ++i;
      literal += expression[i];
    }
    if (depth > 0) continue;
    if (value) text += filler;
    value = false;
    text += literal;
  }
  return value ? text + std::string(filler) : text;
}

/// The last argument of the call whose arguments begin at `at`.
std::string_view last_argument(std::string_view source, std::size_t at) {
  std::size_t begin = at;
  int depth = 0;
  for (std::size_t i = at; i < source.size(); ++i) {
    if (source[i] == '\'' && i + 2 < source.size() && source[i + 2] == '\'') {
      i += 2;
    } else if (source[i] == '"') {
      for (++i; i < source.size() && source[i] != '"'; ++i) i += source[i] == '\\' ? 1 : 0;
    } else if (source[i] == '(' || source[i] == '{' || source[i] == '[') {
      ++depth;
    } else if ((source[i] == ')' || source[i] == '}' || source[i] == ']') && depth-- == 0) {
      return source.substr(begin, i - begin);
    } else if (source[i] == ',' && depth == 0) {
      begin = i + 1;
    }
  }
  return {};
}

bool is_chinese_with(std::string_view expression, std::string_view filler) {
  const std::string phrase = phrase_of(expression, filler);
  const std::string text = error_text(Language::zh_CN, data::InputError("file", "", "", phrase));
  return has_han(text) && english_left(text, kWordsOfTheFormats).empty();
}

/// True when it has words that are neither quoted nor names.
bool speaks(const std::string& phrase) { return !english_left(phrase, "").empty(); }

int expect_phrases_in_chinese(const std::filesystem::path& file) {
  const std::string source = read_file(file);
  int found = 0;
  for (const char* call :
       {"InputError(", "SystemError(", "fail(", "fail_at(", "not_in_this_version(", "refuse(", "damaged("}) {
    for (std::size_t at = source.find(call); at != std::string::npos; at = source.find(call, at + 1)) {
      const std::string_view expression = last_argument(source, at + std::string_view(call).size());
      if (!speaks(phrase_of(expression, "7"))) continue;
      ++found;
      const bool chinese = is_chinese_with(expression, "7") || is_chinese_with(expression, "") ||
                           is_chinese_with(expression, " 7") || is_chinese_with(expression, "; 7") ||
                           is_chinese_with(expression, "accelerator");
      EXPECT_TRUE(chinese) << file.filename() << ": " << expression << "\n  -> "
                           << error_text(Language::zh_CN, data::InputError("file", "", "", phrase_of(expression, "7")));
    }
  }
  return found;
}

TEST(ErrorText, EveryPhraseInTheSources) {
  int found = 0;
  for (const char* room : {"data", "sim", "probes", "reports", "app"}) {
    for (const auto& entry :
         std::filesystem::recursive_directory_iterator(std::filesystem::path(WEIR_SOURCE_DIR) / room)) {
      if (entry.path().extension() == ".cpp") found += expect_phrases_in_chinese(entry.path());
    }
  }
  EXPECT_GE(found, 120);
}

}  // namespace
}  // namespace weir::reports

// The command line in both languages: what people read follows --lang or the locale, what programs read never does.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "chinese.h"
#include "run_weir.h"

namespace weir::cli::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

class Language : public ::testing::Test {
 protected:
  void SetUp() override {
    write_file(scratch_ / "small.csv", small_trace());
    write_file(scratch_ / "small.json", small_scenario());
  }
  std::string out(std::vector<std::string> arguments, const std::string& locale = "C") {
    const Outcome outcome = weir(scratch_, std::move(arguments), locale);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return outcome.out;
  }
  std::string error(std::vector<std::string> arguments, const std::string& locale = "C") {
    const Outcome outcome = weir(scratch_, std::move(arguments), locale);
    EXPECT_NE(outcome.code, 0);
    EXPECT_EQ(outcome.out, "");
    return outcome.err;
  }
  Scratch scratch_;
};

/// Columns on a terminal; all that these tests meet beyond ASCII is two columns wide.
int columns(std::string_view utf8) {
  int width = 0;
  for (const char c : utf8) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x80) ++width;
    if (byte >= 0xC0) width += 2;
  }
  return width;
}

TEST_F(Language, OptionBeforeAndAfterTheCommandAndTheLocale) {
  const std::string chinese = out({"catalog", "scenarios", "--lang", "zh_CN"});
  EXPECT_TRUE(has_han(chinese));
  EXPECT_EQ(out({"--lang", "zh_CN", "catalog", "scenarios"}), chinese);
  EXPECT_EQ(out({"--lang=zh", "catalog", "scenarios"}), chinese);
  EXPECT_EQ(out({"catalog", "scenarios"}, "zh_CN.UTF-8"), chinese);
  const std::string english = out({"catalog", "scenarios"});
  EXPECT_FALSE(has_han(english));
  EXPECT_EQ(out({"catalog", "scenarios"}, "de_DE.UTF-8"), english);
  EXPECT_EQ(out({"catalog", "scenarios", "--lang", "en"}, "zh_CN.UTF-8"), english);
}

TEST_F(Language, JsonAndCsvKnowNone) {
  for (const std::vector<std::string>& arguments : std::vector<std::vector<std::string>>{{"plan", "small.json"},
                                                                                         {"simulate", "small.json"},
                                                                                         {"cost", "small.json"},
                                                                                         {"import", "small.csv"},
                                                                                         {"catalog", "prices", "t4"},
                                                                                         {"catalog", "scenarios"}}) {
    auto with = [&](const char* language) {
      std::vector<std::string> all = arguments;
      all.insert(all.end(), {"--json", "-", "--lang", language});
      return out(all);
    };
    const std::string english = with("en");
    EXPECT_FALSE(english.empty());
    EXPECT_EQ(with("zh_CN"), english) << arguments.front();
  }
  out({"plan", "small.json", "--csv", "en", "--lang", "en"});
  out({"plan", "small.json", "--csv", "zh", "--lang", "zh_CN"});
  for (const char* name : {"options.csv", "cost_lines.csv", "cash_flow.csv", "classes.csv", "cost_inputs.csv"}) {
    EXPECT_EQ(read_file(scratch_ / "zh" / name), read_file(scratch_ / "en" / name)) << name;
  }
}

TEST_F(Language, TablesAreChinese) {
  const std::string user_words = "small chat interactive background ";
  for (const std::vector<std::string>& arguments : std::vector<std::vector<std::string>>{
           {"import", "small.csv"}, {"catalog", "models"}, {"catalog", "economics"}, {"catalog", "hardware", "t4"}}) {
    std::vector<std::string> all = {"--lang", "zh_CN"};
    all.insert(all.end(), arguments.begin(), arguments.end());
    const std::string text = out(all);
    EXPECT_TRUE(has_han(text));
    EXPECT_EQ(english_left(text, user_words + "sdxl inflation sysrqmts NVIDIA Tesla Turing no source found from memory "
                                              "PCIe Tflop"),
              "")
        << arguments.front() << "\n"
        << text;
  }
}

TEST_F(Language, HelpIsAlignedByDisplayWidth) {
  for (const char* command : {"demo", "doctor", "probe", "import", "simulate", "plan", "cost", "report", "catalog"}) {
    const std::string help = out({command, "--help"}, "zh_CN.UTF-8");
    EXPECT_THAT(help, HasSubstr("用法：weir " + std::string(command)));
    EXPECT_THAT(help, HasSubstr("例如："));
    std::istringstream lines(help);
    int explained = 0;
    for (std::string line; std::getline(lines, line);) {
      EXPECT_LE(columns(line), 120) << line;
      const std::size_t gap = line.find("  ", 3);
      if (!line.starts_with("  -") || gap == std::string::npos) continue;
      const std::size_t text = line.find_first_not_of(' ', gap);
      EXPECT_EQ(columns(line.substr(0, text)), 26) << line;
      ++explained;
    }
    EXPECT_GE(explained, 4) << command;
  }
  EXPECT_THAT(out({"--help"}, "zh_CN.UTF-8"), HasSubstr("命令："));
}

TEST_F(Language, WrongUsageIsExplained) {
  EXPECT_EQ(error({"plan"}, "zh_CN.UTF-8"), "weir: 缺少 场景（参见：weir plan --help）\n");
  EXPECT_EQ(error({"plan", "x", "--nope", "--lang", "zh_CN"}), "weir: 多余的参数：--nope（参见：weir plan --help）\n");
  EXPECT_EQ(error({"--lang", "zh_CN", "pln"}), "weir: 没有命令“pln”；您想用的是不是 plan？（参见：weir --help）\n");
  for (const std::vector<std::string>& arguments : std::vector<std::vector<std::string>>{
           {"plan", "x", "--threads", "0"},
           {"plan", "x", "--threads", "many"},
           {"plan", "x", "--seed", "-1"},
           {"plan", "x", "--seed"},
           {"plan", "x", "--pdf", "-"},
           {"plan", "x", "y"},
           {"catalog", "gadgets"},
           {"import", "x", "--max-context", "0"},
           {"demo", "--probe", "--no-probe"},
       }) {
    const std::string text = error(arguments, "zh_CN.UTF-8");
    EXPECT_TRUE(has_han(text)) << text;
    EXPECT_EQ(
        english_left(text, "help plan catalog import demo many gadgets hardware models prices scenarios economics"), "")
        << text;
    EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 1);
  }
  EXPECT_THAT(error({"plan", "x", "--lang", "fr"}), HasSubstr("--lang: fr is not allowed: expected en or zh_CN"));
  EXPECT_EQ(weir(scratch_, {"plan", "x", "--lang", "fr"}).code, 2);
}

TEST_F(Language, BadInputIsExplained) {
  EXPECT_EQ(error({"import", "nowhere.csv", "--lang", "zh_CN"}), "weir: nowhere.csv：没有这个文件\n");
  EXPECT_EQ(error({"plan", "small.json", "--html", "nowhere/plan.html", "--lang", "zh_CN"}),
            "weir: nowhere/plan.html：没有文件夹 nowhere\n");
  write_file(scratch_ / "bad.json", small_scenario("", R"({"ttft_s":{"p99":0}})"));
  EXPECT_EQ(error({"plan", "bad.json", "--lang", "zh_CN"}),
            "weir: bad.json：/workloads/0/classes/0/slo/ttft_s/p99：不接受 0：应为大于 0 的数\n");
}

TEST_F(Language, NotesOfTheDemo) {
  const Outcome outcome =
      weir(scratch_, {"demo", "--no-probe", "--trace", "small.csv", "--out", "out", "--lang", "zh_CN"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.err, HasSubstr("正在每个候选方案上回放流量"));
  EXPECT_THAT(outcome.out, HasSubstr("已写入：out/decision.html（用浏览器打开）"));
  EXPECT_THAT(read_file(scratch_ / "out/decision.json"), StartsWith("{"));
}

/// PDF and XLSX: whole files where this build has them, else one line that says what it lacks.
class Paper : public Language {
 protected:
  void expect_file(const std::string& option, const std::string& file, const std::string& magic,
                   const std::string& package) {
    const Outcome outcome = weir(scratch_, {"plan", "small.json", option, file, "--lang", "zh_CN"});
    if (outcome.code == 0) {
      const std::string bytes = read_file(scratch_ / file);
      EXPECT_EQ(bytes.substr(0, magic.size()), magic);
      EXPECT_EQ(outcome.err, "");
      EXPECT_EQ(weir(scratch_, {"plan", "small.json", option, "again", "--lang", "zh_CN"}).code, 0);
      EXPECT_TRUE(read_file(scratch_ / "again") == bytes) << "another process gives other bytes";
    } else {
      EXPECT_EQ(outcome.code, 1);
      EXPECT_THAT(outcome.err, HasSubstr(package));
      EXPECT_EQ(outcome.out, "");
    }
  }
};

TEST_F(Paper, Pdf) { expect_file("--pdf", "p.pdf", "%PDF-1.", "qt6-base-dev"); }
TEST_F(Paper, Workbook) { expect_file("--xlsx", "p.xlsx", "PK\x03\x04", "libxlsxwriter-dev"); }

TEST_F(Paper, UnwritablePlaceIsFoundBeforeTheWork) {
  write_file(scratch_ / "file", "");
  for (const char* option : {"--pdf", "--xlsx"}) {
    const Outcome outcome = weir(scratch_, {"plan", "small.json", option, "file/p"});
    EXPECT_EQ(outcome.code, 1);
    EXPECT_EQ(outcome.out, "");
    EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
  }
}

}  // namespace
}  // namespace weir::cli::testing

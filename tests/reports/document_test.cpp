#include "reports/document.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <regex>
#include <set>

#include "document_walk.h"
#include "markup_check.h"
#include "real_decision.h"
#include "sample_decision.h"

namespace weir::reports::document {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// Words that stand in Chinese text as they are: terms, units, product names; and what the user named.
bool is_allowed(const std::string& word) {
  static const std::set<std::string> kTerms = {"Weir",
                                               "TTFT",
                                               "TPOT",
                                               "token",
                                               "SXM",
                                               "NVLink",
                                               "NVSwitch",
                                               "NVIDIA",
                                               "Llama",
                                               "BERT",
                                               "PCIe",
                                               "Ampere",
                                               "Hopper",
                                               "Turing",
                                               "Volta",
                                               "reduce",
                                               "clip",
                                               "cost",
                                               "overrides",
                                               "GEMM",
                                               "Test",
                                               "CUDA",
                                               "TensorRT",
                                               "FasterTransformer",
                                               "vLLM",
                                               "SGLang",
                                               "XLA",
                                               "Azure",
                                               "DeepLearningExamples"};
  static const std::set<std::string> kUserWords = {"interactive", "background", "online", "chat", "csv",  "sample",
                                                   "llama",       "bert",       "large",  "Chat", "more", "assistant"};
  return kTerms.contains(word) || kUserWords.contains(word);
}

/// Latin words of 4 letters and more that are no term. Codes with digits, dots, dashes or slashes are names.
std::vector<std::string> foreign_words(std::string text) {
  static const std::regex name(R"([A-Za-z0-9]*[A-Za-z][A-Za-z0-9]*([-_./][A-Za-z0-9]+)+)");
  static const std::regex with_digits(R"([A-Za-z]*[0-9][A-Za-z0-9]*)");
  static const std::regex word("[A-Za-z]{4,}");
  text = std::regex_replace(text, name, " ");
  text = std::regex_replace(text, with_digits, " ");
  std::vector<std::string> words;
  for (std::sregex_iterator at(text.begin(), text.end(), word), end; at != end; ++at) {
    if (!is_allowed(at->str())) words.push_back(at->str());
  }
  return words;
}

/// A citation stays in the language it was written in: the Chinese text must only not be an English sentence of ours.
bool is_citation(const std::string& where) { return where == "inputs/4" || where == "timing/2"; }
/// The key to write into a file is no word.
bool is_key(const std::string& where) { return where == "inputs/0 note"; }

void expect_chinese(const Decision& decision) {
  for (const auto& [where, text] : texts(decision_document(decision, Language::zh_CN))) {
    // What the engine says before a citation is Chinese.
    for (const char* phrase : {"median", "rows of", "no rows", "no source", "assumption", "share of", "prices in"})
      EXPECT_THAT(text, ::testing::Not(HasSubstr(phrase))) << where;
    if (is_citation(where) || is_key(where)) continue;
    EXPECT_THAT(foreign_words(text), IsEmpty()) << where << ": " << text;
  }
}

/// The points that the figures draw; each figure is drawn.
std::vector<std::size_t> points_of_figures(const Document& document) {
  std::vector<std::size_t> counts;
  for_each<Figures>(document, [&](const Figures& figures) {
    for (const Figure& figure : figures.figures) {
      charts::Layout layout;
      layout.language = document.language;
      std::size_t points = 0;
      for (const charts::Scene& scene : figure.draw(layout)) {
        EXPECT_FALSE(scene.title.empty());
        for (const charts::Plot& plot : scene.plots) {
          for (const charts::ReadableSeries& series : plot.series) points += series.points.size();
        }
      }
      counts.push_back(points);
    }
  });
  return counts;
}

void expect_the_same_in_both(const Decision& decision) {
  const Document english = decision_document(decision, Language::en);
  const Document chinese = decision_document(decision, Language::zh_CN);
  EXPECT_EQ(shape_of(english), shape_of(chinese));
  EXPECT_EQ(english.date, chinese.date);
  EXPECT_EQ(points_of_figures(english), points_of_figures(chinese));
}

void expect_whole_rows(const Decision& decision) {
  for_each<Table>(decision_document(decision, Language::en), [](const Table& table) {
    for (const Row& row : table.rows) {
      int columns = 0;
      for (const Cell& cell : row.cells) columns += cell.span;
      EXPECT_EQ(columns, static_cast<int>(table.columns.size())) << table.id;
    }
  });
}

void expect_well_formed(const std::string& html) {
  testing::MarkupCheck check(html, {"meta", "br"});
  EXPECT_EQ(check.problem(), "");
  const std::set<std::string> unique(check.ids().begin(), check.ids().end());
  EXPECT_EQ(unique.size(), check.ids().size());
}

/// The page, for people to look at too.
void expect_page(const Decision& decision, const std::string& name) {
  const std::filesystem::path folder = std::filesystem::path(WEIR_BINARY_DIR) / "report-pages";
  std::filesystem::create_directories(folder);
  for (const Language language : {Language::en, Language::zh_CN}) {
    const std::string html = decision_html(decision, language);
    expect_well_formed(html);
    EXPECT_EQ(html, decision_html(decision, language));
    std::ofstream(folder / (name + "-" + std::string(code_of(language)) + ".html")) << html;
  }
}

void expect_all(const Decision& decision, const std::string& name) {
  expect_chinese(decision);
  expect_the_same_in_both(decision);
  expect_whole_rows(decision);
  expect_page(decision, name);
}

// One test a scenario: each is planned in earnest.
TEST(Document, ChatScenario) {
  const Decision decision = testing::plan_scenario("llm-chat");
  expect_all(decision, "llm-chat");
  EXPECT_EQ(points_of_figures(decision_document(decision, Language::en)).size(), 5U);
}
TEST(Document, ClassificationScenario) {
  expect_all(testing::plan_scenario("bert-text-classification"), "bert-text-classification");
}
TEST(Document, EveryKindOfOption) { expect_all(testing::sample_decision(), "sample"); }
TEST(Document, NothingMeetsTheTargets) { expect_all(testing::infeasible_decision(), "infeasible"); }

TEST(Document, CoverStatesTheRecommendationInOneParagraph) {
  const auto lead = [](const Decision& decision, Language language) {
    std::string text;
    for_each<Paragraph>(decision_document(decision, language), [&](const Paragraph& p) {
      if (p.tone == Tone::lead) text += p.text;
    });
    return text;
  };
  // 232,000 owned, 360,000 rented; the server line is 200,000 and its price ranges to 130,000 of 100,000: 60,000 more.
  EXPECT_EQ(
      lead(testing::sample_decision(), Language::en),
      "Own 2 servers of 4 \u00d7 A100 SXM4 80GB at INT8. The 3-year TCO is $232k (P10\u2013P90 "
      "$210k\u2013260k), against $360k for renting the same set-up. Main risk: Price of a server, A100 SXM4 80GB; "
      "at 130,000 instead of 100,000 USD/server it adds $60.0k.");
  EXPECT_EQ(lead(testing::sample_decision(), Language::zh_CN),
            "自购 2 台 4 \u00d7 A100 SXM4 80GB 服务器（INT8）。3 年总成本为 23.2\u00a0万美元（P10–P90："
            "21.0\u201326.0\u00a0万美元）；同样配置租用需 36.0\u00a0万美元。主要风险：服务器价格（A100 SXM4 "
            "80GB）；若为 130,000 而非 100,000 美元/台，成本增加 6.00\u00a0万美元。");
  EXPECT_THAT(lead(testing::infeasible_decision(), Language::zh_CN), ::testing::StartsWith("2 个方案均不达标。"));
}

}  // namespace
}  // namespace weir::reports::document

#include "reports/document.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <regex>

#include "document_walk.h"
#include "real_decision.h"
#include "sample_decision.h"

namespace weir::reports::document {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::vector<Decision> all_decisions() {
  std::vector<Decision> all = {testing::sample_decision(), testing::infeasible_decision()};
  for (const char* name : testing::kBuiltinScenarios) all.push_back(testing::real_decision(name));
  return all;
}

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

TEST(Document, IsChineseThroughout) {
  for (const Decision& decision : all_decisions()) {
    for (const auto& [where, text] : texts(decision_document(decision, Language::zh_CN))) {
      if (is_citation(where) || is_key(where)) continue;
      EXPECT_THAT(foreign_words(text), IsEmpty()) << where << ": " << text;
    }
  }
}

TEST(Document, OnlyCitationsThatNoTableKnowsStayEnglish) {
  // What the engine says before the citation is Chinese.
  for (const auto& [where, text] : texts(decision_document(testing::real_decision("llm-chat"), Language::zh_CN))) {
    for (const char* phrase : {"median", "rows of", "no rows", "no source", "assumption", "share of", "prices in"})
      EXPECT_THAT(text, ::testing::Not(HasSubstr(phrase))) << where;
  }
}

TEST(Document, SaysTheSameInBothLanguages) {
  for (const Decision& decision : all_decisions()) {
    const Document english = decision_document(decision, Language::en);
    const Document chinese = decision_document(decision, Language::zh_CN);
    EXPECT_EQ(shape_of(english), shape_of(chinese));
    EXPECT_EQ(english.date, chinese.date);
  }
}

TEST(Document, IsDeterministic) {
  const Decision decision = testing::sample_decision();
  for (const Language language : {Language::en, Language::zh_CN})
    EXPECT_EQ(decision_html(decision, language), decision_html(testing::sample_decision(), language));
}

TEST(Document, EveryRowCoversEveryColumn) {
  for (const Decision& decision : all_decisions()) {
    for_each<Table>(decision_document(decision, Language::en), [](const Table& table) {
      for (const Row& row : table.rows) {
        int columns = 0;
        for (const Cell& cell : row.cells) columns += cell.span;
        EXPECT_EQ(columns, static_cast<int>(table.columns.size())) << table.id;
      }
    });
  }
}

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

TEST(Document, FiguresDrawTheSamePointsInBothLanguages) {
  const Decision& decision = testing::real_decision("llm-chat");
  std::vector<std::vector<std::size_t>> counts;
  for (const Language language : {Language::en, Language::zh_CN}) {
    counts.emplace_back();
    for_each<Figures>(decision_document(decision, language), [&](const Figures& figures) {
      for (const Figure& figure : figures.figures) {
        charts::Layout layout;
        layout.language = language;
        std::size_t points = 0;
        for (const charts::Scene& scene : figure.draw(layout)) {
          EXPECT_FALSE(scene.title.empty());
          for (const charts::Plot& plot : scene.plots) {
            for (const charts::ReadableSeries& series : plot.series) points += series.points.size();
          }
        }
        counts.back().push_back(points);
      }
    });
  }
  EXPECT_EQ(counts.front(), counts.back());
  EXPECT_GE(counts.front().size(), 5U);
}

/// The pages, for people to look at.
TEST(Document, PagesOfTheBuiltInScenarios) {
  const std::filesystem::path folder = std::filesystem::path(WEIR_BINARY_DIR) / "report-pages";
  std::filesystem::create_directories(folder);
  for (const char* name : testing::kBuiltinScenarios) {
    for (const Language language : {Language::en, Language::zh_CN}) {
      std::ofstream out(folder / (std::string(name) + "-" + std::string(code_of(language)) + ".html"));
      out << decision_html(testing::real_decision(name), language);
      EXPECT_TRUE(out.good());
    }
  }
  for (const Language language : {Language::en, Language::zh_CN}) {
    std::ofstream(folder / ("sample-" + std::string(code_of(language)) + ".html"))
        << decision_html(testing::sample_decision(), language);
    std::ofstream(folder / ("infeasible-" + std::string(code_of(language)) + ".html"))
        << decision_html(testing::infeasible_decision(), language);
  }
}

}  // namespace
}  // namespace weir::reports::document

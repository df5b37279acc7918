// qpdf's std::shared_ptr interface.
#define POINTERHOLDER_TRANSITION 4
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <QThread>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <qpdf/QPDF.hh>
#include <qpdf/QPDFOutlineDocumentHelper.hh>
#include <qpdf/QPDFPageDocumentHelper.hh>
#include <sstream>

#include "reports/paper.h"
#include "reports/qt/paint_scene.h"
#include "reports/qt/pdf.h"
#include "tests/reports/sample_decision.h"
#include "tests/reports_qt/sample_document.h"

namespace weir::reports {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// What a program says on its standard output.
std::string output_of(const std::string& command) {
  std::array<char, 4096> buffer{};
  std::string text;
  const std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen((command + " 2>/dev/null").c_str(), "r"), pclose);
  while (pipe && fgets(buffer.data(), static_cast<int>(buffer.size()), pipe.get()) != nullptr) text += buffer.data();
  return text;
}

bool has_program(const std::string& name) { return !output_of("command -v " + name).empty(); }

std::string without_line_breaks(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c != '\n' && c != '\f') out += c;
  }
  return out;
}

class Pdf : public ::testing::Test {
 protected:
  static void SetUpTestSuite() { qt::ensure_application(); }
  void TearDown() override {
    std::error_code ignored;
    fs::remove(file_, ignored);
  }
  std::string to_file(const std::string& bytes) {
    std::ofstream(file_, std::ios::binary) << bytes;
    return file_.string();
  }
  fs::path file_ = fs::temp_directory_path() / ("weir-pdf-" + std::to_string(getpid()) + ".pdf");
};

/// The parser reads from the bytes as long as it lives, so they live as long.
struct OpenedPdf {
  std::string bytes;
  QPDF parser;
};

std::shared_ptr<QPDF> opened(std::string bytes) {
  auto file = std::make_shared<OpenedPdf>();
  file->bytes = std::move(bytes);
  file->parser.processMemoryFile("test", file->bytes.data(), file->bytes.size());
  return {file, &file->parser};
}

TEST_F(Pdf, TheSameDocumentGivesTheSameBytes) {
  for (const Language language : {Language::en, Language::zh_CN}) {
    const std::string first = qt::document_pdf(testing::sample_document(language));
    sleep(1);  // a clock in the file would show
    EXPECT_TRUE(first == qt::document_pdf(testing::sample_document(language)));
    EXPECT_LT(first.size(), 300'000U);
  }
}

TEST_F(Pdf, AThreadGivesTheSameBytes) {
  const std::string here = qt::document_pdf(testing::sample_document(Language::zh_CN));
  std::string there;
  const std::unique_ptr<QThread> thread(
      QThread::create([&] { there = qt::document_pdf(testing::sample_document(Language::zh_CN)); }));
  thread->start();
  thread->wait();
  EXPECT_TRUE(here == there);
}

/// The other process of the test below; does nothing on its own.
TEST_F(Pdf, OtherProcess) {
  const char* file = std::getenv("WEIR_TEST_PDF");
  if (file == nullptr) GTEST_SKIP() << "runs as a child of AnotherProcessGivesTheSameBytes";
  std::ofstream(file, std::ios::binary) << qt::document_pdf(testing::sample_document(Language::zh_CN));
}

TEST_F(Pdf, AnotherProcessGivesTheSameBytes) {
  // Qt seeds its hash tables anew in every process, and writes some objects in their order.
  for (const char* seed : {"1", "20261130"}) {
    const std::string program = fs::read_symlink("/proc/self/exe").string();
    output_of(std::string("QT_HASH_SEED=") + seed + " WEIR_TEST_PDF=" + file_.string() + " " + program +
              " --gtest_filter=Pdf.OtherProcess");
    std::ifstream file(file_, std::ios::binary);
    std::stringstream there;
    there << file.rdbuf();
    EXPECT_TRUE(there.str() == qt::document_pdf(testing::sample_document(Language::zh_CN)));
  }
}

TEST_F(Pdf, OutlineLeadsToTheSections) {
  const auto file = opened(qt::document_pdf(testing::sample_document(Language::zh_CN)));
  std::vector<std::string> titles;
  std::vector<int> pages;
  const auto all = QPDFPageDocumentHelper(*file).getAllPages();
  for (auto& entry : QPDFOutlineDocumentHelper(*file).getTopLevelOutlines()) {
    titles.push_back(entry.getTitle());
    for (std::size_t p = 0; p < all.size(); ++p) {
      if (all[p].getObjectHandle().getObjGen() == entry.getDestPage().getObjGen()) pages.push_back(static_cast<int>(p));
    }
  }
  EXPECT_THAT(titles, ElementsAre("建议", "理由", "输入"));
  EXPECT_THAT(pages, ElementsAre(0, 1, 1));  // the inputs begin below the reasons
  EXPECT_EQ(file->getRoot().getKey("/Lang").getUTF8Value(), "zh-CN");
  auto info = file->getTrailer().getKey("/Info");
  EXPECT_EQ(info.getKey("/Title").getUTF8Value(), "客服对话服务：买几张卡，自有还是租用");
  EXPECT_EQ(info.getKey("/CreationDate").getUTF8Value(), "D:20260501000000Z");
  EXPECT_EQ(info.getKey("/ModDate").getUTF8Value(), "D:20260501000000Z");
}

TEST_F(Pdf, PagesAreA4AndNumbered) {
  const std::string bytes = qt::document_pdf(testing::sample_document(Language::en));
  const auto file = opened(bytes);
  const auto pages = QPDFPageDocumentHelper(*file).getAllPages();
  ASSERT_EQ(pages.size(), 4U);  // the cover, the reasons, and seventy inputs of two lines each
  for (auto page : pages) {
    const auto box = page.getObjectHandle().getKey("/MediaBox").getArrayAsRectangle();
    EXPECT_NEAR(box.urx - box.llx, 595.276, 1);
    EXPECT_NEAR(box.ury - box.lly, 841.89, 1);
  }
  if (!has_program("pdftotext")) GTEST_SKIP() << "needs pdftotext (Debian: poppler-utils)";
  const std::string text = output_of("pdftotext " + to_file(bytes) + " -");
  for (const char* number : {"Page 1 of 4", "Page 2 of 4", "Page 3 of 4", "Page 4 of 4"}) {
    EXPECT_THAT(text, HasSubstr(number));
  }
}

TEST_F(Pdf, TextIsFoundInBothLanguages) {
  if (!has_program("pdftotext")) GTEST_SKIP() << "needs pdftotext (Debian: poppler-utils)";
  const std::string chinese =
      output_of("pdftotext " + to_file(qt::document_pdf(testing::sample_document(Language::zh_CN))) + " -");
  EXPECT_THAT(without_line_breaks(chinese), HasSubstr(testing::recommendation(Language::zh_CN)));
  EXPECT_THAT(chinese, HasSubstr("第 1 页，共 3 页"));
  std::string english =
      output_of("pdftotext " + to_file(qt::document_pdf(testing::sample_document(Language::en))) + " -");
  for (char& c : english) c = c == '\n' ? ' ' : c;
  EXPECT_THAT(english, HasSubstr(testing::recommendation(Language::en)));
}

TEST_F(Pdf, EveryFontIsEmbeddedWithItsCharacters) {
  const auto file = opened(qt::document_pdf(testing::sample_document(Language::zh_CN)));
  int fonts = 0;
  for (auto& object : file->getAllObjects()) {
    if (!object.isDictionary() || !object.hasKey("/Type")) continue;
    if (object.getKey("/Type").isNameAndEquals("/FontDescriptor")) {
      EXPECT_TRUE(object.hasKey("/FontFile") || object.hasKey("/FontFile2") || object.hasKey("/FontFile3"));
      ++fonts;
    }
    if (object.getKey("/Type").isNameAndEquals("/Font") && object.getKey("/Subtype").isNameAndEquals("/Type0")) {
      EXPECT_TRUE(object.hasKey("/ToUnicode"));
    }
  }
  EXPECT_GE(fonts, 2);
}

TEST_F(Pdf, NoWordLiesOutsideTheMargins) {
  if (!has_program("pdftotext")) GTEST_SKIP() << "needs pdftotext (Debian: poppler-utils)";
  constexpr double kMargin = 48;
  for (const Language language : {Language::en, Language::zh_CN}) {
    std::istringstream lines(
        output_of("pdftotext -bbox " + to_file(qt::document_pdf(testing::sample_document(language))) + " -"));
    int checked = 0;
    for (std::string line; std::getline(lines, line);) {
      double left = 0, top = 0, right = 0, bottom = 0;
      if (std::sscanf(line.c_str(), " <word xMin=\"%lf\" yMin=\"%lf\" xMax=\"%lf\" yMax=\"%lf\"", &left, &top, &right,
                      &bottom) != 4) {
        continue;
      }
      EXPECT_GE(left, kMargin - 1) << line;
      EXPECT_LE(right, 595.3 - kMargin + 1) << line;
      EXPECT_GE(top, 30) << line;
      EXPECT_LE(bottom, 841.9 - 40) << line;
      ++checked;
    }
    EXPECT_GT(checked, 300);
  }
}

TEST_F(Pdf, TableHeadsAreRepeatedOnEveryPage) {
  if (!has_program("pdftotext")) GTEST_SKIP() << "needs pdftotext (Debian: poppler-utils)";
  const std::string file = to_file(qt::document_pdf(testing::sample_document(Language::en)));
  for (const char* page : {"2", "3", "4"}) {
    const std::string text = output_of("pdftotext -f " + std::string(page) + " -l " + page + " " + file + " -");
    EXPECT_THAT(text, HasSubstr("Range")) << page;
    EXPECT_THAT(text, HasSubstr("Source")) << page;
  }
}

TEST_F(Pdf, ATableKeepsItsLastTwoRowsTogether) {
  if (!has_program("pdftotext")) GTEST_SKIP() << "needs pdftotext (Debian: poppler-utils)";
  for (int rows = 20; rows < 50; ++rows) {
    document::Document d = testing::sample_document(Language::en);
    document::Section only;
    only.title = "Inputs";
    only.blocks = {testing::input_table(Language::en, rows)};
    d.sections = {only};
    const std::string file = to_file(qt::document_pdf(d));
    const std::string pages = output_of("pdftotext -f 2 " + file + " -");
    if (pages.empty()) continue;
    EXPECT_THAT(pages, HasSubstr("Input number " + std::to_string(rows))) << rows;
    EXPECT_THAT(pages, HasSubstr("Input number " + std::to_string(rows - 1))) << rows;
  }
}

TEST_F(Pdf, ExpendableColumnsGoBeforeAnythingShrinks) {
  if (!has_program("pdftotext")) GTEST_SKIP() << "needs pdftotext (Debian: poppler-utils)";
  document::Document d = testing::sample_document(Language::en);
  document::Table table;
  document::Row row;
  for (int i = 0; i < 14; ++i) {
    table.columns.push_back(testing::column("column" + std::to_string(i), document::Align::right));
    table.columns.back().expendable = i == 5 ? 2 : i == 9 ? 1 : 0;
    row.cells.push_back(testing::cell("123,456"));
  }
  table.rows = {row, row};
  document::Section only;
  only.title = "Wide";
  only.blocks = {table};
  d.sections = {only};
  const std::string text = output_of("pdftotext " + to_file(qt::document_pdf(d)) + " -");
  EXPECT_THAT(text, ::testing::Not(HasSubstr("column5")));
  EXPECT_THAT(text, HasSubstr("column13"));
}

TEST_F(Pdf, WritesDecisionsOfEveryKind) {
  ASSERT_TRUE(can_write_pdf());
  for (const Decision& decision : {testing::sample_decision(), testing::infeasible_decision()}) {
    for (const Language language : {Language::en, Language::zh_CN}) {
      const std::string bytes = decision_pdf(decision, language);
      EXPECT_TRUE(bytes == decision_pdf(decision, language));
      EXPECT_GE(QPDFPageDocumentHelper(*opened(bytes)).getAllPages().size(), 2U);
      EXPECT_LT(bytes.size(), 1'000'000U);
    }
  }
}

TEST_F(Pdf, AHostileTitleIsOnlyText) {
  document::Document d = testing::sample_document(Language::en);
  d.title = "(a) \\ <<b>> %c \xe2\x80\xae\xf0\x9f\x98\x80 " + std::string(3'000, 'x');
  const std::string bytes = qt::document_pdf(d);
  EXPECT_EQ(opened(bytes)->getTrailer().getKey("/Info").getKey("/Title").getUTF8Value(), d.title);
}

}  // namespace
}  // namespace weir::reports

#include "reports/format.h"
#include "reports/html_parts.h"

namespace weir::reports {
namespace {

using namespace document;  // NOLINT(google-build-using-namespace): the blocks of the model

/// Writes the blocks of a document one after the other.
class Page {
 public:
  explicit Page(const Document& document) : document_(document) {}

  std::string body() {
    for (std::size_t i = 0; i < document_.sections.size(); ++i) {
      const Section& s = document_.sections[i];
      out_ += std::string("<section") + (s.new_page ? " class=\"new-page\"" : "") + " aria-label=\"" +
              escape_markup(s.title) + "\">\n";
      if (i == 0) title();
      section(s);
      out_ += "</section>\n";
    }
    return std::move(out_);
  }

 private:
  void title() {
    out_ += "<p class=\"subject\">" + escape_markup(document_.subject) + "</p>\n<h1>" + escape_markup(document_.title) +
            "</h1>\n";
  }

  void section(const Section& s) {
    for (std::size_t i = 0; i < s.blocks.size(); ++i) {
      // The bar and the words that judge it stand side by side.
      const bool words_follow = i + 2 < s.blocks.size() && std::holds_alternative<Heading>(s.blocks[i + 1]) &&
                                std::holds_alternative<Paragraph>(s.blocks[i + 2]);
      const bool split = std::holds_alternative<EvidenceBar>(s.blocks[i]) && words_follow;
      if (!split) {
        add(s.blocks[i]);
        continue;
      }
      out_ += "<div class=\"split\">\n";
      add(s.blocks[i]);
      out_ += "<div>";
      add(s.blocks[++i]);
      add(s.blocks[++i]);
      out_ += "</div></div>\n";
    }
  }

  void add(const Block& block) {
    std::visit([this](const auto& b) { write(b); }, block);
  }

  void write(const Heading& heading) {
    const std::string name = "h" + std::to_string(heading.level);
    out_ += "<" + name + ">" + escape_markup(heading.text) + "</" + name + ">\n";
  }
  void write(const Paragraph& paragraph) {
    switch (paragraph.tone) {
      case Tone::body:
        out_ += "<p>";
        break;
      case Tone::lead:
        out_ += "<p class=\"lead\">";
        break;
      case Tone::quiet:
        out_ += "<p class=\"quiet\">";
        break;
      case Tone::problem:
        out_ += "<p class=\"problem\">! ";
        break;
    }
    out_ += escape_markup(paragraph.text) + "</p>\n";
  }
  void write(const List& list) {
    out_ += "<ul>\n";
    for (const std::string& item : list.items)
      out_ += "<li>" + (list.mark ? html::mark(*list.mark, document_.language) + " " : std::string()) +
              escape_markup(item) + "</li>\n";
    out_ += "</ul>\n";
  }
  void write(const KeyFigures& figures) {
    out_ += "<dl class=\"figures\">\n";
    for (const KeyFigure& figure : figures.figures) {
      out_ += "<div><dt>" + escape_markup(figure.name) + "</dt><dd class=\"big\">" + escape_markup(figure.value) +
              "</dd><dd class=\"sub\">" + escape_markup(figure.note) + "</dd></div>\n";
    }
    out_ += "</dl>\n";
  }
  void write(const Table& table) { out_ += html::table(table, document_.language); }
  void write(const Figures& figures) { out_ += html::figures(figures, document_.language, figure_count_); }
  void write(const EvidenceBar& bar) { out_ += html::evidence_bar(bar, document_.language); }

  const Document& document_;
  std::string out_;
  int figure_count_ = 0;
};

}  // namespace

std::string decision_html(const Decision& decision, Language language) {
  const Document document = document::decision_document(decision, language);
  const std::string title = escape_markup(document.title);
  std::string out = std::string("<!DOCTYPE html>\n<html lang=\"") + (language == Language::zh_CN ? "zh-CN" : "en") +
                    "\">\n<head>\n<meta charset=\"utf-8\">\n"
                    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>" +
                    title + " \u2013 " + escape_markup(document.subject) + "</title>\n<style>" +
                    html::style_sheet(document) + "</style>\n</head>\n<body>\n";
  out += "<header><span class=\"brand\">\u5830 Weir</span><span>" + escape_markup(document.date) +
         "</span></header>\n<main>\n" + Page(document).body();
  return out + "</main>\n<footer>" + escape_markup(document.footer) + "</footer>\n</body>\n</html>\n";
}

}  // namespace weir::reports

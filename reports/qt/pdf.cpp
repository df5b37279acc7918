#include "reports/qt/pdf.h"

#include <QBuffer>
#include <QMarginsF>
#include <QPageSize>
#include <QPainter>
#include <QPdfWriter>

#include <algorithm>

#include "data/errors.h"
#include "reports/qt/pdf_blocks.h"
#include "reports/qt/pdf_finish.h"

namespace weir::reports::qt {
namespace {

using charts::Role;
using namespace pdf;

constexpr double kHeader = 30, kFooter = 24;  // pt of the text area's ends that they take
const TextStyle kQuiet{kSmall, Role::text_secondary, false};

/// All pages of a document: laid out first, because a footer says how many there are.
class Report {
 public:
  explicit Report(const document::Document& document)
      : document_(document),
        flow_({kMargin, kPageHeight - kMargin - kFooter}, {kMargin + kHeader, kPageHeight - kMargin - kFooter}) {
    add_masthead();
    for (std::size_t i = 0; i < document_.sections.size(); ++i) add_section(i);
  }

  std::string bytes() const {
    QByteArray raw;
    QBuffer buffer(&raw);
    buffer.open(QIODevice::WriteOnly);
    paint(buffer);
    About about{document_.title, document_.subject, document_.language == Language::zh_CN ? "zh-CN" : "en",
                document_.date};
    return finish(raw.toStdString(), about, outline_);
  }

 private:
  /// The name of the program, the subject and the title of the scenario, on top of the first page.
  void add_masthead() {
    std::vector<Piece> pieces;
    pieces.push_back(
        {.height = line_height(kLarge) + 22, .keep_with_next = true, .draw = [this](QPainter& p, QPointF at) {
           draw_text(p, at, words("\u5830 Weir"), {kLarge, Role::text, false});
           const QString date = words(document_.date);
           draw_text(p, {at.x() + kTextWidth - text_width(date, kQuiet), at.y() + 3}, date, kQuiet);
         }});
    const auto add = [&](const std::string& text, const TextStyle& style) {
      for (Piece& piece : text_pieces(words(text), style, kTextWidth)) {
        piece.keep_with_next = true;
        pieces.push_back(std::move(piece));
      }
    };
    add(document_.subject, {kBody, Role::text_secondary, false});
    pieces.back().height += 3;
    add(document_.title, {kHuge, Role::text, false});
    pieces.back().height += 3;
    masthead_ = std::move(pieces);
  }

  static Piece heavy_rule() {
    return {.height = 12, .space_before = 0, .keep_with_next = true, .draw = [](QPainter& p, QPointF at) {
              draw_rule(p, at.x(), at.y() + 8, kTextWidth, Role::text, 1.1);
            }};
  }

  void add_section(std::size_t index) {
    const document::Section& section = document_.sections[index];
    if (section.new_page || index == 1) flow_.new_page();
    const std::vector<Piece> pieces = index == 0 ? cover_pieces(section) : pieces_of(section, 0);
    const std::size_t page_before = flow_.page();
    const std::size_t placed_before = flow_.pages().back().pieces.size();
    flow_.add(pieces);
    mark_section(section, page_before, placed_before);
  }

  std::vector<Piece> pieces_of(const document::Section& section, std::size_t first_block) const {
    std::vector<Piece> pieces;
    const auto& blocks = section.blocks;
    for (std::size_t i = first_block; i < blocks.size(); ++i) {
      const auto* bar = std::get_if<document::EvidenceBar>(&blocks[i]);
      const auto* heading = i + 2 < blocks.size() ? std::get_if<document::Heading>(&blocks[i + 1]) : nullptr;
      const auto* paragraph = i + 2 < blocks.size() ? std::get_if<document::Paragraph>(&blocks[i + 2]) : nullptr;
      if (bar != nullptr && heading != nullptr && heading->level >= 3 && paragraph != nullptr) {
        pieces.push_back(evidence_beside(*bar, *heading, *paragraph, document_.language));
        i += 2;
      } else {
        append(pieces, blocks[i]);
        if (i > 0 && i + 1 < blocks.size() && introduces(blocks[i - 1], blocks[i], blocks[i + 1])) keep_last(pieces);
      }
    }
    return pieces;
  }

  /// The cover is one page: its wide figure is as high as the rest leaves room for.
  std::vector<Piece> cover_pieces(document::Section section) const {
    const std::vector<Piece> pieces = masthead_and(section);
    double height = 0;
    for (const Piece& piece : pieces) height += piece.space_before + piece.height;
    constexpr double kLowest = 170, kHighest = 420;  // px
    for (document::Block& block : section.blocks) {
      auto* figures = std::get_if<document::Figures>(&block);
      if (figures == nullptr || figures->figures.size() != 1 || !figures->figures.front().wide) continue;
      document::Figure& figure = figures->figures.front();
      figure.height = std::clamp(figure.height + (flow_.room() - height) / kPointsPerPx - 1, kLowest, kHighest);
      return masthead_and(section);
    }
    return pieces;
  }

  std::vector<Piece> masthead_and(const document::Section& section) const {
    std::vector<Piece> pieces = masthead_;
    // Quiet paragraphs that open the cover say what was looked at: they stand below the title, above the rule.
    std::size_t block = 0;
    while (block < section.blocks.size() && is_quiet(section.blocks[block])) append(pieces, section.blocks[block++]);
    for (Piece& piece : pieces) piece.keep_with_next = true;
    pieces.push_back(heavy_rule());
    for (Piece& piece : pieces_of(section, block)) pieces.push_back(std::move(piece));
    return pieces;
  }

  /// A paragraph between a heading and what both speak of.
  static bool introduces(const document::Block& before, const document::Block& block, const document::Block& after) {
    return std::holds_alternative<document::Heading>(before) && std::holds_alternative<document::Paragraph>(block) &&
           (std::holds_alternative<document::Table>(after) || std::holds_alternative<document::Figures>(after));
  }

  /// A heading and the few lines below it stay with what follows.
  static void keep_last(std::vector<Piece>& pieces) {
    constexpr std::size_t kFewLines = 4;
    const std::size_t from = pieces.size() - std::min(pieces.size(), kFewLines);
    for (std::size_t i = pieces.size(); i > from && !pieces[i - 1].repeat; --i) pieces[i - 1].keep_with_next = true;
  }

  static bool is_quiet(const document::Block& block) {
    const auto* paragraph = std::get_if<document::Paragraph>(&block);
    return paragraph != nullptr && paragraph->tone == document::Tone::quiet;
  }

  void append(std::vector<Piece>& pieces, const document::Block& block) const {
    for (Piece& piece : block_pieces(block, document_.language)) pieces.push_back(std::move(piece));
  }

  /// The outline leads to where the first piece of the section came to stand.
  void mark_section(const document::Section& section, std::size_t page, std::size_t placed) {
    if (placed >= flow_.pages()[page].pieces.size()) {
      ++page;
      placed = 0;
    }
    if (page >= flow_.pages().size() || section.title.empty()) return;
    outline_.push_back({section.title, page, flow_.pages()[page].pieces[placed].y});
  }

  void paint(QBuffer& buffer) const {
    QPdfWriter writer(&buffer);
    writer.setResolution(72 * kUnitsPerPoint);
    writer.setPageSize(QPageSize(QPageSize::A4));
    writer.setPageMargins(QMarginsF(0, 0, 0, 0));
    writer.setTitle(words(document_.title));
    QPainter painter;
    if (!painter.begin(&writer)) throw data::SystemError("the PDF could not be begun");
    painter.setRenderHint(QPainter::Antialiasing);
    for (std::size_t i = 0; i < flow_.pages().size(); ++i) {
      if (i > 0) writer.newPage();
      for (const Placed& piece : flow_.pages()[i].pieces) piece.draw(painter, {kMargin, piece.y});
      if (i > 0) draw_header(painter);
      draw_footer(painter, i);
    }
    painter.end();
  }

  void draw_header(QPainter& painter) const {
    const QString subject = words(document_.subject);
    const double subject_width = text_width(subject, kQuiet);
    const double room = kTextWidth - subject_width - 18;
    draw_text(painter, {kMargin, kMargin - 8}, elided(words(document_.title), kQuiet, room), kQuiet);
    draw_text(painter, {kMargin + kTextWidth - subject_width, kMargin - 8}, subject, kQuiet);
  }

  void draw_footer(QPainter& painter, std::size_t page) const {
    const double y = kPageHeight - kMargin - line_height(kSmall);
    const QString number =
        words(say(document_.language, "Page {page} of {pages}",
                  {{"page", std::to_string(page + 1)}, {"pages", std::to_string(flow_.pages().size())}}));
    const double number_width = text_width(number, kQuiet);
    draw_rule(painter, kMargin, y - 5, kTextWidth, Role::grid, 0.6);
    draw_text(painter, {kMargin, y}, elided(words(document_.footer), kQuiet, kTextWidth - number_width - 18), kQuiet);
    draw_text(painter, {kMargin + kTextWidth - number_width, y}, number, kQuiet);
  }

  const document::Document& document_;
  Flow flow_;
  std::vector<Piece> masthead_;
  std::vector<OutlineEntry> outline_;
};

}  // namespace

std::string document_pdf(const document::Document& document) { return Report(document).bytes(); }

}  // namespace weir::reports::qt

#pragma once

#include <string>
#include <utility>
#include <vector>

#include "reports/document.h"

/// Goes through everything that a document says.
namespace weir::reports::document {

template <class Wanted, class Visit>
void for_each(const Document& document, const Visit& visit) {
  for (const Section& section : document.sections) {
    for (const Block& block : section.blocks) {
      if (const Wanted* found = std::get_if<Wanted>(&block)) visit(*found);
    }
  }
}

/// Every text with its place: "options/3" is the fourth cell of a row of that table.
class Texts {
 public:
  std::vector<std::pair<std::string, std::string>> all;

  void add(const std::string& where, const std::string& text) {
    if (!text.empty()) all.emplace_back(where, text);
  }
  void operator()(const Heading& heading) { add("heading", heading.text); }
  void operator()(const Paragraph& paragraph) { add("paragraph", paragraph.text); }
  void operator()(const List& list) {
    for (const std::string& item : list.items) add("list", item);
  }
  void operator()(const KeyFigures& figures) {
    for (const KeyFigure& figure : figures.figures) {
      add("figure name", figure.name);
      add("figure value", figure.value);
      add("figure note", figure.note);
    }
  }
  void operator()(const EvidenceBar& bar) { add("bar", bar.title); }
  void operator()(const Figures& figures) {
    for (const Figure& figure : figures.figures) add("caption of " + figure.id, figure.caption);
  }
  void operator()(const Table& table) {
    add(table.id + " caption", table.caption);
    for (const Column& column : table.columns) add(table.id + " head", column.head);
    for (const Row& row : table.rows) {
      for (std::size_t i = 0; i < row.cells.size(); ++i) {
        const std::string where = table.id + "/" + std::to_string(i);
        add(where, row.cells[i].text);
        add(where, row.cells[i].muted);
        add(where + " note", row.cells[i].note);
      }
    }
  }
};

inline std::vector<std::pair<std::string, std::string>> texts(const Document& document) {
  Texts texts;
  texts.add("title", document.title);
  texts.add("subject", document.subject);
  texts.add("footer", document.footer);
  for (const Section& section : document.sections) {
    texts.add("section", section.title);
    for (const Block& block : section.blocks) std::visit(texts, block);
  }
  return std::move(texts.all);
}

/// Which blocks there are, how many rows and items they have and what stands in their numbers: without words.
inline std::string shape_of(const Document& document) {
  std::string shape;
  for (const Section& section : document.sections) {
    shape += section.new_page ? "page\n" : "section\n";
    for (const Block& block : section.blocks) {
      shape += std::to_string(block.index());
      if (const auto* table = std::get_if<Table>(&block)) {
        shape +=
            " " + table->id + " " + std::to_string(table->columns.size()) + "x" + std::to_string(table->rows.size());
        for (const Row& row : table->rows) {
          shape += row.chosen ? " *" : row.total ? " =" : " -";
          for (const Cell& cell : row.cells) {
            shape += std::to_string(cell.span) +
                     std::string(cell.mark ? data::to_string(*cell.mark).substr(0, 3) : std::string_view()) +
                     (cell.marker ? "m" : "");
            if (cell.strip) shape += std::to_string(cell.strip->value);
          }
        }
      }
      if (const auto* list = std::get_if<List>(&block)) shape += " " + std::to_string(list->items.size());
      if (const auto* figures = std::get_if<Figures>(&block)) {
        for (const Figure& figure : figures->figures) shape += " " + figure.id;
      }
      if (const auto* bar = std::get_if<EvidenceBar>(&block)) {
        for (const auto& [evidence, count] : bar->counts) shape += " " + std::to_string(count);
      }
      shape += "\n";
    }
  }
  return shape;
}

}  // namespace weir::reports::document

#pragma once

#include <functional>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "data/evidence.h"
#include "reports/charts/figures.h"
#include "reports/language.h"
#include "reports/report.h"

/// What a report says, apart from how it looks: built once from a decision in one language, then written as HTML, as
/// PDF, and (its tables) as XLSX. All text is final: translated, numbers spelled.
namespace weir::reports::document {

/// A range on a scale shared by its column: P10 to P90 and the planning value.
struct Strip {
  double p10 = 0, value = 0, p90 = 0;
  charts::Role role = charts::Role::owned;
};

struct Marker {
  charts::Shape shape = charts::Shape::circle;
  charts::Role role = charts::Role::owned;
  bool hollow = false;
};

struct Cell {
  std::string text;
  std::string muted;                     ///< second part, quieter: "H800 SXM5 80GB" + "owned"
  std::optional<data::Evidence> mark;    ///< drawn in a gutter before the text
  std::optional<Marker> marker;          ///< of the option
  std::optional<Strip> strip;            ///< instead of text
  std::string note;                      ///< where the value comes from: tooltip, comment
  bool strong = false, problem = false;  ///< problem: a sign and the colour of problems
  int span = 1;                          ///< columns it covers
};

enum class Align { left, right };

struct Column {
  std::string head;  ///< up to two lines, separated by '\n'
  Align align = Align::left;
  double weight = 1;                     ///< share of spare width a column of words takes; 0 = only what it needs
  double strip_low = 0, strip_high = 0;  ///< scale of a column of strips, in its amounts
  std::string strip_low_text, strip_high_text;
  int expendable = 0;  ///< on narrow paper the most expendable columns go first; 0 is never left out
};

struct Row {
  std::vector<Cell> cells;
  bool chosen = false, total = false;
};

struct Table {
  std::string id;  ///< "options", "cost_lines.1"
  std::vector<Column> columns;
  std::vector<Row> rows;
  bool small = false;        ///< long lists of inputs
  bool mark_legend = false;  ///< explain the marks below it
  std::string caption;
};

struct Heading {
  std::string text;
  int level = 2;
};

enum class Tone { body, lead, quiet, problem };
struct Paragraph {
  std::string text;
  Tone tone = Tone::body;
};

struct List {
  std::vector<std::string> items;
  std::optional<data::Evidence> mark;
};

/// "3-year TCO", "$835k", "P10-P90 $743k-927k".
struct KeyFigure {
  std::string name, value, note;
};
struct KeyFigures {
  std::vector<KeyFigure> figures;
};

/// One figure: one or more panels laid out for the width they get.
struct Figure {
  std::string id;
  std::function<std::vector<charts::Scene>(const charts::Layout&)> draw;
  std::string caption;
  bool wide = false;    ///< the whole width of the page; else half
  double height = 300;  ///< px for a half-width figure on screen
};
struct Figures {
  std::vector<Figure> figures;
};

/// How many inputs are known how: drawn as one bar.
struct EvidenceBar {
  std::string title;
  std::vector<std::pair<data::Evidence, int>> counts;
};

using Block = std::variant<Heading, Paragraph, List, KeyFigures, Table, Figures, EvidenceBar>;

/// The first section is the cover: on paper it is page one.
struct Section {
  std::string title;  ///< in the outline
  std::vector<Block> blocks;
  bool new_page = false;
};

struct Document {
  Language language = Language::en;
  std::string title;    ///< of the scenario
  std::string subject;  ///< "GPU inference: capacity and cost"
  std::string footer;   ///< what it was made from: version, scenario, seed, catalogue date
  std::string date;     ///< "2026-05-01", of the price catalogue: a report has no clock
  std::vector<Section> sections;
};

/// The whole decision report.
Document decision_document(const Decision& decision, Language language);

}  // namespace weir::reports::document

#include <algorithm>
#include <set>

#include "reports/charts/palette.h"
#include "reports/decision_view.h"
#include "reports/html_parts.h"

namespace weir::reports::html {
namespace {

using document::Align;
using document::Cell;
using document::Column;
using document::Row;
using document::Table;

std::string escaped_lines(const std::string& text) {
  std::string out = escape_markup(text);
  for (std::size_t at = out.find('\n'); at != std::string::npos; at = out.find('\n', at)) out.replace(at, 1, "<br>");
  return out;
}

/// Of the width of a table with several columns of words, what these share.
constexpr double kWordsPercent = 70;

/// A page is too narrow for the most expendable columns.
bool screen_only(const Column& column) { return column.expendable >= 4; }

std::string head(const Table& table) {
  std::string out = "<thead><tr>";
  double words = 0;
  for (const Column& column : table.columns) words += column.weight;
  for (const Column& column : table.columns) {
    std::string all = column.align == Align::right ? "num" : "";
    if (screen_only(column)) all += all.empty() ? "wide-only" : " wide-only";
    out += all.empty() ? "<th" : "<th class=\"" + all + "\"";
    if (column.weight > 0 && words > column.weight)
      out += " style=\"width:" + fixed(kWordsPercent * column.weight / words, 0) + "%\"";
    out += ">";
    out += escaped_lines(column.head);
    if (!column.strip_low_text.empty()) {
      out += "<div class=\"ends\"><span>" + escape_markup(column.strip_low_text) + "</span><span>" +
             escape_markup(column.strip_high_text) + "</span></div>";
    }
    out += "</th>";
  }
  return out + "</tr></thead>\n";
}

/// A sign and a word in the colour of problems, then the sentence.
std::string problem(const Cell& cell) {
  std::string out = "<span class=\"problem\">\u2715 " + escape_markup(cell.text) + "</span>";
  return cell.muted.empty() ? out : out + " " + escape_markup(cell.muted);
}

std::string content(const Cell& cell, const Column& column, Language language) {
  if (cell.strip) return range_strip(*cell.strip, column, cell.note);
  if (cell.problem) return problem(cell);
  std::string out;
  if (cell.mark) out += mark(*cell.mark, language);
  std::string text = escape_markup(cell.text);
  if (cell.strong && column.align == Align::left) text = "<b>" + text + "</b>";
  if (cell.marker) text = "<span class=\"name\">" + option_marker(*cell.marker) + text + "</span>";
  out += text;
  if (!cell.muted.empty())
    out +=
        (cell.text.empty() ? "" : " ") + std::string("<span class=\"muted\">") + escape_markup(cell.muted) + "</span>";
  return out;
}

std::string classes(const Cell& cell, const Column& column) {
  std::string all;
  const auto add = [&](const char* name) { all += (all.empty() ? "" : " ") + std::string(name); };
  const bool words = cell.span > 1 || column.align == Align::left;
  if (!words) add("num");
  if (words && cell.span == 1 && column.weight == 0) add("nowrap");
  if (!words && cell.strong) add("strong");
  if (cell.span == 1 && screen_only(column)) add("wide-only");
  return all;
}

std::string row(const Row& row, const Table& table, Language language) {
  std::string out = row.chosen ? "<tr class=\"chosen\">" : row.total ? "<tr class=\"total\">" : "<tr>";
  std::size_t column = 0;
  for (const Cell& cell : row.cells) {
    const Column& about = table.columns.at(column);
    out += "<td";
    if (const std::string all = classes(cell, about); !all.empty()) out += " class=\"" + all + "\"";
    if (cell.span > 1) out += " colspan=\"" + std::to_string(cell.span) + "\"";
    if (!cell.note.empty()) out += " title=\"" + escape_markup(cell.note) + "\"";
    out += ">" + content(cell, about, language) + "</td>";
    column += static_cast<std::size_t>(cell.span);
  }
  return out + "</tr>\n";
}

std::string swatch(charts::Role role, const char* dash, const std::string& word) {
  return "<span><svg width=\"26\" height=\"8\" viewBox=\"0 0 26 8\" aria-hidden=\"true\"><path d=\"M0 4H26\" "
         "stroke-width=\"2.5\" stroke=\"" +
         charts::to_hex(charts::colour(role, charts::Theme::light)) + "\"" + dash + "/></svg> " + escape_markup(word) +
         "</span>";
}

std::string legend(const Table& table, Language language) {
  std::set<data::Evidence> marks;
  std::set<charts::Role> roles;
  for (const Row& r : table.rows) {
    for (const Cell& cell : r.cells) {
      if (cell.mark) marks.insert(*cell.mark);
      if (cell.marker) roles.insert(cell.marker->role);
    }
  }
  if (marks.empty() && roles.empty()) return "";
  std::string out = "<p class=\"legend\">";
  if (!marks.empty()) out += "<span>" + escape_markup(say(language, "Weakest input known from:")) + "</span>";
  for (const data::Evidence evidence : marks)
    out +=
        "<span>" + mark(evidence, language) + " " + escape_markup(evidence_long_word(evidence, language)) + "</span>";
  if (roles.contains(charts::Role::owned)) out += swatch(charts::Role::owned, "", say(language, "owned"));
  if (roles.contains(charts::Role::rented))
    out += swatch(charts::Role::rented, " stroke-dasharray=\"7 3\"", say(language, "rented"));
  return out + "</p>\n";
}

}  // namespace

std::string table(const Table& table, Language language) {
  std::string out = "<div class=\"scroll\"><table";
  const bool no_words =
      std::none_of(table.columns.begin(), table.columns.end(), [](const Column& c) { return c.weight > 0; });
  if (table.small || no_words) out += table.small ? " class=\"small\"" : " class=\"narrow\"";
  out += ">\n" + head(table) + "<tbody>\n";
  for (const Row& r : table.rows) out += row(r, table, language);
  out += "</tbody></table></div>\n";
  if (table.mark_legend) out += legend(table, language);
  if (!table.caption.empty()) out += "<p class=\"caption\">" + escape_markup(table.caption) + "</p>\n";
  return out;
}

}  // namespace weir::reports::html

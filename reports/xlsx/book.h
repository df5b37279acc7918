#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

struct lxw_workbook;
struct lxw_worksheet;
struct lxw_format;

/// A thin layer over libxlsxwriter: text that is never a formula, formulas that always carry their value, columns as
/// wide as what stands in them, and bytes that do not depend on the clock.
namespace weir::reports::xlsx {

enum class Look {
  title,
  lead,        ///< the answer
  note,        ///< quiet, runs over the cells to its right
  section,     ///< heading of a table
  group,       ///< of columns
  head,        ///< of a column of words
  head_right,  ///< of a column of numbers
  words,
  quiet,          ///< words of less weight
  quiet_wrapped,  ///< sentences
  strong,
  number,
  strong_number,
  total,  ///< number with a rule above and below
  total_words,
  input,   ///< number that the reader may change
  absent,  ///< the sign of what does not apply
};

/// Number formats.
inline constexpr const char* kWhole = "#,##0";
inline constexpr const char* kCents = "#,##0.00";
inline constexpr const char* kPlain = "General";
inline constexpr const char* kShare = "0.0%";
inline constexpr const char* kFactor = "0.0000";

/// "B7", "$B$7"; rows and columns count from 0.
std::string cell_name(std::uint32_t row, std::uint16_t column);
std::string fixed_cell(std::uint32_t row, std::uint16_t column);
/// "'Cash flow 1'!"
std::string sheet_prefix(const std::string& sheet);

class Book;

class Sheet {
 public:
  void words(std::uint32_t row, std::uint16_t column, std::string_view text, Look look = Look::words);
  /// Not a number when `value` is not finite: then the sign of what does not apply.
  void number(std::uint32_t row, std::uint16_t column, double value, const char* format, Look look = Look::number);
  /// `formula` without "="; `value` is what it gives as the workbook is written.
  void formula(std::uint32_t row, std::uint16_t column, const std::string& formula, double value, const char* format,
               Look look = Look::number);
  void words_formula(std::uint32_t row, std::uint16_t column, const std::string& formula, const std::string& value,
                     Look look = Look::words);
  void absent(std::uint32_t row, std::uint16_t column);
  /// Nothing, but with the rules of the row.
  void blank(std::uint32_t row, std::uint16_t column);
  void group(std::uint32_t row, std::uint16_t first, std::uint16_t last, std::string_view text);
  void at_least(std::uint16_t column, double width);
  void at_most(std::uint16_t column, double width);
  void row_height(std::uint32_t row, double points);
  /// Rows and columns that stay in sight; the rows `repeat_from` .. `rows` - 1 head every printed page.
  void freeze(std::uint32_t rows, std::uint16_t columns, std::uint32_t repeat_from);
  /// Printed over this many pages side by side, each with the first columns.
  void pages_wide(std::uint16_t pages, std::uint16_t repeated_columns);
  const std::string& name() const { return name_; }

 private:
  friend class Book;
  Sheet(Book& book, lxw_worksheet* sheet, std::string name) : book_(book), sheet_(sheet), name_(std::move(name)) {}
  void widen(std::uint16_t column, std::string_view text, Look look);
  void set_widths();
  Book& book_;
  lxw_worksheet* sheet_;
  std::string name_;
  void set_heights();
  std::map<std::uint16_t, double> widths_, least_, most_;
  std::map<std::pair<std::uint32_t, std::uint16_t>, double> wrapped_;  ///< widths of sentences that wrap
};

class Book {
 public:
  struct About {
    std::string title, subject, footer;
    std::string date;  ///< "2026-05-01"
  };
  explicit Book(About about);
  ~Book();
  Book(const Book&) = delete;
  Book& operator=(const Book&) = delete;

  /// The name is cut and cleaned to what spreadsheets allow.
  Sheet& add_sheet(const std::string& name);
  void define(const std::string& name, const Sheet& sheet, std::uint32_t row, std::uint16_t column);
  /// The finished file. Call once.
  std::string bytes();

  /// `indented`: words that stand right of another column.
  lxw_format* format(Look look, const char* number_format, bool indented = false);

 private:
  About about_;
  std::string path_;
  lxw_workbook* workbook_ = nullptr;
  std::vector<std::unique_ptr<Sheet>> sheets_;
  std::map<std::tuple<Look, std::string, bool>, lxw_format*> formats_;
};

}  // namespace weir::reports::xlsx

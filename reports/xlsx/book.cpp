#include "reports/xlsx/book.h"

#include <unistd.h>
#include <xlsxwriter.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "data/errors.h"
#include "reports/charts/palette.h"
#include "reports/format.h"

namespace weir::reports::xlsx {
namespace {

using charts::Role;

constexpr std::size_t kLongestText = 32'000;  // of a cell; the format allows 32,767 characters
constexpr std::size_t kLongestName = 31;      // of a sheet, in characters

lxw_color_t ink(Role role) {
  const charts::Colour c = charts::colour(role, charts::Theme::light);
  return static_cast<lxw_color_t>(c.red) << 16U | static_cast<lxw_color_t>(c.green) << 8U | c.blue;
}

void must(lxw_error error, const char* what) {
  if (error != LXW_NO_ERROR) throw data::SystemError(std::string("XLSX: ") + what + ": " + lxw_strerror(error));
}

/// Text as a cell may hold it: valid UTF-8, not too long.
std::string clean(std::string_view text) {
  using json = nlohmann::json;
  const std::string valid =
      json::parse(json(text).dump(-1, ' ', false, json::error_handler_t::replace)).get<std::string>();
  if (valid.size() <= kLongestText) return valid;
  std::size_t end = kLongestText;
  while ((static_cast<unsigned char>(valid[end]) & 0xC0U) == 0x80U) --end;
  return valid.substr(0, end);
}

/// A file of our own to write to; libxlsxwriter knows no memory.
std::string temporary_file() {
  std::string path = (std::filesystem::temp_directory_path() / "weir-XXXXXX").string();
  const int file = mkstemp(path.data());
  if (file < 0) throw data::SystemError("cannot write to " + std::filesystem::temp_directory_path().string());
  close(file);
  return path;
}

std::time_t time_of(const std::string& date) {
  std::tm day{};
  day.tm_year = 100;  // a date that is not one is the turn of the century
  day.tm_mday = 1;
  strptime(date.c_str(), "%Y-%m-%d", &day);
  return timegm(&day);
}

bool in_frame(Look look) { return look == Look::head || look == Look::head_right; }

void shape_words(lxw_format* f, Look look) {
  format_set_align(f, LXW_ALIGN_VERTICAL_CENTER);
  switch (look) {
    case Look::title:
      format_set_font_size(f, 16);
      break;
    case Look::lead:
      format_set_font_size(f, 12);
      format_set_font_color(f, ink(Role::text));
      break;
    case Look::section:
    case Look::strong:
    case Look::strong_number:
      format_set_bold(f);
      break;
    case Look::note:
    case Look::quiet:
    case Look::absent:
      format_set_font_color(f, ink(Role::text_secondary));
      break;
    case Look::quiet_wrapped:
      format_set_text_wrap(f);
      format_set_font_color(f, ink(Role::text_secondary));
      break;
    default:
      break;
  }
}

void shape_frames(lxw_format* f, Look look) {
  if (in_frame(look)) {
    format_set_font_color(f, ink(Role::text_secondary));
    format_set_text_wrap(f);
    format_set_align(f, LXW_ALIGN_VERTICAL_BOTTOM);
    format_set_bottom(f, LXW_BORDER_THIN);
    format_set_bottom_color(f, ink(Role::control));
  }
  const bool row = look == Look::words || look == Look::quiet || look == Look::quiet_wrapped || look == Look::strong ||
                   look == Look::number || look == Look::strong_number || look == Look::absent;
  if (row) {
    format_set_bottom(f, LXW_BORDER_THIN);
    format_set_bottom_color(f, ink(Role::grid));
  }
  if (look == Look::group) {
    format_set_font_color(f, ink(Role::text));
    format_set_bold(f);
    format_set_left(f, LXW_BORDER_THIN);
    format_set_left_color(f, ink(Role::control));
    format_set_indent(f, 1);
  }
  if (look == Look::total || look == Look::total_words) {
    format_set_bold(f);
    format_set_bottom(f, LXW_BORDER_THIN);
    format_set_bottom_color(f, ink(Role::control));
  }
  if (look == Look::input) {
    format_set_font_color(f, ink(Role::owned));
    format_set_bg_color(f, 0xE3EFF7);
    format_set_border(f, LXW_BORDER_THIN);
    format_set_border_color(f, ink(Role::grid));
    format_set_unlocked(f);
  }
}

bool is_words_of_table(Look look) {
  return look == Look::head || look == Look::words || look == Look::quiet || look == Look::quiet_wrapped ||
         look == Look::strong;
}

bool is_right(Look look) {
  return look == Look::head_right || look == Look::number || look == Look::strong_number || look == Look::total ||
         look == Look::input || look == Look::absent;
}

/// How wide a number stands in its format, in characters.
double number_width(double value, const std::string& format) {
  if (format == kShare) return 7;
  if (format == kFactor) return 8;
  if (format == kCents) return static_cast<double>(grouped_fixed(value, 2).size());
  if (format == kWhole || std::abs(value) >= 1000) return static_cast<double>(grouped_fixed(value, 0).size());
  return static_cast<double>(std::min<std::size_t>(shortest(value).size(), 11));
}

}  // namespace

std::string cell_name(std::uint32_t row, std::uint16_t column) {
  char name[LXW_MAX_CELL_NAME_LENGTH];
  lxw_rowcol_to_cell(name, row, column);
  return name;
}

std::string fixed_cell(std::uint32_t row, std::uint16_t column) {
  char name[LXW_MAX_CELL_NAME_LENGTH];
  lxw_rowcol_to_cell_abs(name, row, column, 1, 1);
  return name;
}

std::string sheet_prefix(const std::string& sheet) {
  std::string quoted = "'";
  for (const char c : sheet) quoted += c == '\'' ? "''" : std::string(1, c);
  return quoted + "'!";
}

// ---- Sheet ----

void Sheet::widen(std::uint16_t column, std::string_view text, Look look) {
  if (look == Look::title || look == Look::lead || look == Look::note || look == Look::section) return;
  if (look == Look::quiet_wrapped) return;
  double widest = 0;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    widest = std::max(widest, static_cast<double>(display_width(text.substr(at, end - at))));
    at = end + 1;
  }
  double& width = widths_[column];
  width = std::max(width, widest);
}

void Sheet::words(std::uint32_t row, std::uint16_t column, std::string_view text, Look look) {
  const std::string shown = clean(text);
  lxw_format* format = book_.format(look, kPlain, column > 0);
  must(worksheet_write_string(sheet_, row, column, shown.c_str(), format), "text");
  widen(column, shown, look);
  if (look == Look::quiet_wrapped) {
    const double width = display_width(shown);
    wrapped_[{row, column}] = width;
    widths_[column] = std::max(widths_[column], width);
  }
}

void Sheet::number(std::uint32_t row, std::uint16_t column, double value, const char* format, Look look) {
  if (!std::isfinite(value)) return absent(row, column);
  must(worksheet_write_number(sheet_, row, column, value, book_.format(look, format)), "number");
  widths_[column] = std::max(widths_[column], number_width(value, format));
}

void Sheet::formula(std::uint32_t row, std::uint16_t column, const std::string& formula, double value,
                    const char* format, Look look) {
  must(worksheet_write_formula_num(sheet_, row, column, ("=" + formula).c_str(), book_.format(look, format), value),
       "formula");
  widths_[column] = std::max(widths_[column], number_width(value, format));
}

void Sheet::words_formula(std::uint32_t row, std::uint16_t column, const std::string& formula, const std::string& value,
                          Look look) {
  must(worksheet_write_formula_str(sheet_, row, column, ("=" + formula).c_str(), book_.format(look, kPlain),
                                   clean(value).c_str()),
       "formula");
  widen(column, value, look);
}

void Sheet::absent(std::uint32_t row, std::uint16_t column) { words(row, column, "\u2013", Look::absent); }

void Sheet::blank(std::uint32_t row, std::uint16_t column) {
  must(worksheet_write_blank(sheet_, row, column, book_.format(Look::number, kPlain)), "cell");
}

void Sheet::pages_wide(std::uint16_t pages, std::uint16_t repeated_columns) {
  worksheet_fit_to_pages(sheet_, pages, 0);
  must(worksheet_repeat_columns(sheet_, 0, static_cast<lxw_col_t>(repeated_columns - 1)), "repeated columns");
}

void Sheet::group(std::uint32_t row, std::uint16_t first, std::uint16_t last, std::string_view text) {
  must(worksheet_write_string(sheet_, row, first, clean(text).c_str(), book_.format(Look::group, kPlain)), "text");
  // Not merged: a merged head would be out of sight while its columns scroll past the frozen ones.
  const double share = display_width(text) / static_cast<double>(last - first + 1);
  for (std::uint16_t column = first; column <= last; ++column) at_least(column, share);
}

void Sheet::at_least(std::uint16_t column, double width) { least_[column] = std::max(least_[column], width); }
void Sheet::at_most(std::uint16_t column, double width) { most_[column] = width; }

void Sheet::row_height(std::uint32_t row, double points) {
  must(worksheet_set_row(sheet_, row, points, nullptr), "row");
}

void Sheet::freeze(std::uint32_t rows, std::uint16_t columns, std::uint32_t repeat_from) {
  worksheet_freeze_panes(sheet_, rows, columns);
  if (rows > 0) must(worksheet_repeat_rows(sheet_, repeat_from, rows - 1), "repeated rows");
}

void Sheet::set_widths() {
  constexpr double kPadding = 2, kNarrowest = 5, kWidest = 60;
  for (const auto& [column, least] : least_) widths_[column] = std::max(widths_[column], least);
  for (auto& [column, wanted] : widths_) {
    const auto most = most_.find(column);
    const double width = std::clamp(wanted + kPadding, kNarrowest, most == most_.end() ? kWidest : most->second);
    must(worksheet_set_column(sheet_, column, column, width, nullptr), "column");
    wanted = width;
  }
  set_heights();
}

/// Not every program makes a row as high as the sentences that wrap in it.
void Sheet::set_heights() {
  constexpr double kLine = 13.5;  // pt
  std::map<std::uint32_t, double> lines;
  for (const auto& [cell, width] : wrapped_) {
    const double room = std::max(1.0, widths_[cell.second] - 4);
    lines[cell.first] = std::max(lines[cell.first], std::ceil(width / room));
  }
  for (const auto& [row, count] : lines) {
    if (count > 1) row_height(row, count * kLine + 2);
  }
}

// ---- Book ----

Book::Book(About about) : about_(std::move(about)), path_(temporary_file()) {
  workbook_ = workbook_new(path_.c_str());
  if (workbook_ == nullptr) throw data::SystemError("XLSX: cannot write to " + path_);
  std::string title = clean(about_.title), subject = clean(about_.subject), author = "Weir";
  lxw_doc_properties properties{};
  properties.title = title.data();
  properties.subject = subject.data();
  properties.author = author.data();
  properties.created = time_of(about_.date);
  must(workbook_set_properties(workbook_, &properties), "properties");
}

Book::~Book() {
  if (workbook_ != nullptr) lxw_workbook_free(workbook_);
  std::error_code ignored;
  std::filesystem::remove(path_, ignored);
}

Sheet& Book::add_sheet(const std::string& wanted) {
  std::string name;
  std::size_t characters = 0;
  for (const char c : clean(wanted)) {
    const bool starts = (static_cast<unsigned char>(c) & 0xC0U) != 0x80U;
    if (starts && ++characters > kLongestName) break;
    name += std::string_view("[]:*?/\\'").find(c) == std::string_view::npos ? c : ' ';
  }
  lxw_worksheet* sheet = workbook_add_worksheet(workbook_, name.c_str());
  if (sheet == nullptr) throw data::SystemError("XLSX: no sheet can be named \"" + name + "\"");
  sheets_.emplace_back(new Sheet(*this, sheet, name));
  worksheet_set_landscape(sheet);
  constexpr std::uint8_t kA4 = 9;
  worksheet_set_paper(sheet, kA4);
  worksheet_fit_to_pages(sheet, 1, 0);
  worksheet_set_margins(sheet, 0.5, 0.5, 0.6, 0.7);
  worksheet_gridlines(sheet, LXW_HIDE_ALL_GRIDLINES);
  std::string footer;
  // A footer holds 255 characters, and "&" begins a code.
  for (const char c : cut_to_width(about_.footer, 150)) footer += c == '&' ? "&&" : std::string(1, c);
  must(worksheet_set_footer(sheet, ("&L&8" + footer + "&R&8&A  &P / &N").c_str()), "footer");
  return *sheets_.back();
}

void Book::define(const std::string& name, const Sheet& sheet, std::uint32_t row, std::uint16_t column) {
  const std::string target = "=" + sheet_prefix(sheet.name()) + fixed_cell(row, column);
  must(workbook_define_name(workbook_, name.c_str(), target.c_str()), "name");
}

lxw_format* Book::format(Look look, const char* number_format, bool indented) {
  indented = indented && is_words_of_table(look);
  lxw_format*& format = formats_[{look, number_format, indented}];
  if (format != nullptr) return format;
  format = workbook_add_format(workbook_);
  format_set_font_name(format, "Calibri");
  format_set_font_size(format, 10);
  format_set_font_color(format, ink(Role::text));
  format_set_num_format(format, number_format);
  shape_words(format, look);
  shape_frames(format, look);
  if (is_right(look)) format_set_align(format, LXW_ALIGN_RIGHT);
  if (indented) format_set_indent(format, 1);
  return format;
}

std::string Book::bytes() {
  for (const auto& sheet : sheets_) sheet->set_widths();
  lxw_workbook* finished = workbook_;
  workbook_ = nullptr;  // closing frees it, whatever comes of it
  must(workbook_close(finished), "file");
  std::ifstream file(path_, std::ios::binary);
  std::string bytes((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  if (bytes.empty()) throw data::SystemError("XLSX: cannot read back " + path_);
  return bytes;
}

}  // namespace weir::reports::xlsx

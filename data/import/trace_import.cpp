#include "data/import/trace_import.h"

#include <algorithm>
#include <utility>

#include "data/errors.h"
#include "data/import/byte_source.h"
#include "data/import/json_line.h"
#include "data/import/kind.h"
#include "data/import/layout.h"
#include "data/import/number_text.h"
#include "data/import/record_reader.h"
#include "data/import/trace_builder.h"

namespace weir::data {
namespace {

constexpr std::size_t kHeadBytes = 256 << 10;
constexpr std::size_t kHeadRows = 100;
constexpr std::string_view kKinds[] = {"trace", "benchmark", "metrics", "profile", "prices", "project"};
constexpr std::string_view kFormats[] = {"azure-llm-2023", "vidur", "mooncake", "plain-csv", "plain-jsonl"};
constexpr std::string_view kImports =
    "this version imports traces: azure-llm-2023, vidur, mooncake, plain-csv, plain-jsonl";

template <std::size_t N>
void require_one_of(const std::string& option, const std::string& value, const std::string_view (&allowed)[N]) {
  if (value.empty() || std::find(std::begin(allowed), std::end(allowed), value) != std::end(allowed)) return;
  std::string list;
  for (const std::string_view name : allowed) list += (list.empty() ? "expected " : ", ") + std::string(name);
  throw InputError(option, "", shown(value), list);
}

void refuse_foreign(const std::string& file, const std::optional<ForeignKind>& found) {
  if (!found) return;
  const std::string kind = found->kind.empty() ? "" : " (" + found->kind + ")";
  throw InputError(file, "", "", "is " + found->what + kind + ", not a trace; " + std::string(kImports));
}

void require_as_trace(const std::string& file, const ImportOptions& options, const Layout& layout) {
  if (options.as.empty() || options.as == "trace") return;
  throw InputError(file, "", "",
                   "is a trace (" + layout.format + "), not " + options.as + "; " + std::string(kImports));
}

/// The head of a CSV file under one delimiter.
struct CsvHead {
  char delimiter = ',';
  Record header;
  std::vector<Record> rows;
  std::size_t agreeing = 0;  ///< rows with as many fields as the header
};

CsvHead read_head(std::string_view text, char delimiter) {
  CsvHead head;
  head.delimiter = delimiter;
  TextBuffer buffer{std::string(text)};
  CsvReader reader(buffer, delimiter);
  while (reader.next(head.header) && head.header.blank) {
  }
  Record row;
  while (head.rows.size() < kHeadRows && reader.next(row)) {
    if (row.blank || !row.error.empty()) continue;
    head.agreeing += row.fields.size() == head.header.fields.size() ? 1 : 0;
    head.rows.push_back(row);
  }
  return head;
}

/// The delimiter that splits the header into columns and the most rows into as many; more columns win a tie.
CsvHead find_delimiter(std::string_view text) {
  CsvHead best = read_head(text, ',');
  for (const char delimiter : {';', '\t', '|'}) {
    CsvHead head = read_head(text, delimiter);
    const std::size_t columns = head.header.fields.size(), best_columns = best.header.fields.size();
    if (columns < 2) continue;
    const bool better = head.agreeing != best.agreeing ? head.agreeing > best.agreeing : columns > best_columns;
    if (best_columns < 2 || better) best = std::move(head);
  }
  return best;
}

std::vector<std::string> names_of(const Record& header) {
  std::vector<std::string> names;
  for (const Field& field : header.fields) names.emplace_back(trimmed(field.text));
  return names;
}

constexpr std::string_view meaning_of(Role role) {
  switch (role) {
    case Role::time:
      return "arrival time";
    case Role::input:
      return "input tokens";
    case Role::output:
      return "output tokens";
    case Role::items:
      return "items";
    case Role::class_name:
      return "class";
    case Role::status:
      return "status";
    case Role::id:
      return "request id";
    case Role::path:
      return "path";
    case Role::session:
      return "session";
    case Role::turn:
      return "turn";
    case Role::prefix:
      return "prefix hashes";
    case Role::client:
      return "client";
  }
  return "";
}

/// The first numbers of a list; anything else in full.
std::string preview(const Field& field) {
  constexpr std::size_t kListShown = 60;
  if (field.kind != Field::Kind::list || field.text.size() <= kListShown) return valid_utf8(field.text);
  return field.text.substr(0, field.text.rfind(' ', kListShown)) + " ...";
}

void show_columns(const Layout& layout, const std::vector<Record>& rows, std::vector<ImportedColumn>* columns) {
  if (columns == nullptr) return;
  columns->clear();
  for (const std::string& name : layout.names) columns->push_back({valid_utf8(name), "", {}});
  for (std::size_t role = 0; role < kRoles; ++role) {
    const int at = layout.column[role];
    if (at >= 0) (*columns)[static_cast<std::size_t>(at)].meaning = meaning_of(static_cast<Role>(role));
  }
  for (std::size_t row = 0; row < std::min(rows.size(), ImportedColumn::kPreviewRows); ++row) {
    for (std::size_t i = 0; i < columns->size(); ++i) {
      const bool there = i < rows[row].fields.size();
      (*columns)[i].values.push_back(there ? preview(rows[row].fields[i]) : "");
    }
  }
}

Trace import_csv(const std::string& file, TextBuffer& text, const ImportOptions& options) {
  const CsvHead head = find_delimiter(text.window().substr(0, kHeadBytes));
  std::vector<std::string> names = names_of(head.header);
  refuse_foreign(file, foreign_columns(names));
  Layout layout =
      find_layout(file, head.header.line, std::move(names), head.rows, false, head.delimiter, options.format);
  require_as_trace(file, options, layout);
  show_columns(layout, head.rows, options.columns);

  TraceBuilder builder(file, std::move(layout), options);
  CsvReader reader(text, head.delimiter);
  Record record;
  while (reader.next(record) && record.blank) builder.add_blank();  // up to the header, which is no row
  while (reader.next(record)) builder.add(record);
  return builder.finish();
}

/// Puts an object's members into the order of the known names.
void arrange(JsonMembers& members, const std::vector<std::string>& names, Record& record) {
  record.fields.resize(names.size());
  for (Field& field : record.fields) {
    field.text.clear();
    field.kind = Field::Kind::missing;
  }
  for (auto& [name, field] : members) {
    const auto at = std::find(names.begin(), names.end(), name);
    if (at != names.end()) record.fields[static_cast<std::size_t>(at - names.begin())] = std::move(field);
  }
}

/// Keys of the first objects, in order of appearance; empty when no line is an object.
std::vector<std::string> json_names(std::string_view head) {
  TextBuffer buffer{std::string(head)};
  LineReader reader(buffer);
  std::string_view line;
  JsonMembers members;
  std::vector<std::string> names;
  for (std::size_t i = 0; i < kHeadRows && reader.next(line); ++i) {
    if (!parse_json_line(line, members).empty()) continue;
    for (const auto& member : members) {
      if (std::find(names.begin(), names.end(), member.first) == names.end()) names.push_back(member.first);
    }
  }
  return names;
}

/// Optional keys of plain traces that the head did not show may still come: a first failure, a class used late.
void add_optional_columns(Layout& layout) {
  constexpr std::pair<Role, std::string_view> kOptional[] = {
      {Role::class_name, "class"}, {Role::status, "status"}, {Role::items, "items"},         {Role::session, "session"},
      {Role::turn, "turn"},        {Role::client, "client"}, {Role::prefix, "prefix_blocks"}};
  for (const auto& [role, name] : kOptional) {
    if (layout.column_of(role) >= 0) continue;
    layout.column[static_cast<std::size_t>(role)] = static_cast<int>(layout.names.size());
    layout.names.emplace_back(name);
  }
}

std::vector<Record> json_rows(std::string_view head, const std::vector<std::string>& names) {
  TextBuffer buffer{std::string(head)};
  LineReader reader(buffer);
  std::string_view line;
  JsonMembers members;
  std::vector<Record> rows;
  while (rows.size() < kHeadRows && reader.next(line)) {
    if (!parse_json_line(line, members).empty()) continue;
    arrange(members, names, rows.emplace_back());
  }
  return rows;
}

Trace import_jsonl(const std::string& file, TextBuffer& text, const ImportOptions& options) {
  const std::string head(text.window().substr(0, kHeadBytes));
  const std::vector<std::string> names = json_names(head);
  if (names.empty())
    throw InputError(file, "", "", "is JSON, but not one object a line (JSONL); " + std::string(kImports));
  refuse_foreign(file, foreign_columns(names));
  const std::vector<Record> rows = json_rows(head, names);
  Layout layout = find_layout(file, 1, names, rows, true, ',', options.format);
  require_as_trace(file, options, layout);
  show_columns(layout, rows, options.columns);
  add_optional_columns(layout);
  const std::vector<std::string> columns = layout.names;

  TraceBuilder builder(file, std::move(layout), options);
  LineReader reader(text);
  std::string_view line;
  JsonMembers members;
  Record record;
  while (reader.next(line)) {
    if (trimmed(line).empty()) {
      builder.add_blank();
      continue;
    }
    record.line = reader.line();
    record.error = parse_json_line(line, members);
    arrange(members, columns, record);
    builder.add(record);
  }
  return builder.finish();
}

}  // namespace

Trace import_trace(const std::filesystem::path& file, const ImportOptions& options) {
  require_one_of("--as", options.as, kKinds);
  require_one_of("--format", options.format, kFormats);
  const std::string name = valid_utf8(file.string());
  TextBuffer text(ByteSource(file), name, options.progress);
  if (text.at(0) < 0) throw InputError(name, "", "", "the file is empty");
  refuse_foreign(name, foreign_bytes(text.window()));
  const std::string_view start = trimmed(text.window());
  if (start.empty()) throw InputError(name, "", "", "the file holds blank lines only");
  if (start.starts_with('[')) {
    throw InputError(name, "", "", "is a JSON array: write one object a line (JSONL); " + std::string(kImports));
  }
  Trace trace = start.starts_with('{') ? import_jsonl(name, text, options) : import_csv(name, text, options);
  trace.name = valid_utf8(file.filename().string());
  if (options.progress && !options.progress(1.0, "imported " + trace.name)) throw Cancelled();
  return trace;
}

}  // namespace weir::data

#include "data/import/layout.h"

#include <algorithm>
#include <optional>

#include "data/errors.h"
#include "data/import/number_text.h"

namespace weir::data {
namespace {

constexpr std::string_view kNeeded =
    "a trace needs a time (arrival_s, arrival_ms or arrival_ns), input_tokens and output_tokens";

struct Suffix {
  std::string_view text;
  std::int64_t unit_ns;
};
constexpr Suffix kUnits[] = {{"ms", 1'000'000}, {"us", 1'000}, {"ns", 1}, {"s", 1'000'000'000}};

/// Names, as column_key writes them, in order of preference: a name of Weir's own format stands before foreign ones.
struct RoleNames {
  Role role;
  std::string_view what;
  std::vector<std::string_view> own;
  std::vector<std::string_view> foreign;
};

const std::vector<RoleNames>& role_names() {
  static const std::vector<RoleNames> kNames = {
      {Role::input,
       "input tokens",
       {"inputtokens"},
       {"contexttokens", "numprefilltokens", "prompttokens", "inputlength", "inputtoks", "in"}},
      {Role::output,
       "output tokens",
       {"outputtokens"},
       {"generatedtokens", "numdecodetokens", "completiontokens", "outputlength", "outputtoks", "out"}},
      {Role::items, "items", {"items"}, {"numimages"}},
      {Role::class_name, "class", {"class"}, {}},
      {Role::status, "status", {"status"}, {}},
      {Role::id, "request id", {"requestid"}, {"id", "reqid"}},
      {Role::path, "path", {"path"}, {"url", "uri", "endpoint"}},
      {Role::session, "session", {"session"}, {"sessionid"}},
      {Role::turn, "turn", {"turn"}, {}},
      {Role::prefix, "prefix hashes", {"prefixblocks"}, {"hashids"}},
      {Role::client, "client", {"client"}, {"clientid"}},
  };
  return kNames;
}

/// A column that may be the time: its stem ("ts" of "ts_ms") and unit, 0 when the name has none.
struct TimeColumn {
  int column = -1;
  std::string stem;
  std::int64_t unit_ns = 0;
};

std::optional<TimeColumn> time_column(const std::string& key, int column) {
  static constexpr std::string_view kStems[] = {"arrival", "arrivaltime", "arrivedat", "timestamp", "ts",
                                                "time",    "starttime",   "startedat", "datetime"};
  for (const std::string_view stem : kStems) {
    if (!key.starts_with(stem)) continue;
    const std::string_view rest = std::string_view(key).substr(stem.size());
    if (rest.empty() && stem != "arrival") return TimeColumn{column, std::string(stem), 0};
    for (const Suffix& unit : kUnits) {
      if (rest == unit.text) return TimeColumn{column, std::string(stem), unit.unit_ns};
    }
  }
  return std::nullopt;
}

class Finder {
 public:
  Finder(const std::string& file, std::int64_t line, std::vector<std::string> names, bool json)
      : file_(file), place_("line " + std::to_string(line)) {
    layout_.names = std::move(names);
    layout_.column.fill(-1);
    layout_.format = json ? "plain-jsonl" : "plain-csv";
    layout_.json = json;
    for (const std::string& name : layout_.names) keys_.push_back(column_key(name));
  }

  Layout find(const std::vector<Record>& rows, bool json, char delimiter, const std::string& wanted) {
    layout_.delimiter = delimiter;
    refuse_later_formats();
    for (const RoleNames& names : role_names()) find_role(names);
    find_time();
    require_columns();
    name_format(json, wanted);
    if (!json && delimiter == ';') find_decimal_mark(rows);
    if (layout_.time != TimeKind::unit) find_time_kind(rows);
    layout_.whole_numbers_are_ms = has("timestamp") && has("inputlength") && has("outputlength");
    warn_unused();
    return std::move(layout_);
  }

 private:
  bool has(std::string_view key) const { return std::find(keys_.begin(), keys_.end(), key) != keys_.end(); }

  [[noreturn]] void refuse(const std::string& why) const { throw InputError(file_, place_, "", why); }

  std::string list(const std::vector<int>& columns) const {
    std::string text;
    for (const int column : columns) {
      text += (text.empty() ? "" : ", ") + valid_utf8(layout_.names[static_cast<std::size_t>(column)]);
    }
    return text;
  }

  std::string all_columns() const {
    std::vector<int> named;
    for (std::size_t i = 0; i < keys_.size() && named.size() < 30; ++i) {
      if (!keys_[i].empty()) named.push_back(static_cast<int>(i));
    }
    return "columns found: " + (named.empty() ? "none" : list(named));
  }

  /// Formats whose columns look alike but mean more than this version reads.
  void refuse_later_formats() const {
    const std::string how =
        "; this version reads azure-llm-2023, vidur, mooncake, plain-csv and plain-jsonl: write arrival_s, "
        "input_tokens and output_tokens";
    if (has("requesttokens") && has("responsetokens")) refuse("has the columns of a BurstGPT trace" + how);
    if (has("hashids") && has("chatid")) refuse("has the columns of a Qwen-Bailian trace" + how);
    if (has("requests") && has("timestamp")) refuse("has the nested requests of an AIBrix trace" + how);
  }

  void find_role(const RoleNames& names) {
    std::vector<int> own, foreign;
    for (std::size_t i = 0; i < keys_.size(); ++i) {
      const auto is = [&](std::string_view name) { return keys_[i] == name; };
      if (std::any_of(names.own.begin(), names.own.end(), is)) own.push_back(static_cast<int>(i));
      if (std::any_of(names.foreign.begin(), names.foreign.end(), is)) foreign.push_back(static_cast<int>(i));
    }
    const std::vector<int>& found = own.empty() ? foreign : own;
    if (found.size() > 1) {
      refuse("several columns could be the " + std::string(names.what) + " (" + list(found) + "): keep one");
    }
    if (!found.empty()) layout_.column[static_cast<std::size_t>(names.role)] = found.front();
  }

  void find_time() {
    std::vector<TimeColumn> found;
    for (std::size_t i = 0; i < keys_.size(); ++i) {
      if (auto column = time_column(keys_[i], static_cast<int>(i))) found.push_back(*column);
    }
    const auto is_own = [](const TimeColumn& c) { return c.stem == "arrival"; };
    if (std::any_of(found.begin(), found.end(), is_own)) {
      found.erase(std::remove_if(found.begin(), found.end(), [&](const TimeColumn& c) { return !is_own(c); }),
                  found.end());
    }
    if (found.empty()) return;
    std::vector<int> columns;
    bool one_stem = true;
    for (const TimeColumn& column : found) {
      columns.push_back(column.column);
      one_stem = one_stem && column.stem == found.front().stem && column.unit_ns > 0;
    }
    const TimeColumn* best = &found.front();
    for (const TimeColumn& column : found) best = column.unit_ns < best->unit_ns ? &column : best;
    if (found.size() > 1) {
      const bool twice = std::count_if(found.begin(), found.end(),
                                       [&](const TimeColumn& c) { return c.unit_ns == best->unit_ns; }) > 1;
      if (!one_stem || twice)
        refuse("several columns could be the time (" + list(columns) + "): keep one, or name it arrival_s");
      layout_.warnings.push_back("several time columns (" + list(columns) + "): the finest, " + list({best->column}) +
                                 ", was read");
    }
    layout_.column[static_cast<std::size_t>(Role::time)] = best->column;
    layout_.unit_ns = best->unit_ns;
    if (best->unit_ns > 0) layout_.time = TimeKind::unit;
  }

  void require_columns() const {
    const bool time = layout_.column_of(Role::time) >= 0;
    const bool input = layout_.column_of(Role::input) >= 0, output = layout_.column_of(Role::output) >= 0;
    if (time && input && output) return;
    if (input && output) {
      refuse("has lengths but no arrival times (" + all_columns() +
             "): add a column arrival_s, or describe the arrivals "
             "in the scenario");
    }
    const bool data =
        !keys_.empty() && std::all_of(layout_.names.begin(), layout_.names.end(), [](const std::string& n) {
          return parse_decimal(trimmed(n), '.') || parse_date_time(trimmed(n));
        });
    if (data) refuse("holds data where the column names should be; " + std::string(kNeeded));
    refuse("the columns cannot be told (" + all_columns() + "): " + std::string(kNeeded) +
           "; rename the columns that hold them");
  }

  void name_format(bool json, const std::string& wanted) {
    const bool azure = !json && has("timestamp") && has("contexttokens") && has("generatedtokens");
    const bool vidur = !json && has("arrivedat") && has("numprefilltokens") && has("numdecodetokens");
    if (wanted == "azure-llm-2023" && !azure) {
      refuse("azure-llm-2023 needs a CSV file with TIMESTAMP, ContextTokens, GeneratedTokens (" + all_columns() + ")");
    }
    if (wanted == "vidur" && !vidur) {
      refuse("vidur needs a CSV file with arrived_at, num_prefill_tokens, num_decode_tokens (" + all_columns() + ")");
    }
    const bool mooncake = json && has("timestamp") && has("inputlength") && has("outputlength") && has("hashids");
    if (wanted == "mooncake" && !mooncake) {
      refuse("mooncake needs a JSONL file with timestamp, input_length, output_length, hash_ids (" + all_columns() +
             ")");
    }
    if (wanted == "plain-csv" && json) refuse("is JSONL, not plain-csv");
    if (wanted == "plain-jsonl" && !json) refuse("is not JSONL: no line is a JSON object");
    if (azure && wanted != "plain-csv") layout_.format = "azure-llm-2023";
    if (vidur && wanted != "plain-csv") layout_.format = "vidur";
    if (mooncake && wanted != "plain-jsonl") layout_.format = "mooncake";
    if (vidur) {  // that simulator counts seconds
      layout_.time = TimeKind::unit;
      layout_.unit_ns = 1'000'000'000;
    }
  }

  /// "0,25" in a file of semicolons is a decimal comma unless points are used as well.
  void find_decimal_mark(const std::vector<Record>& rows) {
    std::int64_t commas = 0, points = 0;
    for (const Record& row : rows) {
      for (const Field& field : row.fields) {
        const std::string_view text = trimmed(field.text);
        if (!field.quoted && text.find(',') != std::string_view::npos && parse_decimal(text, ',')) ++commas;
        if (text.find('.') != std::string_view::npos && parse_decimal(text, '.')) ++points;
      }
    }
    if (commas == 0 || points > 0) return;
    layout_.decimal_mark = ',';
    layout_.warnings.push_back("columns are separated by semicolons; commas were read as decimal marks");
  }

  void find_time_kind(const std::vector<Record>& rows) {
    const auto column = static_cast<std::size_t>(layout_.column_of(Role::time));
    std::int64_t dates = 0, numbers = 0;
    for (const Record& row : rows) {
      if (column >= row.fields.size()) continue;
      const std::string_view text = trimmed(row.fields[column].text);
      if (parse_date_time(text)) ++dates;
      if (parse_decimal(text, layout_.decimal_mark)) ++numbers;
    }
    layout_.time = dates >= numbers ? TimeKind::date_time : TimeKind::by_magnitude;
  }

  void warn_unused() {
    std::vector<int> unused;
    for (std::size_t i = 0; i < keys_.size(); ++i) {
      const auto column = static_cast<int>(i);
      const bool used = std::find(layout_.column.begin(), layout_.column.end(), column) != layout_.column.end();
      if (!used && !keys_[i].empty() && unused.size() < 30) unused.push_back(column);
    }
    if (!unused.empty()) layout_.warnings.push_back("columns not used: " + list(unused));
  }

  std::string file_, place_;
  std::vector<std::string> keys_;
  Layout layout_;
};

}  // namespace

std::string column_key(std::string_view name) {
  std::string key;
  for (const char c : name) {
    if (c == ' ' || c == '\t' || c == '_' || c == '\r') continue;
    key += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  }
  return key;
}

Layout find_layout(const std::string& file, std::int64_t header_line, std::vector<std::string> names,
                   const std::vector<Record>& rows, bool json, char delimiter, const std::string& wanted) {
  return Finder(file, header_line, std::move(names), json).find(rows, json, delimiter, wanted);
}

}  // namespace weir::data

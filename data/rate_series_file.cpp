#include "data/rate_series_file.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fstream>
#include <string>
#include <string_view>

#include "data/errors.h"
#include "data/import/number_text.h"

namespace weir::data {
namespace {

constexpr std::size_t kMostSteps = 1'000'000;
constexpr double kSecond = 1e9;

[[noreturn]] void refuse(const std::string& file, std::size_t line, const std::string& what) {
  throw InputError(file, "line " + std::to_string(line), "", what);
}

std::vector<std::string_view> cells(std::string_view line) {
  std::vector<std::string_view> all;
  if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
  for (std::size_t at = 0; at <= line.size();) {
    const std::size_t comma = std::min(line.find(',', at), line.size());
    all.push_back(line.substr(at, comma - at));
    at = comma + 1;
  }
  return all;
}

struct Columns {
  std::size_t time = 0, value = 0, count = 0;
  bool dates = false, counts = false;
};

Columns find_columns(const std::string& file, std::string_view header) {
  const auto names = cells(header);
  const auto find = [&](std::string_view name) {
    return static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin());
  };
  Columns columns;
  columns.count = names.size();
  columns.time = find("begin_s");
  if (columns.time == names.size()) columns.time = find("timestamp"), columns.dates = true;
  columns.value = find("rate_per_s");
  for (const char* name : {"count", "value"}) {
    if (columns.value == names.size()) columns.value = find(name), columns.counts = true;
  }
  if (columns.time == names.size() || columns.value == names.size()) {
    refuse(file, 1, "expected columns begin_s or timestamp, and rate_per_s, count or value");
  }
  return columns;
}

std::int64_t read_time_ns(const std::string& file, std::size_t line, std::string_view text, bool dates) {
  if (dates) {
    if (const auto time = parse_date_time(text)) return time->epoch_ns;
    refuse(file, line, "expected a date and time");
  }
  const auto seconds = parse_decimal(text, '.');
  const auto ns = seconds ? to_ns(*seconds, 1'000'000'000) : std::nullopt;
  if (!ns) refuse(file, line, "expected a number of seconds");
  return *ns;
}

double read_value(const std::string& file, std::size_t line, std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || !(value >= 0) || value > 1e12) {
    refuse(file, line, "expected a number >= 0");
  }
  return value;
}

struct Rows {
  std::vector<std::int64_t> times_ns;
  std::vector<double> values;
  std::vector<std::size_t> lines;
  bool counts = false;
};

Rows read_rows(const std::string& file) {
  std::ifstream in(file);
  std::string text;
  if (!in || !std::getline(in, text)) throw InputError(file, "", "", "cannot be read");
  const Columns columns = find_columns(file, text);
  Rows rows;
  rows.counts = columns.counts;
  for (std::size_t line = 2; std::getline(in, text); ++line) {
    if (text.empty() || text == "\r") continue;
    const auto cell = cells(text);
    if (cell.size() < columns.count) refuse(file, line, "a cell is missing");
    if (rows.values.size() >= kMostSteps) refuse(file, line, "a rate series has at most 1000000 steps");
    rows.times_ns.push_back(read_time_ns(file, line, cell[columns.time], columns.dates));
    rows.values.push_back(read_value(file, line, cell[columns.value]));
    rows.lines.push_back(line);
    const std::size_t n = rows.times_ns.size();
    if (n > 1 && rows.times_ns[n - 1] <= rows.times_ns[n - 2])
      refuse(file, line, "its time is not after the one before");
  }
  if (rows.values.size() < 2) throw InputError(file, "", "", "expected at least two steps");
  return rows;
}

std::int64_t median_step_ns(const std::vector<std::int64_t>& times) {
  std::vector<std::int64_t> steps;
  for (std::size_t i = 1; i < times.size(); ++i) steps.push_back(times[i] - times[i - 1]);
  const auto middle = steps.begin() + static_cast<std::ptrdiff_t>((steps.size() - 1) / 2);
  std::nth_element(steps.begin(), middle, steps.end());
  return *middle;
}

}  // namespace

RateSeries read_rate_series(const std::filesystem::path& path) {
  const std::string file = path.string();
  const Rows rows = read_rows(file);
  const std::int64_t step = median_step_ns(rows.times_ns);
  RateSeries series;
  series.step_s = static_cast<double>(step) / kSecond;
  for (std::size_t i = 0; i < rows.values.size(); ++i) {
    const double rate = rows.counts ? rows.values[i] / series.step_s : rows.values[i];
    if (rate > 1e6) refuse(file, rows.lines[i], "expected a rate of at most 1000000 requests/s");
    const std::int64_t gap = i + 1 < rows.values.size() ? rows.times_ns[i + 1] - rows.times_ns[i] : step;
    if (gap % step != 0) refuse(file, rows.lines[i + 1], "its time is not a whole number of steps after the first");
    if (gap / step > static_cast<std::int64_t>(kMostSteps - series.rates_per_s.size())) {
      refuse(file, rows.lines[i], "a rate series has at most 1000000 steps");
    }
    series.rates_per_s.insert(series.rates_per_s.end(), static_cast<std::size_t>(gap / step), rate);
  }
  if (*std::max_element(series.rates_per_s.begin(), series.rates_per_s.end()) <= 0) {
    throw InputError(file, "", "", "a rate series needs a rate above 0");
  }
  if (series.step_s * static_cast<double>(series.rates_per_s.size()) > 1e7) {
    throw InputError(file, "", "", "a rate series lasts at most 10000000 s");
  }
  return series;
}

}  // namespace weir::data

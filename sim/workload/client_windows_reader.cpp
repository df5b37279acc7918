// ServeGen's files of one client: windows (CSV) and token counts (JSON that holds Python's dictionaries).
#include <algorithm>
#include <charconv>
#include <fstream>
#include <map>
#include <optional>
#include <string_view>

#include <nlohmann/json.hpp>

#include "data/errors.h"
#include "data/json_io.h"
#include "sim/workload/client_windows.h"

namespace weir::sim {
namespace {

namespace fs = std::filesystem;

struct Row {
  double start_s = 0, rate_per_s = 0, cv = 1;
  std::string pattern;
};

[[noreturn]] void refuse_line(const std::string& file, std::size_t line, const std::string& what) {
  throw data::InputError(file, "line " + std::to_string(line), "", what);
}

std::optional<double> number(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || !(value >= 0) || value > 1e15) return std::nullopt;
  return value;
}

std::vector<std::string_view> cells(std::string_view line) {
  std::vector<std::string_view> all;
  while (!line.empty() && (line.back() == '\r' || line.back() == ' ')) line.remove_suffix(1);
  for (std::size_t at = 0; at <= line.size();) {
    const std::size_t comma = std::min(line.find(',', at), line.size());
    all.push_back(line.substr(at, comma - at));
    at = comma + 1;
  }
  return all;
}

Row read_row(const std::string& file, std::size_t line, std::string_view text) {
  const auto cell = cells(text);
  if (cell.size() < 4) refuse_line(file, line, "expected start second, rate, CV and pattern of a window");
  const auto start = number(cell[0]), rate = number(cell[1]);
  if (!start || !rate || *start > 1e9 || *rate > 1e6) refuse_line(file, line, "the start or the rate is not a number");
  Row row{*start, *rate, 1, std::string(cell[3])};
  if (row.rate_per_s <= 0 || row.pattern.empty()) {
    row.rate_per_s = 0;
    return row;
  }
  if (row.pattern != "Gamma" && row.pattern != "Weibull" && row.pattern != "Exponential") {
    refuse_line(file, line, "expected the pattern Gamma, Weibull or Exponential");
  }
  const auto cv = number(cell[2]);
  if (!cv || *cv <= 0) refuse_line(file, line, "the CV is not a number above 0");
  row.cv = std::clamp(*cv, 0.01, 10.0);
  return row;
}

std::vector<Row> read_rows(const std::string& file) {
  constexpr std::size_t kMostRows = 100'000;
  std::ifstream in(file);
  if (!in) throw data::InputError(file, "", "", "cannot be read");
  std::vector<Row> rows;
  std::string text;
  for (std::size_t line = 1; std::getline(in, text); ++line) {
    if (text.empty() || text == "\r") continue;
    if (rows.size() >= kMostRows) refuse_line(file, line, "at most 100000 windows are read");
    rows.push_back(read_row(file, line, text));
    if (rows.size() > 1 && rows.back().start_s <= rows[rows.size() - 2].start_s) {
      refuse_line(file, line, "a window begins no later than the one before");
    }
  }
  if (rows.size() < 2) throw data::InputError(file, "", "", "expected at least two windows");
  return rows;
}

/// "{41: 0.99, 50: 0.01}"
data::LengthDistribution read_weights(const std::string& file, const std::string& place, std::string_view text) {
  data::LengthDistribution table{"empirical", 0, std::nullopt};
  const auto refuse = [&]() { throw data::InputError(file, place, "", "expected token counts with their weights"); };
  std::size_t at = text.find('{');
  if (at == std::string_view::npos) refuse();
  while (++at < text.size() && text[at] != '}') {
    const std::size_t colon = text.find(':', at), end = text.find_first_of(",}", at);
    if (colon == std::string_view::npos || end == std::string_view::npos || colon > end) refuse();
    const auto trimmed = [](std::string_view part) {
      while (!part.empty() && part.front() == ' ') part.remove_prefix(1);
      while (!part.empty() && part.back() == ' ') part.remove_suffix(1);
      return part;
    };
    const auto value = number(trimmed(text.substr(at, colon - at)));
    const auto weight = number(trimmed(text.substr(colon + 1, end - colon - 1)));
    if (!value || !weight) refuse();
    if (*weight > 0) {
      table.values.push_back(std::max(*value, 1.0));
      table.weights.push_back(*weight);
    }
    at = end;
    if (text[end] == '}') break;
  }
  if (table.values.empty()) refuse();
  return table;
}

/// By start second.
std::map<double, ClientLengths> read_lengths(const std::string& file) {
  const nlohmann::ordered_json json = data::read_json_file(file);
  if (!json.is_object()) throw data::InputError(file, "", "", "expected an object");
  std::map<double, ClientLengths> all;
  for (const auto& item : json.items()) {
    const std::string& start = item.key();
    const auto& window = item.value();
    const std::string place = "/" + start;
    const auto start_s = number(start);
    const auto text = [&](const char* name) -> const std::string& {
      if (!start_s || !window.is_object() || !window.contains(name) || !window[name].is_string()) {
        throw data::InputError(file, place, "",
                               "expected input_tokens and output_tokens of a window; of other clients the class "
                               "states the lengths");
      }
      return window[name].get_ref<const std::string&>();
    };
    const std::string &input = text("input_tokens"), &output = text("output_tokens");
    if (input == "{}" || output == "{}") continue;  // nobody asked
    const auto law = [&](const char* name, const std::string& weights) {
      const std::string at = place + "/" + name;
      return LengthLaw(read_weights(file, at, weights), at);
    };
    all.emplace(*start_s, ClientLengths{law("input_tokens", input), law("output_tokens", output)});
  }
  if (all.empty()) throw data::InputError(file, "", "", "expected token counts with their weights");
  return all;
}

std::string dataset_beside(const std::string& file) {
  constexpr std::string_view kEnding = "-trace.csv";
  if (!file.ends_with(kEnding)) {
    throw data::InputError(file, "", "", "its token counts would be in a file named -dataset.json for -trace.csv");
  }
  return file.substr(0, file.size() - kEnding.size()) + "-dataset.json";
}

GapLaw law_of(const Row& row) {
  if (row.pattern == "Weibull") return GapLaw::weibull(weibull_shape(row.cv));
  return row.pattern == "Gamma" ? GapLaw::gamma(row.cv) : GapLaw();
}

/// The windows of a client within [begin, end), from 0 at begin.
ClientWindowTable::Client read_client(const std::string& file, const data::ClientWindows& what, bool with_lengths,
                                      double& begin_s, double& end_s) {
  const std::vector<Row> rows = read_rows(file);
  const double last_s = 2 * rows.back().start_s - rows[rows.size() - 2].start_s;
  begin_s = what.window_begin_s.value_or(rows.front().start_s);
  end_s = what.window_end_s.value_or(last_s);
  if (end_s - begin_s > kLongestDemand.seconds()) {
    throw data::InputError(file, "", "", "a demand lasts at most 10000000 s; state window_s");
  }
  ClientWindowTable::Client client;
  std::map<double, ClientLengths> lengths;
  if (with_lengths) lengths = read_lengths(dataset_beside(file));
  std::map<double, std::int32_t> index;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const double from = std::max(rows[i].start_s, begin_s);
    const double to = std::min(i + 1 < rows.size() ? rows[i + 1].start_s : last_s, end_s);
    if (from >= to) continue;
    ClientWindowTable::Window window{.begin = Time::from_seconds(from - begin_s),
                                     .end = Time::from_seconds(to - begin_s),
                                     .rate_per_s = rows[i].rate_per_s * what.rate_scale,
                                     .law = law_of(rows[i]),
                                     .lengths = -1};
    if (!lengths.empty()) {
      auto found = lengths.upper_bound(rows[i].start_s);
      if (found != lengths.begin()) --found;
      const auto [at, fresh] = index.emplace(found->first, static_cast<std::int32_t>(client.lengths.size()));
      if (fresh) client.lengths.push_back(found->second);
      window.lengths = at->second;
    }
    client.windows.push_back(window);
  }
  return client;
}

}  // namespace

ClientWindowTable read_client_windows(const data::Scenario& scenario, const data::ClientWindows& what,
                                      bool with_lengths) {
  ClientWindowTable table;
  std::optional<double> first_s;
  double length_s = 0;
  for (const std::string& name : what.files) {
    const std::string file = (scenario.folder / name).string();
    double begin_s = 0, end_s = 0;
    table.clients.push_back(read_client(file, what, with_lengths, begin_s, end_s));
    if (first_s.value_or(begin_s) != begin_s) {
      throw data::InputError(file, "line 1", "", "begins at another second than the clients before; state window_s");
    }
    first_s = begin_s;
    length_s = std::max(length_s, end_s - begin_s);
  }
  table.length = Time::from_seconds(length_s);
  return table;
}

}  // namespace weir::sim

#include "probes/load_watch.h"

#include <unistd.h>

#include <algorithm>
#include <charconv>

#include "probes/machine_files.h"

namespace weir::probes {
namespace {

std::vector<std::string_view> words_of(std::string_view line) {
  std::vector<std::string_view> words;
  std::size_t at = 0;
  while ((at = line.find_first_not_of(" \t", at)) != std::string_view::npos) {
    const std::size_t end = std::min(line.find_first_of(" \t", at), line.size());
    words.push_back(line.substr(at, end - at));
    at = end;
  }
  return words;
}

}  // namespace

std::vector<int> parse_cpu_list(std::string_view text) {
  std::vector<int> cpus;
  while (!text.empty()) {
    const std::size_t comma = std::min(text.find(','), text.size());
    const std::string_view part = text.substr(0, comma);
    text.remove_prefix(std::min(comma + 1, text.size()));
    const std::size_t dash = part.find('-');
    const std::optional<double> first = parse_number(part.substr(0, std::min(dash, part.size())));
    const std::optional<double> last = dash == std::string_view::npos ? first : parse_number(part.substr(dash + 1));
    if (!first || !last || *last - *first > 1e5) continue;
    for (int cpu = static_cast<int>(*first); cpu <= static_cast<int>(*last); ++cpu) cpus.push_back(cpu);
  }
  return cpus;
}

std::optional<double> busy_seconds(std::string_view proc_stat, const std::vector<int>& cpus, double ticks_per_s) {
  // Fields after the name: user nice system idle iowait irq softirq steal (proc(5)).
  constexpr std::size_t kBusyFields[] = {1, 2, 3, 6, 7, 8};
  double ticks = 0;
  bool found = false;
  for (const std::string_view line : lines_of(proc_stat)) {
    const std::vector<std::string_view> words = words_of(line);
    if (words.size() < 9 || words[0].size() < 4 || !words[0].starts_with("cpu")) continue;
    const std::optional<double> cpu = parse_number(words[0].substr(3));
    if (!cpu || std::find(cpus.begin(), cpus.end(), static_cast<int>(*cpu)) == cpus.end()) continue;
    found = true;
    for (std::size_t field : kBusyFields) ticks += parse_number(words[field]).value_or(0);
  }
  if (!found) return std::nullopt;
  return ticks / ticks_per_s;
}

std::optional<double> pressure_seconds(std::string_view proc_pressure_cpu) {
  for (const std::string_view line : lines_of(proc_pressure_cpu)) {
    const std::size_t at = line.find("total=");
    if (!line.starts_with("some") || at == std::string_view::npos) continue;
    if (const std::optional<double> total_us = parse_number(line.substr(at + 6))) return *total_us * 1e-6;
  }
  return std::nullopt;
}

LoadWatch::LoadWatch(Clocks clocks, std::filesystem::path root)
    : clocks_(std::move(clocks)), root_(std::move(root)), cpus_(allowed_cpus(root_)) {}

LoadWatch::Reading LoadWatch::read() const {
  Reading reading{clocks_.wall_s(), clocks_.cpu_s(), std::nullopt, std::nullopt};
  const double ticks_per_s = static_cast<double>(sysconf(_SC_CLK_TCK));
  if (const auto text = read_text(root_ / "proc/stat")) reading.busy_s = busy_seconds(*text, cpus_, ticks_per_s);
  if (const auto text = read_text(root_ / "proc/pressure/cpu")) reading.pressure_s = pressure_seconds(*text);
  return reading;
}

double LoadWatch::foreign_share(const Reading& from, const Reading& to) const {
  const double wall_s = to.wall_s - from.wall_s;
  if (wall_s <= 0 || cpus_.empty()) return 0;
  double share = 0;
  if (from.busy_s && to.busy_s) {
    const double foreign_s = (*to.busy_s - *from.busy_s) - (to.own_s - from.own_s);
    share = foreign_s / (wall_s * static_cast<double>(cpus_.size()));
  }
  if (from.pressure_s && to.pressure_s) share = std::max(share, (*to.pressure_s - *from.pressure_s) / wall_s);
  return std::clamp(share, 0.0, 1.0);
}

}  // namespace weir::probes

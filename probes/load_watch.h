#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "probes/steady_state.h"

namespace weir::probes {

/// "0-3,8" -> {0, 1, 2, 3, 8}; what cannot be read is left out.
std::vector<int> parse_cpu_list(std::string_view text);

/// Seconds that the CPUs in `cpus` were busy since boot (user, nice, system, irq, softirq, steal), from the text of
/// /proc/stat, whose unit is 1 / ticks_per_s. Empty if there is none of them in it.
std::optional<double> busy_seconds(std::string_view proc_stat, const std::vector<int>& cpus, double ticks_per_s);

/// Total of the line "some" of /proc/pressure/cpu, in seconds: how long runnable tasks waited for a CPU.
std::optional<double> pressure_seconds(std::string_view proc_pressure_cpu);

/// Sees what others do on the CPUs of this process while something is measured.
class LoadWatch {
 public:
  struct Reading {
    double wall_s = 0, own_s = 0;
    std::optional<double> busy_s, pressure_s;
  };

  explicit LoadWatch(Clocks clocks, std::filesystem::path root = "/");
  Reading read() const;

  /// The larger of: CPU time of others / CPU time there was; time that tasks waited for a CPU / time. 0 when unknown.
  double foreign_share(const Reading& from, const Reading& to) const;

  int cpus() const { return static_cast<int>(cpus_.size()); }

 private:
  Clocks clocks_;
  std::filesystem::path root_;
  std::vector<int> cpus_;
};

}  // namespace weir::probes

#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <string>

#include "probes/calibrator.h"
#include "probes/machine_files.h"

namespace weir::probes {
namespace {

constexpr double kDriftLimit = 0.10;

std::string today() {
  const time_t now = time(nullptr);
  tm parts{};
  gmtime_r(&now, &parts);
  char text[16] = {};
  strftime(text, sizeof(text), "%Y-%m-%d", &parts);
  return text;
}

std::string host_name() {
  char name[256] = {};
  return gethostname(name, sizeof(name) - 1) == 0 && name[0] != '\0' ? name : "this machine";
}

double spread_of(const std::vector<double>& values) {
  const auto [low, high] = std::minmax_element(values.begin(), values.end());
  return (*high - *low) / median(values);
}

std::string percent(double share) { return number_text(100 * share, 1) + " %"; }

const char* peak_name(data::Precision precision) {
  switch (precision) {
    case data::Precision::fp32:
      return "fp32_peak";
    case data::Precision::bf16:
      return "bf16_peak";
    case data::Precision::int8:
      return "int8_peak";
    default:
      return "";
  }
}

}  // namespace

void Calibrator::finish_limits() {
  result_.limits.push_back(
      {"read_bandwidth", *std::max_element(bandwidths_.begin(), bandwidths_.end()), "bytes/s", spread_of(bandwidths_)});
  std::map<data::Precision, std::pair<double, double>> best;  // rate, and the relative deviation of that sample
  for (const data::Sample& sample : result_.samples) {
    if (sample.op != "gemm") continue;
    const double rate = sample.flops / sample.median_s;
    if (rate > best[sample.precision].first) best[sample.precision] = {rate, sample.mad_s / sample.median_s};
  }
  for (const auto& [precision, rate] : best) {
    result_.limits.push_back({peak_name(precision), rate.first, "flop/s", 2 * rate.second});
  }
}

void Calibrator::finish_environment(const LoadWatch::Reading& from) {
  const double foreign = watch_.foreign_share(from, watch_.read());
  const double drift = anchors_s_.size() > 1 ? spread_of(anchors_s_) : 0;
  const auto contended_points =
      std::count_if(result_.samples.begin(), result_.samples.end(), [](const data::Sample& sample) {
        return std::find(sample.flags.begin(), sample.flags.end(), "contended") != sample.flags.end();
      });
  result_.device_id = "this-machine";
  result_.device_name = info_.name;
  result_.device_kind = info_.kind;
  result_.memory_bytes = info_.memory_bytes;
  result_.kernel_set = "weir-0.1";
  result_.evidence = data::Evidence::measured_here;
  result_.source = std::string("weir-probe ") + WEIR_VERSION + " on " + host_name();
  result_.date = today();
  result_.contended = foreign > plan_.protocol.foreign_limit || drift > kDriftLimit ||
                      4 * contended_points > static_cast<std::ptrdiff_t>(result_.samples.size());

  auto& environment = result_.environment;
  std::string flags;
  for (const std::string& flag : info_.cpu_flags) flags += (flags.empty() ? "" : " ") + flag;
  environment["cpu_flags"] = flags;
  environment["isa"] = info_.isa;
  environment["libraries"] = info_.libraries.empty() ? "none" : info_.libraries;
  environment["threads"] = std::to_string(info_.threads);
  const CgroupLimits limits = cgroup_limits("/");
  environment["container_limits"] = "cpus " + (limits.cpus ? number_text(*limits.cpus, 2) : std::string("unlimited")) +
                                    ", memory " +
                                    (limits.memory_bytes ? bytes_text(*limits.memory_bytes) : std::string("unlimited"));
  utsname system{};
  if (uname(&system) == 0) environment["system"] = std::string(system.sysname) + " " + system.release;
  environment["caches"] = "last level " + bytes_text(cache_bytes_) + "; before each GEMM, attention and layer " +
                          bytes_text(static_cast<double>(bench_->stream().bytes())) +
                          " of other memory are read, so that weights and KV come from memory";
  environment["limits"] = "read_bandwidth: all threads, four streams each, the best pass of " +
                          std::to_string(bandwidths_.size()) +
                          " moments of the run; peaks: the best GEMM of that precision in this run";
  environment["other_load"] = percent(foreign) + " of the CPUs";
  environment["anchor_drift"] = percent(drift) + " over " + std::to_string(anchors_s_.size()) + " measurements";
  environment["points"] = std::to_string(result_.samples.size()) + " measured, " +
                          std::to_string(result_.held_out.size()) + " held out, " + std::to_string(dropped_) +
                          " dropped for time, " + std::to_string(contended_points) + " contended";
  environment["duration"] =
      number_text(elapsed_s(), 1) + " s, of which " + number_text(set_up_s_, 1) + " s before the first point";
}

}  // namespace weir::probes

#include "probes/calibrator.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "data/errors.h"
#include "probes/calibrate.h"
#include "probes/host_step.h"
#include "probes/machine_files.h"
#include "probes/numeric_error.h"
#include "probes/random_fill.h"

namespace weir::probes {
namespace {

constexpr int kPassesPerVisit = 6;  ///< read bandwidth = the best of so many passes, at each visit
constexpr double kReserve_s = 2.5;  ///< kept for the last anchor, overheads and errors
/// Flush buffer against the last-level cache. On a VM with 315 MB of L3 a matrix was back to its full time from memory
/// after half of that had been read; 3 would cost half of the whole run.
constexpr double kStreamOverCache = 1.5;
constexpr double kStreamShareOfMemory = 0.1;
constexpr double kShortKernel_s = 0.5e-3;
constexpr std::int64_t kVocabulary = 128256;  ///< Llama-3.1's
constexpr std::int64_t kHostBatch = 8;

Point anchor_point(const LayerShape& layer) {
  return {"gemm",
          {{"m", 64}, {"n", static_cast<double>(layer.hidden)}, {"k", static_cast<double>(layer.q_width())}},
          data::Precision::bf16,
          0};
}

}  // namespace

Calibrator::Calibrator(kernels::Device& device, const GridPlan& plan, const data::Progress& progress)
    : device_(device), plan_(plan), progress_(progress), watch_(clocks_), info_(device.info()) {}

void Calibrator::report(double fraction, const std::string& what) const {
  if (progress_ && !progress_(std::clamp(fraction, 0.0, 1.0), what)) throw data::Cancelled();
}

data::Calibration Calibrator::run() {
  started_s_ = clocks_.wall_s();
  const LoadWatch::Reading from = watch_.read();
  set_up();
  estimate_rates();
  visit_anchor();
  measure_points();
  visit_anchor();
  measure_overheads();
  finish_limits();
  finish_environment(from);
  for (const data::Sample& sample : result_.samples) result_.fitted_on.push_back(sample_hash(sample));
  report(1.0, "done");
  return std::move(result_);
}

void Calibrator::set_up() {
  cache_bytes_ = probes::cache_bytes("/", 3);
  if (cache_bytes_ == 0) cache_bytes_ = probes::cache_bytes("/", 2);
  const double memory =
      std::min(info_.memory_bytes > 0 ? info_.memory_bytes : 1e18, meminfo_bytes("/", "MemAvailable").value_or(1e18));
  constexpr double kLeastStream = 64e6;
  const double stream = std::min({std::max(kStreamOverCache * cache_bytes_, kLeastStream),
                                  static_cast<double>(plan_.most_stream_bytes), kStreamShareOfMemory * memory});
  const double needed = bytes_needed(plan_, stream);
  if (needed > 0.9 * memory) {
    throw kernels::DeviceError("not enough memory to calibrate: needs " + bytes_text(needed) + ", has " +
                               bytes_text(memory));
  }
  bench_ = std::make_unique<Workbench>(device_, plan_, static_cast<std::size_t>(stream), info_.threads, progress_);
}

/// One run of each kind, to know what the points will cost. Each precision of the grid has an `o` or a small matrix.
void Calibrator::estimate_rates() {
  Protocol once = plan_.protocol;
  once.min_samples = once.max_samples = once.rounds = 1;
  std::map<data::Precision, Point> gemms;
  for (const Point& point : plan_.points) {
    if (point.op == "gemm" && point.at("m") >= 64 && gemms.count(point.precision) == 0) gemms[point.precision] = point;
  }
  for (const auto& [precision, point] : gemms) {
    report(0.11, "estimating " + name_of(point));
    const double took_s = measure(bench_->operation(point), info_.threads, once, clocks_, watch_).median_s;
    gemm_flops_per_s_[precision] = flops_of(point, plan_.layer) / took_s;
  }
  for (const Point& point : plan_.points) {
    if (point.op != "attention_prefill") continue;
    const double took_s = measure(bench_->operation(point), info_.threads, once, clocks_, watch_).median_s;
    attention_flops_per_s_ = flops_of(point, plan_.layer) / took_s;
    break;
  }
}

double Calibrator::predicted_seconds(const Point& point) const {
  if (point.held_out()) {
    double sum_s = 0;
    for (const Point& part : parts_of(point, plan_.layer)) sum_s += predicted_seconds(part);
    return sum_s;
  }
  const double bandwidth = bandwidths_.empty() ? 10e9 : bandwidths_.front();
  double flops_per_s = attention_flops_per_s_;
  if (const auto it = gemm_flops_per_s_.find(point.precision); point.op == "gemm" && it != gemm_flops_per_s_.end()) {
    flops_per_s = it->second;
  }
  return std::max(flops_of(point, plan_.layer) / flops_per_s, bytes_of(point, plan_.layer) / bandwidth);
}

double Calibrator::predicted_cost(const Point& point) const {
  const bool flushed = point.op == "gemm" || point.op.starts_with("attention") || point.held_out();
  const double between_s =
      flushed && !bandwidths_.empty() ? static_cast<double>(bench_->stream().bytes()) / bandwidths_.front() : 0;
  const double once_s = predicted_seconds(point);
  const SamplePlan samples = plan_samples(once_s, between_s, flushed, plan_.protocol);
  const int executions = once_s < plan_.protocol.budget_s ? 2 : 1;  // warm-up, estimate
  return once_s * executions + between_s +
         (once_s * static_cast<double>(samples.executions) + between_s) * samples.samples;
}

void Calibrator::visit_anchor() {
  double best = 0;
  for (int pass = 0; pass < kPassesPerVisit; ++pass) best = std::max(best, bench_->stream().pass());
  bandwidths_.push_back(best);
  const Point anchor = anchor_point(plan_.layer);
  const bool measured = std::any_of(plan_.points.begin(), plan_.points.end(), [&](const Point& point) {
    return point.op == "gemm" && point.precision == anchor.precision && point.shape.at("n") == anchor.shape.at("n") &&
           point.shape.at("k") == anchor.shape.at("k");
  });
  if (measured) {
    anchors_s_.push_back(measure_point(anchor).median_s);
  }
  last_anchor_s_ = elapsed_s();
}

double Calibrator::numeric_error(const Point& point) {
  const auto key = std::make_pair(point.precision, point.at("k"));
  const auto known = errors_.find(key);
  if (known != errors_.end()) return known->second;
  return errors_[key] = gemm_error_vs_fp32(device_, point.precision, point.at("k"));
}

Measurement Calibrator::measure_point(const Point& point) {
  const Operation operation = bench_->operation(point);
  Protocol protocol = plan_.protocol;
  // Kernels of one kind that are not very short keep about as many threads busy: one that never had them was disturbed
  // all the time. Row operations differ too much for that.
  double& best = parallelism_[point.op];
  if (operation.single && predicted_seconds(point) > kShortKernel_s) protocol.least_parallelism = 0.75 * best;
  const Measurement measured = measure(operation, info_.threads, protocol, clocks_, watch_);
  best = std::max(best, measured.parallelism);
  return measured;
}

data::Sample Calibrator::sample_of(const Point& point) {
  const Measurement measured = measure_point(point);
  data::Sample sample;
  sample.op = point.op;
  sample.shape = point.shape;
  sample.precision = point.precision;
  sample.median_s = measured.median_s;
  sample.mad_s = measured.mad_s;
  sample.n = measured.n;
  sample.flops = flops_of(point, plan_.layer);
  sample.bytes = bytes_of(point, plan_.layer);
  sample.flags = measured.flags;
  if (point.op == "gemm" && point.precision != data::Precision::fp32) {
    sample.relative_error_vs_fp32 = numeric_error(point);
  }
  const bool flushed = point.op == "gemm" || point.op.starts_with("attention") || point.held_out();
  if (flushed && static_cast<double>(bench_->stream().bytes()) < cache_bytes_) {
    sample.flags.push_back("may-be-cache-resident");
  }
  return sample;
}

void Calibrator::measure_points() {
  set_up_s_ = elapsed_s();
  const double left_s = plan_.budget_s - set_up_s_ - kReserve_s;
  std::vector<Point> points = fit_to_budget(
      plan_.points, [this](const Point& point) { return predicted_cost(point); }, left_s);
  Random random(plan_.seed + 3);
  shuffle(points, random);
  std::stable_sort(points.begin(), points.end(), [](const Point& a, const Point& b) { return a.tier < b.tier; });
  double all_s = 0, done_s = 0;
  for (const Point& point : points) all_s += predicted_cost(point);
  for (const Point& point : points) {
    report(0.12 + 0.86 * done_s / all_s, name_of(point));
    done_s += predicted_cost(point);
    const double time_left_s = plan_.budget_s - kReserve_s - elapsed_s();
    if (predicted_cost(point) > time_left_s && (point.tier > 0 || time_left_s < 0)) continue;  // slower than predicted
    if (elapsed_s() - last_anchor_s_ > plan_.anchor_every_s) visit_anchor();
    (point.held_out() ? result_.held_out : result_.samples).push_back(sample_of(point));
  }
  dropped_ = plan_.points.size() - result_.samples.size() - result_.held_out.size();
}

void Calibrator::measure_overheads() {
  report(0.99, "overheads");
  const kernels::BufferPtr x = device_.allocate(sizeof(float)), y = device_.allocate(sizeof(float));
  const float zero = 0;
  for (kernels::Buffer* buffer : {x.get(), y.get()}) device_.upload(*buffer, std::as_bytes(std::span(&zero, 1)));
  const auto seconds = [this](const std::function<void()>& execute) {
    return measure({"overhead", execute, {}, false}, 1, plan_.protocol, clocks_, watch_).median_s;
  };
  result_.overheads["kernel_launch_s"] = seconds([&] { device_.add(*x, *y, 1); });
  HostStep one(1, plan_.layer.hidden, kVocabulary), several(kHostBatch, plan_.layer.hidden, kVocabulary);
  const double one_s = seconds([&] { one.run(); });
  const double several_s = seconds([&] { several.run(); });
  const double each_s = std::max(0.0, (several_s - one_s) / static_cast<double>(kHostBatch - 1));
  result_.overheads["sequence_host_s"] = each_s;
  result_.overheads["step_host_s"] = std::max(0.0, one_s - each_s);
}

}  // namespace weir::probes

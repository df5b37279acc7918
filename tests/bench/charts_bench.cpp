#include <benchmark/benchmark.h>

#include <QImage>
#include <QPainter>

#include <cmath>
#include <fstream>
#include <map>
#include <random>
#include <string>

#include "reports/charts/decimate.h"
#include "reports/charts/line.h"
#include "reports/charts/svg.h"
#include "reports/qt/paint_scene.h"

/// A line of 100 k and of 1 M points to a picture of 1200 x 600, stage by stage.
namespace {

using namespace weir::reports;

constexpr double kWidth = 1200, kHeight = 600;

charts::LineChart line_of(std::size_t points, charts::XKind kind) {
  charts::LineChart data;
  data.title = "Queue length";
  data.x_title = "Time (s)";
  data.x_kind = kind;
  charts::LineSeries series;
  series.points.reserve(points);
  std::mt19937_64 random(1);
  std::normal_distribution<double> noise(0, 1);
  double level = 0;
  for (std::size_t i = 0; i < points; ++i) {
    level = 0.999 * level + noise(random);
    series.points.push_back({static_cast<double>(i + 1), 200 + level});
  }
  data.series.push_back(std::move(series));
  return data;
}

const charts::LineChart& cached(std::size_t points, charts::XKind kind) {
  static std::map<std::pair<std::size_t, charts::XKind>, charts::LineChart> lines;
  const auto key = std::pair{points, kind};
  auto found = lines.find(key);
  if (found == lines.end()) found = lines.emplace(key, line_of(points, kind)).first;
  return found->second;
}

const charts::LineChart& data_of(const benchmark::State& state, charts::XKind kind = charts::XKind::number) {
  return cached(static_cast<std::size_t>(state.range(0)), kind);
}

charts::Layout layout() {
  charts::Layout out;
  out.width = kWidth;
  out.height = kHeight;
  return out;
}

/// Most memory this process ever held, MiB.
double peak_mib() {
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;) {
    double kib = 0;
    if (word == "VmHWM:" && status >> kib) return kib / 1024;
  }
  return 0;
}

std::size_t scene_bytes(const charts::Scene& scene) {
  std::size_t bytes = scene.items.capacity() * sizeof(charts::Primitive);
  for (const charts::Primitive& item : scene.items) {
    if (const auto* line = std::get_if<charts::Polyline>(&item)) bytes += line->points.size() * sizeof(charts::Point);
  }
  for (const charts::Plot& plot : scene.plots) {
    for (const charts::ReadableSeries& series : plot.series) bytes += series.points.size() * sizeof(charts::Point);
  }
  return bytes;
}

void decimate(benchmark::State& state) {
  const auto& points = data_of(state).series[0].points;
  std::vector<double> edges;
  for (int i = 0; i <= 1160; ++i) edges.push_back(1 + (points.back().x - 1) * i / 1160);
  std::size_t kept = 0;
  for (auto _ : state) {
    const auto few = charts::decimate(points, edges);
    kept = few.size();
    benchmark::DoNotOptimize(few.data());
  }
  state.counters["kept"] = static_cast<double>(kept);
}

void lay_out(benchmark::State& state) {
  const charts::LineChart& data = data_of(state);
  std::size_t bytes = 0;
  for (auto _ : state) {
    const charts::Scene scene = charts::line_chart(data, layout());
    bytes = scene_bytes(scene);
    benchmark::DoNotOptimize(scene.items.data());
  }
  state.counters["scene_KiB"] = static_cast<double>(bytes) / 1024;
}

void lay_out_log_x(benchmark::State& state) {
  const charts::LineChart& data = data_of(state, charts::XKind::logarithmic);
  for (auto _ : state) benchmark::DoNotOptimize(charts::line_chart(data, layout()).items.data());
}

QImage canvas() { return {static_cast<int>(kWidth), static_cast<int>(kHeight), QImage::Format_RGB32}; }

void paint(benchmark::State& state) {
  const charts::Scene scene = charts::line_chart(data_of(state), layout());
  QImage image = canvas();
  for (auto _ : state) {
    image.fill(Qt::white);
    QPainter painter(&image);
    qt::paint_scene(painter, scene, charts::Theme::light);
  }
}

void lay_out_and_paint(benchmark::State& state) {
  const charts::LineChart& data = data_of(state);
  QImage image = canvas();
  for (auto _ : state) {
    image.fill(Qt::white);
    QPainter painter(&image);
    qt::paint_scene(painter, charts::line_chart(data, layout()), charts::Theme::light);
  }
  state.counters["data_MiB"] = static_cast<double>(data.series[0].points.size() * sizeof(charts::Point)) / 1048576;
  state.counters["peak_MiB"] = peak_mib();
}

void svg(benchmark::State& state) {
  const charts::Scene scene = charts::line_chart(data_of(state), layout());
  std::size_t bytes = 0;
  for (auto _ : state) bytes = charts::to_svg(scene, "a").size();
  state.counters["KiB"] = static_cast<double>(bytes) / 1024;
}

/// The same pen without decimation, to show what decimation is worth.
void paint_every_point(benchmark::State& state) {
  const auto& points = data_of(state).series[0].points;
  charts::Scene scene;
  charts::Polyline line;
  line.stroke = {charts::Role::owned, 1, charts::Dash::solid};
  for (const charts::Point& p : points) line.points.push_back({p.x / points.back().x * kWidth, 500 - p.y});
  scene.add(std::move(line));
  QImage image = canvas();
  for (auto _ : state) {
    image.fill(Qt::white);
    QPainter painter(&image);
    qt::paint_scene(painter, scene, charts::Theme::light);
  }
}

void sizes(benchmark::internal::Benchmark* bench) {
  bench->Arg(100'000)->Arg(1'000'000)->Unit(benchmark::kMillisecond)->Repetitions(5)->ReportAggregatesOnly();
}
BENCHMARK(decimate)->Apply(sizes);
BENCHMARK(lay_out)->Apply(sizes);
BENCHMARK(lay_out_log_x)->Apply(sizes);
BENCHMARK(paint)->Apply(sizes);
BENCHMARK(lay_out_and_paint)->Apply(sizes);
BENCHMARK(svg)->Apply(sizes);
BENCHMARK(paint_every_point)->Arg(100'000)->Arg(1'000'000)->Unit(benchmark::kMillisecond)->Iterations(1);

}  // namespace

int main(int count, char** arguments) {
  weir::reports::qt::ensure_application();
  benchmark::Initialize(&count, arguments);
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}

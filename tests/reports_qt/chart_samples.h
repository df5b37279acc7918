#pragma once

#include <cmath>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "reports/charts/figures.h"

/// One of every chart, with made-up data that looks like a plan's: many labels, close ends, crossings.
namespace weir::reports::charts::testing {

struct SampleChart {
  std::string name;
  std::function<Scene(const Layout&)> draw;
};

inline std::string in(Language language, const char* english, const char* chinese) {
  return language == Language::zh_CN ? chinese : english;
}

inline CostOverTime sample_cost(Language language) {
  CostOverTime data;
  data.currency = "USD";
  const auto curve = [](double start, double month, double spread) {
    CostCurve c;
    for (int m = 0; m <= 36; ++m) {
      const double amount = start + month * m;
      c.by_month.push_back(amount);
      c.low.push_back(amount - start * 0.07 - month * m * spread);
      c.high.push_back(amount + start * 0.07 + month * m * spread);
    }
    return c;
  };
  CostCurve hybrid = curve(313'200, 14'500, 0.12);
  hybrid.label = in(language, "1 hybrid", "1 混合");
  hybrid.role = Role::hybrid;
  hybrid.dash = Dash::dash_dot;
  hybrid.chosen = true;
  CostCurve owned = curve(626'000, 10'600, 0.1);
  owned.label = in(language, "2 owned", "2 自有");
  owned.role = Role::owned;
  CostCurve rented = curve(0, 45'600, 0.15);
  rented.label = in(language, "6 rented", "6 租用");
  rented.role = Role::rented;
  rented.dash = Dash::dashed;
  data.curves = {hybrid, owned, rented};
  data.break_even = BreakEven{10.07, 313'200 + 14'500 * 10.07,
                              in(language, "Hybrid pays back in month 11", "混合方案第 11 个月回本"), Range{9, 13}};
  return data;
}

inline TailCurve sample_tail(std::string label, Dash dash, double median, double sigma, bool chosen) {
  TailCurve curve{std::move(label), chosen ? Role::neutral : Role::text_secondary, dash, {}, chosen};
  for (int i = 1; i <= 200; ++i) {
    const double share = std::pow(10.0, -3.2 * i / 200.0);
    // Quantile of a logistic in the logarithm: close to what queues give.
    curve.points.push_back({median * std::pow((1 - share + 1e-9) / share, sigma), share});
  }
  return curve;
}

inline TailChart sample_tails(Language language) {
  TailChart data;
  data.latency_name = in(language, "Time to first token", "首 token 时延 (TTFT)");
  data.curves = {
      sample_tail("1 8 × H800", Dash::solid, 0.22, 0.27, true),
      sample_tail("3 64 × L4", Dash::dashed, 0.3, 0.22, false),
      sample_tail("4 32 × A100", Dash::dash_dot, 0.26, 0.24, false),
      sample_tail(in(language, "16 × T4 (not eligible)", "16 × T4（未达标）"), Dash::dotted, 0.8, 0.3, false)};
  data.limit_s = 1;
  data.limit_label = in(language, "misses SLO", "未达标");
  return data;
}

inline ScatterChart sample_scatter(Language language) {
  ScatterChart data;
  data.currency = "USD";
  data.latency_name = "TTFT P99";
  data.cost_name = in(language, "TCO over 36 months", "36 个月总成本");
  data.limit_s = 1;
  data.points = {{"1", 0.84, 835'200, Shape::circle, Role::hybrid, false, true, true},
                 {"2", 0.62, 1'008'000, Shape::circle, Role::owned, false, false, true},
                 {"3", 0.93, 1'134'000, Shape::diamond, Role::owned, false, false, false},
                 {"4", 0.78, 1'307'000, Shape::square, Role::owned, false, false, false},
                 {"5", 0.97, 1'343'000, Shape::square, Role::hybrid, false, false, false},
                 {"6", 0.71, 1'642'000, Shape::circle, Role::rented, false, false, false},
                 {"7", 0.95, 2'005'000, Shape::triangle_down, Role::rented, false, false, false},
                 {"L4", 1.22, 640'000, Shape::diamond, Role::owned, true, false, false}};
  return data;
}

inline std::vector<BarChart> sample_parts(Language language) {
  const auto word = [language](const char* english, const char* chinese) { return in(language, english, chinese); };
  return {{word("Option 1, 8 × H800 owned (USD)", "方案 1，8 × H800 自有（美元）"),
           "USD",
           {{word("Servers", "服务器"), 313'200},
            {word("Energy", "电费"), 120'400},
            {word("Upkeep and parts", "维护与备件"), 88'000},
            {word("Staff", "人员"), 45'000},
            {word("Network, storage, rack", "网络、存储与机柜"), 25'300},
            {word("Resale, less disposal", "残值（扣除处置）"), -61'000}},
           Role::owned}};
}

inline LoadChart sample_load(Language language) {
  LoadChart data;
  std::mt19937 random(7);
  for (int i = 0; i < 288; ++i) {
    const double hour = i / 12.0;
    const double wave = std::exp(-std::pow((hour - 11) / 3.5, 2)) + 0.7 * std::exp(-std::pow((hour - 16) / 4, 2));
    data.begin_s.push_back(i * 300.0);
    data.arrivals_per_s.push_back(4 + 40 * wave + static_cast<double>(random() % 1000) / 180.0);
    data.busy_share.push_back(std::min(1.0, 0.08 + 0.7 * wave));
  }
  data.end_s = 86'400;
  data.option = in(language, "option 1", "方案 1");
  return data;
}

inline LineChart sample_arrivals(Language language) {
  LineChart data;
  data.title = in(language, "Arrivals (requests/s; line: mean of each minute, band: P10–P90 of its seconds)",
                  "到达速率（请求/秒；曲线为每分钟均值，色带为该分钟内各秒的 P10–P90）");
  data.y_unit = in(language, "requests/s", "请求/秒");
  data.x_title = in(language, "Hour of day (UTC+8)", "时刻 (UTC+8)");
  data.x_kind = XKind::clock;
  LineSeries series;
  std::mt19937 random(3);
  double sum = 0;
  for (int minute = 0; minute <= 1440; ++minute) {
    const double hour = minute / 60.0;
    const double noise = static_cast<double>(random() % 1000) / 1000.0 - 0.5;
    double value =
        5 + 34 * std::exp(-std::pow((hour - 11.5) / 3.2, 2)) + 30 * std::exp(-std::pow((hour - 16.5) / 4, 2));
    value *= 1 + 0.25 * noise;
    if (minute == 674) value = 61.8;
    sum += value;
    series.points.push_back({minute * 60.0, value});
    series.low.push_back({minute * 60.0, value * 0.8});
    series.high.push_back({minute * 60.0, value * 1.2});
  }
  const double mean = sum / 1441;
  data.rules = {{mean, in(language, "mean 22.4", "均值 22.4"), true}};
  data.mark = PointMark{{674 * 60.0, 61.8},
                        in(language, "busiest minute 11:14, 61.8 requests/s", "最忙一分钟 11:14，61.8 请求/秒")};
  data.series = {series};
  return data;
}

/// The P99 of a queue by the hour, with a band, in steps.
inline LineChart sample_steps(Language language) {
  LineChart data;
  data.title = in(language, "Queue wait P99 (ms)", "排队等待 P99 (ms)");
  data.y_unit = "ms";
  data.x_title = in(language, "Hour of day", "时刻");
  data.x_kind = XKind::clock;
  LineSeries series;
  series.role = Role::hybrid;
  series.steps = true;
  for (int hour = 0; hour <= 24; ++hour) {
    const double value = hour < 7 ? 10 : 410 * std::exp(-std::pow((hour - 12) / 5.0, 2)) + 20 * (hour % 3);
    series.points.push_back({hour * 3600.0, value});
    series.low.push_back({hour * 3600.0, value * 0.78});
    series.high.push_back({hour * 3600.0, value * 1.3});
  }
  data.series = {series};
  data.mark = PointMark{{12 * 3600.0, 410}, in(language, "12:00, 410 ms (320–530)", "12 时：410 ms（320–530）")};
  return data;
}

/// Several lines with names at their ends, logarithmic x: throughput against batch size.
inline LineChart sample_sweep(Language language) {
  LineChart data;
  data.title = in(language, "Requests within targets (requests/s)", "达标请求速率（请求/秒）");
  data.y_unit = in(language, "requests/s", "请求/秒");
  data.x_title = in(language, "Largest batch", "最大批量");
  data.x_reading = in(language, "batch {value}", "批量 {value}");
  data.x_kind = XKind::logarithmic;
  constexpr Dash kDashes[] = {Dash::solid, Dash::dashed, Dash::dash_dot, Dash::dotted};
  constexpr Role kRoles[] = {Role::owned, Role::text_secondary, Role::hybrid, Role::text_secondary};
  const char* names[] = {"8 × H800", "32 × A100", "64 × L4", "72 × A10"};
  for (int s = 0; s < 4; ++s) {
    LineSeries series;
    series.label = names[s];
    series.role = kRoles[s];
    series.dash = kDashes[s];
    series.chosen = s == 0;
    for (double batch = 1; batch <= 512; batch *= 2) {
      series.points.push_back({batch, (80 - 4 * s) * batch / (batch + 12 + 6 * s) - (batch > 128 ? 6 * s + 4 : 0)});
    }
    data.series.push_back(series);
  }
  data.rules = {{22.4, in(language, "needed 22.4", "需要 22.4"), true}};
  return data;
}

inline Histogram sample_histogram(Language language) {
  std::mt19937 random(11);
  std::lognormal_distribution<double> tokens(std::log(562), 0.9);
  std::vector<double> values;
  for (int i = 0; i < 20'000; ++i) values.push_back(std::clamp(tokens(random), 16.0, 8192.0));
  Histogram data;
  data.title = in(language, "Requests by input tokens (%)", "按输入 token 数的请求占比（%）");
  data.x_title = in(language, "Input tokens", "输入 token 数");
  data.unit = "tokens";
  data.edges = bin_edges(16, 8192, 27, true);
  data.shares = bin_shares(values, data.edges);
  data.logarithmic = true;
  data.rules = {{562, "P50 562", false}, {3940, "P99 3,940", true}};
  return data;
}

inline StackedBars sample_stacks(Language language) {
  StackedBars data;
  data.title = in(language, "H800 cards in use", "使用中的 H800 卡数");
  data.unit = in(language, "cards", "张");
  data.x_title = in(language, "Hour of day", "时刻（时）");
  StackPart owned{in(language, "owned", "自有"), Role::owned, {}, Hatch::none};
  StackPart rented{in(language, "rented peaks", "租用峰值"), Role::rented, {}, Hatch::diagonal};
  const double use[] = {3, 2.6, 2, 2, 2, 2.6, 4, 6.3, 7.4, 11, 13, 14, 13, 12, 13, 13, 11, 11, 10, 11, 11, 7.5, 6, 4.4};
  for (int hour = 0; hour < 24; ++hour) {
    data.labels.push_back((hour < 10 ? "0" : "") + std::to_string(hour));
    owned.values.push_back(std::min(8.0, use[hour]));
    rented.values.push_back(std::max(0.0, use[hour] - 8));
  }
  data.parts = {owned, rented};
  data.rule = Rule{8, in(language, "8 owned", "自有 8 卡"), false};
  return data;
}

inline Tornado sample_tornado(Language language) {
  Tornado data;
  data.title = in(language, "What moves the TCO most", "影响总成本最大的因素");
  data.currency = "USD";
  data.swings = {{in(language, "Rented card-hour price", "租用卡时单价"), -92'000, 132'000, "$4.65", "$9.00"},
                 {in(language, "Server quote", "服务器报价"), -70'000, 76'000, "", ""},
                 {in(language, "Traffic at peak", "峰值流量"), -41'000, 58'000, "", ""},
                 {in(language, "H800 step time", "H800 单步耗时"), -22'000, 31'000, "", ""},
                 {in(language, "Resale value", "残值"), 26'000, -24'000, "", ""},
                 {in(language, "Staff", "人员"), 4'000, 18'000, "", ""}};
  return data;
}

inline HeatMap sample_heat(Language language) {
  HeatMap data;
  data.title = in(language, "TTFT P99 (ms)", "TTFT P99 (ms)");
  data.unit = "ms";
  data.x_title = in(language, "Arrivals (requests/s)", "到达速率（请求/秒）");
  data.y_title = in(language, "Cards", "卡数");
  for (int c = 1; c <= 8; ++c) data.columns.push_back(std::to_string(c * 5));
  for (int r = 1; r <= 6; ++r) {
    data.rows.push_back(std::to_string(r * 4));
    for (int c = 1; c <= 8; ++c) {
      const double load = c * 5.0 / (r * 4.0 * 2.1);
      data.values.push_back(load >= 1 ? std::nan("") : 90 / (1 - load));
    }
  }
  data.logarithmic = true;
  data.chosen = {{3, 4}};
  return data;
}

inline std::vector<SampleChart> every_chart(Language language) {
  return {{"cumulative_cost", [=](const Layout& l) { return cumulative_cost(sample_cost(language), l); }},
          {"latency_tail", [=](const Layout& l) { return latency_tail(sample_tails(language), l); }},
          {"latency_cdf", [=](const Layout& l) { return latency_cdf(sample_tails(language), l); }},
          {"scatter", [=](const Layout& l) { return cost_against_latency(sample_scatter(language), l); }},
          {"cost_parts", [=](const Layout& l) { return cost_parts(sample_parts(language), l)[0]; }},
          {"load", [=](const Layout& l) { return load_over_run(sample_load(language), l); }},
          {"arrivals", [=](const Layout& l) { return line_chart(sample_arrivals(language), l); }},
          {"steps", [=](const Layout& l) { return line_chart(sample_steps(language), l); }},
          {"sweep", [=](const Layout& l) { return line_chart(sample_sweep(language), l); }},
          {"histogram", [=](const Layout& l) { return histogram(sample_histogram(language), l); }},
          {"stacked_bars", [=](const Layout& l) { return stacked_bars(sample_stacks(language), l); }},
          {"tornado", [=](const Layout& l) { return tornado(sample_tornado(language), l); }},
          {"heat_map", [=](const Layout& l) { return heat_map(sample_heat(language), l); }}};
}

}  // namespace weir::reports::charts::testing

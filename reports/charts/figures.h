#pragma once

#include <optional>
#include <string>
#include <vector>

#include "reports/charts/heat_map.h"
#include "reports/charts/histogram.h"
#include "reports/charts/layout.h"
#include "reports/charts/line.h"
#include "reports/charts/scene.h"
#include "reports/charts/stacked_bars.h"
#include "reports/charts/tornado.h"

/// The charts: each is a function of its data and a layout. Every word goes through the language of the layout; names
/// that stand in the data come in that language. Charts of one kind that know nothing of plans stand in files of their
/// own, included here.

namespace weir::reports::charts {

// ---- Cumulative cost, owned against rented, by month ----
struct CostCurve {
  std::string label;  ///< "Owned"
  Role role = Role::owned;
  Dash dash = Dash::solid;
  std::vector<double> by_month;  ///< cumulative amount at month 0, 1, ...
  bool chosen = false;
  std::vector<double> low = {}, high = {};  ///< P10 and P90 by month; empty: no band
};
struct BreakEven {
  double month = 0, amount = 0;
  std::string sentence;                        ///< "Owning pays back in month 11"
  std::optional<Range> months = std::nullopt;  ///< P10 to P90 of the month
};
struct CostOverTime {
  std::string currency;
  std::vector<CostCurve> curves;  ///< at most 4
  std::optional<BreakEven> break_even;
};
Scene cumulative_cost(const CostOverTime& data, const Layout& layout);

// ---- Share of requests slower than a latency, log-log ----
struct TailCurve {
  std::string label;
  Role role = Role::neutral;
  Dash dash = Dash::solid;
  std::vector<Point> points;  ///< x latency in s, y share of requests slower; x increases
  bool chosen = false;
};
struct TailChart {
  std::string latency_name;       ///< "Time to first token"
  std::vector<TailCurve> curves;  ///< at most 4
  std::optional<double> limit_s;  ///< the target ...
  double limit_share = 0.01;      ///< ... and the share of requests that may be slower
  std::string limit_label;        ///< "misses SLO"
};
Scene latency_tail(const TailChart& data, const Layout& layout);
/// The same data as a cumulative distribution: share of requests at most so slow, latency on a logarithmic axis.
Scene latency_cdf(const TailChart& data, const Layout& layout);

// ---- Cost against latency ----
struct ScatterPoint {
  std::string label;  ///< rank of the table row
  double latency_s = 0, cost = 0;
  Shape shape = Shape::circle;
  Role role = Role::owned;
  bool hollow = false, chosen = false, on_front = false;
};
struct ScatterChart {
  std::string currency, latency_name;  ///< "TTFT P99"
  std::string cost_name;               ///< "TCO over 36 months"
  std::vector<ScatterPoint> points;
  std::optional<double> limit_s;
};
Scene cost_against_latency(const ScatterChart& data, const Layout& layout);

// ---- Parts of totals, as plain bars ----
struct Bar {
  std::string label;
  double value = 0;  ///< negative: a credit, drawn hollow to the left of zero
};
struct BarChart {
  std::string title, currency;
  std::vector<Bar> bars;
  Role role = Role::owned;
};
/// One scene a panel, all on one scale, so that bars compare across panels; layout.width px each, as high as needed.
std::vector<Scene> cost_parts(const std::vector<BarChart>& panels, const Layout& layout);

// ---- Load over the run: arrivals above, busy share below, one time axis ----
struct LoadChart {
  std::vector<double> begin_s;  ///< of each cell
  double end_s = 0;
  std::vector<double> arrivals_per_s;
  std::vector<double> busy_share;
  std::string option;  ///< whose busy share it is
};
Scene load_over_run(const LoadChart& data, const Layout& layout);

}  // namespace weir::reports::charts

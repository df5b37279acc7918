#pragma once

#include <string>
#include <vector>

#include "reports/charts/layout.h"
#include "reports/charts/scene.h"

namespace weir::reports::charts {

/// How often values fall into each bin, bars from zero.
struct Histogram {
  std::string title;           ///< "Requests by input tokens (%)"
  std::string x_title;         ///< "Input tokens"; the log scale is said by the chart
  std::string unit;            ///< of x, for the read-out: "tokens"
  std::vector<double> edges;   ///< ascending, one more than shares; > 0 on a logarithmic axis
  std::vector<double> shares;  ///< of all values, 0.093 for 9.3 %
  bool logarithmic = false;
  std::vector<Rule> rules;  ///< upright lines: P50, P99
  Role role = Role::neutral;
};
Scene histogram(const Histogram& data, const Layout& layout);

/// Edges of `count` bins from the smallest to the largest value, even on the axis.
std::vector<double> bin_edges(double low, double high, int count, bool logarithmic);
/// Share of the values in each bin; the last bin holds its upper edge too. Values outside count as part of the whole.
std::vector<double> bin_shares(const std::vector<double>& values, const std::vector<double>& edges);

}  // namespace weir::reports::charts

#include "sim/timing/profile_tables.h"

#include <algorithm>
#include <map>
#include <stdexcept>

namespace weir::sim {
namespace {

/// The piece x lies on, of axis[i] ... axis[i + 1]; the outermost ones go on. The axis has at least two values.
std::size_t piece_of(const std::vector<double>& axis, double x) {
  const auto above = static_cast<std::size_t>(std::upper_bound(axis.begin(), axis.end(), x) - axis.begin());
  return std::clamp<std::size_t>(above, 1, axis.size() - 1) - 1;
}

/// `value(i)` on the axis, linear in between.
template <class Value>
double interpolated(const std::vector<double>& axis, double x, const Value& value) {
  if (axis.size() == 1) return value(0);
  const std::size_t i = piece_of(axis, x);
  if (x == axis[i]) return value(i);
  if (x == axis[i + 1]) return value(i + 1);
  const double share = (x - axis[i]) / (axis[i + 1] - axis[i]);
  return (1 - share) * value(i) + share * value(i + 1);
}

}  // namespace

LinearCurve::LinearCurve(std::vector<std::pair<double, double>> points) {
  if (points.empty()) throw std::logic_error("LinearCurve: no points");
  std::sort(points.begin(), points.end());
  for (const auto& [x, y] : points) {
    if (!x_.empty() && x == x_.back()) throw std::logic_error("LinearCurve: the same point twice");
    x_.push_back(x);
    y_.push_back(y);
  }
}

double LinearCurve::at(double x) const {
  return interpolated(x_, x, [this](std::size_t i) { return y_[i]; });
}

AttentionTable::AttentionTable(const std::vector<AttentionPoint>& points) {
  using Curve = std::vector<std::pair<double, double>>;                // by kd
  std::map<double, std::map<double, std::map<double, Curve>>> sorted;  // by C, n, kp
  sorted[0][0][0].emplace_back(0, 0);                                  // nothing to do takes no time
  for (const AttentionPoint& p : points) {
    if (p.prefill_tokens == 0 && p.decodes == 0) continue;
    sorted[static_cast<double>(p.prefill_tokens)][static_cast<double>(p.decodes)][static_cast<double>(p.prefill_past)]
        .emplace_back(static_cast<double>(p.decode_past), p.seconds);
  }
  if (sorted[0].size() < 2) throw std::logic_error("AttentionTable: no decode-only rows");
  for (auto& [chunk, by_decodes] : sorted) {
    chunks_.push_back(chunk);
    Row& row = rows_.emplace_back();
    for (auto& [decodes, by_past] : by_decodes) {
      row.decodes.push_back(decodes);
      Slice& slice = row.slices.emplace_back();
      for (auto& [past, curve] : by_past) {
        slice.past.push_back(past);
        slice.curves.emplace_back(std::move(curve));
      }
    }
  }
  // The nothing-to-do corner is for prompts shorter than the shortest measured one, not for fewer decodes.
  rows_.front().decodes.erase(rows_.front().decodes.begin());
  rows_.front().slices.erase(rows_.front().slices.begin());
}

double AttentionTable::Slice::at(double prefill_past, double decode_past) const {
  return interpolated(past, prefill_past, [&](std::size_t i) { return curves[i].at(decode_past); });
}

double AttentionTable::Row::at(double prefill_past, double n, double decode_past) const {
  return interpolated(decodes, n, [&](std::size_t i) { return slices[i].at(prefill_past, decode_past); });
}

double AttentionTable::at(double prefill_tokens, double prefill_past, double n, double decode_past) const {
  return interpolated(chunks_, prefill_tokens, [&](std::size_t i) {
    if (chunks_[i] == 0 && n == 0) return 0.0;
    return rows_[i].at(prefill_past, n, decode_past);
  });
}

AttentionTable::Piece AttentionTable::decode_piece(double n, double decode_past) const {
  const Row& row = rows_.front();
  std::vector<double> nodes;
  const auto merge = [&](std::size_t slice) {
    const std::vector<double>& more = row.slices[slice].curves.front().nodes();
    nodes.insert(nodes.end(), more.begin(), more.end());
  };
  const std::size_t low = row.decodes.size() == 1 ? 0 : piece_of(row.decodes, n);
  merge(low);
  if (row.decodes[low] != n && low + 1 < row.decodes.size()) merge(low + 1);
  std::sort(nodes.begin(), nodes.end());
  nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
  if (nodes.size() == 1) return {nodes[0], nodes[0], true};
  const std::size_t i = piece_of(nodes, decode_past);
  return {nodes[i], nodes[i + 1], i + 2 == nodes.size()};
}

double AttentionTable::shortest_decode_past() const {
  return rows_.front().slices.front().curves.front().nodes().front();
}

ExpertTable::ExpertTable(const std::vector<Point>& points) {
  if (points.empty()) throw std::logic_error("ExpertTable: no points");
  std::map<double, std::vector<std::pair<double, double>>> sorted;
  for (const Point& p : points) sorted[p.chosen].emplace_back(p.tokens, p.seconds);
  for (auto& [chosen, curve] : sorted) {
    chosen_.push_back(chosen);
    by_tokens_.emplace_back(std::move(curve));
  }
}

double ExpertTable::at(double tokens, double chosen) const {
  return interpolated(chosen_, std::clamp(chosen, chosen_.front(), chosen_.back()),
                      [&](std::size_t i) { return by_tokens_[i].at(tokens); });
}

}  // namespace weir::sim

#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace weir::sim {

/// Seconds measured at some points of one axis: linear between them and, past either end, on along the last piece.
/// (Interpolating logarithms over-estimates attention, which is linear in the context.)
class LinearCurve {
 public:
  LinearCurve() = default;
  /// Points in any order; at least one, no x twice. Throws std::logic_error otherwise.
  explicit LinearCurve(std::vector<std::pair<double, double>> points);

  double at(double x) const;
  const std::vector<double>& nodes() const { return x_; }

 private:
  std::vector<double> x_, y_;
};

/// One row of a profile of the attention kernels of a layer: `prefill_tokens` new tokens of one prompt after
/// `prefill_past` cached ones, together with `decodes` sequences that read `decode_past` cached tokens each.
struct AttentionPoint {
  std::int64_t prefill_tokens = 0, prefill_past = 0, decodes = 0, decode_past = 0;
  double seconds = 0;
};

/// Seconds of the attention kernels of one layer by (C, kp, n, kd), the four axes of AttentionPoint. Linear in each;
/// every (C, n) may have axes of its own for kp, and every (C, n, kp) for kd, as the union of two grids has.
class AttentionTable {
 public:
  AttentionTable() = default;
  /// Rows in any order. Throws std::logic_error when there is no decode-only row or the same row twice.
  explicit AttentionTable(const std::vector<AttentionPoint>& points);

  double at(double prefill_tokens, double prefill_past, double decodes, double decode_past) const;

  /// The measured contexts between which the time of a decode-only step of `decodes` sequences is linear around
  /// `decode_past`. Below the first and above the last the outermost piece goes on; one measured context: both equal.
  struct Piece {
    double low = 0, high = 0;
    bool last = false;  ///< goes on for ever
  };
  Piece decode_piece(double decodes, double decode_past) const;

  const std::vector<double>& chunk_axis() const { return chunks_; }
  const std::vector<double>& decode_axis() const { return rows_.front().decodes; }  ///< of decode-only steps; >= 1
  double shortest_decode_past() const;                                              ///< of decode-only steps

 private:
  struct Slice {  ///< of one (C, n): by kp, then by kd
    std::vector<double> past;
    std::vector<LinearCurve> curves;
    double at(double prefill_past, double decode_past) const;
  };
  struct Row {  ///< of one C: by n
    std::vector<double> decodes;
    std::vector<Slice> slices;
    double at(double prefill_past, double n, double decode_past) const;
  };
  std::vector<double> chunks_;
  std::vector<Row> rows_;
};

/// Seconds of the experts of one layer by tokens and by how many different experts they chose. Linear in both; fewer
/// or more chosen than measured: as the nearest.
class ExpertTable {
 public:
  struct Point {
    double tokens = 0, chosen = 0, seconds = 0;
  };
  ExpertTable() = default;
  explicit ExpertTable(const std::vector<Point>& points);  ///< throws std::logic_error when empty
  double at(double tokens, double chosen) const;

 private:
  std::vector<double> chosen_;
  std::vector<LinearCurve> by_tokens_;
};

}  // namespace weir::sim

#pragma once

#include <vector>

#include "reports/document.h"
#include "reports/qt/pdf_canvas.h"

namespace weir::reports::qt::pdf {

/// A column as it stands on the paper.
struct PaperColumn {
  std::size_t index = 0;    ///< in the table
  double x = 0, width = 0;  ///< pt from the left edge of the text
  double number_width = 0;  ///< of the widest text of a right-aligned column: marks stand left of it
  bool has_mark = false;
};

/// Which columns fit, and how wide they are.
class PaperColumns {
 public:
  /// Room for a mark, an option's marker and the sign of a problem; size of the signs.
  static constexpr double kMark = 10, kMarker = 12, kCross = 9, kSign = 6.6;

  explicit PaperColumns(const document::Table& table);
  const std::vector<PaperColumn>& kept() const { return kept_; }
  double text_size() const { return text_size_; }
  /// Width beside the text of a cell.
  double decoration(const document::Cell& cell, const PaperColumn& column) const;

 private:
  /// Widths of a column in pt: in one line, with a name above what it is, and with words broken wherever they may be.
  struct Need {
    double natural = 0, comfortable = 0, least = 0;
    double number_width = 0;
    bool has_mark = false, is_strip = false;
  };
  Need need(std::size_t column) const;
  bool drop_one();
  double available() const;
  double sum_of(double Need::*width) const;
  void measure();
  void make_room();
  void share_width();
  void squeeze(double room);
  void spread(double spare);
  bool takes_words(const PaperColumn& column) const;
  const document::Table& table_;
  std::vector<PaperColumn> kept_;
  std::vector<Need> needs_;
  double text_size_, gap_ = 9, strip_;
};

}  // namespace weir::reports::qt::pdf

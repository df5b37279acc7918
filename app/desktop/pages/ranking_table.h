#pragma once

#include "app/desktop/models/option_model.h"
#include "app/desktop/views/data_table.h"

namespace weir::desktop {

/// The ranking: marks in a gutter, strips, the chosen row with its bar, one sentence for what is not eligible.
class RankingTable : public DataTable {
  Q_OBJECT

 public:
  explicit RankingTable(OptionModel* options, QWidget* parent = nullptr);
  void refresh();

 protected:
  void resizeEvent(QResizeEvent* event) override;
  bool viewportEvent(QEvent* event) override;

 private:
  void fit_columns();
  int width_of(int column) const;

  OptionModel* options_;
};

}  // namespace weir::desktop

#pragma once

#include <QAbstractTableModel>
#include <memory>

#include "data/trace.h"
#include "reports/language.h"

namespace weir::desktop {

/// Rows that an import refused: line and reason.
class RejectedRowsModel : public QAbstractTableModel {
  Q_OBJECT

 public:
  enum Column { Line, Reason, ColumnCount };

  explicit RejectedRowsModel(QObject* parent = nullptr);
  void set_trace(std::shared_ptr<const data::Trace> trace);
  void set_language(reports::Language language);

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

 private:
  std::shared_ptr<const data::Trace> trace_;
  reports::Language language_ = reports::Language::en;
};

}  // namespace weir::desktop

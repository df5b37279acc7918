#pragma once

#include <QAbstractTableModel>
#include <vector>

#include "app/desktop/models/roles.h"
#include "app/desktop/models/session.h"
#include "reports/language.h"

namespace weir::desktop {

/// The catalogue's accelerators. Name is checkable: checked = a candidate of the scenario (one undo step). NameRole =
/// the id.
class HardwareModel : public QAbstractTableModel {
  Q_OBJECT

 public:
  enum Column { Name, Memory, Bandwidth, Peak, Power, PurchasePrice, RentPrice, ColumnCount };

  explicit HardwareModel(Session& session, QObject* parent = nullptr);
  void set_language(reports::Language language);

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  Qt::ItemFlags flags(const QModelIndex& index) const override;
  QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
  bool setData(const QModelIndex& index, const QVariant& value, int role = Qt::EditRole) override;
  QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

 signals:
  void refused(int row, const QString& message);  ///< in the language

 private:
  struct Row {
    const data::Accelerator* accelerator = nullptr;
    bool candidate = false;
    std::optional<data::RangedQuantity> purchase, rent;  ///< per accelerator; per accelerator-hour
  };
  void reload();
  std::vector<Row> rows() const;
  QVariant cell(const Row& row, int column, int role) const;

  Session& session_;
  std::vector<Row> rows_;
  reports::Language language_ = reports::Language::en;
};

}  // namespace weir::desktop

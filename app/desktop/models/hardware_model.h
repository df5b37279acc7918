#pragma once

#include <QAbstractTableModel>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/desktop/models/roles.h"
#include "app/desktop/models/session.h"
#include "data/catalog.h"
#include "reports/language.h"

namespace weir::desktop {

/// The accelerators that a plan of this scenario compares: those it names, else what it is deployed on, else everything
/// that has a price.
std::vector<std::string> effective_candidates(const data::Scenario& scenario);

/// This machine, when it was measured, and the catalogue's accelerators. Name is checkable: checked = a candidate of
/// the scenario (one undo step). Unchecking this machine takes its calibration out of the project. NameRole = the id.
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
    std::shared_ptr<const data::Accelerator> accelerator;
    bool measured = false;  ///< this machine, from the project's calibration
    bool candidate = false;
    std::optional<data::ServerPrice> purchase;
    std::optional<data::RangedQuantity> rent;  ///< of an accelerator-hour
  };
  void reload();
  std::vector<Row> rows() const;
  QVariant cell(const Row& row, int column, int role) const;

  Session& session_;
  std::vector<Row> rows_;
  reports::Language language_ = reports::Language::en;
};

}  // namespace weir::desktop

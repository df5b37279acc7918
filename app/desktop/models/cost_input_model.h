#pragma once

#include <QAbstractTableModel>
#include <string>
#include <vector>

#include "app/desktop/models/quantity.h"
#include "app/desktop/models/roles.h"
#include "app/desktop/models/session.h"
#include "data/catalog.h"
#include "reports/language.h"

namespace weir::desktop {

/// The prices of the scenario's candidate hardware, and the economic inputs of its region that a cost depends on. Value
/// is editable and writes cost.overrides (one undo step); an empty text brings the catalogue's value back. NameRole =
/// the key. A refused edit leaves everything as it was and says why in refused().
class CostInputModel : public QAbstractTableModel {
  Q_OBJECT

 public:
  enum Column { Name, Value, Unit, Range, Source, ColumnCount };

  explicit CostInputModel(Session& session, QObject* parent = nullptr);
  void set_language(reports::Language language);

  bool is_overridden(int row) const;
  void reset_to_catalogue(int row);  ///< an undo step when it was overridden
  QString group_at(int row) const;   ///< "Prices", "Energy", ... in the language
  QuantityRule rule_at(int row) const;

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
    std::string key, group;
    std::optional<data::RangedQuantity> catalogue;  ///< empty: no price is known
    double low = 0, high = 0;                       ///< what an override may be
    std::optional<double> overridden;
    bool used = false;
  };
  const std::string& unit(const Row& row) const;
  QVariant value_cell(const Row& row, int role) const;
  QString provenance(const Row& row) const;
  bool edit(int row, std::optional<double> value);
  void reload();
  std::vector<Row> rows() const;

  Session& session_;
  std::vector<Row> rows_;
  reports::Language language_ = reports::Language::en;
};

}  // namespace weir::desktop

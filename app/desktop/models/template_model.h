#pragma once

#include <QAbstractTableModel>
#include <vector>

#include "data/scenario.h"
#include "reports/language.h"

namespace weir::desktop {

/// The built-in scenarios: what a new project starts from. NameRole = the name for Session::new_from_template; the
/// tool tip is the scenario's note.
class TemplateModel : public QAbstractTableModel {
  Q_OBJECT

 public:
  enum Column { Title, Contains, Targets, ColumnCount };

  explicit TemplateModel(QObject* parent = nullptr);
  void set_language(reports::Language language);

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

 private:
  std::vector<data::Scenario> scenarios_;
  reports::Language language_ = reports::Language::en;
};

}  // namespace weir::desktop

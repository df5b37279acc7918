#pragma once

#include "app/desktop/models/hardware_model.h"
#include "app/desktop/models/quantity.h"
#include "app/desktop/pages/page.h"

class QComboBox;
class QSortFilterProxyModel;

namespace weir::desktop {

class CheckRow;
class DataTable;
class EmptyProject;
class NumberField;

/// Which accelerators are compared, in which precisions and groups, and how they are served.
class HardwarePage : public Page {
  Q_OBJECT

 public:
  explicit HardwarePage(Workbench& bench, QWidget* parent = nullptr);

 private:
  QWidget* make_editor();
  QWidget* make_table();
  void add_sets(class Form* form);
  void add_serving(class Form* form);
  NumberField* add_serving_number(class Form* form, const QString& caption, const QuantityRule& rule,
                                  const QString& note, std::function<double(const data::Serving&)> read,
                                  std::function<void(data::Serving&, double)> write);
  void refresh();
  void explain(const QModelIndex& index);

  HardwareModel* hardware_;
  QSortFilterProxyModel* shown_;
  EmptyProject* empty_ = nullptr;
  QWidget* editor_ = nullptr;
  QLabel *sentence_ = nullptr, *problem_ = nullptr;
  DataTable* table_ = nullptr;
  CheckRow *precisions_ = nullptr, *groups_ = nullptr, *tenures_ = nullptr;
  QLabel *precisions_note_ = nullptr, *groups_note_ = nullptr, *tenures_note_ = nullptr;
  std::vector<std::function<void()>> readers_;
};

}  // namespace weir::desktop

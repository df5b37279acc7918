#pragma once

#include "app/desktop/models/cost_input_model.h"
#include "app/desktop/pages/page.h"

class QComboBox;
class QLineEdit;
class QSortFilterProxyModel;

namespace weir::desktop {

class DataTable;
class EmptyProject;
class NumberField;

/// Horizon, currency, place and term; own quotes; every economic input with its source, to be replaced in place.
class CostsPage : public Page {
  Q_OBJECT

 public:
  explicit CostsPage(Workbench& bench, QWidget* parent = nullptr);

 private:
  QWidget* make_editor();
  void add_choices(class Form* form);
  DataTable* make_table(const QString& name, const QString& object, bool prices, QLineEdit* filter);
  void choose(QComboBox* box, const QString& text, std::function<void(data::CostChoice&, const std::string&)> write);
  void reset(DataTable* table);
  void show_problem(const QString& problem);
  void refresh();

  CostInputModel* inputs_;
  EmptyProject* empty_ = nullptr;
  QWidget* editor_ = nullptr;
  QLabel *sentence_ = nullptr, *problem_ = nullptr;
  NumberField *horizon_ = nullptr, *discount_ = nullptr;
  QComboBox *currency_ = nullptr, *region_ = nullptr, *term_ = nullptr;
  DataTable *prices_ = nullptr, *others_ = nullptr;
};

}  // namespace weir::desktop

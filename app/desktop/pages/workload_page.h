#pragma once

#include "app/desktop/pages/page.h"

class QComboBox;
class QStackedLayout;

namespace weir::desktop {

class ClassEditor;
class EmptyProject;
class ImportView;
class NumberField;
class TrafficView;

/// Demand, classes with their targets, model; or a trace that waits to be imported.
class WorkloadPage : public Page {
  Q_OBJECT

 public:
  explicit WorkloadPage(Workbench& bench, QWidget* parent = nullptr);
  QWidget* side_panel() override;

 signals:
  void side_panel_changed();

 private:
  QWidget* make_editor();
  void add_model(class Form* form);
  void add_demand(class Form* form);
  void refresh();
  void start_demand();
  void refresh_demand();
  void choose_demand(const QString& kind);

  EmptyProject* empty_ = nullptr;
  ImportView* import_;
  QWidget* editor_ = nullptr;
  QLabel *title_ = nullptr, *sentence_ = nullptr;
  QComboBox *model_ = nullptr, *demand_ = nullptr;
  NumberField *growth_ = nullptr, *rate_scale_ = nullptr;
  QLabel *model_note_ = nullptr, *demand_note_ = nullptr, *rate_scale_note_ = nullptr;
  ClassEditor* classes_ = nullptr;
  TrafficView* traffic_ = nullptr;
  QLabel* no_traffic_ = nullptr;
  QString demand_shown_, demand_started_;  ///< what is to be shown; what the job was started for
};

}  // namespace weir::desktop

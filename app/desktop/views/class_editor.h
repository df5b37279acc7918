#pragma once

#include <QWidget>
#include <functional>
#include <vector>

class QGridLayout;
class QLabel;

namespace weir::desktop {

class NumberField;
class Workbench;
struct QuantityRule;

/// Request classes of the workload with their targets, and with their own demand where it comes from no trace.
class ClassEditor : public QWidget {
  Q_OBJECT

 public:
  explicit ClassEditor(Workbench& bench, QWidget* parent = nullptr);
  void refresh();

 private:
  void rebuild();
  void add_targets(QGridLayout* grid, int index);
  void add_demand(QGridLayout* grid, int index);

  Workbench& bench_;
  QString shape_;  ///< what the fields were made for; another shape needs other fields
  std::vector<std::function<void()>> readers_;
  QLabel* problem_ = nullptr;
};

}  // namespace weir::desktop

#pragma once

#include <QScrollArea>

class QVBoxLayout;

namespace weir::desktop {

class ProgressStrip;
class Workbench;
struct Finding;

/// What this machine is and which of its settings cost performance; measures it on request.
class MachinePanel : public QScrollArea {
  Q_OBJECT

 public:
  explicit MachinePanel(Workbench& bench, QWidget* parent = nullptr);
  void measure();

 private:
  void rebuild();
  void add_finding(QVBoxLayout* column, const Finding& finding);
  void add_measurement(QVBoxLayout* column);

  Workbench& bench_;
  QString problem_;
};

}  // namespace weir::desktop

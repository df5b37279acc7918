#pragma once

#include <memory>

#include "app/desktop/views/panel.h"

#include "data/calibration.h"

class QVBoxLayout;

namespace weir::desktop {

class ProgressStrip;
class Workbench;
struct Finding;

/// What this machine is and which of its settings cost performance; measures it on request.
class MachinePanel : public Panel {
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
  std::shared_ptr<const data::Calibration> shown_;
};

}  // namespace weir::desktop

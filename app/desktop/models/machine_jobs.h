#pragma once

#include <QString>
#include <memory>
#include <vector>

#include "app/desktop/models/job.h"
#include "data/calibration.h"
#include "reports/report.h"

namespace weir::desktop {

/// Measures this machine: runs weir-probe as a child, so that a fault in a driver never takes the window down.
class ProbeJob : public Job {
  Q_OBJECT

 public:
  using Job::Job;

  void start(const QString& device = QStringLiteral("cpu"), bool full = false);
  std::shared_ptr<const data::Calibration> calibration() const { return calibration_; }  ///< empty before finished()
  /// Whole layers that were measured but never fitted, beside their prediction.
  const std::vector<reports::LayerCheck>& checks() const { return checks_; }

 private:
  std::shared_ptr<const data::Calibration> calibration_;
  std::vector<reports::LayerCheck> checks_;
};

/// One line of `weir doctor`. All text is English; views translate it.
struct Finding {
  QString key, value;
  QString cost, advice;  ///< empty = nothing to mend
  bool warning = false;
};

/// What is here and what is mis-set.
class DoctorJob : public Job {
  Q_OBJECT

 public:
  using Job::Job;

  void start();
  const std::vector<Finding>& findings() const { return findings_; }
  int warnings() const;

 private:
  std::vector<Finding> findings_;
};

}  // namespace weir::desktop

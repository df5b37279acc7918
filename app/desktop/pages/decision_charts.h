#pragma once

#include <QWidget>
#include <vector>

#include "reports/report.h"

class QGridLayout;

namespace weir::desktop {

class ChartWidget;

/// The proof below the ranking: cost over time, latency tail, cost against latency, load, parts of the cost.
class DecisionCharts : public QWidget {
  Q_OBJECT

 public:
  explicit DecisionCharts(QWidget* parent = nullptr);
  void set_decision(const reports::Decision& decision);
  void set_stale(bool stale);
  std::vector<ChartWidget*> charts() const { return {cost_, tail_, scatter_, load_, parts_}; }

 private:
  void fit_columns();

  ChartWidget *cost_, *tail_, *scatter_, *load_, *parts_;
};

}  // namespace weir::desktop

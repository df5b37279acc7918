#pragma once

#include <QWidget>

#include "app/desktop/models/trace_summary.h"

namespace weir::desktop {

class ChartWidget;
class KeyFigures;

/// What a stream of requests looks like: figures, arrivals over time, and how tokens and gaps are spread.
class TrafficView : public QWidget {
  Q_OBJECT

 public:
  explicit TrafficView(QWidget* parent = nullptr);
  void set_summary(const TraceSummary& summary);
  std::vector<ChartWidget*> charts() const { return {arrivals_, input_, output_, gaps_}; }

 private:
  KeyFigures* figures_;
  ChartWidget *arrivals_, *input_, *output_, *gaps_;
};

}  // namespace weir::desktop

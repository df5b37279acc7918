#pragma once

#include <QString>

#include "reports/charts/scene.h"

class QWidget;

namespace weir::desktop {

/// The data of a chart as tab-separated columns: one block a plot, x first, one column a series; full precision.
QString chart_text(const reports::charts::Scene& scene);
/// The same in a window beside the program's, not in its way.
void show_chart_table(QWidget* parent, const reports::charts::Scene& scene);

}  // namespace weir::desktop

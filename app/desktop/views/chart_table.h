#pragma once

#include <QString>

#include "reports/charts/scene.h"

class QWidget;

namespace weir::desktop {

/// The data of a chart as tab-separated columns: one block a plot, x first, one column a series; full precision.
QString chart_text(const reports::charts::Scene& scene);
/// The same in a window beside the program's, not in its way.
/// `data`: tab-separated lines that stand for it where the scene has no series.
void show_chart_table(QWidget* parent, const reports::charts::Scene& scene, const QString& data = {});

}  // namespace weir::desktop

#include "app/desktop/pages/decision_charts.h"

#include <QGridLayout>

#include "app/desktop/views/chart_widget.h"
#include "app/desktop/views/theme.h"
#include "app/desktop/views/ui_language.h"
#include "reports/decision_charts.h"

namespace weir::desktop {
namespace {

using reports::charts::Layout;
using reports::charts::Scene;

/// Shows the chart when there is data for it.
template <class Data, class Function>
void put(ChartWidget* widget, const std::optional<Data>& data, Function draw, const QString& text = {}) {
  widget->setVisible(data.has_value());
  if (data) widget->set_chart([data = *data, draw](const Layout& layout) { return draw(data, layout); }, text);
}

/// Labels and amounts of the bars, full precision.
QString text_of(const reports::charts::BarChart& chart) {
  QString text = QString::fromStdString(chart.title) + QLatin1Char('\t') + QString::fromStdString(chart.currency) +
                 QLatin1Char('\n');
  for (const reports::charts::Bar& bar : chart.bars) {
    text +=
        QString::fromStdString(bar.label) + QLatin1Char('\t') + QString::number(bar.value, 'g', 17) + QLatin1Char('\n');
  }
  return text;
}

}  // namespace

DecisionCharts::DecisionCharts(QWidget* parent)
    : QWidget(parent),
      cost_(new ChartWidget),
      tail_(new ChartWidget),
      scatter_(new ChartWidget),
      load_(new ChartWidget),
      parts_(new ChartWidget) {
  auto* grid = new QGridLayout(this);
  grid->setContentsMargins(0, px(4), 0, 0);
  grid->setHorizontalSpacing(px(20));
  grid->setVerticalSpacing(px(12));
  grid->addWidget(cost_, 0, 0, 2, 1);
  grid->addWidget(tail_, 0, 1);
  grid->addWidget(scatter_, 1, 1);
  grid->addWidget(load_, 0, 2);
  grid->addWidget(parts_, 1, 2);
  grid->setColumnStretch(0, 13);
  grid->setColumnStretch(1, 10);
  grid->setColumnStretch(2, 10);
  for (int row = 0; row < 2; ++row) {
    grid->setRowStretch(row, 1);
    grid->setRowMinimumHeight(row, px(200));
  }
}

void DecisionCharts::set_decision(const reports::Decision& decision) {
  const sim::PlanResult& plan = decision.plan;
  const reports::Shortlist list = reports::shortlist(plan);
  put(cost_, reports::cost_over_time(plan, list, ui_language()), reports::charts::cumulative_cost);
  put(tail_, reports::tail_chart(plan, list, ui_language()), reports::charts::latency_tail);
  put(scatter_, reports::scatter_chart(plan, list, ui_language()), reports::charts::cost_against_latency);
  put(load_, reports::load_chart(plan, list, ui_language()), reports::charts::load_over_run);
  std::optional<reports::charts::BarChart> parts;
  const sim::PlanOption* best = reports::recommended(plan);
  if (best != nullptr && best->cost) parts = reports::cost_parts_chart(plan, *best, ui_language());
  put(
      parts_, parts,
      [](const reports::charts::BarChart& chart, const Layout& layout) {
        std::vector<Scene> panels = reports::charts::cost_parts({chart}, layout);
        return panels.empty() ? Scene{} : std::move(panels.front());
      },
      parts ? text_of(*parts) : QString());
  fit_columns();
}

void DecisionCharts::fit_columns() {
  auto* grid = static_cast<QGridLayout*>(layout());
  grid->setColumnStretch(0, cost_->isHidden() ? 0 : 13);
  grid->setColumnStretch(2, load_->isHidden() && parts_->isHidden() ? 0 : 10);
}

void DecisionCharts::set_stale(bool stale) {
  for (ChartWidget* chart : charts()) chart->set_stale(stale);
}

}  // namespace weir::desktop

#include "app/desktop/views/traffic_view.h"

#include <QGridLayout>
#include <algorithm>
#include <cmath>

#include "app/desktop/models/text.h"
#include "app/desktop/views/chart_widget.h"
#include "app/desktop/views/key_figures.h"
#include "app/desktop/views/theme.h"
#include "app/desktop/views/ui_language.h"
#include "reports/format.h"

namespace weir::desktop {
namespace {

using reports::charts::Histogram;
using reports::charts::LineChart;
using reports::charts::Point;

std::string text(const QString& words) { return words.toStdString(); }

QString number(double value, int digits = 3) { return number_text(value, digits); }

/// Token counts are whole once they are larger than a few.
QString tokens_text(double value) {
  return value < 100 ? number(value) : QString::fromStdString(reports::grouped(std::llround(value)));
}

std::vector<KeyFigureText> figures_of(const TraceSummary& s) {
  std::vector<KeyFigureText> out;
  out.push_back({QObject::tr("Span"), QString::fromStdString(reports::span_text(s.span_s, ui_language())),
                 QObject::tr("%1 requests").arg(QString::fromStdString(reports::grouped(s.requests)))});
  if (s.arrivals.rate_per_s) {
    KeyFigureText figure{
        QObject::tr("Arrivals, mean"), QObject::tr("%1 req/s").arg(number(*s.arrivals.rate_per_s)), {}};
    if (s.arrivals.busiest_minute) {
      const double busiest = static_cast<double>(*s.arrivals.busiest_minute) / 60.0;
      figure.note = QObject::tr("busiest minute %1 req/s").arg(number(busiest));
    }
    out.push_back(figure);
  }
  if (s.arrivals.cv) {
    out.push_back({QObject::tr("Burstiness"), QObject::tr("CV %1").arg(number(*s.arrivals.cv, 2)),
                   QObject::tr("Poisson would be 1.0")});
  }
  const auto tokens = [&out](const QString& name, const data::ColumnStatistics& column) {
    out.push_back({name, QObject::tr("mean %1").arg(tokens_text(column.mean)),
                   QObject::tr("P99 %1").arg(tokens_text(column.p99))});
  };
  tokens(QObject::tr("Input tokens"), s.input);
  if (!s.one_shot) tokens(QObject::tr("Output tokens"), s.output);
  return out;
}

LineChart arrivals_of(const TraceSummary& s) {
  LineChart chart;
  chart.title = text(QObject::tr("Arrivals (requests per second)"));
  chart.y_unit = text(QObject::tr("req/s"));
  chart.x_kind = reports::charts::XKind::time;
  reports::charts::LineSeries line;
  line.steps = true;
  for (std::size_t i = 0; i < s.requests_per_s.size(); ++i) {
    // A last bin that the trace does not fill says nothing about the rate.
    if (i > 0 && static_cast<double>(i + 1) * s.bin_s > s.span_s + s.bin_s / 100) break;
    line.points.push_back({static_cast<double>(i) * s.bin_s, s.requests_per_s[i]});
  }
  if (!line.points.empty()) line.points.push_back({s.span_s, line.points.back().y});
  const auto most = std::max_element(s.requests_per_s.begin(), s.requests_per_s.end());
  if (most != s.requests_per_s.end()) {
    const double at = static_cast<double>(most - s.requests_per_s.begin()) * s.bin_s;
    chart.mark = reports::charts::PointMark{{at, *most}, text(QObject::tr("busiest: %1 req/s").arg(number(*most)))};
  }
  if (s.arrivals.rate_per_s) {
    chart.rules.push_back(
        {*s.arrivals.rate_per_s, text(QObject::tr("mean %1").arg(number(*s.arrivals.rate_per_s))), true});
  }
  chart.series.push_back(std::move(line));
  return chart;
}

Histogram histogram_of(const LogHistogram& data, const QString& title, const QString& x_title, const QString& unit,
                       double scale = 1) {
  Histogram chart;
  chart.title = text(title);
  chart.x_title = text(x_title);
  chart.unit = text(unit);
  chart.logarithmic = true;
  for (std::size_t i = 0; i <= data.percent.size(); ++i) {
    chart.edges.push_back(scale * data.first * std::pow(data.ratio, static_cast<double>(i)));
  }
  for (const double percent : data.percent) chart.shares.push_back(percent / 100);
  chart.rules.push_back({scale * data.p50, "P50 " + text(tokens_text(scale * data.p50)), false});
  chart.rules.push_back({scale * data.p99, "P99 " + text(tokens_text(scale * data.p99)), true});
  return chart;
}

/// Edges and shares of the bins, full precision.
QString text_of(const Histogram& chart) {
  QString out = QString::fromStdString(chart.x_title) + QLatin1Char('\t') + QString::fromStdString(chart.x_title) +
                QLatin1Char('\t') + QString::fromStdString(chart.title) + QLatin1Char('\n');
  for (std::size_t i = 0; i < chart.shares.size(); ++i) {
    for (const double edge : {chart.edges[i], chart.edges[i + 1]}) {
      out += QString::number(edge, 'g', 17) + QLatin1Char('\t');
    }
    out += QString::number(100 * chart.shares[i], 'g', 17) + QLatin1Char('\n');
  }
  return out;
}

void put(ChartWidget* widget, Histogram chart) {
  if (chart.shares.empty()) return widget->set_chart({});
  const QString data = text_of(chart);
  widget->set_chart([chart = std::move(chart)](
                        const reports::charts::Layout& layout) { return reports::charts::histogram(chart, layout); },
                    data);
}

}  // namespace

TrafficView::TrafficView(QWidget* parent)
    : QWidget(parent),
      figures_(new KeyFigures),
      arrivals_(new ChartWidget),
      input_(new ChartWidget),
      output_(new ChartWidget),
      gaps_(new ChartWidget) {
  auto* grid = new QGridLayout(this);
  grid->setContentsMargins(0, 0, 0, 0);
  grid->setHorizontalSpacing(px(20));
  grid->setVerticalSpacing(px(12));
  grid->addWidget(figures_, 0, 0, 1, 3);
  grid->addWidget(arrivals_, 1, 0, 1, 3);
  grid->addWidget(input_, 2, 0);
  grid->addWidget(output_, 2, 1);
  grid->addWidget(gaps_, 2, 2);
  for (int column = 0; column < 3; ++column) grid->setColumnStretch(column, 1);
  arrivals_->setMinimumHeight(px(190));
  for (ChartWidget* chart : {input_, output_, gaps_}) chart->setMinimumHeight(px(190));
}

void TrafficView::set_summary(const TraceSummary& summary) {
  figures_->set_figures(figures_of(summary));
  const LineChart arrivals = arrivals_of(summary);
  arrivals_->set_chart(
      [arrivals](const reports::charts::Layout& layout) { return reports::charts::line_chart(arrivals, layout); });
  put(input_, histogram_of(summary.input_tokens, tr("Requests by input tokens (%)"), tr("Input tokens"), tr("tokens")));
  put(output_,
      histogram_of(summary.output_tokens, tr("Requests by output tokens (%)"), tr("Output tokens"), tr("tokens")));
  output_->setVisible(!summary.one_shot);
  put(gaps_, histogram_of(summary.gap_s, tr("Requests by gap to the one before (%)"), tr("Gap (ms)"), tr("ms"), 1000));
}

}  // namespace weir::desktop

#include "app/desktop/views/chart_table.h"

#include <QDialog>
#include <QHeaderView>
#include <QStandardItemModel>
#include <QVBoxLayout>
#include <cmath>
#include <map>

#include "app/desktop/views/data_table.h"
#include "app/desktop/views/labels.h"
#include "app/desktop/views/model_cells.h"
#include "app/desktop/views/theme.h"

namespace weir::desktop {
namespace {

using reports::charts::Plot;
using reports::charts::Scene;

/// Rows by x; a series without a value there leaves its cell empty.
std::map<double, std::vector<double>> rows_of(const Plot& plot) {
  std::map<double, std::vector<double>> rows;
  for (std::size_t i = 0; i < plot.series.size(); ++i) {
    for (const reports::charts::Point& point : plot.series[i].points) {
      auto& row = rows[point.x];
      row.resize(plot.series.size(), std::nan(""));
      row[i] = point.y;
    }
  }
  return rows;
}

QStringList heads_of(const Plot& plot) {
  QStringList heads{QString::fromStdString(plot.x_name)};
  for (const auto& series : plot.series) {
    heads << QString::fromStdString(series.label.empty() ? plot.y_name : series.label);
  }
  return heads;
}

QString exact(double value) { return std::isnan(value) ? QString() : QString::number(value, 'g', 17); }

void fill(QStandardItemModel* model, const Plot& plot) {
  model->setHorizontalHeaderLabels(heads_of(plot));
  for (const auto& [x, values] : rows_of(plot)) {
    QList<QStandardItem*> row;
    const auto add = [&row](const std::string& text) {
      auto* item = new QStandardItem(QString::fromStdString(text));
      item->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
      item->setEditable(false);
      row << item;
    };
    add(plot.x_text ? plot.x_text(x) : exact(x).toStdString());
    for (const double y : values) {
      add(std::isnan(y) ? "" : plot.y_text ? plot.y_text(y) : exact(y).toStdString());
    }
    model->appendRow(row);
  }
}

void add_table(QVBoxLayout* column, const QString& name, QAbstractItemModel* model) {
  auto* table = new DataTable(name, model_cell);
  table->setModel(model);
  table->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
  column->addWidget(table, 1);
}

}  // namespace

QString chart_text(const Scene& scene) {
  QString out;
  for (const Plot& plot : scene.plots) {
    if (!out.isEmpty()) out += QLatin1Char('\n');
    out += heads_of(plot).join(QLatin1Char('\t')) + QLatin1Char('\n');
    for (const auto& [x, values] : rows_of(plot)) {
      QStringList cells{QString::number(x, 'g', 17)};
      for (const double y : values) cells << exact(y);
      out += cells.join(QLatin1Char('\t')) + QLatin1Char('\n');
    }
  }
  return out;
}

void show_chart_table(QWidget* parent, const Scene& scene, const QString& data) {
  auto* dialog = new QDialog(parent);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setWindowTitle(QString::fromStdString(scene.title));
  auto* column = new QVBoxLayout(dialog);
  column->addWidget(make_label(QString::fromStdString(scene.summary), Tone::quiet, true));
  if (!data.isEmpty()) {
    auto* model = new QStandardItemModel(dialog);
    const QStringList lines = data.trimmed().split(QLatin1Char('\n'));
    model->setHorizontalHeaderLabels(lines.front().split(QLatin1Char('\t')));
    for (qsizetype i = 1; i < lines.size(); ++i) {
      QList<QStandardItem*> row;
      for (const QString& cell : lines[i].split(QLatin1Char('\t'))) row << new QStandardItem(cell);
      model->appendRow(row);
    }
    add_table(column, QString::fromStdString(scene.title), model);
  }
  for (const Plot& plot : scene.plots) {
    if (!data.isEmpty()) break;
    auto* model = new QStandardItemModel(dialog);
    fill(model, plot);
    add_table(column, QString::fromStdString(plot.y_name), model);
  }
  dialog->resize(px(520), px(460));
  dialog->show();
}

}  // namespace weir::desktop

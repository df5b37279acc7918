#pragma once

#include <QPointer>
#include <QScrollArea>

#include "app/desktop/models/rejected_rows_model.h"
#include "app/desktop/views/workbench.h"

class QLabel;
class QPushButton;
class QTableWidget;
class QVBoxLayout;

namespace weir::desktop {

class DataTable;
class Notice;
class ProgressStrip;
class TrafficView;

/// A trace that was read but not imported: counts, columns, traffic; refused rows in the panel at the side.
class ImportView : public QWidget {
  Q_OBJECT

 public:
  explicit ImportView(Workbench& bench, QWidget* parent = nullptr);
  ~ImportView() override;
  QWidget* report() const { return report_; }
  void show_state();
  bool is_active() const;

 signals:
  void closed();

 private:
  void show_preview(const ImportPreview& preview);
  void fill_columns(const ImportPreview& preview);
  void fill_report(const ImportPreview& preview);
  QScrollArea* make_report();

  Workbench& bench_;
  QLabel *title_, *sentence_;
  QPushButton *cancel_, *accept_;
  ProgressStrip* progress_;
  Notice* problem_;
  QLabel* columns_title_;
  DataTable* columns_;
  TrafficView* traffic_;
  QPointer<QScrollArea> report_;  ///< has no parent until the window shows it beside the page
  QLabel *report_title_, *warnings_title_, *warnings_, *refused_note_;
  DataTable* refused_;
  RejectedRowsModel* rejected_rows_;
};

}  // namespace weir::desktop

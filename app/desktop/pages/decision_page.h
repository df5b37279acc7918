#pragma once

#include "app/desktop/models/option_model.h"
#include "app/desktop/pages/page.h"

namespace weir::desktop {

class DecisionCharts;
class EmptyProject;
class KeyFigures;
class Notice;
class ProgressStrip;
class RankingTable;
class RankLegend;

/// What to buy, what it costs, whether it meets the targets, and the proof.
class DecisionPage : public Page {
  Q_OBJECT

 public:
  explicit DecisionPage(Workbench& bench, QWidget* parent = nullptr);
  void copy_table();

 private:
  QWidget* make_result();
  QWidget* make_waiting();
  void follow_planner();
  void show_result();
  void show_state();
  void show_stale(bool stale);
  void show_infeasible();
  void explain(const QModelIndex& index);

  OptionModel* options_;
  std::shared_ptr<const reports::Decision> shown_;
  ProgressStrip* progress_;
  Notice* notice_;
  EmptyProject* empty_;
  QWidget *waiting_ = nullptr, *result_ = nullptr;
  QLabel *waiting_title_ = nullptr, *waiting_text_ = nullptr;
  QPushButton* waiting_run_ = nullptr;
  QLabel *headline_ = nullptr, *sentence_ = nullptr;
  KeyFigures* figures_ = nullptr;
  RankingTable* table_ = nullptr;
  RankLegend* legend_ = nullptr;
  QWidget* changes_ = nullptr;
  QVBoxLayout* change_rows_ = nullptr;
  DecisionCharts* charts_ = nullptr;
};

}  // namespace weir::desktop

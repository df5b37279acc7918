#include "app/desktop/pages/decision_page.h"

#include <algorithm>
#include <set>

#include "app/desktop/models/text.h"
#include "app/desktop/pages/decision_charts.h"
#include "app/desktop/pages/decision_words.h"
#include "app/desktop/pages/empty_project.h"
#include "app/desktop/pages/ranking_table.h"
#include "app/desktop/views/key_figures.h"
#include "app/desktop/views/labels.h"
#include "app/desktop/views/notice.h"
#include "app/desktop/views/progress_strip.h"
#include "app/desktop/views/rank_legend.h"
#include "app/desktop/views/theme.h"
#include "app/desktop/views/ui_language.h"

namespace weir::desktop {

DecisionPage::DecisionPage(Workbench& bench, QWidget* parent)
    : Page(bench, parent),
      options_(new OptionModel(this)),
      progress_(new ProgressStrip),
      notice_(new Notice),
      empty_(new EmptyProject(bench, tr("No decision yet."),
                              tr("Weir needs a workload, candidates and costs. An example brings all three."))) {
  // In the body: the members that these fill have been initialised by then.
  waiting_ = make_waiting();
  result_ = make_result();
  options_->set_language(ui_language());
  for (QWidget* part : std::initializer_list<QWidget*>{progress_, notice_, empty_, waiting_}) column()->addWidget(part);
  column()->addWidget(result_, 1);
  connect(&bench_.session, &Session::project_changed, this, [this] {
    notice_->dismiss();
    show_result();
  });
  connect(&bench_.session, &Session::result_changed, this, &DecisionPage::show_result);
  connect(&bench_.session, &Session::inputs_changed, this, [this] {
    notice_->dismiss();
    show_state();
  });
  connect(progress_, &ProgressStrip::cancel_requested, &bench_.planner, &Planner::cancel);
  connect(progress_, &ProgressStrip::shown_changed, this, [this](bool shown) { show_stale(shown); });
  follow_planner();
  show_result();
  if (bench_.planner.is_running()) progress_->begin(tr("Computing…"));
}

void DecisionPage::follow_planner() {
  connect(&bench_.planner, &Planner::started, this, [this] {
    notice_->dismiss();
    progress_->begin(bench_.session.result() ? tr("Out of date: the inputs changed. Showing the previous result.")
                                             : QString());
    show_state();
  });
  connect(&bench_.planner, &Planner::progress, this, [this](double fraction, const QString& what, double left) {
    progress_->advance(fraction, in_ui_language(what), left);
  });
  connect(&bench_.planner, &Planner::finished, this, [this] {
    progress_->end();
    show_state();
  });
  connect(&bench_.planner, &Planner::cancelled, this, [this] {
    progress_->end();
    if (bench_.session.is_open() && !bench_.session.result_is_current()) {
      notice_->show_message(Notice::Kind::information, tr("Cancelled."),
                            bench_.session.result()
                                ? tr("The result below is that of the inputs before the last change.")
                                : tr("There is no result yet."));
      connect(notice_->add_button(tr("Run again")), &QPushButton::clicked, &bench_.planner, &Planner::run);
    }
    show_state();
  });
  connect(&bench_.planner, &Planner::failed, this, [this](const QString& message) {
    progress_->end();
    notice_->show_message(Notice::Kind::problem, tr("The plan could not be computed."), in_ui_language(message));
    connect(notice_->add_button(tr("Run again")), &QPushButton::clicked, &bench_.planner, &Planner::run);
    show_state();
  });
}

QWidget* DecisionPage::make_waiting() {
  auto* waiting = new QWidget;
  auto* rows = new QVBoxLayout(waiting);
  rows->setContentsMargins(0, 0, 0, 0);
  rows->setSpacing(px(8));
  waiting_title_ = make_label({}, Tone::title, true);
  waiting_text_ = make_label({}, Tone::quiet, true);
  waiting_run_ = make_button(tr("Run now"), true);
  connect(waiting_run_, &QPushButton::clicked, &bench_.planner, &Planner::run);
  rows->addWidget(waiting_title_);
  rows->addWidget(waiting_text_);
  rows->addWidget(waiting_run_);
  rows->addStretch(1);
  return waiting;
}

QWidget* DecisionPage::make_result() {
  auto* result = new QWidget;
  auto* rows = new QVBoxLayout(result);
  rows->setContentsMargins(0, 0, 0, 0);
  rows->setSpacing(px(8));
  headline_ = make_label({}, Tone::title, true);
  headline_->setObjectName(QStringLiteral("headline"));
  headline_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  sentence_ = make_label({}, Tone::quiet, true);
  figures_ = new KeyFigures;
  table_ = new RankingTable(options_);
  legend_ = new RankLegend;
  changes_ = new QWidget;
  change_rows_ = new QVBoxLayout(changes_);
  change_rows_->setContentsMargins(0, px(4), 0, px(4));
  change_rows_->setSpacing(px(6));
  charts_ = new DecisionCharts;
  rows->addWidget(headline_);
  rows->addWidget(sentence_);
  rows->addSpacing(px(2));
  rows->addWidget(figures_);
  rows->addWidget(changes_);
  rows->addWidget(table_);
  rows->addWidget(legend_);
  rows->addWidget(charts_, 1);
  connect(table_, &DataTable::cell_entered, this, &DecisionPage::explain);
  connect(table_, &DataTable::cell_chosen, this, &DecisionPage::explain);
  connect(figures_, &KeyFigures::figure_entered, this, [this](int figure) {
    const int topic = figures_->figures()[static_cast<std::size_t>(figure)].topic;
    if (shown_) explain(answer_index(*shown_, *options_, topic));
  });
  return result;
}

void DecisionPage::show_result() {
  shown_ = bench_.session.result();
  options_->set_decision(shown_);
  if (shown_) {
    const sim::PlanResult& plan = shown_->plan;
    headline_->setText(decision_headline(plan));
    sentence_->setText(decision_sentence(plan));
    figures_->set_figures(decision_figures(plan));
    figures_->setVisible(!figures_->figures().empty());
    table_->refresh();
    const reports::Shortlist list = reports::shortlist(plan);
    std::vector<reports::charts::Role> tenures;
    std::vector<RankLegend::Card> cards;
    std::set<std::string> seen;
    std::vector<std::size_t> rows = list.rows;
    rows.insert(rows.end(), list.not_eligible.begin(), list.not_eligible.end());
    for (const std::size_t row : rows) {
      const sim::PlanOption& option = plan.options[row];
      const reports::charts::Role role = reports::tenure_role(option);
      if (std::find(tenures.begin(), tenures.end(), role) == tenures.end()) tenures.push_back(role);
      if (seen.insert(option.hardware).second) {
        const QString name = QString::fromStdString(reports::hardware_short(option, ui_language()));
        cards.push_back({reports::hardware_shape(option.hardware), name});
      }
    }
    legend_->set_content(tenures, cards, !list.not_eligible.empty());
    charts_->set_decision(*shown_);
    emit bench_.explained(explain_answer(*shown_, *options_));
  }
  show_infeasible();
  show_state();
}

void DecisionPage::show_infeasible() {
  while (QLayoutItem* item = change_rows_->takeAt(0)) {
    item->widget()->hide();
    item->widget()->deleteLater();  // it may be the button that was clicked
    delete item;
  }
  const auto changes = shown_ ? nearest_changes(shown_->plan) : std::vector<NearestChange>{};
  changes_->setVisible(!changes.empty());
  if (changes.empty()) return;
  change_rows_->addWidget(make_label(tr("Nearest change of the targets that works"), Tone::strong));
  for (const NearestChange& change : changes) change_rows_->addWidget(make_label(change.text, Tone::body, true));
  QPushButton* button = make_button(tr("Try it"), true);
  connect(button, &QPushButton::clicked, this, [this, changes] {
    const QString problem =
        try_edit(bench_.session, tr("relax targets"), {}, [&](data::Scenario& s) { apply_change(s, changes); });
    if (!problem.isEmpty()) emit bench_.failed(tr("The targets could not be changed."), problem);
  });
  change_rows_->addWidget(button);
}

void DecisionPage::show_state() {
  const bool open = bench_.session.is_open(), result = open && bench_.session.result() != nullptr;
  const bool running = bench_.planner.is_running();
  empty_->setVisible(!open);
  waiting_->setVisible(open && !result);
  result_->setVisible(result);
  waiting_title_->setText(running ? tr("Computing the first result…") : tr("No result yet."));
  waiting_text_->setText(tr("Every candidate is simulated with your traffic and priced under each tenure."));
  waiting_run_->setVisible(!running);
  show_stale(result && !bench_.session.result_is_current() && (!running || progress_->is_shown()));
}

void DecisionPage::show_stale(bool stale) {
  const bool old = stale && bench_.session.result() != nullptr && !bench_.session.result_is_current();
  headline_->setForegroundRole(old ? kQuietRole : QPalette::WindowText);
  figures_->set_stale(old);
  table_->set_stale(old);
  charts_->set_stale(old);
}

void DecisionPage::copy_table() { table_->copy(); }

void DecisionPage::explain(const QModelIndex& index) {
  if (!shown_ || !index.isValid()) return;
  const Explanation explanation = explain_option(*shown_, *options_, index);
  if (!explanation.empty()) emit bench_.explained(explanation);
}

}  // namespace weir::desktop

#include "app/desktop/main_window.h"

#include <QCloseEvent>
#include <QDockWidget>
#include <QDragEnterEvent>
#include <QLabel>
#include <QMenu>
#include <QMimeData>
#include <QStackedWidget>
#include <QStatusBar>
#include <QVBoxLayout>

#include "app/desktop/pages/costs_page.h"
#include "app/desktop/pages/decision_page.h"
#include "app/desktop/pages/hardware_page.h"
#include "app/desktop/pages/start_page.h"
#include "app/desktop/pages/workload_page.h"
#include "app/desktop/views/about.h"
#include "app/desktop/views/actions.h"
#include "app/desktop/views/icons.h"
#include "app/desktop/views/inspector.h"
#include "app/desktop/views/labels.h"
#include "app/desktop/views/machine_panel.h"
#include "app/desktop/views/navigation.h"
#include "app/desktop/views/notice.h"
#include "app/desktop/views/project_commands.h"
#include "app/desktop/views/summaries.h"
#include "app/desktop/views/theme.h"
#include "app/desktop/views/ui_language.h"

namespace weir::desktop {

MainWindow::MainWindow(Workbench& bench, QWidget* parent)
    : QMainWindow(parent), bench_(bench), commands_(new ProjectCommands(bench, this)) {
  setWindowIcon(icon(Symbol::weir));
  setAcceptDrops(true);
  setContextMenuPolicy(Qt::PreventContextMenu);
  resize(px(1440), px(900));
  set_ui_language(bench_.settings.language());
  switch_theme();
  connect_bench();
  rebuild();
  restore_layout();
  bench_.doctor.start();
}

MainWindow::~MainWindow() {
  delete actions_;  // while there still is a menu bar to clear
}

void MainWindow::connect_bench() {
  connect(&bench_.settings, &Settings::language_changed, this, [this](reports::Language language) {
    set_ui_language(language);
    rebuild();
  });
  connect(&bench_.settings, &Settings::theme_changed, this, &MainWindow::switch_theme);
  connect(&bench_, &Workbench::template_requested, commands_, &ProjectCommands::new_from_template);
  connect(&bench_, &Workbench::open_requested, commands_, &ProjectCommands::open);
  connect(&bench_, &Workbench::recover_requested, commands_, &ProjectCommands::recover);
  connect(&bench_, &Workbench::import_requested, commands_, &ProjectCommands::import_trace);
  connect(&bench_, &Workbench::export_requested, commands_, &ProjectCommands::export_result);
  connect(&bench_, &Workbench::page_requested, this, &MainWindow::show_page);
  connect(&bench_, &Workbench::explained, this, [this](const Explanation& explanation) {
    if (page_ != PageId::start) inspector_->show_explanation(explanation);
  });
  connect(&bench_, &Workbench::failed, this, [this](const QString& what, const QString& why) {
    notice_->show_message(Notice::Kind::problem, what, why);
    connect(notice_->add_button(tr("Close")), &QPushButton::clicked, notice_, &Notice::dismiss);
  });
  connect(commands_, &ProjectCommands::status, this, [this](const QString& text) { state_->setText(text); });
  const auto changed = [this] {
    update_summaries();
    update_title();
    update_status();
  };
  connect(&bench_.session, &Session::project_changed, this, changed);
  connect(&bench_.session, &Session::inputs_changed, this, changed);
  connect(&bench_.session, &Session::result_changed, this, changed);
  connect(&bench_.session, &Session::modified_changed, this, &MainWindow::update_title);
  connect(&bench_.session, &Session::file_changed, this, &MainWindow::update_title);
  connect(&bench_.planner, &Planner::started, this, &MainWindow::update_status);
  connect(&bench_.planner, &Planner::finished, this, changed);
  connect(&bench_.planner, &Planner::cancelled, this, &MainWindow::update_status);
  connect(&bench_.planner, &Planner::failed, this, &MainWindow::update_status);
  connect(&bench_.probe, &Job::finished, this, [this] {
    if (bench_.session.is_open()) bench_.session.set_calibration(bench_.probe.calibration());
  });
  // A machine that was measured before a project was opened takes part in it as well.
  connect(&bench_.session, &Session::project_changed, this, [this] {
    if (bench_.session.is_open() && !bench_.session.calibration() && bench_.probe.calibration() &&
        bench_.session.file().isEmpty()) {
      bench_.session.set_calibration(bench_.probe.calibration());
    }
  });
}

void MainWindow::switch_theme() {
  const ThemeChoice choice = bench_.settings.theme();
  Theme::instance().set_appearance(choice == ThemeChoice::light  ? Appearance::light
                                   : choice == ThemeChoice::dark ? Appearance::dark
                                                                 : Appearance::system);
}

void MainWindow::rebuild() {
  const Explanation explanation = inspector_ ? inspector_->explanation() : Explanation{};
  delete actions_;
  delete dock_;
  delete takeCentralWidget();
  setCentralWidget(make_centre());
  make_dock();
  actions_ = new Actions(bench_, *commands_, this);
  QAction* toggle = dock_->toggleViewAction();
  toggle->setText(tr("&Inspector"));
  toggle->setShortcut(QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_I));
  actions_->view_menu()->addAction(toggle);
  connect(actions_, &Actions::reset_layout_requested, this, &MainWindow::reset_layout);
  connect(actions_, &Actions::about_requested, this, [this] { show_about(this); });
  connect(actions_, &Actions::shortcuts_requested, this, [this] { show_shortcuts(this); });
  connect(actions_, &Actions::copy_table_requested, this, [this] { decision_->copy_table(); });
  connect(actions_, &Actions::probe_requested, this, [this] {
    show_page(PageId::start);
    dock_->show();
    machine_->measure();
  });
  setStatusBar(new QStatusBar);
  state_ = make_label({}, Tone::caption);
  details_ = make_label({}, Tone::caption);
  statusBar()->setSizeGripEnabled(false);
  statusBar()->addWidget(state_);
  statusBar()->addWidget(details_);
  state_->setContentsMargins(px(10), 0, px(6), 0);
  show_page(page_);
  if (!explanation.empty() && bench_.session.result() == nullptr) inspector_->show_explanation(explanation);
  update_summaries();
  update_title();
  update_status();
}

QWidget* MainWindow::make_centre() {
  auto* centre = new QWidget;
  auto* row = new QHBoxLayout(centre);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(0);
  navigation_ = new Navigation;
  navigation_->add_page(static_cast<int>(PageId::start), tr("Start"));
  navigation_->add_heading(tr("Inputs"));
  navigation_->add_page(static_cast<int>(PageId::workload), tr("Workload"));
  navigation_->add_page(static_cast<int>(PageId::hardware), tr("Hardware"));
  navigation_->add_page(static_cast<int>(PageId::costs), tr("Costs"));
  navigation_->add_heading(tr("Result"));
  navigation_->add_page(static_cast<int>(PageId::decision), tr("Decision"));
  connect(navigation_, &Navigation::page_chosen, this, [this](int page) { show_page(static_cast<PageId>(page)); });
  row->addWidget(navigation_);
  row->addWidget(make_rule(Qt::Vertical));
  auto* middle = new QVBoxLayout;
  middle->setSpacing(0);
  auto* band = new QWidget;
  band->setBackgroundRole(QPalette::Base);
  band->setAutoFillBackground(true);
  auto* band_rows = new QVBoxLayout(band);
  band_rows->setContentsMargins(px(20), 0, px(20), 0);
  notice_ = new Notice;
  notice_->setObjectName(QStringLiteral("window_notice"));
  notice_->setContentsMargins(0, px(12), 0, 0);
  band_rows->addWidget(notice_);
  middle->addWidget(band);
  pages_ = new QStackedWidget;
  inspector_ = new Inspector;
  auto* start = new StartPage(bench_);
  auto* workload = new WorkloadPage(bench_);
  machine_ = qobject_cast<MachinePanel*>(start->side_panel());
  decision_ = new DecisionPage(bench_);
  connect(workload, &WorkloadPage::side_panel_changed, this, &MainWindow::show_side_panel);
  for (Page* page :
       std::initializer_list<Page*>{start, workload, new HardwarePage(bench_), new CostsPage(bench_), decision_}) {
    pages_->addWidget(page);
  }
  middle->addWidget(pages_, 1);
  row->addLayout(middle, 1);
  return centre;
}

void MainWindow::make_dock() {
  dock_ = new QDockWidget(tr("Inspector"), this);
  dock_->setObjectName(QStringLiteral("inspector"));
  dock_->setFeatures(QDockWidget::DockWidgetClosable | QDockWidget::DockWidgetMovable);
  dock_->setTitleBarWidget(new QWidget(dock_));
  dock_->setAllowedAreas(Qt::LeftDockWidgetArea | Qt::RightDockWidgetArea);
  side_ = new QStackedWidget;
  side_->setMinimumWidth(px(276));
  side_->setMaximumWidth(px(420));
  side_->addWidget(inspector_);
  for (int i = 0; i < pages_->count(); ++i) {
    auto* page = static_cast<Page*>(pages_->widget(i));
    if (QWidget* panel = page->side_panel()) side_->addWidget(panel);
  }
  dock_->setWidget(side_);
  addDockWidget(Qt::RightDockWidgetArea, dock_);
  resizeDocks({dock_}, {px(276)}, Qt::Horizontal);
}

void MainWindow::show_page(PageId page) {
  page_ = page;
  pages_->setCurrentIndex(static_cast<int>(page));
  if (navigation_->chosen() != static_cast<int>(page)) navigation_->choose(static_cast<int>(page));
  show_side_panel();
}

void MainWindow::show_side_panel() {
  if (side_ == nullptr || pages_->currentWidget() == nullptr) return;
  QWidget* panel = static_cast<Page*>(pages_->currentWidget())->side_panel();
  if (panel == nullptr) panel = inspector_;
  if (side_->indexOf(panel) < 0) side_->addWidget(panel);
  side_->setCurrentWidget(panel);
}

void MainWindow::update_summaries() {
  const auto set = [this](PageId page, const QString& text) { navigation_->set_summary(static_cast<int>(page), text); };
  set(PageId::start, tr("examples, recent projects"));
  set(PageId::workload, workload_summary(bench_));
  set(PageId::hardware, hardware_summary(bench_));
  set(PageId::costs, costs_summary(bench_));
  set(PageId::decision, decision_summary(bench_));
}

void MainWindow::update_title() {
  const bool open = bench_.session.is_open();
  setWindowTitle(open ? QString(bench_.session.display_name() + QStringLiteral("[*] – ") + tr("Weir")) : tr("Weir"));
  setWindowModified(open && bench_.session.is_modified());
}

void MainWindow::update_status() {
  state_->setText(state_summary(bench_));
  details_->setText(result_details(bench_));
}

void MainWindow::restore_layout() {
  restoreGeometry(bench_.settings.window_state(QStringLiteral("geometry")));
  restoreState(bench_.settings.window_state(QStringLiteral("docks")));
}

void MainWindow::reset_layout() {
  dock_->setFloating(false);
  addDockWidget(Qt::RightDockWidgetArea, dock_);
  dock_->show();
  resize(px(1440), px(900));
}

void MainWindow::resizeEvent(QResizeEvent* event) {
  QMainWindow::resizeEvent(event);
  // In a small window the inspector folds away first; it comes back with the room, unless it was closed by hand.
  const bool narrow = event->size().width() < px(1300);
  if (narrow && !folded_ && !dock_->isHidden()) {
    folded_ = true;
    dock_->hide();
  } else if (!narrow && folded_) {
    folded_ = false;
    dock_->show();
  }
}

void MainWindow::closeEvent(QCloseEvent* event) {
  if (!commands_->may_leave()) return event->ignore();
  bench_.settings.set_window_state(QStringLiteral("geometry"), saveGeometry());
  bench_.settings.set_window_state(QStringLiteral("docks"), saveState());
  bench_.planner.cancel();
  bench_.session.close();
  event->accept();
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
  const QList<QUrl> urls = event->mimeData()->urls();
  if (urls.size() == 1 && urls.front().isLocalFile()) event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event) {
  const QList<QUrl> urls = event->mimeData()->urls();
  if (urls.size() != 1 || !urls.front().isLocalFile()) return;
  event->acceptProposedAction();
  const QString file = urls.front().toLocalFile();
  // The drop must end before anything may ask the user.
  QMetaObject::invokeMethod(
      this, [this, file] { commands_->take_file(file); }, Qt::QueuedConnection);
}

}  // namespace weir::desktop

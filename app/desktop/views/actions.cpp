#include "app/desktop/views/actions.h"

#include <QActionGroup>
#include <QFileInfo>
#include <QMainWindow>
#include <QMenu>
#include <QMenuBar>
#include <QToolBar>
#include <QToolButton>

#include "app/desktop/models/roles.h"
#include "app/desktop/models/template_model.h"
#include "app/desktop/views/icons.h"
#include "app/desktop/views/project_commands.h"
#include "app/desktop/views/theme.h"
#include "app/desktop/views/ui_language.h"
#include "app/desktop/views/workbench.h"

namespace weir::desktop {

Actions::Actions(Workbench& bench, ProjectCommands& commands, QMainWindow* window)
    : QObject(window), bench_(bench), commands_(commands), window_(window) {
  window_->menuBar()->clear();
  make_file_menu();
  make_edit_menu();
  make_view_menu();
  make_run_menu();
  make_help_menu();
  make_tool_bar();
  connect(&bench_.session, &Session::project_changed, this, &Actions::update);
  connect(&bench_.session, &Session::result_changed, this, &Actions::update);
  connect(&bench_.session, &Session::inputs_changed, this, &Actions::update);
  connect(&bench_.session, &Session::modified_changed, this, &Actions::update);
  connect(&bench_.planner, &Planner::started, this, &Actions::update);
  connect(&bench_.planner, &Planner::finished, this, &Actions::update);
  connect(&bench_.planner, &Planner::cancelled, this, &Actions::update);
  connect(&bench_.planner, &Planner::failed, this, &Actions::update);
  connect(&bench_.session.undo_stack(), &QUndoStack::indexChanged, this, &Actions::update);
  update();
}

Actions::~Actions() {
  delete tool_bar_;
  window_->menuBar()->clear();
}

QAction* Actions::add(QMenu* menu, const QString& text, const QKeySequence& shortcut) {
  QAction* action = menu->addAction(text);
  action->setShortcut(shortcut);
  return action;
}

void Actions::make_file_menu() {
  QMenu* menu = window_->menuBar()->addMenu(tr("&File"));
  QAction* start = add(menu, tr("&New…"), QKeySequence::New);
  connect(start, &QAction::triggered, this, [this] { emit bench_.page_requested(PageId::start); });
  QMenu* fresh = menu->addMenu(tr("New from &template"));
  TemplateModel templates;
  templates.set_language(ui_language());
  for (int row = 0; row < templates.rowCount(); ++row) {
    const QModelIndex index = templates.index(row, 0);
    const QString name = index.data(NameRole).toString();
    QAction* action = fresh->addAction(index.data().toString());
    connect(action, &QAction::triggered, this, [this, name] { commands_.new_from_template(name); });
  }
  open_ = add(menu, tr("&Open…"), QKeySequence::Open);
  open_->setIcon(icon(Symbol::open));
  open_->setIconText(tr("Open"));
  connect(open_, &QAction::triggered, this, [this] { commands_.open({}); });
  recent_ = menu->addMenu(tr("Open &recent"));
  connect(recent_, &QMenu::aboutToShow, this, &Actions::fill_recent);
  fill_recent();
  menu->addSeparator();
  save_ = add(menu, tr("&Save"), QKeySequence::Save);
  save_->setIcon(icon(Symbol::save));
  save_->setIconText(tr("Save"));
  connect(save_, &QAction::triggered, this, [this] { commands_.save(); });
  save_as_ = add(menu, tr("Save &as…"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_S));
  connect(save_as_, &QAction::triggered, this, [this] { commands_.save_as(); });
  close_ = add(menu, tr("&Close project"), QKeySequence(Qt::CTRL | Qt::Key_W));
  connect(close_, &QAction::triggered, this, [this] { commands_.close(); });
  menu->addSeparator();
  connect(add(menu, tr("&Import trace…"), QKeySequence(Qt::CTRL | Qt::Key_I)), &QAction::triggered, this,
          [this] { commands_.import_trace({}); });
  export_ = menu->addMenu(tr("&Export"));
  export_->setIcon(icon(Symbol::export_file));
  const std::vector<std::pair<ExportFormat, QString>> formats = {
      {ExportFormat::pdf, tr("&PDF report…")},      {ExportFormat::xlsx, tr("&XLSX workbook…")},
      {ExportFormat::csv_table, tr("&CSV table…")}, {ExportFormat::csv_tables, tr("CSV, &all tables…")},
      {ExportFormat::html, tr("&HTML page…")},      {ExportFormat::json, tr("&JSON…")}};
  for (const auto& [format, text] : formats) {
    QAction* action = export_->addAction(text);
    action->setEnabled(can_export(format));
    if (format == ExportFormat::pdf) action->setShortcut(QKeySequence(Qt::CTRL | Qt::Key_E));
    connect(action, &QAction::triggered, this, [this, chosen = format] { commands_.export_result(chosen); });
  }
  menu->addSeparator();
  QAction* quit = add(menu, tr("&Quit"), QKeySequence(Qt::CTRL | Qt::Key_Q));
  quit->setMenuRole(QAction::QuitRole);
  connect(quit, &QAction::triggered, window_, &QWidget::close);
}

void Actions::fill_recent() {
  recent_->clear();
  int number = 1;
  for (const QString& file : bench_.recent.files()) {
    QAction* action =
        recent_->addAction(QStringLiteral("&%1  %2").arg(QString::number(number++ % 10), QFileInfo(file).fileName()));
    action->setToolTip(file);
    connect(action, &QAction::triggered, this, [this, file] { commands_.open(file); });
    if (number > 9) break;
  }
  recent_->setEnabled(!recent_->isEmpty());
}

void Actions::make_edit_menu() {
  QMenu* menu = window_->menuBar()->addMenu(tr("&Edit"));
  undo_ = add(menu, tr("&Undo"), QKeySequence(Qt::CTRL | Qt::Key_Z));
  undo_->setIcon(icon(Symbol::undo));
  connect(undo_, &QAction::triggered, this, [this] { bench_.session.undo_stack().undo(); });
  redo_ = add(menu, tr("&Redo"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_Z));
  redo_->setIcon(icon(Symbol::redo));
  connect(redo_, &QAction::triggered, this, [this] { bench_.session.undo_stack().redo(); });
  menu->addSeparator();
  copy_table_ = add(menu, tr("&Copy ranking"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_C));
  connect(copy_table_, &QAction::triggered, this, &Actions::copy_table_requested);
  copy_command_ = add(menu, tr("Copy as co&mmand"));
  copy_command_->setIcon(icon(Symbol::copy));
  connect(copy_command_, &QAction::triggered, this, [this] { commands_.copy_as_command(); });
}

void Actions::make_view_menu() {
  view_ = window_->menuBar()->addMenu(tr("&View"));
  const auto choices = [this](const QString& title, std::vector<std::pair<QString, bool>> entries,
                              std::function<void(int)> choose) {
    QMenu* menu = view_->addMenu(title);
    auto* group = new QActionGroup(menu);
    for (std::size_t i = 0; i < entries.size(); ++i) {
      QAction* action = menu->addAction(entries[i].first);
      action->setCheckable(true);
      action->setChecked(entries[i].second);
      group->addAction(action);
      connect(action, &QAction::triggered, this, [choose, i] { choose(static_cast<int>(i)); });
    }
  };
  const ThemeChoice theme = bench_.settings.theme();
  choices(tr("&Theme"),
          {{tr("As the &system"), theme == ThemeChoice::system},
           {tr("&Light"), theme == ThemeChoice::light},
           {tr("&Dark"), theme == ThemeChoice::dark}},
          [this](int i) { bench_.settings.set_theme(static_cast<ThemeChoice>(i)); });
  const auto language = bench_.settings.language_choice();
  // Each language names itself, so that whoever landed in the wrong one finds the way out.
  choices(tr("&Language"),
          {{tr("As the &system"), !language},
           {QStringLiteral("&English"), language == reports::Language::en},
           {QStringLiteral("简体中文(&Z)"), language == reports::Language::zh_CN}},
          [this](int i) {
            const std::optional<reports::Language> chosen =
                i == 0 ? std::nullopt : std::optional(i == 1 ? reports::Language::en : reports::Language::zh_CN);
            // The menu that was clicked goes away with its language: let it finish first.
            QMetaObject::invokeMethod(
                &bench_, [this, chosen] { bench_.settings.set_language(chosen); }, Qt::QueuedConnection);
          });
  view_->addSeparator();
  connect(add(view_, tr("&Reset layout")), &QAction::triggered, this, &Actions::reset_layout_requested);
}

void Actions::make_run_menu() {
  QMenu* menu = window_->menuBar()->addMenu(tr("&Run"));
  run_ = add(menu, tr("&Run now"), QKeySequence(Qt::Key_F5));
  run_->setIcon(icon(Symbol::run));
  run_->setIconText(tr("Run"));
  connect(run_, &QAction::triggered, this, [this] { bench_.planner.run(); });
  stop_ = add(menu, tr("&Cancel"), QKeySequence(Qt::Key_Escape));
  stop_->setIcon(icon(Symbol::stop));
  connect(stop_, &QAction::triggered, this, [this] { bench_.planner.cancel(); });
  automatic_ = add(menu, tr("Run after &every change"));
  automatic_->setCheckable(true);
  automatic_->setChecked(bench_.planner.automatic());
  connect(automatic_, &QAction::toggled, this, [this](bool on) { bench_.planner.set_automatic(on); });
  QMenu* tools = window_->menuBar()->addMenu(tr("&Tools"));
  probe_ = add(tools, tr("&Measure this machine…"));
  connect(probe_, &QAction::triggered, this, &Actions::probe_requested);
  connect(add(tools, tr("&Examine this machine again")), &QAction::triggered, this, [this] {
    if (!bench_.doctor.is_running()) bench_.doctor.start();
  });
}

void Actions::make_help_menu() {
  QMenu* menu = window_->menuBar()->addMenu(tr("&Help"));
  connect(add(menu, tr("&Keyboard shortcuts"), QKeySequence(Qt::Key_F1)), &QAction::triggered, this,
          &Actions::shortcuts_requested);
  QAction* about = add(menu, tr("&About Weir"));
  about->setMenuRole(QAction::AboutRole);
  connect(about, &QAction::triggered, this, &Actions::about_requested);
}

void Actions::make_tool_bar() {
  tool_bar_ = window_->addToolBar(tr("Tool bar"));
  tool_bar_->setObjectName(QStringLiteral("tool_bar"));
  tool_bar_->setMovable(false);
  tool_bar_->setContentsMargins(px(4), 0, px(4), 0);
  tool_bar_->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  tool_bar_->setContextMenuPolicy(Qt::PreventContextMenu);
  tool_bar_->addAction(open_);
  tool_bar_->addAction(save_);
  tool_bar_->addSeparator();
  tool_bar_->addAction(undo_);
  tool_bar_->addAction(redo_);
  tool_bar_->addSeparator();
  tool_bar_->addAction(run_);
  export_->menuAction()->setIconText(tr("Export"));
  tool_bar_->addAction(export_->menuAction());
  if (auto* button = qobject_cast<QToolButton*>(tool_bar_->widgetForAction(export_->menuAction()))) {
    button->setPopupMode(QToolButton::InstantPopup);
  }
}

void Actions::update() {
  const Session& session = bench_.session;
  const bool open = session.is_open(), running = bench_.planner.is_running();
  QUndoStack& stack = bench_.session.undo_stack();
  undo_->setEnabled(stack.canUndo());
  redo_->setEnabled(stack.canRedo());
  undo_->setText(stack.canUndo() ? tr("&Undo: %1").arg(stack.undoText()) : tr("&Undo"));
  redo_->setText(stack.canRedo() ? tr("&Redo: %1").arg(stack.redoText()) : tr("&Redo"));
  undo_->setIconText(tr("Undo"));
  redo_->setIconText(tr("Redo"));
  undo_->setToolTip(undo_->text().remove(QLatin1Char('&')));
  redo_->setToolTip(redo_->text().remove(QLatin1Char('&')));
  for (QAction* action : {save_, save_as_, close_}) action->setEnabled(open);
  run_->setEnabled(open && !running);
  stop_->setEnabled(running);
  const bool result = session.result() != nullptr;
  export_->setEnabled(result);
  export_->menuAction()->setEnabled(result);
  copy_table_->setEnabled(result);
  copy_command_->setEnabled(open);
}

}  // namespace weir::desktop

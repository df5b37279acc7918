#pragma once

#include <QKeySequence>
#include <QObject>
#include <vector>

class QAction;
class QActionGroup;
class QMainWindow;
class QMenu;
class QToolBar;

namespace weir::desktop {

class ProjectCommands;
class Workbench;

/// Menus, tool bar and shortcuts of one language; made anew with the window's content.
class Actions : public QObject {
  Q_OBJECT

 public:
  Actions(Workbench& bench, ProjectCommands& commands, QMainWindow* window);
  ~Actions() override;

  QMenu* view_menu() const { return view_; }
  QMenu* export_menu() const { return export_; }
  QAction* run_action() const { return run_; }
  void update();  ///< what can be done now

 signals:
  void reset_layout_requested();
  void about_requested();
  void shortcuts_requested();
  void probe_requested();
  void copy_table_requested();

 private:
  QAction* add(QMenu* menu, const QString& text, const QKeySequence& shortcut = {});
  void make_file_menu();
  void make_edit_menu();
  void make_view_menu();
  void make_run_menu();
  void make_help_menu();
  void make_tool_bar();
  void fill_recent();

  Workbench& bench_;
  ProjectCommands& commands_;
  QMainWindow* window_;
  QToolBar* tool_bar_ = nullptr;
  QMenu *recent_ = nullptr, *view_ = nullptr, *export_ = nullptr;
  QAction *open_ = nullptr, *save_ = nullptr, *save_as_ = nullptr, *close_ = nullptr, *undo_ = nullptr,
          *redo_ = nullptr, *run_ = nullptr, *stop_ = nullptr, *automatic_ = nullptr, *copy_command_ = nullptr,
          *probe_ = nullptr, *copy_table_ = nullptr;
};

}  // namespace weir::desktop

#pragma once

#include <QMainWindow>
#include <memory>
#include <vector>

#include "app/desktop/views/workbench.h"

class QDockWidget;
class QLabel;
class QStackedWidget;

namespace weir::desktop {

class Actions;
class DecisionPage;
class Inspector;
class MachinePanel;
class Navigation;
class Notice;
class Page;
class ProjectCommands;

/// One window: navigation, page, inspector. Its content is made anew when the language changes; the workbench stays.
class MainWindow : public QMainWindow {
  Q_OBJECT

 public:
  explicit MainWindow(Workbench& bench, QWidget* parent = nullptr);
  ~MainWindow() override;
  ProjectCommands& commands() { return *commands_; }
  void show_page(PageId page);
  PageId page() const { return page_; }

 protected:
  void closeEvent(QCloseEvent* event) override;
  void dragEnterEvent(QDragEnterEvent* event) override;
  void dropEvent(QDropEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  void connect_bench();
  void rebuild();
  QWidget* make_centre();
  void make_dock();
  void show_side_panel();
  void update_summaries();
  void update_title();
  void update_status();
  void restore_layout();
  void reset_layout();
  void switch_theme();

  Workbench& bench_;
  ProjectCommands* commands_;
  Actions* actions_ = nullptr;
  PageId page_ = PageId::start;
  Navigation* navigation_ = nullptr;
  QStackedWidget *pages_ = nullptr, *side_ = nullptr;
  QDockWidget* dock_ = nullptr;
  Inspector* inspector_ = nullptr;
  MachinePanel* machine_ = nullptr;
  DecisionPage* decision_ = nullptr;
  Notice* notice_ = nullptr;
  QLabel *state_ = nullptr, *details_ = nullptr;
  bool folded_ = false;
};

}  // namespace weir::desktop

#pragma once

#include <QAbstractItemModel>
#include <QApplication>
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <memory>

#include "app/desktop/main_window.h"
#include "app/desktop/views/project_commands.h"
#include "app/desktop/views/theme.h"
#include "app/desktop/views/ui_language.h"

namespace weir::desktop {

/// The whole window on a folder of its own: settings, recent files and working copies of a test are no one else's.
struct TestWindow {
  QTemporaryDir folder;
  std::unique_ptr<Workbench> bench;
  std::unique_ptr<MainWindow> window;

  explicit TestWindow(reports::Language language = reports::Language::en, ThemeChoice theme = ThemeChoice::light,
                      QSize size = QSize(1440, 900)) {
    qputenv("XDG_STATE_HOME", folder.filePath(QStringLiteral("state")).toUtf8());
    qputenv("XDG_CONFIG_HOME", folder.filePath(QStringLiteral("config")).toUtf8());
    qputenv("WEIR_PROBE", WEIR_BINARY_DIR "/bin/weir-probe");
    bench = std::make_unique<Workbench>(file("settings.ini"), file("recent.json"));
    bench->settings.set_language(language);
    bench->settings.set_theme(theme);
    window = std::make_unique<MainWindow>(*bench);
    window->resize(size);
    window->show();
    QVERIFY2(QTest::qWaitForWindowExposed(window.get()), "the window did not appear");
  }
  ~TestWindow() {
    window.reset();
    bench.reset();
  }

  QString file(const char* name) const { return folder.filePath(QString::fromLatin1(name)); }

  /// A template cut down to two accelerators, one precision and one card a replica, so that a plan takes a moment.
  void open_small(const char* name = "llm-chat") {
    bench->planner.set_automatic(false);
    QVERIFY(window->commands().new_from_template(QString::fromLatin1(name)));
    bench->session.edit(QStringLiteral("fewer candidates"), {}, [](data::Scenario& s) {
      s.candidates.accelerators = {"a100-sxm4-80gb", "l4"};
      s.candidates.precisions = {s.candidates.precisions.front()};
      s.candidates.tensor_parallel = {1};
    });
    bench->planner.set_automatic(true);
  }

  bool wait_for_result() {
    return QTest::qWaitFor(
        [this] {
          return bench->session.result() != nullptr && bench->session.result_is_current() &&
                 !bench->planner.is_running();
        },
        120000);
  }

  template <class Widget>
  Widget* find(const char* name) const {
    return window->findChild<Widget*>(QString::fromLatin1(name));
  }
};

}  // namespace weir::desktop

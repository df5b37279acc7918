#include <QApplication>
#include <QFileInfo>

#include "app/desktop/main_window.h"
#include "app/desktop/views/project_commands.h"
#include "app/desktop/views/theme.h"

int main(int argc, char** argv) {
  QApplication application(argc, argv);
  QApplication::setApplicationName(QStringLiteral("weir-desktop"));
  QApplication::setApplicationDisplayName(QStringLiteral("Weir"));
  QApplication::setApplicationVersion(QStringLiteral(WEIR_VERSION));
  QApplication::setDesktopFileName(QStringLiteral("weir-desktop"));
  weir::desktop::Theme::instance().install();
  weir::desktop::Workbench bench;
  weir::desktop::MainWindow window(bench);
  window.show();
  const QStringList arguments = QApplication::arguments();
  if (arguments.size() > 1 && QFileInfo::exists(arguments.at(1))) window.commands().take_file(arguments.at(1));
  return QApplication::exec();
}

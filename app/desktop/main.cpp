#include <QApplication>

#include "app/desktop/main_window.h"

int main(int argc, char** argv) {
  QApplication application(argc, argv);
  weir::desktop::MainWindow window;
  window.show();
  return QApplication::exec();
}

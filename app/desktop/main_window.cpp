#include "app/desktop/main_window.h"

namespace weir::desktop {

MainWindow::MainWindow(QWidget* parent) : QMainWindow(parent) {}

}  // namespace weir::desktop

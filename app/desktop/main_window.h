#pragma once

#include <QMainWindow>

namespace weir::desktop {

class MainWindow : public QMainWindow {
  Q_OBJECT

 public:
  explicit MainWindow(QWidget* parent = nullptr);
};

}  // namespace weir::desktop

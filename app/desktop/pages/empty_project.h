#pragma once

#include <QWidget>

namespace weir::desktop {

class Workbench;

/// What a page shows while no project is open: what is missing, and the button that mends it.
class EmptyProject : public QWidget {
  Q_OBJECT

 public:
  EmptyProject(Workbench& bench, const QString& title, const QString& sentence, QWidget* parent = nullptr);
};

}  // namespace weir::desktop

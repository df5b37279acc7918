#pragma once

#include <QScrollArea>

namespace weir::desktop {

/// A panel of the dock at the right: scrolls from top to bottom only, and its content can be made anew at any time,
/// even by a button inside it.
class Panel : public QScrollArea {
  Q_OBJECT

 public:
  explicit Panel(QWidget* parent = nullptr);

 protected:
  void set_content(QWidget* content);

 private:
  QWidget* content_ = nullptr;
};

}  // namespace weir::desktop

#pragma once

#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QVBoxLayout>

#include "app/desktop/views/workbench.h"

namespace weir::desktop {

/// One page: content on the canvas that scrolls when the window is low.
class Page : public QScrollArea {
  Q_OBJECT

 public:
  explicit Page(Workbench& bench, QWidget* parent = nullptr);
  /// What the dock at the right shows for this page; nullptr: the inspector.
  virtual QWidget* side_panel() { return nullptr; }

 protected:
  QVBoxLayout* column() const { return column_; }
  QWidget* content() const { return content_; }
  void add_title(const QString& title, const QString& sentence);

  Workbench& bench_;

 private:
  QWidget* content_;
  QVBoxLayout* column_;
};

}  // namespace weir::desktop

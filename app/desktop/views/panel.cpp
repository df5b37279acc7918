#include "app/desktop/views/panel.h"

#include <QVBoxLayout>

namespace weir::desktop {

Panel::Panel(QWidget* parent) : QScrollArea(parent) {
  setFrameShape(QFrame::NoFrame);
  setWidgetResizable(true);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  auto* holder = new QWidget;
  holder->setBackgroundRole(QPalette::AlternateBase);
  holder->setAutoFillBackground(true);
  auto* column = new QVBoxLayout(holder);
  column->setContentsMargins(0, 0, 0, 0);
  setWidget(holder);
}

void Panel::set_content(QWidget* content) {
  if (content_ != nullptr) {
    // What asked for this may be a button of the old content: it goes when its click has ended.
    widget()->layout()->removeWidget(content_);
    content_->hide();
    content_->deleteLater();
  }
  content_ = content;
  widget()->layout()->addWidget(content_);
}

}  // namespace weir::desktop

#include "app/desktop/pages/page.h"

#include "app/desktop/views/labels.h"
#include "app/desktop/views/theme.h"

namespace weir::desktop {

Page::Page(Workbench& bench, QWidget* parent)
    : QScrollArea(parent), bench_(bench), content_(new QWidget), column_(new QVBoxLayout(content_)) {
  setFrameShape(QFrame::NoFrame);
  setWidgetResizable(true);
  content_->setBackgroundRole(QPalette::Base);
  content_->setAutoFillBackground(true);
  viewport()->setBackgroundRole(QPalette::Base);
  column_->setContentsMargins(px(20), px(16), px(20), px(20));
  column_->setSpacing(px(8));
  setWidget(content_);
}

void Page::add_title(const QString& title, const QString& sentence) {
  column_->addWidget(make_label(title, Tone::title, true));
  if (!sentence.isEmpty()) column_->addWidget(make_label(sentence, Tone::quiet, true));
}

}  // namespace weir::desktop

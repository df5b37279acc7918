#include "app/desktop/views/notice.h"

#include <QHBoxLayout>
#include <QPainter>
#include <QVBoxLayout>

#include "app/desktop/views/labels.h"
#include "app/desktop/views/theme.h"

namespace weir::desktop {

Notice::Notice(QWidget* parent)
    : QWidget(parent), what_(make_label({}, Tone::strong, true)), why_(make_label({}, Tone::body, true)) {
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(px(15), px(4), 0, px(4));
  column->setSpacing(px(4));
  column->addWidget(what_);
  column->addWidget(why_);
  buttons_ = new QHBoxLayout;
  buttons_->setSpacing(px(8));
  buttons_->addStretch();
  column->addLayout(buttons_);
  what_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  why_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  hide();
}

void Notice::show_message(Kind kind, const QString& what, const QString& why) {
  kind_ = kind;
  set_tone(what_, kind == Kind::problem ? Tone::problem : Tone::strong);
  what_->setFont(strong_font());
  what_->setText(kind == Kind::problem ? QStringLiteral("! ") + what : what);
  why_->setText(why);
  why_->setVisible(!why.isEmpty());
  while (buttons_->count() > 1) {
    QLayoutItem* item = buttons_->takeAt(0);
    item->widget()->deleteLater();
    item->widget()->hide();
    delete item;
  }
  setAccessibleName(what);
  setAccessibleDescription(why);
  show();
  update();
}

QPushButton* Notice::add_button(const QString& text) {
  QPushButton* button = make_button(text);
  buttons_->insertWidget(buttons_->count() - 1, button);
  return button;
}

void Notice::dismiss() { hide(); }

void Notice::paintEvent(QPaintEvent*) {
  const Tokens& tokens = Theme::instance().tokens();
  QPainter painter(this);
  painter.fillRect(QRect(0, contentsRect().top(), px(3), contentsRect().height()),
                   kind_ == Kind::problem ? tokens.problem : tokens.control);
}

}  // namespace weir::desktop

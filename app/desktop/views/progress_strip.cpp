#include "app/desktop/views/progress_strip.h"

#include <QHBoxLayout>
#include <QTimer>
#include <QVBoxLayout>

#include "app/desktop/models/text.h"
#include "app/desktop/views/labels.h"
#include "app/desktop/views/theme.h"
#include "app/desktop/views/ui_language.h"

namespace weir::desktop {

ProgressStrip::ProgressStrip(QWidget* parent)
    : QWidget(parent),
      title_(make_label({}, Tone::body, true)),
      bar_(new QProgressBar),
      text_(make_label({}, Tone::caption, true)),
      cancel_(make_button(tr("Cancel"))),
      delay_(new QTimer(this)) {
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, px(4));
  column->setSpacing(px(4));
  column->addWidget(title_);
  auto* row = new QHBoxLayout;
  row->setSpacing(px(12));
  bar_->setFixedSize(px(240), px(7));
  bar_->setTextVisible(false);
  bar_->setAccessibleName(tr("Progress"));
  row->addWidget(bar_, 0, Qt::AlignVCenter);
  row->addWidget(text_, 1, Qt::AlignVCenter);
  row->addWidget(cancel_, 0, Qt::AlignVCenter);
  column->addLayout(row);
  delay_->setSingleShot(true);
  delay_->setInterval(150);
  connect(delay_, &QTimer::timeout, this, [this] { set_shown(true); });
  connect(cancel_, &QPushButton::clicked, this, &ProgressStrip::cancel_requested);
  hide();
}

void ProgressStrip::begin(const QString& title) {
  title_->setText(title);
  title_->setVisible(!title.isEmpty());
  text_->clear();
  bar_->setRange(0, 0);
  if (!shown_) delay_->start();
}

void ProgressStrip::advance(double fraction, const QString& what, double seconds_left) {
  bar_->setRange(0, fraction < 0 ? 0 : 1000);
  if (fraction >= 0) bar_->setValue(static_cast<int>(fraction * 1000));
  const QString left = time_left_text(seconds_left, ui_language());
  QString text = what;
  if (fraction >= 0) {
    const QString percent = QString::number(static_cast<int>(fraction * 100));
    text = left.isEmpty() ? tr("%1 % · %2").arg(percent, what) : tr("%1 % · %2 · %3").arg(percent, what, left);
  }
  text_->setText(text);
}

void ProgressStrip::end() {
  delay_->stop();
  set_shown(false);
}

void ProgressStrip::set_shown(bool shown) {
  if (shown_ == shown) return;
  shown_ = shown;
  setVisible(shown);
  emit shown_changed(shown);
}

}  // namespace weir::desktop

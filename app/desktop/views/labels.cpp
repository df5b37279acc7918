#include "app/desktop/views/labels.h"

#include "app/desktop/views/theme.h"

namespace weir::desktop {

void set_tone(QLabel* label, Tone tone) {
  switch (tone) {
    case Tone::body:
    case Tone::quiet:
    case Tone::problem:
      label->setFont(body_font());
      break;
    case Tone::caption:
      label->setFont(caption_font());
      break;
    case Tone::strong:
      label->setFont(strong_font());
      break;
    case Tone::strong_caption:
      label->setFont(strong_caption_font());
      break;
    case Tone::title:
      label->setFont(title_font());
      break;
  }
  const bool quiet = tone == Tone::quiet || tone == Tone::caption;
  label->setForegroundRole(quiet ? kQuietRole : tone == Tone::problem ? kProblemRole : QPalette::WindowText);
}

QLabel* make_label(const QString& text, Tone tone, bool wrap) {
  auto* label = new QLabel(text);
  label->setTextFormat(Qt::PlainText);
  label->setWordWrap(wrap);
  set_tone(label, tone);
  return label;
}

QPushButton* make_button(const QString& text, bool primary) {
  auto* button = new QPushButton(text);
  button->setProperty("primary", primary);
  if (primary) button->setFont(strong_font());
  button->setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
  return button;
}

QFrame* make_rule(Qt::Orientation orientation) {
  auto* rule = new QFrame;
  rule->setFrameShape(QFrame::NoFrame);
  rule->setAutoFillBackground(true);
  rule->setBackgroundRole(QPalette::Mid);
  if (orientation == Qt::Horizontal) rule->setFixedHeight(1);
  if (orientation == Qt::Vertical) rule->setFixedWidth(1);
  return rule;
}

}  // namespace weir::desktop

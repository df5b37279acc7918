#pragma once

#include <QFrame>
#include <QLabel>
#include <QPushButton>

namespace weir::desktop {

enum class Tone { body, quiet, caption, strong, strong_caption, title, problem };

/// A label whose colour follows the theme. `wrap`: as many lines as its width needs.
QLabel* make_label(const QString& text, Tone tone, bool wrap = false);
void set_tone(QLabel* label, Tone tone);
QPushButton* make_button(const QString& text, bool primary = false);
/// A rule of 1 px in the colour of separators.
QFrame* make_rule(Qt::Orientation orientation = Qt::Horizontal);

}  // namespace weir::desktop

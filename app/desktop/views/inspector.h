#pragma once

#include "app/desktop/views/panel.h"

#include "app/desktop/views/explanation.h"

class QVBoxLayout;

namespace weir::desktop {

/// The panel at the right: where the number under the cursor comes from, and what the marks mean.
class Inspector : public Panel {
  Q_OBJECT

 public:
  explicit Inspector(QWidget* parent = nullptr);
  void show_explanation(const Explanation& explanation);
  const Explanation& explanation() const { return explanation_; }

 signals:
  void command_requested();

 private:
  void rebuild();

  Explanation explanation_;
};

/// The four ways a number is known, two a row.
QWidget* make_mark_legend();

}  // namespace weir::desktop

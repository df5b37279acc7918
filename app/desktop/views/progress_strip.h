#pragma once

#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QWidget>

class QTimer;

namespace weir::desktop {

/// Bar, what is being done, time left, Cancel. Appears only when the work takes longer than 150 ms, so that quick edits
/// do not flicker.
class ProgressStrip : public QWidget {
  Q_OBJECT

 public:
  explicit ProgressStrip(QWidget* parent = nullptr);
  void begin(const QString& title);
  /// fraction < 0: not known; seconds_left < 0: not known. `what` is in the language of the interface.
  void advance(double fraction, const QString& what, double seconds_left);
  void end();
  bool is_shown() const { return shown_; }

 signals:
  void cancel_requested();
  void shown_changed(bool shown);

 private:
  void set_shown(bool shown);

  QLabel* title_;
  QProgressBar* bar_;
  QLabel* text_;
  QPushButton* cancel_;
  QTimer* delay_;
  bool shown_ = false;
};

}  // namespace weir::desktop

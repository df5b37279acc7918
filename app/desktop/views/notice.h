#pragma once

#include <QLabel>
#include <QPushButton>
#include <QWidget>

class QHBoxLayout;

namespace weir::desktop {

/// A message in its place on the page: a 3 px bar at the left, what happened, why, and buttons for the next step. Never
/// a dialog, never gone before it was read.
class Notice : public QWidget {
  Q_OBJECT

 public:
  enum class Kind { problem, information };

  explicit Notice(QWidget* parent = nullptr);
  void show_message(Kind kind, const QString& what, const QString& why = {});
  /// Buttons are added after show_message, which takes the old ones away.
  QPushButton* add_button(const QString& text);
  QString what() const { return what_->text(); }
  void dismiss();

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  Kind kind_ = Kind::information;
  QLabel* what_;
  QLabel* why_;
  QHBoxLayout* buttons_;
};

}  // namespace weir::desktop

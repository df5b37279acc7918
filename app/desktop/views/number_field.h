#pragma once

#include <QLineEdit>

#include "app/desktop/models/quantity.h"

namespace weir::desktop {

/// A number with its unit. What was typed stays, right or wrong; what is wrong is said by problem_changed, and only a
/// right number is committed.
class NumberField : public QLineEdit {
  Q_OBJECT

 public:
  explicit NumberField(QuantityRule rule, QWidget* parent = nullptr);
  const QuantityRule& rule() const { return rule_; }
  /// From the model. Leaves alone what the reader has typed and what is not right yet.
  void set_value(std::optional<double> value);
  std::optional<double> value() const { return value_; }
  /// The model refused what was committed; the text stays.
  void show_problem(const QString& problem);
  const QString& problem() const { return problem_; }
  /// Reads what was typed now, as Enter does.
  void commit();
  QSize sizeHint() const override;

 signals:
  void committed(std::optional<double> value);
  void problem_changed(const QString& problem);

 protected:
  void keyPressEvent(QKeyEvent* event) override;

 private:
  void write_value();

  QuantityRule rule_;
  std::optional<double> value_;
  QString problem_;
};

}  // namespace weir::desktop

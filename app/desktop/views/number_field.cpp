#include "app/desktop/views/number_field.h"

#include <QKeyEvent>

#include "app/desktop/views/theme.h"
#include "app/desktop/views/ui_language.h"

namespace weir::desktop {

NumberField::NumberField(QuantityRule rule, QWidget* parent) : QLineEdit(parent), rule_(std::move(rule)) {
  setAlignment(Qt::AlignRight | Qt::AlignVCenter);
  setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
  connect(this, &QLineEdit::editingFinished, this, &NumberField::commit);
  // A complaint is taken back while typing, but made only when the reader has finished.
  connect(this, &QLineEdit::textEdited, this, [this](const QString& typed) {
    if (!problem_.isEmpty() && parse_quantity(typed, rule_, ui_language()).error.isEmpty()) show_problem({});
  });
}

void NumberField::set_value(std::optional<double> value) {
  const bool same = value_ == value;
  if (same && isModified() && (hasFocus() || !problem_.isEmpty())) return;
  value_ = value;
  write_value();
  show_problem({});
}

void NumberField::write_value() {
  setText(value_ ? quantity_text(*value_, rule_) : QString());
  setModified(false);
}

void NumberField::show_problem(const QString& problem) {
  if (problem == problem_) return;
  problem_ = problem;
  setProperty("problem", !problem.isEmpty());
  setAccessibleDescription(problem.isEmpty() ? range_text(rule_, ui_language()) : problem);
  update();
  emit problem_changed(problem);
}

void NumberField::commit() {
  const ParsedQuantity typed = parse_quantity(text(), rule_, ui_language());
  if (!typed.error.isEmpty()) return show_problem(typed.error);
  show_problem({});
  const bool unchanged = typed.value == value_ || (value_ && text() == quantity_text(*value_, rule_));
  if (unchanged) return write_value();
  const std::optional<double> before = value_;
  value_ = typed.value;
  emit committed(typed.value);
  // Refused further down: the field goes on showing what was typed, the value in force is the old one.
  if (!problem_.isEmpty()) {
    value_ = before;
  } else {
    write_value();
  }
}

QSize NumberField::sizeHint() const { return {px(132), QLineEdit::sizeHint().height()}; }

void NumberField::keyPressEvent(QKeyEvent* event) {
  if (event->key() == Qt::Key_Escape && (isModified() || !problem_.isEmpty())) {
    write_value();
    show_problem({});
    event->accept();
    return;
  }
  QLineEdit::keyPressEvent(event);
}

}  // namespace weir::desktop

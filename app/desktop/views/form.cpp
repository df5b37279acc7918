#include "app/desktop/views/form.h"

#include "app/desktop/views/labels.h"
#include "app/desktop/views/theme.h"
#include "app/desktop/views/ui_language.h"

namespace weir::desktop {

Form::Form(QWidget* parent) : QWidget(parent), grid_(new QGridLayout(this)) {
  grid_->setContentsMargins(0, 0, 0, 0);
  grid_->setHorizontalSpacing(px(12));
  grid_->setVerticalSpacing(px(8));
  grid_->setColumnMinimumWidth(0, px(124));
  grid_->setColumnStretch(2, 1);
}

QLabel* Form::add(const QString& caption, QWidget* field, const QString& note) {
  QLabel* name = make_label(caption, Tone::body);
  name->setBuddy(field);
  field->setAccessibleName(caption);
  QLabel* beside = make_label(note, Tone::caption, true);
  beside->setMinimumWidth(px(note.isEmpty() ? 0 : 96));
  grid_->addWidget(name, row_, 0, Qt::AlignLeft | Qt::AlignVCenter);
  grid_->addWidget(field, row_, 1, Qt::AlignLeft | Qt::AlignVCenter);
  grid_->addWidget(beside, row_, 2, Qt::AlignVCenter);
  ++row_;
  return beside;
}

NumberField* Form::add_number(const QString& caption, const QuantityRule& rule, const QString& note) {
  auto* field = new NumberField(rule);
  QLabel* beside = add(caption, field, note);
  field->setAccessibleDescription(note.isEmpty() ? range_text(rule, ui_language()) : note);
  connect(field, &NumberField::problem_changed, beside, [beside, note](const QString& problem) {
    beside->setText(problem.isEmpty() ? note : QStringLiteral("! ") + problem);
    beside->setForegroundRole(problem.isEmpty() ? kQuietRole : kProblemRole);
  });
  return field;
}

QComboBox* Form::add_choice(const QString& caption, const QString& note) {
  auto* box = new QComboBox;
  box->setMinimumWidth(px(168));
  add(caption, box, note);
  return box;
}

void Form::add_heading(const QString& text) {
  QLabel* heading = make_label(text, Tone::strong);
  heading->setContentsMargins(0, row_ == 0 ? 0 : px(12), 0, 0);
  grid_->addWidget(heading, row_, 0, 1, 3);
  ++row_;
}

void set_choice(QComboBox* box, const QString& value) {
  const QSignalBlocker quiet(box);
  box->setCurrentIndex(box->findData(value));
}

}  // namespace weir::desktop

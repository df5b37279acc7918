#pragma once

#include <QComboBox>
#include <QGridLayout>
#include <QLabel>
#include <QWidget>

#include "app/desktop/views/number_field.h"

namespace weir::desktop {

/// Rows of caption, field and a note beside it. The note says what is allowed, or what is wrong.
class Form : public QWidget {
  Q_OBJECT

 public:
  explicit Form(QWidget* parent = nullptr);
  NumberField* add_number(const QString& caption, const QuantityRule& rule, const QString& note = {});
  QComboBox* add_choice(const QString& caption, const QString& note = {});
  /// Any other field; returns the label of its note.
  QLabel* add(const QString& caption, QWidget* field, const QString& note = {});
  void add_heading(const QString& text);
  int rows() const { return row_; }

 private:
  QGridLayout* grid_;
  int row_ = 0;
};

/// A drop-down list that keeps its width whatever it lists; `value` is what the program knows each entry by.
void set_choice(QComboBox* box, const QString& value);

}  // namespace weir::desktop

#include "app/desktop/views/inspector.h"

#include <QVBoxLayout>

#include "app/desktop/views/labels.h"
#include "app/desktop/views/marks.h"
#include "app/desktop/views/theme.h"

namespace weir::desktop {
namespace {

QWidget* make_input_row(const ExplainedInput& input) {
  auto* row = new QWidget;
  auto* grid = new QGridLayout(row);
  grid->setContentsMargins(0, 0, 0, 0);
  grid->setHorizontalSpacing(px(6));
  grid->setVerticalSpacing(0);
  grid->setColumnStretch(1, 1);
  grid->addWidget(new EvidenceMark(input.mark), 0, 0, Qt::AlignTop);
  grid->addWidget(make_label(input.name, Tone::body, true), 0, 1);
  QLabel* value = make_label(input.value, Tone::body);
  grid->addWidget(value, 0, 2, Qt::AlignRight | Qt::AlignTop);
  if (!input.note.isEmpty()) grid->addWidget(make_label(input.note, Tone::caption, true), 1, 1, 1, 2);
  return row;
}

void add_value(QVBoxLayout* column, const Explanation& explanation) {
  auto* line = new QHBoxLayout;
  line->setSpacing(px(6));
  if (explanation.mark) line->addWidget(new EvidenceMark(explanation.mark), 0, Qt::AlignVCenter);
  QLabel* value = make_label(explanation.value, Tone::title);
  value->setTextInteractionFlags(Qt::TextSelectableByMouse);
  line->addWidget(value);
  line->addStretch();
  column->addLayout(line);
  if (!explanation.range.isEmpty()) column->addWidget(make_label(explanation.range, Tone::quiet, true));
}

}  // namespace

QWidget* make_mark_legend() {
  auto* legend = new QWidget;
  auto* grid = new QGridLayout(legend);
  grid->setContentsMargins(0, 0, 0, 0);
  grid->setHorizontalSpacing(px(6));
  grid->setVerticalSpacing(px(2));
  grid->setColumnStretch(1, 1);
  int row = 0;
  for (const data::Evidence evidence :
       {data::Evidence::measured_here, data::Evidence::measured_elsewhere, data::Evidence::fitted,
        data::Evidence::datasheet, data::Evidence::assumption}) {
    grid->addWidget(new EvidenceMark(evidence), row, 0);
    grid->addWidget(make_label(evidence_words(evidence), Tone::caption), row, 1);
    ++row;
  }
  return legend;
}

Inspector::Inspector(QWidget* parent) : Panel(parent) {
  setAccessibleName(tr("Explain"));
  rebuild();
}

void Inspector::show_explanation(const Explanation& explanation) {
  explanation_ = explanation;
  rebuild();
}

void Inspector::rebuild() {
  auto* content = new QWidget;
  auto* column = new QVBoxLayout(content);
  column->setContentsMargins(px(16), px(16), px(16), px(16));
  column->setSpacing(px(6));
  column->addWidget(make_label(tr("Explain"), Tone::caption));
  if (explanation_.empty()) {
    column->addWidget(make_label(tr("Point at a number or choose it to see where it comes from."), Tone::quiet, true));
  } else {
    column->addWidget(make_label(explanation_.title, Tone::strong, true));
    add_value(column, explanation_);
    for (const QString& line : explanation_.formula) column->addWidget(make_label(line, Tone::caption, true));
    if (!explanation_.inputs.empty()) {
      column->addSpacing(px(6));
      column->addWidget(make_rule());
      column->addSpacing(px(2));
      if (!explanation_.inputs_title.isEmpty()) column->addWidget(make_label(explanation_.inputs_title, Tone::strong));
      for (const ExplainedInput& input : explanation_.inputs) column->addWidget(make_input_row(input));
    }
    for (const QString& note : explanation_.notes) column->addWidget(make_label(note, Tone::caption, true));
  }
  column->addSpacing(px(6));
  column->addWidget(make_rule());
  column->addSpacing(px(2));
  column->addWidget(make_label(tr("How each number is known"), Tone::caption));
  column->addWidget(make_mark_legend());
  column->addStretch();
  if (!explanation_.empty()) {
    QPushButton* command = make_button(tr("Copy as command"));
    connect(command, &QPushButton::clicked, this, &Inspector::command_requested);
    column->addWidget(command);
  }
  set_content(content);
}

}  // namespace weir::desktop

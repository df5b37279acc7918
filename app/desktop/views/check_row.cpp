#include "app/desktop/views/check_row.h"

#include "app/desktop/views/theme.h"

namespace weir::desktop {

CheckRow::CheckRow(const QString& name, const std::vector<Choice>& choices, QWidget* parent) : QWidget(parent) {
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(px(16));
  for (const Choice& choice : choices) {
    auto* box = new QCheckBox(choice.text);
    box->setAccessibleName(tr("%1: %2").arg(name, choice.text));
    boxes_.emplace_back(box, choice.value);
    row->addWidget(box);
    connect(box, &QCheckBox::clicked, this, [this] { emit changed(checked()); });
  }
  row->addStretch();
}

void CheckRow::set_checked(const QStringList& values) {
  for (const auto& [box, value] : boxes_) box->setChecked(values.contains(value));
}

QStringList CheckRow::checked() const {
  QStringList values;
  for (const auto& [box, value] : boxes_) {
    if (box->isChecked()) values << value;
  }
  return values;
}

}  // namespace weir::desktop

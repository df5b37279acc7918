#include "app/desktop/pages/empty_project.h"

#include <QHBoxLayout>
#include <QVBoxLayout>

#include "app/desktop/views/labels.h"
#include "app/desktop/views/theme.h"
#include "app/desktop/views/workbench.h"

namespace weir::desktop {

EmptyProject::EmptyProject(Workbench& bench, const QString& title, const QString& sentence, QWidget* parent)
    : QWidget(parent) {
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(px(8));
  column->addWidget(make_label(title, Tone::title, true));
  column->addWidget(make_label(sentence, Tone::quiet, true));
  auto* row = new QHBoxLayout;
  row->setSpacing(px(8));
  row->setContentsMargins(0, px(8), 0, 0);
  QPushButton* example = make_button(tr("Open example"), true);
  QPushButton* open = make_button(tr("Open project…"));
  QPushButton* import = make_button(tr("Import trace…"));
  connect(example, &QPushButton::clicked, this,
          [&bench] { emit bench.template_requested(QStringLiteral("llm-chat")); });
  connect(open, &QPushButton::clicked, this, [&bench] { emit bench.open_requested({}); });
  connect(import, &QPushButton::clicked, this, [&bench] { emit bench.import_requested({}); });
  row->addWidget(example);
  row->addWidget(open);
  row->addWidget(import);
  row->addStretch();
  column->addLayout(row);
  column->addStretch(1);
}

}  // namespace weir::desktop

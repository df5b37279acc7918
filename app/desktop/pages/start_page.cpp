#include "app/desktop/pages/start_page.h"

#include <QDateTime>
#include <QFileInfo>
#include <QHeaderView>
#include <QPainter>

#include "app/desktop/models/roles.h"
#include "app/desktop/models/text.h"
#include "app/desktop/views/data_table.h"
#include "app/desktop/views/labels.h"
#include "app/desktop/views/machine_panel.h"
#include "app/desktop/views/model_cells.h"
#include "app/desktop/views/notice.h"
#include "app/desktop/views/theme.h"
#include "app/desktop/views/ui_language.h"

namespace weir::desktop {
namespace {

/// A dashed frame that says what can be dropped; the whole window takes drops.
class DropZone : public QWidget {
 public:
  explicit DropZone(QWidget* parent = nullptr) : QWidget(parent) {}

 protected:
  void paintEvent(QPaintEvent*) override {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    QPen pen(Theme::instance().tokens().control, 1);
    pen.setDashPattern({3, 3});
    painter.setPen(pen);
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 3, 3);
  }
};

}  // namespace

StartPage::StartPage(Workbench& bench, QWidget* parent) : Page(bench, parent), machine_(new MachinePanel(bench)) {
  column()->setContentsMargins(px(28), px(20), px(28), px(20));
  add_title(tr("Which accelerators, how many, owned or rented?"),
            tr("Weir replays your traffic on simulated fleets and turns the result into money. Start from an example, "
               "or drop a traffic trace anywhere in this window."));
  add_buttons();
  recoverable_ = new QVBoxLayout;
  recoverable_->setSpacing(px(8));
  column()->addLayout(recoverable_);
  show_recoverable();
  add_templates();
  add_recent();
  add_drop_zone();
  column()->addStretch();
}

QWidget* StartPage::side_panel() { return machine_; }

void StartPage::add_buttons() {
  auto* row = new QHBoxLayout;
  row->setSpacing(px(8));
  row->setContentsMargins(0, px(4), 0, px(8));
  QPushButton* example = make_button(tr("Open example"), true);
  example->setObjectName(QStringLiteral("open_example"));
  QPushButton* open = make_button(tr("Open project…"));
  QPushButton* import = make_button(tr("Import trace…"));
  connect(example, &QPushButton::clicked, this, [this] { emit bench_.template_requested(QStringLiteral("llm-chat")); });
  connect(open, &QPushButton::clicked, this, [this] { emit bench_.open_requested({}); });
  connect(import, &QPushButton::clicked, this, [this] { emit bench_.import_requested({}); });
  row->addWidget(example);
  row->addWidget(open);
  row->addWidget(import);
  row->addSpacing(px(8));
  row->addWidget(
      make_label(tr("The example computes on this machine, without account or network."), Tone::caption, true), 1);
  column()->addLayout(row);
}

void StartPage::show_recoverable() {
  const auto copies = WorkingCopy::recoverable();
  for (const RecoverableCopy& copy : copies) {
    auto* notice = new Notice;
    const QString name =
        copy.original.isEmpty() ? tr("a project that was never saved") : QFileInfo(copy.original).fileName();
    notice->show_message(Notice::Kind::information, tr("Unsaved work was found: %1").arg(name),
                         tr("Last changed %1. The saved file is as it was.")
                             .arg(when_text(copy.changed, QDateTime::currentDateTime(), ui_language())));
    connect(notice->add_button(tr("Recover")), &QPushButton::clicked, this, [this, copy, notice] {
      notice->dismiss();
      emit bench_.recover_requested(copy);
    });
    connect(notice->add_button(tr("Discard")), &QPushButton::clicked, this, [copy, notice] {
      WorkingCopy::discard(copy);
      notice->dismiss();
    });
    recoverable_->addWidget(notice);
  }
}

void StartPage::add_templates() {
  auto* head = new QHBoxLayout;
  head->addWidget(make_label(tr("Templates"), Tone::strong));
  head->addStretch();
  head->addWidget(make_label(tr("Every input carries its source."), Tone::caption));
  column()->addLayout(head);
  templates_ = new TemplateModel(this);
  templates_->set_language(ui_language());
  auto* table = new DataTable(tr("Templates"), [](const QModelIndex& index) {
    Cell cell = model_cell(index);
    cell.quiet = index.column() != TemplateModel::Title;
    cell.link = index.column() == TemplateModel::Title;
    cell.wrap = index.column() == TemplateModel::Targets;
    return cell;
  });
  table->setObjectName(QStringLiteral("templates"));
  table->setModel(templates_);
  table->setWordWrap(true);
  table->set_shows_all_rows(true);
  table->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
  table->horizontalHeader()->setSectionResizeMode(TemplateModel::Targets, QHeaderView::Stretch);
  const auto start = [this](const QModelIndex& index) {
    emit bench_.template_requested(index.siblingAtColumn(0).data(NameRole).toString());
  };
  connect(table, &QAbstractItemView::activated, this, start);
  connect(table, &QAbstractItemView::clicked, this, [start](const QModelIndex& index) {
    if (index.column() == TemplateModel::Title) start(index);
  });
  column()->addWidget(table);
  column()->addSpacing(px(12));
}

void StartPage::add_recent() {
  bench_.recent.set_language(ui_language());
  column()->addWidget(make_label(tr("Recent projects"), Tone::strong));
  auto* none = make_label(tr("None yet. Saved projects are listed here with their last result."), Tone::quiet, true);
  auto* table = new DataTable(tr("Recent projects"), [](const QModelIndex& index) {
    Cell cell = model_cell(index);
    cell.link = index.column() == RecentFiles::File;
    cell.quiet = !cell.link;
    return cell;
  });
  table->setObjectName(QStringLiteral("recent"));
  table->setModel(&bench_.recent);
  table->set_shows_all_rows(true);
  table->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
  table->horizontalHeader()->setSectionResizeMode(RecentFiles::LastResult, QHeaderView::Stretch);
  const auto open = [this](const QModelIndex& index) {
    const QString file = index.siblingAtColumn(0).data(NameRole).toString();
    // Opening reorders the list under the click: first let it end.
    QMetaObject::invokeMethod(
        &bench_, [this, file] { emit bench_.open_requested(file); }, Qt::QueuedConnection);
  };
  connect(table, &QAbstractItemView::activated, this, open);
  connect(table, &QAbstractItemView::clicked, this, [open](const QModelIndex& index) {
    if (index.column() == RecentFiles::File) open(index);
  });
  const auto show = [this, table, none] {
    const bool any = bench_.recent.rowCount() > 0;
    table->setVisible(any);
    none->setVisible(!any);
  };
  connect(&bench_.recent, &QAbstractItemModel::modelReset, table, show);
  connect(&bench_.recent, &QAbstractItemModel::rowsInserted, table, show);
  column()->addWidget(none);
  column()->addWidget(table);
  show();
  column()->addSpacing(px(12));
}

void StartPage::add_drop_zone() {
  auto* zone = new DropZone;
  auto* row = new QHBoxLayout(zone);
  row->setContentsMargins(px(24), px(20), px(24), px(20));
  row->setSpacing(px(28));
  auto* left = new QVBoxLayout;
  left->setSpacing(px(2));
  left->addWidget(make_label(tr("Drop a trace here"), Tone::strong));
  left->addWidget(make_label(tr("CSV or JSON lines: arrival time, input and output tokens"), Tone::caption));
  row->addLayout(left);
  row->addWidget(make_rule(Qt::Vertical));
  row->addWidget(make_label(tr("You see columns, row count and refused rows first. Nothing is imported until you "
                               "confirm."),
                            Tone::caption, true),
                 1);
  column()->addWidget(zone);
}

}  // namespace weir::desktop

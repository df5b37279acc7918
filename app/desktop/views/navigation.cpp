#include "app/desktop/views/navigation.h"

#include <QPainter>
#include <QStandardItemModel>
#include <QStyledItemDelegate>

#include "app/desktop/views/theme.h"

namespace weir::desktop {
namespace {

constexpr int kPageRole = Qt::UserRole, kSummaryRole = Qt::UserRole + 1;

class StepDelegate : public QStyledItemDelegate {
 public:
  using QStyledItemDelegate::QStyledItemDelegate;

  QSize sizeHint(const QStyleOptionViewItem&, const QModelIndex& index) const override {
    return {px(186), index.data(kPageRole).isValid() ? px(44) : px(index.row() == 0 ? 28 : 34)};
  }

  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
    const Tokens& tokens = Theme::instance().tokens();
    const QRect rect = option.rect;
    const QRect inside = rect.adjusted(px(20), 0, -px(8), 0);
    if (!index.data(kPageRole).isValid()) {
      painter->setFont(caption_font());
      painter->setPen(tokens.text_quiet);
      painter->drawText(inside.adjusted(0, 0, 0, -px(3)), Qt::AlignLeft | Qt::AlignBottom, index.data().toString());
      return;
    }
    const bool chosen = option.state & QStyle::State_Selected;
    if (chosen) {
      painter->fillRect(rect, tokens.selection);
      painter->fillRect(QRect(rect.left(), rect.top(), px(3), rect.height()), tokens.accent);
    } else if (option.state & QStyle::State_MouseOver) {
      painter->fillRect(rect, tokens.line);
    }
    const int middle = rect.center().y();
    painter->setFont(chosen ? strong_font() : body_font());
    painter->setPen(tokens.text);
    painter->drawText(QRect(inside.left(), middle - px(19), inside.width(), px(19)), Qt::AlignLeft | Qt::AlignVCenter,
                      index.data().toString());
    painter->setFont(caption_font());
    painter->setPen(tokens.text_quiet);
    const QString summary =
        painter->fontMetrics().elidedText(index.data(kSummaryRole).toString(), Qt::ElideRight, inside.width());
    painter->drawText(QRect(inside.left(), middle - px(1), inside.width(), px(18)), Qt::AlignLeft | Qt::AlignVCenter,
                      summary);
    if (chosen && (option.state & QStyle::State_HasFocus) && (option.state & QStyle::State_KeyboardFocusChange)) {
      painter->setPen(QPen(tokens.accent, 1));
      painter->drawRect(rect.adjusted(px(3), 0, -1, -1));
    }
  }
};

}  // namespace

Navigation::Navigation(QWidget* parent) : QListView(parent), steps_(new QStandardItemModel(this)) {
  setModel(steps_);
  setItemDelegate(new StepDelegate(this));
  setFrameShape(QFrame::NoFrame);
  setEditTriggers(QAbstractItemView::NoEditTriggers);
  setSelectionMode(QAbstractItemView::SingleSelection);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setMouseTracking(true);
  setFixedWidth(px(188));
  setViewportMargins(0, px(8), 0, 0);
  viewport()->setBackgroundRole(QPalette::Window);
  setAccessibleName(tr("Steps"));
  connect(selectionModel(), &QItemSelectionModel::currentChanged, this, [this](const QModelIndex& current) {
    if (current.data(kPageRole).isValid()) emit page_chosen(current.data(kPageRole).toInt());
  });
}

void Navigation::add_heading(const QString& text) {
  auto* item = new QStandardItem(text);
  item->setFlags(Qt::NoItemFlags);
  steps_->appendRow(item);
}

void Navigation::add_page(int page, const QString& name) {
  auto* item = new QStandardItem(name);
  item->setData(page, kPageRole);
  item->setFlags(Qt::ItemIsEnabled | Qt::ItemIsSelectable);
  steps_->appendRow(item);
}

void Navigation::set_summary(int page, const QString& summary) {
  for (int row = 0; row < steps_->rowCount(); ++row) {
    QStandardItem* item = steps_->item(row);
    if (item->data(kPageRole).isValid() && item->data(kPageRole).toInt() == page) {
      item->setData(summary, kSummaryRole);
      item->setData(summary, Qt::ToolTipRole);
      item->setData(QString(item->text() + QStringLiteral(": ") + summary), Qt::AccessibleTextRole);
    }
  }
}

void Navigation::choose(int page) {
  for (int row = 0; row < steps_->rowCount(); ++row) {
    const QModelIndex index = steps_->index(row, 0);
    if (index.data(kPageRole).isValid() && index.data(kPageRole).toInt() == page) setCurrentIndex(index);
  }
}

int Navigation::chosen() const {
  const QVariant page = currentIndex().data(kPageRole);
  return page.isValid() ? page.toInt() : -1;
}

QSize Navigation::sizeHint() const { return {px(188), px(500)}; }

}  // namespace weir::desktop

#include "app/desktop/pages/costs_page.h"

#include <QAction>
#include <QHeaderView>
#include <QLineEdit>
#include <QSortFilterProxyModel>
#include <cmath>

#include "app/desktop/pages/empty_project.h"
#include "app/desktop/views/data_table.h"
#include "app/desktop/views/form.h"
#include "app/desktop/views/labels.h"
#include "app/desktop/views/model_cells.h"
#include "app/desktop/views/theme.h"
#include "app/desktop/views/ui_language.h"

namespace weir::desktop {
namespace {

/// Prices of hardware, or everything else; and of those the rows that hold what was searched for.
class InputRows : public QSortFilterProxyModel {
 public:
  InputRows(bool prices, QObject* parent) : QSortFilterProxyModel(parent), prices_(prices) {}
  void search(const QString& text) {
    text_ = text;
    invalidateFilter();
  }

 protected:
  bool filterAcceptsRow(int row, const QModelIndex& parent) const override {
    const QModelIndex name = sourceModel()->index(row, CostInputModel::Name, parent);
    // Keys of prices name their accelerator: "server_price_usd.t4".
    const QString key = name.data(NameRole).toString();
    if (key.contains(QLatin1Char('.')) != prices_) return false;
    const QString source = name.siblingAtColumn(CostInputModel::Source).data().toString();
    return text_.isEmpty() || name.data().toString().contains(text_, Qt::CaseInsensitive) ||
           key.contains(text_, Qt::CaseInsensitive) || source.contains(text_, Qt::CaseInsensitive);
  }

 private:
  bool prices_;
  QString text_;
};

QString term_words(const QString& term) {
  if (term == QStringLiteral("reserved-1y")) return QObject::tr("reserved for 1 year");
  if (term == QStringLiteral("reserved-3y")) return QObject::tr("reserved for 3 years");
  if (term == QStringLiteral("spot")) return QObject::tr("spot");
  return QObject::tr("on demand");
}

}  // namespace

CostsPage::CostsPage(Workbench& bench, QWidget* parent)
    : Page(bench, parent),
      inputs_(new CostInputModel(bench.session, this)),
      empty_(new EmptyProject(bench, tr("No costs yet."),
                              tr("Open an example or a project to see prices and to enter your own quotes."))) {
  // In the body: the members that this fills have been initialised by then.
  editor_ = make_editor();
  inputs_->set_language(ui_language());
  column()->addWidget(empty_);
  column()->addWidget(editor_);
  column()->addStretch();
  connect(inputs_, &CostInputModel::refused, this, [this](int, const QString& message) { show_problem(message); });
  connect(&bench_.session, &Session::project_changed, this, &CostsPage::refresh);
  connect(&bench_.session, &Session::inputs_changed, this, &CostsPage::refresh);
  refresh();
}

QWidget* CostsPage::make_editor() {
  auto* editor = new QWidget;
  auto* rows = new QVBoxLayout(editor);
  rows->setContentsMargins(0, 0, 0, 0);
  rows->setSpacing(px(8));
  rows->addWidget(make_label(tr("What does it cost, where, and for how long?"), Tone::title, true));
  sentence_ = make_label({}, Tone::quiet, true);
  rows->addWidget(sentence_);
  auto* form = new Form;
  add_choices(form);
  rows->addSpacing(px(4));
  rows->addWidget(form);
  rows->addSpacing(px(8));
  problem_ = make_label({}, Tone::caption, true);
  problem_->setForegroundRole(kProblemRole);
  rows->addWidget(make_label(tr("Prices of the candidates: your own quotes go here"), Tone::strong));
  prices_ = make_table(tr("Prices of the candidates"), QStringLiteral("prices"), true, nullptr);
  rows->addWidget(prices_);
  rows->addWidget(problem_);
  auto* head = new QHBoxLayout;
  head->addWidget(make_label(tr("All other inputs"), Tone::strong));
  head->addStretch();
  auto* search = new QLineEdit;
  search->setPlaceholderText(tr("Search, e.g. electricity"));
  search->setAccessibleName(tr("Search the inputs"));
  search->setClearButtonEnabled(true);
  search->setFixedWidth(px(280));
  head->addWidget(search);
  rows->addLayout(head);
  others_ = make_table(tr("Economic inputs"), QStringLiteral("inputs"), false, search);
  rows->addWidget(others_);
  return editor;
}

DataTable* CostsPage::make_table(const QString& name, const QString& object, bool prices, QLineEdit* filter) {
  auto* rows = new InputRows(prices, this);
  rows->setSourceModel(inputs_);
  if (filter != nullptr) connect(filter, &QLineEdit::textChanged, rows, &InputRows::search);
  auto* table = new DataTable(name, [](const QModelIndex& index) {
    Cell cell = model_cell(index);
    if (index.column() == CostInputModel::Value) cell.mark_gutter = true;
    cell.quiet = index.column() != CostInputModel::Value && index.column() != CostInputModel::Name;
    return cell;
  });
  table->setObjectName(object);
  table->setModel(rows);
  table->set_shows_all_rows(true);
  table->setEditTriggers(QAbstractItemView::DoubleClicked | QAbstractItemView::EditKeyPressed |
                         QAbstractItemView::AnyKeyPressed);
  QHeaderView* head = table->horizontalHeader();
  head->setSectionResizeMode(QHeaderView::ResizeToContents);
  head->setSectionResizeMode(CostInputModel::Value, QHeaderView::Fixed);
  head->resizeSection(CostInputModel::Value, px(112));
  head->setSectionResizeMode(CostInputModel::Source, QHeaderView::Stretch);
  auto* reset_action = new QAction(tr("&Back to the catalogue's value"), table);
  reset_action->setShortcut(QKeySequence::Delete);
  reset_action->setShortcutContext(Qt::WidgetShortcut);
  connect(reset_action, &QAction::triggered, this, [this, table] { reset(table); });
  table->addAction(reset_action);
  const auto explain = [this](const QModelIndex& index) {
    const Explanation explanation = explain_cell(index.siblingAtColumn(CostInputModel::Value), CostInputModel::Name);
    if (!explanation.empty()) emit bench_.explained(explanation);
  };
  connect(table, &DataTable::cell_entered, this, explain);
  connect(table, &DataTable::cell_chosen, this, explain);
  return table;
}

void CostsPage::show_problem(const QString& problem) {
  problem_->setText(QStringLiteral("! ") + problem);
  problem_->setVisible(!problem.isEmpty());
}

void CostsPage::reset(DataTable* table) {
  const auto* rows = static_cast<const QSortFilterProxyModel*>(table->model());
  const QModelIndex index = rows->mapToSource(table->currentIndex());
  if (index.isValid() && inputs_->is_overridden(index.row())) inputs_->reset_to_catalogue(index.row());
}

void CostsPage::choose(QComboBox* box, const QString& text,
                       std::function<void(data::CostChoice&, const std::string&)> write) {
  connect(box, &QComboBox::activated, this, [this, box, text, write](int index) {
    const std::string value = box->itemData(index).toString().toStdString();
    const QString problem = try_edit(bench_.session, text, {}, [&](data::Scenario& s) { write(s.cost, value); });
    refresh();
    show_problem(problem);
  });
}

void CostsPage::add_choices(Form* form) {
  QuantityRule months;
  months.kind = QuantityKind::count;
  months.low = 1;
  months.high = 120;
  horizon_ = form->add_number(tr("Horizon"), months, tr("months"));
  connect(horizon_, &NumberField::committed, this, [this](std::optional<double> value) {
    horizon_->show_problem(
        try_edit(bench_.session, tr("change horizon"), QStringLiteral("horizon"),
                 [&](data::Scenario& s) { s.cost.horizon_months = static_cast<int>(value.value_or(36)); }));
  });
  currency_ = form->add_choice(tr("Currency"));
  for (const char* code : {"USD", "CNY", "EUR"})
    currency_->addItem(QString::fromLatin1(code), QString::fromLatin1(code));
  choose(currency_, tr("change currency"), [](data::CostChoice& c, const std::string& v) { c.currency = v; });
  region_ = form->add_choice(tr("Place"), tr("electricity, labour and rents are those of this place"));
  for (const std::string& place : data::Catalog::builtin().places()) {
    region_->addItem(QString::fromStdString(place).toUpper(), QString::fromStdString(place));
  }
  choose(region_, tr("change place"), [](data::CostChoice& c, const std::string& v) { c.region = v; });
  term_ = form->add_choice(tr("Rent term"), tr("what the rented options are priced at"));
  for (const char* term : {"on-demand", "reserved-1y", "reserved-3y", "spot"}) {
    term_->addItem(term_words(QString::fromLatin1(term)), QString::fromLatin1(term));
  }
  choose(term_, tr("change rent term"), [](data::CostChoice& c, const std::string& v) { c.cloud_term = v; });
  QuantityRule rate;
  rate.kind = QuantityKind::share;
  rate.low = 0;
  rate.high = 1;
  rate.bare_unit = QStringLiteral("%");
  rate.may_be_empty = true;
  discount_ = form->add_number(tr("Discount rate"), rate,
                               tr("per year; empty: the catalogue's. The TCO itself is not discounted"));
  connect(discount_, &NumberField::committed, this, [this](std::optional<double> value) {
    discount_->show_problem(try_edit(bench_.session, tr("change discount rate"), QStringLiteral("discount"),
                                     [&](data::Scenario& s) { s.cost.discount_rate = value; }));
  });
}

void CostsPage::refresh() {
  const bool open = bench_.session.is_open();
  empty_->setVisible(!open);
  editor_->setVisible(open);
  if (!open) return;
  const data::CostChoice& cost = bench_.session.scenario().cost;
  horizon_->set_value(cost.horizon_months);
  discount_->set_value(cost.discount_rate);
  const double known = data::Catalog::builtin().economic("discount_rate", cost.region).mid;
  discount_->setPlaceholderText(quantity_text(known, discount_->rule()));
  set_choice(currency_, QString::fromStdString(cost.currency));
  set_choice(region_, QString::fromStdString(cost.region));
  set_choice(term_, QString::fromStdString(cost.cloud_term));
  show_problem({});
  const int own = static_cast<int>(cost.overrides.size());
  sentence_->setText(own == 0   ? tr("All values are the catalogue's. Double-click a value to replace it by your own.")
                     : own == 1 ? tr("One value is your own. Delete brings the catalogue's back.")
                                : tr("%1 values are your own. Delete brings the catalogue's back.").arg(own));
  for (DataTable* table : {prices_, others_}) table->updateGeometry();
}

}  // namespace weir::desktop

#pragma once

#include <QAbstractTableModel>
#include <memory>
#include <vector>

#include "app/desktop/models/roles.h"
#include "reports/decision_view.h"
#include "reports/language.h"
#include "reports/report.h"

namespace weir::desktop {

/// The ranking: of each hardware and tenure the best option, then one row for hardware that is not eligible, with the
/// sentence that says why (SentenceRole; empty for a row of numbers). Raw values are in seconds, shares of 1 and units
/// of the currency; other roles: see roles.h. Columns that do not apply to the workload (TPOT of one-shot work) are not
/// there: ask column_at.
class OptionModel : public QAbstractTableModel {
  Q_OBJECT

 public:
  enum Column {
    Rank,
    Option,
    Precision,
    Cards,
    Servers,
    Ttft,
    Tpot,
    E2e,
    Met,
    Capex,
    Opex,
    Tco,
    Range,
    PerUnit,
    PaysBack
  };

  explicit OptionModel(QObject* parent = nullptr);
  void set_decision(std::shared_ptr<const reports::Decision> decision);  ///< empty: no rows
  void set_language(reports::Language language);

  Column column_at(int section) const { return columns_[static_cast<std::size_t>(section)]; }
  int section_of(Column column) const;  ///< -1 = not shown for this workload
  /// Behind a row; nullptr for a row that does not exist.
  const sim::PlanOption* option_at(int row) const;
  bool is_eligible(int row) const;

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

 private:
  struct Row {
    std::size_t option = 0;
    bool eligible = true;
  };
  const sim::PlanResult& plan() const { return decision_->plan; }
  std::string say(const char* english, reports::Values values = {}) const;
  QString display(const sim::PlanOption& option, Column column) const;
  QVariant sort_value(const sim::PlanOption& option, Column column) const;
  QVariant evidence(const sim::PlanOption& option, Column column) const;
  QString provenance(const sim::PlanOption& option, Column column) const;
  QString sentence(const Row& row) const;
  std::size_t option_index(const sim::PlanOption& option) const;
  QVariant strip(const sim::PlanOption& option) const;
  QString head(Column column) const;

  std::shared_ptr<const reports::Decision> decision_;
  std::vector<Row> rows_;
  std::vector<Column> columns_;
  reports::TableScale scale_;
  reports::Language language_ = reports::Language::en;
};

}  // namespace weir::desktop

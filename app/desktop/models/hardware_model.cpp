#include "app/desktop/models/hardware_model.h"

#include <algorithm>
#include <cmath>

#include "app/desktop/models/text.h"
#include "data/catalog.h"
#include "data/errors.h"
#include "reports/decision_view.h"
#include "reports/format.h"

namespace weir::desktop {
namespace {

constexpr double kGibi = 1024.0 * 1024 * 1024, kGiga = 1e9, kTera = 1e12;

std::vector<std::string> priced(const data::Scenario& scenario) {
  const data::Catalog& catalog = data::Catalog::builtin();
  std::vector<std::string> ids;
  for (const data::Accelerator& a : catalog.accelerators()) {
    const data::CostChoice& cost = scenario.cost;
    const bool known =
        catalog.server_price(a.id, "USD") || catalog.cloud_price_per_hour(a.id, cost.cloud_term, cost.region, "USD");
    if (known && a.memory_bytes.known() && a.memory_bandwidth_bytes_per_s.known()) ids.push_back(a.id);
  }
  return ids;
}

const data::Quantity* half_peak(const data::Accelerator& a) {
  for (const data::Precision precision : {data::Precision::fp16, data::Precision::bf16, data::Precision::fp32}) {
    const auto found = a.peak_flops_per_s.find(precision);
    if (found != a.peak_flops_per_s.end()) return &found->second;
  }
  return nullptr;
}

}  // namespace

std::vector<std::string> effective_candidates(const data::Scenario& scenario) {
  if (!scenario.candidates.accelerators.empty()) return scenario.candidates.accelerators;
  if (!scenario.deployment.accelerator.empty()) return {scenario.deployment.accelerator};
  return priced(scenario);
}

HardwareModel::HardwareModel(Session& session, QObject* parent) : QAbstractTableModel(parent), session_(session) {
  connect(&session, &Session::inputs_changed, this, &HardwareModel::reload);
  connect(&session, &Session::project_changed, this, &HardwareModel::reload);
  rows_ = rows();
}

void HardwareModel::set_language(reports::Language language) {
  beginResetModel();
  language_ = language;
  endResetModel();
}

std::vector<HardwareModel::Row> HardwareModel::rows() const {
  std::vector<Row> rows;
  if (!session_.is_open()) return rows;
  const data::Scenario& scenario = session_.scenario();
  const data::Catalog& catalog = data::Catalog::builtin();
  const std::vector<std::string> candidates = effective_candidates(scenario);
  if (const auto calibration = session_.calibration()) {
    rows.push_back({std::make_shared<const data::Accelerator>(calibration->as_accelerator()), true, true, {}, {}});
  }
  for (const data::Accelerator& a : catalog.accelerators()) {
    // The catalogue is embedded: it outlives every model.
    Row row{std::shared_ptr<const data::Accelerator>(std::shared_ptr<void>(), &a), false, false, {}, {}};
    row.candidate = std::ranges::find(candidates, a.id) != candidates.end();
    row.purchase = catalog.server_price(a.id, scenario.cost.currency);
    row.rent =
        catalog.cloud_price_per_hour(a.id, scenario.cost.cloud_term, scenario.cost.region, scenario.cost.currency);
    rows.push_back(std::move(row));
  }
  return rows;
}

/// The list of hardware seldom changes, the marks often: the view keeps its selection.
void HardwareModel::reload() {
  std::vector<Row> next = rows();
  if (next.size() != rows_.size()) {
    beginResetModel();
    rows_ = std::move(next);
    endResetModel();
    return;
  }
  rows_ = std::move(next);
  if (!rows_.empty()) emit dataChanged(index(0, 0), index(rowCount() - 1, ColumnCount - 1));
}

int HardwareModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(rows_.size());
}
int HardwareModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : ColumnCount; }

Qt::ItemFlags HardwareModel::flags(const QModelIndex& index) const {
  Qt::ItemFlags flags = Qt::ItemIsEnabled | Qt::ItemIsSelectable;
  if (index.isValid() && index.column() == Name) flags |= Qt::ItemIsUserCheckable;
  return flags;
}

QVariant HardwareModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid() || index.row() >= rowCount()) return {};
  const Row& row = rows_[static_cast<std::size_t>(index.row())];
  if (role == NameRole) return QString::fromStdString(row.accelerator->id);
  if (role == ChosenRole) return row.candidate;
  if (role == Qt::TextAlignmentRole) {
    return int((index.column() == Name ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
  }
  if (role == Qt::CheckStateRole) {
    return index.column() == Name ? QVariant(row.candidate ? Qt::Checked : Qt::Unchecked) : QVariant();
  }
  return cell(row, index.column(), role == Qt::ToolTipRole ? int(ProvenanceRole) : role);
}

namespace {

/// A catalogue value as the roles show it.
QVariant quantity_cell(const data::Quantity& quantity, double divisor, const char* unit, int role,
                       reports::Language language) {
  if (role == SortRole) return quantity.value ? QVariant(*quantity.value) : QVariant();
  if (role == EvidenceRole) return quantity.value ? QVariant(static_cast<int>(quantity.evidence)) : QVariant();
  if (role == Qt::DisplayRole) return quantity.value ? number_text(*quantity.value / divisor, 4) : QStringLiteral("–");
  if (role != ProvenanceRole || !quantity.value) return {};
  QStringList lines{value_text(*quantity.value / divisor, QString::fromLatin1(unit), language),
                    evidence_text(quantity.evidence, language)};
  for (const std::string& text : {quantity.source, quantity.note}) {
    if (!text.empty()) lines.append(words(language, text));
  }
  return lines.join(QLatin1Char('\n'));
}

data::Quantity as_quantity(const data::RangedQuantity& price) {
  data::Quantity quantity;
  quantity.value = price.mid;
  quantity.evidence = price.evidence;
  quantity.source = price.source;
  quantity.note = price.note;
  return quantity;
}

}  // namespace

QVariant HardwareModel::cell(const Row& row, int column, int role) const {
  const data::Accelerator& a = *row.accelerator;
  const std::string& currency = session_.scenario().cost.currency;
  switch (column) {
    case Memory:
      return quantity_cell(a.memory_bytes, kGibi, "GiB", role, language_);
    case Bandwidth:
      return quantity_cell(a.memory_bandwidth_bytes_per_s, kGiga, "GB/s", role, language_);
    case Peak: {
      const data::Quantity* peak = half_peak(a);
      return quantity_cell(peak != nullptr ? *peak : data::Quantity(), kTera, "TFLOP/s", role, language_);
    }
    case Power:
      return quantity_cell(a.tdp_w, 1, "W", role, language_);
    case PurchasePrice: {
      if (!row.purchase) return quantity_cell({}, 1, "", role, language_);
      const data::Quantity price = as_quantity(row.purchase->price);
      return quantity_cell(price, row.purchase->accelerators, currency.c_str(), role, language_);
    }
    case RentPrice:
      return quantity_cell(row.rent ? as_quantity(*row.rent) : data::Quantity(), 1, (currency + "/h").c_str(), role,
                           language_);
    default:
      break;
  }
  if (role == Qt::DisplayRole || role == SortRole) {
    return row.measured ? words(language_, std::string("This machine")) : QString::fromStdString(a.name);
  }
  if (role == SecondaryRole && row.measured) return QString::fromStdString(a.name);
  if (role == ProvenanceRole && !a.note.empty()) return words(language_, a.note);
  return {};
}

bool HardwareModel::setData(const QModelIndex& index, const QVariant& value, int role) {
  if (!index.isValid() || role != Qt::CheckStateRole || index.column() != Name || index.row() >= rowCount()) {
    return false;
  }
  const Row row = rows_[static_cast<std::size_t>(index.row())];  // by value: an edit loads the rows anew
  const bool wanted = value.toInt() == Qt::Checked;
  if (wanted == row.candidate) return true;
  if (row.measured) {
    session_.set_calibration(nullptr);
    return true;
  }
  std::vector<std::string> candidates = effective_candidates(session_.scenario());
  if (wanted) {
    candidates.push_back(row.accelerator->id);
  } else {
    std::erase(candidates, row.accelerator->id);
  }
  if (candidates.empty()) {
    emit refused(index.row(), words(language_, std::string("At least one kind of hardware must stay a candidate.")));
    return false;
  }
  const QString name = QString::fromStdString(row.accelerator->name);
  try {
    session_.edit(wanted ? tr("Add %1").arg(name) : tr("Remove %1").arg(name), {},
                  [&](data::Scenario& scenario) { scenario.candidates.accelerators = candidates; });
  } catch (const data::InputError& error) {
    emit refused(index.row(), words(language_, std::string(error.what())));
    return false;
  }
  return true;
}

QVariant HardwareModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || section >= ColumnCount) return {};
  if (role == Qt::TextAlignmentRole) return int((section == Name ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
  if (role != Qt::DisplayRole) return {};
  const std::string currency = reports::currency_name(session_.scenario().cost.currency, language_);
  const auto head = [&](const char* english) {
    return QString::fromStdString(reports::say(language_, english, {{"currency", currency}}));
  };
  switch (section) {
    case Memory:
      return head("Memory\n(GiB)");
    case Bandwidth:
      return head("Bandwidth\n(GB/s)");
    case Peak:
      return head("FP16 peak\n(TFLOP/s)");
    case Power:
      return head("Power\n(W)");
    case PurchasePrice:
      return head("Buy\n({currency}/card)");
    case RentPrice:
      return head("Rent\n({currency}/h)");
    default:
      return head("Hardware");
  }
}

}  // namespace weir::desktop

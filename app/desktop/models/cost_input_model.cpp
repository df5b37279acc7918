#include "app/desktop/models/cost_input_model.h"

#include <algorithm>
#include <set>

#include "app/desktop/models/hardware_model.h"
#include "app/desktop/models/text.h"
#include "data/errors.h"
#include "reports/decision_view.h"
#include "sim/cost/economic_inputs.h"

namespace weir::desktop {
namespace {

constexpr double kAnyValue = 1e12;  // of override_bounds
const std::string kServerPrice = "server_price_usd.", kCloudPrice = "cloud_usd_per_hour.";

bool is_share(const std::string& unit) {
  return unit.starts_with("share") || unit == "probability" || unit == "1/year";
}

/// The unit beside the number: shares are shown in percent.
std::string shown_unit(const std::string& unit) {
  if (unit == "1/year") return "% per year";
  if (unit.starts_with("share of ")) return "% of " + unit.substr(sizeof("share of ") - 1);
  return is_share(unit) ? "%" : unit;
}

const char* group_words(const std::string& group) {
  if (group == "prices") return "Prices";
  if (group == "general") return "General";
  if (group == "fleet") return "Availability and repair";
  if (group == "capex") return "Purchase";
  if (group == "energy") return "Energy";
  if (group == "opex") return "Operation";
  if (group == "cloud") return "Rent";
  if (group == "residual") return "Resale";
  return group == "use" ? "Use" : "Other";
}

}  // namespace

CostInputModel::CostInputModel(Session& session, QObject* parent) : QAbstractTableModel(parent), session_(session) {
  connect(&session, &Session::inputs_changed, this, &CostInputModel::reload);
  connect(&session, &Session::project_changed, this, &CostInputModel::reload);
  connect(&session, &Session::result_changed, this, &CostInputModel::reload);
  rows_ = rows();
}

void CostInputModel::set_language(reports::Language language) {
  beginResetModel();
  language_ = language;
  endResetModel();
}

std::vector<CostInputModel::Row> CostInputModel::rows() const {
  std::vector<Row> rows;
  if (!session_.is_open()) return rows;
  const data::Catalog& catalog = data::Catalog::builtin();
  const data::Scenario& scenario = session_.scenario();
  const data::CostChoice& cost = scenario.cost;
  std::set<std::string> used;
  if (session_.result()) {
    for (const sim::CostInput& input : session_.result()->plan.cost_inputs) used.insert(input.key);
  }
  const auto add = [&](const std::string& key, const std::string& group, std::optional<data::RangedQuantity> value,
                       double low, double high) {
    const auto given = cost.overrides.find(key);
    const auto over = given != cost.overrides.end() ? std::optional<double>(given->second) : std::nullopt;
    rows.push_back({key, group, std::move(value), low, high, over, used.contains(key)});
  };
  for (const std::string& name : effective_candidates(scenario)) {
    const data::Accelerator* accelerator = catalog.find_accelerator(name);
    if (accelerator == nullptr) continue;  // this machine: the user's own price is asked for elsewhere
    const auto server = catalog.server_price(accelerator->id, "USD");
    add(kServerPrice + accelerator->id, "prices",
        server ? std::optional<data::RangedQuantity>(server->price) : std::nullopt, 0, kAnyValue);
    add(kCloudPrice + accelerator->id, "prices",
        catalog.cloud_price_per_hour(accelerator->id, cost.cloud_term, cost.region, "USD"), 0, kAnyValue);
  }
  for (const auto& [key, group] : catalog.economic_groups()) {
    const auto bounds = sim::override_bounds(key);
    if (bounds) add(key, group, catalog.economic(key, cost.region), bounds->first, bounds->second);
  }
  return rows;
}

void CostInputModel::reload() {
  std::vector<Row> next = rows();
  const bool same = std::ranges::equal(next, rows_, {}, &Row::key, &Row::key);
  if (!same) beginResetModel();
  rows_ = std::move(next);
  if (!same) {
    endResetModel();
  } else if (!rows_.empty()) {
    emit dataChanged(index(0, 0), index(rowCount() - 1, ColumnCount - 1));
  }
}

const std::string& CostInputModel::unit(const Row& row) const {
  static const std::string kServer = "USD/server", kHour = "USD/h";
  if (row.key.starts_with(kServerPrice)) return kServer;
  if (row.key.starts_with(kCloudPrice)) return kHour;
  return row.catalogue->unit;
}

bool CostInputModel::is_overridden(int row) const {
  return rows_.at(static_cast<std::size_t>(row)).overridden.has_value();
}

QString CostInputModel::group_at(int row) const {
  return words(language_, std::string(group_words(rows_.at(static_cast<std::size_t>(row)).group)));
}

QuantityRule CostInputModel::rule_at(int row) const {
  const Row& r = rows_.at(static_cast<std::size_t>(row));
  QuantityRule rule;
  rule.kind = is_share(unit(r)) ? QuantityKind::share : QuantityKind::number;
  if (rule.kind == QuantityKind::share) rule.bare_unit = QStringLiteral("%");
  rule.low = r.low;
  if (r.high < kAnyValue) rule.high = r.high;
  rule.may_be_empty = true;
  return rule;
}

int CostInputModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(rows_.size());
}
int CostInputModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : ColumnCount; }

Qt::ItemFlags CostInputModel::flags(const QModelIndex& index) const {
  Qt::ItemFlags flags = Qt::ItemIsEnabled | Qt::ItemIsSelectable;
  if (index.isValid() && index.column() == Value) flags |= Qt::ItemIsEditable;
  return flags;
}

QVariant CostInputModel::value_cell(const Row& row, int role) const {
  const auto value = row.overridden  ? row.overridden
                     : row.catalogue ? std::optional<double>(row.catalogue->mid)
                                     : std::nullopt;
  if (!value) return role == Qt::DisplayRole ? QVariant(QStringLiteral("–")) : QVariant();
  switch (role) {
    case Qt::DisplayRole:
      return number_text(is_share(unit(row)) ? *value * 100 : *value, 4);
    case SortRole:
      return *value;
    case EvidenceRole:
      // What the user gave stands as the cost model takes it: like a price list.
      return static_cast<int>(row.overridden ? data::Evidence::datasheet : row.catalogue->evidence);
    default:
      return {};
  }
}

QString CostInputModel::provenance(const Row& row) const {
  const double scale = is_share(unit(row)) ? 100 : 1;
  const QString shown = QString::fromStdString(shown_unit(unit(row)));
  QStringList lines;
  if (row.overridden) {
    lines.append(value_text(*row.overridden * scale, shown, language_));
    lines.append(words(language_, std::string("given in this project")));
  }
  if (row.catalogue) {
    const data::RangedQuantity& known = *row.catalogue;
    const std::string value = value_text(known.mid * scale, shown, language_).toStdString();
    lines.append(QString::fromStdString(
        reports::say(language_, row.overridden ? "catalogue: {value} ({low} to {high})" : "{value} ({low} to {high})",
                     {{"value", value},
                      {"low", number_text(known.low * scale, 4).toStdString()},
                      {"high", number_text(known.high * scale, 4).toStdString()}})));
    lines.append(evidence_text(known.evidence, language_));
    for (const std::string& text : {known.source, known.note}) {
      if (!text.empty()) lines.append(words(language_, text));
    }
  } else if (!row.overridden) {
    lines.append(words(language_, std::string("No price is known: enter your own.")));
  }
  return lines.join(QLatin1Char('\n'));
}

QVariant CostInputModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid() || index.row() >= rowCount()) return {};
  const Row& row = rows_[static_cast<std::size_t>(index.row())];
  const bool number = index.column() == Value || index.column() == Range;
  switch (role) {
    case NameRole:
      return QString::fromStdString(row.key);
    case UsedRole:
      return row.used;
    case ChosenRole:
      return row.overridden.has_value();
    case ProvenanceRole:
    case Qt::ToolTipRole:
      return provenance(row);
    case Qt::TextAlignmentRole:
      return int((number ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    default:
      break;
  }
  if (index.column() == Value) {
    if (role != Qt::EditRole) return value_cell(row, role);
    const QVariant raw = value_cell(row, SortRole);
    return raw.isValid() ? quantity_text(raw.toDouble(), rule_at(index.row())) : QString();
  }
  if (role != Qt::DisplayRole && role != SortRole) return {};
  switch (index.column()) {
    case Name:
      return QString::fromStdString(reports::words_of_key(row.key, language_));
    case Unit:
      return words(language_, shown_unit(unit(row)));
    case Range: {
      if (!row.catalogue || row.overridden || row.catalogue->low == row.catalogue->high) return QStringLiteral("–");
      const double scale = is_share(unit(row)) ? 100 : 1;
      return QString(number_text(row.catalogue->low * scale, 4) + QStringLiteral("–") +
                     number_text(row.catalogue->high * scale, 4));
    }
    default:
      if (row.overridden) return words(language_, std::string("given in this project"));
      return row.catalogue ? words(language_, row.catalogue->source) : QString();
  }
}

bool CostInputModel::edit(int row, std::optional<double> value) {
  const std::string key = rows_.at(static_cast<std::size_t>(row)).key;
  const QString name = QString::fromStdString(reports::words_of_key(key, language_));
  try {
    session_.edit(value ? tr("Change %1").arg(name) : tr("Reset %1").arg(name), {}, [&](data::Scenario& scenario) {
      if (value) {
        scenario.cost.overrides[key] = *value;
      } else {
        scenario.cost.overrides.erase(key);
      }
    });
  } catch (const data::InputError& error) {
    emit refused(row, words(language_, std::string(error.what())));
    return false;
  }
  return true;
}

bool CostInputModel::setData(const QModelIndex& index, const QVariant& value, int role) {
  if (!index.isValid() || role != Qt::EditRole || index.column() != Value || index.row() >= rowCount()) return false;
  const ParsedQuantity parsed = parse_quantity(value.toString(), rule_at(index.row()), language_);
  if (!parsed.error.isEmpty()) {
    emit refused(index.row(), parsed.error);
    return false;
  }
  // The editor was opened and closed again: the catalogue's own value is no override.
  const Row& row = rows_[static_cast<std::size_t>(index.row())];
  if (!row.overridden && row.catalogue && parsed.value == row.catalogue->mid) return true;
  return edit(index.row(), parsed.value);
}

void CostInputModel::reset_to_catalogue(int row) {
  if (is_overridden(row)) edit(row, std::nullopt);
}

QVariant CostInputModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || section >= ColumnCount) return {};
  const bool number = section == Value || section == Range;
  if (role == Qt::TextAlignmentRole) return int((number ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
  constexpr const char* kHeads[] = {"Input", "Value", "Unit", "Range", "Source"};
  return role == Qt::DisplayRole ? QVariant(words(language_, std::string(kHeads[section]))) : QVariant();
}

}  // namespace weir::desktop

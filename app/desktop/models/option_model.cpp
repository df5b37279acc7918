#include "app/desktop/models/option_model.h"

#include <algorithm>

#include "app/desktop/models/option_provenance.h"
#include "app/desktop/models/text.h"
#include "reports/format.h"

namespace weir::desktop {
namespace {

using Column = OptionModel::Column;
using reports::Spelling;

const QString kNothing = QStringLiteral("–");

std::vector<Column> columns_of(bool generative, bool ranges) {
  using enum OptionModel::Column;
  std::vector<Column> columns = {Rank, Option, Precision, Cards, Servers};
  if (generative) {
    columns.insert(columns.end(), {Ttft, Tpot});
  } else {
    columns.push_back(E2e);
  }
  columns.insert(columns.end(), {Met, Capex, Opex, Tco});
  if (ranges) columns.push_back(Range);
  columns.insert(columns.end(), {PerUnit, PaysBack});
  return columns;
}

bool is_words(Column column) {
  return column == Column::Option || column == Column::Precision || column == Column::Range;
}

QString fixed_text(const QVariant& raw, double factor, int decimals) {
  if (!raw.isValid()) return kNothing;
  return QString::fromStdString(reports::grouped_fixed(raw.toDouble() * factor, decimals, Spelling::typographic));
}

QString count_text(const std::optional<int>& count) {
  return count ? QString::fromStdString(reports::grouped(*count)) : kNothing;
}

template <class T>
QVariant raw(const std::optional<T>& value) {
  return value ? QVariant(*value) : QVariant();
}

}  // namespace

OptionModel::OptionModel(QObject* parent) : QAbstractTableModel(parent), columns_(columns_of(true, true)) {}

void OptionModel::set_decision(std::shared_ptr<const reports::Decision> decision) {
  beginResetModel();
  decision_ = std::move(decision);
  rows_.clear();
  if (decision_) {
    const reports::Shortlist list = reports::shortlist(plan());
    for (const std::size_t i : list.rows) rows_.push_back({i, true});
    for (const std::size_t i : list.not_eligible) rows_.push_back({i, false});
    scale_ = reports::table_scale(plan(), list.rows, language_);
    columns_ = columns_of(reports::is_generative(plan()), scale_.high > 0);
  }
  endResetModel();
}

void OptionModel::set_language(reports::Language language) {
  language_ = language;
  set_decision(decision_);
}

int OptionModel::section_of(Column column) const {
  const auto found = std::ranges::find(columns_, column);
  return found == columns_.end() ? -1 : static_cast<int>(found - columns_.begin());
}

const sim::PlanOption* OptionModel::option_at(int row) const {
  if (row < 0 || row >= rowCount()) return nullptr;
  return &plan().options[rows_[static_cast<std::size_t>(row)].option];
}

bool OptionModel::is_eligible(int row) const {
  return row >= 0 && row < rowCount() && rows_[static_cast<std::size_t>(row)].eligible;
}

int OptionModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(rows_.size());
}
int OptionModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(columns_.size());
}

std::string OptionModel::say(const char* english, reports::Values values) const {
  return reports::say(language_, english, values);
}

QVariant OptionModel::data(const QModelIndex& index, int role) const {
  const sim::PlanOption* option = index.isValid() ? option_at(index.row()) : nullptr;
  if (option == nullptr || index.column() >= columnCount()) return {};
  const Row& row = rows_[static_cast<std::size_t>(index.row())];
  const Column column = column_at(index.column());
  switch (role) {
    case Qt::DisplayRole:
      return display(*option, column);
    case SortRole:
      return sort_value(*option, column);
    case EvidenceRole:
      return evidence(*option, column);
    case ProvenanceRole:
    case Qt::ToolTipRole:
      return provenance(*option, column);
    case SecondaryRole:
      return column == Option
                 ? QVariant(QString::fromStdString(reports::tenure_words(*option, plan().scenario, language_)))
                 : QVariant();
    case StripRole:
      return column == Range ? strip(*option) : QVariant();
    case MarkerRole:
      return column == Option ? QVariant::fromValue(MarkerValue{reports::hardware_shape(option->hardware),
                                                                reports::tenure_role(*option), !option->feasible})
                              : QVariant();
    case SentenceRole:
      return row.eligible ? QString() : sentence(row);
    case ChosenRole:
      return option == reports::recommended(plan());
    case ProblemRole:
      return !row.eligible;
    case NameRole:
      return QString::fromStdString(option->hardware);
    case Qt::TextAlignmentRole:
      return int((is_words(column) ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    default:
      return {};
  }
}

QString OptionModel::display(const sim::PlanOption& option, Column column) const {
  const QVariant value = sort_value(option, column);
  switch (column) {
    case Rank:
      return option.feasible ? QString::number(option.rank) : kNothing;
    case Option:
    case Precision:
      return value.toString();
    case Cards:
      return count_text(option.accelerators);
    case Servers:
      return option.tenure == "owned" ? count_text(option.servers) : kNothing;
    case Ttft:
      return fixed_text(value, 1, scale_.ttft_s);
    case Tpot:
      return fixed_text(value, 1e3, scale_.tpot_ms);
    case E2e:
      return fixed_text(value, 1e3, scale_.e2e_ms);
    case Met:
      return value.isValid() ? QString::fromStdString(reports::percent(value.toDouble())) : kNothing;
    case Capex:
    case Opex:
    case Tco:
      return fixed_text(value, 1 / scale_.divisor, scale_.amount);
    case Range:
      return {};  // drawn: StripRole
    case PerUnit:
      return fixed_text(value, 1, scale_.per_unit);
    case PaysBack: {
      const std::string text = reports::payback_text(option, language_);
      return text.empty() ? kNothing : QString::fromStdString(text);
    }
  }
  return {};
}

QVariant OptionModel::sort_value(const sim::PlanOption& option, Column column) const {
  const auto tail = [&](const sim::Distribution sim::LatencySummary::*part) {
    return option.run ? raw(reports::p99(option.run->latency.*part)) : QVariant();
  };
  const auto amount = [&](sim::Money sim::TenureCost::*part) {
    return option.cost ? QVariant(((*option.cost).*part).units()) : QVariant();
  };
  switch (column) {
    case Rank:
      return option.rank;
    case Option:
      return QString::fromStdString(reports::hardware_short(option, language_));
    case Precision:
      return QString::fromStdString(reports::precision_text(option.precision));
    case Cards:
      return raw(option.accelerators);
    case Servers:
      return option.tenure == "owned" ? raw(option.servers) : QVariant();
    case Ttft:
      return tail(&sim::LatencySummary::ttft);
    case Tpot:
      return tail(&sim::LatencySummary::tpot);
    case E2e:
      return tail(&sim::LatencySummary::e2e);
    case Met:
      return option.run ? raw(option.run->slo.attainment) : QVariant();
    case Capex:
      return amount(&sim::TenureCost::capex);
    case Opex:
      return amount(&sim::TenureCost::opex_first_year);
    case Tco:
    case Range:
      return amount(&sim::TenureCost::total);
    case PerUnit:
      return raw(reports::cost_per_unit(plan(), option));
    case PaysBack:
      return raw(option.break_even_month);
  }
  return {};
}

QVariant OptionModel::evidence(const sim::PlanOption& option, Column column) const {
  if (!sort_value(option, column).isValid()) return {};
  switch (column) {
    case Cards:
    case Servers:
    case Ttft:
    case Tpot:
    case E2e:
    case Met:
      return static_cast<int>(reports::timing_evidence(option));
    case Capex:
    case Opex:
    case Tco:
    case Range:
    case PerUnit:
    case PaysBack:
      return option.cost ? QVariant(static_cast<int>(option.cost->evidence)) : QVariant();
    default:
      return {};
  }
}

QVariant OptionModel::strip(const sim::PlanOption& option) const {
  const auto found = option.range.find("tco");
  if (found == option.range.end() || !option.cost) return {};
  const double unit = scale_.divisor;
  return QVariant::fromValue(StripValue{found->second[0] / unit, option.cost->total.units() / unit,
                                        found->second[2] / unit, scale_.low / unit, scale_.high / unit,
                                        reports::tenure_role(option)});
}

QString OptionModel::sentence(const Row& row) const {
  const sim::PlanOption& option = plan().options[row.option];
  return QString::fromStdString(reports::why_not_eligible(option, Spelling::typographic, language_));
}

QString OptionModel::provenance(const sim::PlanOption& option, Column column) const {
  switch (column) {
    case Rank:
    case Option:
    case Precision:
      return option_lines(plan(), option, language_);
    case Cards:
    case Servers:
    case Ttft:
    case Tpot:
    case E2e:
    case Met:
      return option.run ? simulation_lines(plan(), option, language_) : sentence({option_index(option), false});
    default:
      break;
  }
  if (!option.feasible) return sentence({option_index(option), false});
  if (!option.cost)
    return QString::fromStdString(reports::engine_text(option.why_no_price, Spelling::typographic, language_));
  switch (column) {
    case Range:
      return range_lines(plan(), option, language_);
    case PerUnit:
      return per_unit_lines(plan(), option, language_);
    case PaysBack:
      return payback_lines(plan(), option, language_);
    default:
      return amount_lines(plan(), option, sort_value(option, column).toDouble(), language_);
  }
}

std::size_t OptionModel::option_index(const sim::PlanOption& option) const {
  return static_cast<std::size_t>(&option - plan().options.data());
}

QString OptionModel::head(Column column) const {
  const auto in_unit = [&](const char* english) { return say(english, {{"unit", scale_.unit}}); };
  const std::string currency = decision_ ? reports::currency_name(plan().currency, language_) : "";
  const int months = decision_ ? plan().horizon_months : 0;
  const auto text = [&]() -> std::string {
    switch (column) {
      case Rank:
        return "#";
      case Option:
        return say("Option");
      case Precision:
        return say("Preci-\nsion");
      case Cards:
        return say("Cards");
      case Servers:
        return say("Servers\nowned");
      case Ttft:
        return say("TTFT\nP99 (s)");
      case Tpot:
        return say("TPOT\nP99 (ms)");
      case E2e:
        return say("E2E\nP99 (ms)");
      case Met:
        return say("SLO\nmet (%)");
      case Capex:
        return in_unit("Capex\n({unit})");
      case Opex:
        return in_unit("Opex/yr\n({unit})");
      case Tco:
        if (months > 0 && months % 12 == 0) {
          return say("{years}-year TCO\n({unit})", {{"years", std::to_string(months / 12)}, {"unit", scale_.unit}});
        }
        return say("{months}-month TCO\n({unit})", {{"months", std::to_string(months)}, {"unit", scale_.unit}});
      case Range:
        return say("TCO\nP10–P90");
      case PerUnit:
        return section_of(Ttft) >= 0 ? say("{currency} per 1M\nout tokens", {{"currency", currency}})
                                     : say("{currency} per 1k\ninferences", {{"currency", currency}});
      case PaysBack:
        return say("Pays back\n(month)");
    }
    return "";
  };
  return QString::fromStdString(text());
}

QVariant OptionModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || section < 0 || section >= columnCount()) return {};
  const Column column = column_at(section);
  if (role == Qt::TextAlignmentRole) return int((is_words(column) ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
  return role == Qt::DisplayRole ? QVariant(head(column)) : QVariant();
}

}  // namespace weir::desktop

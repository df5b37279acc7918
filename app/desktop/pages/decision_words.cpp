#include "app/desktop/pages/decision_words.h"

#include <algorithm>
#include <cmath>

#include "app/desktop/models/text.h"
#include "app/desktop/views/model_cells.h"
#include "app/desktop/views/ui_language.h"
#include "reports/decision_view.h"
#include "reports/format.h"

namespace weir::desktop {
namespace {

using reports::Spelling;
using sim::PlanOption;
using sim::PlanResult;

QString text(const std::string& words) { return QString::fromStdString(words); }

/// A sentence or formula that the engine composed in English.
QString engine(const std::string& english) {
  return text(reports::engine_text(english, Spelling::typographic, ui_language()));
}

QString money(const PlanResult& plan, double amount) { return money_text(amount, text(plan.currency), ui_language()); }

QString percent(double share, int decimals = 1) {
  return text(reports::percent_text(share, Spelling::typographic, decimals));
}

KeyFigureText cost_figure(const PlanResult& plan, const PlanOption& option) {
  KeyFigureText figure{
      QObject::tr("TCO over %1 months").arg(plan.horizon_months), money(plan, option.cost->total.units()), {}};
  if (const auto range = option.range.find("tco"); range != option.range.end()) {
    figure.note = QObject::tr("P10–P90 %1 – %2").arg(money(plan, range->second[0]), money(plan, range->second[2]));
  }
  return figure;
}

KeyFigureText month_figure(const PlanResult& plan, const PlanOption& option) {
  KeyFigureText figure{QObject::tr("Cost per month, average"),
                       money(plan, option.cost->total.units() / std::max(1, plan.horizon_months)),
                       {}};
  if (const auto unit = reports::cost_per_unit(plan, option)) {
    figure.note = reports::is_generative(plan) ? QObject::tr("%1 per 1M output tokens").arg(money(plan, *unit))
                                               : QObject::tr("%1 per 1,000 inferences").arg(money(plan, *unit));
  }
  return figure;
}

KeyFigureText met_figure(const sim::RunResult& run) {
  if (!run.slo.attainment) return {};
  const QString target = percent(run.slo.required_attainment, 0);
  return {QObject::tr("Requests within targets"), percent(*run.slo.attainment),
          run.slo.met ? QObject::tr("target %1, meets").arg(target) : QObject::tr("target %1, misses").arg(target)};
}

KeyFigureText busy_figure(const sim::RunResult& run) {
  double most = 0;
  for (const sim::SeriesPoint& point : run.series) most = std::max(most, point.busy);
  return {QObject::tr("Cards busy, mean"), percent(run.gpu_busy, 0),
          run.series.empty() ? QString() : QObject::tr("busiest stretch %1").arg(percent(most, 0))};
}

KeyFigureText payback_figure(const PlanResult& plan, const PlanOption& option) {
  const PlanOption* owned = option.tenure == "owned" ? &option : reports::other_tenure(plan, option);
  const QString name = QObject::tr("Pays back against renting");
  if (owned == nullptr) return {};
  if (!owned->break_even_month) {
    return {name, QObject::tr("never pays back"), QObject::tr("within %1 months").arg(plan.horizon_months)};
  }
  return {name, QObject::tr("month %1").arg(*owned->break_even_month),
          QObject::tr("same cards, rented: month by month")};
}

QString option_name(const PlanResult& plan, const PlanOption& option) {
  return QObject::tr("%1, %2").arg(text(reports::hardware_short(option, ui_language())),
                                   text(reports::tenure_words(option, plan.scenario, ui_language())));
}

data::Evidence weakest_of(const sim::TenureCost& cost) { return cost.evidence; }

/// The lines of the cost, largest first; those below a hundredth of the sum are put together.
void add_cost_lines(const PlanResult& plan, const sim::TenureCost& cost, Explanation& out) {
  std::vector<const sim::CostLine*> lines;
  for (const sim::CostLine& line : cost.lines) lines.push_back(&line);
  std::stable_sort(lines.begin(), lines.end(), [](const sim::CostLine* a, const sim::CostLine* b) {
    return std::abs(a->total.units()) > std::abs(b->total.units());
  });
  double rest = 0;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const double amount = lines[i]->total.units();
    if (i >= 7 || std::abs(amount) < std::abs(cost.total.units()) / 100) {
      rest += amount;
      continue;
    }
    out.inputs.push_back({std::nullopt, text(reports::words_of_key(lines[i]->key, ui_language())), money(plan, amount),
                          engine(lines[i]->formula)});
  }
  if (std::abs(rest) >= 1)
    out.inputs.push_back({std::nullopt, QObject::tr("everything smaller"), money(plan, rest), {}});
  out.inputs_title = QObject::tr("What it is made of");
}

void explain_cost(const PlanResult& plan, const PlanOption& option, Explanation& out) {
  const sim::TenureCost& cost = *option.cost;
  sim::Money residual, opex;
  for (const sim::MonthlyCash& month : cost.months) {
    residual += month.residual;
    opex += month.opex;
  }
  sim::Money capex;
  for (const sim::MonthlyCash& month : cost.months) capex += month.capex;
  out.formula = {QObject::tr("purchases + running costs − resale value"),
                 QObject::tr("%1 + %2 − %3")
                     .arg(money(plan, capex.units()), money(plan, opex.units()), money(plan, residual.units()))};
  out.mark = weakest_of(cost);
  add_cost_lines(plan, cost, out);
}

void add_timing_sources(const PlanOption& option, Explanation& out) {
  for (const sim::EvidenceNote& note : option.evidence) {
    out.inputs.push_back({note.evidence, engine(note.what), {}, engine(note.source)});
  }
  if (!out.inputs.empty()) out.inputs_title = QObject::tr("What it rests on");
}

}  // namespace

QString decision_headline(const PlanResult& plan) {
  return text(reports::headline(plan, Spelling::typographic, ui_language()));
}

QString decision_sentence(const PlanResult& plan) {
  QStringList sentences;
  const std::vector<std::string> reasons = reports::main_reasons(plan, Spelling::typographic, ui_language());
  // The first two carry the answer; the rest stands in the inspector.
  for (std::size_t i = 0; i < reasons.size() && i < 2; ++i) sentences << text(reasons[i]);
  if (sentences.isEmpty()) {
    for (const std::string& line : reports::target_lines(plan, Spelling::typographic, ui_language())) {
      sentences << text(line);
    }
    return sentences.join(QLatin1Char('\n'));
  }
  return sentences.join(ui_language() == reports::Language::zh_CN ? QString() : QStringLiteral(" "));
}

std::vector<KeyFigureText> decision_figures(const PlanResult& plan) {
  std::vector<KeyFigureText> figures;
  const PlanOption* option = reports::recommended(plan);
  if (option == nullptr) return figures;
  if (option->cost) {
    figures.push_back(cost_figure(plan, *option));
    figures.push_back(month_figure(plan, *option));
  }
  if (option->run) {
    figures.push_back(met_figure(*option->run));
    figures.push_back(busy_figure(*option->run));
  }
  if (option->cost) figures.push_back(payback_figure(plan, *option));
  std::erase_if(figures, [](const KeyFigureText& figure) { return figure.value.isEmpty(); });
  return figures;
}

Explanation explain_option(const reports::Decision& decision, const OptionModel& options, const QModelIndex& index) {
  const PlanOption* option = options.option_at(index.row());
  if (option == nullptr) return {};
  const PlanResult& plan = decision.plan;
  Explanation out;
  const QString name = option_name(plan, *option);
  QString head = options.headerData(index.column(), Qt::Horizontal).toString();
  head.replace(QLatin1Char('\n'), ui_language() == reports::Language::zh_CN ? QString() : QStringLiteral(" "));
  out.title = head.isEmpty() ? name : QObject::tr("%1: %2").arg(head, name);
  out.value = index.data(Qt::DisplayRole).toString();
  out.mark = evidence_of(index.data(EvidenceRole));
  const QString provenance = index.data(ProvenanceRole).toString();
  if (!provenance.isEmpty()) out.formula = provenance.split(QLatin1Char('\n'));
  switch (options.column_at(index.column())) {
    case OptionModel::Tco:
    case OptionModel::Range:
    case OptionModel::Capex:
    case OptionModel::Opex:
    case OptionModel::PerUnit:
    case OptionModel::PaysBack:
      if (!option->cost) {
        out.formula << engine(option->why_no_price);
        break;
      }
      if (options.column_at(index.column()) == OptionModel::Tco ||
          options.column_at(index.column()) == OptionModel::Range) {
        out.value = money(plan, option->cost->total.units());
        if (const auto range = option->range.find("tco"); range != option->range.end()) {
          out.range = QObject::tr("P10–P90 %1 – %2").arg(money(plan, range->second[0]), money(plan, range->second[2]));
        }
        explain_cost(plan, *option, out);
      } else {
        add_cost_lines(plan, *option->cost, out);
      }
      break;
    case OptionModel::Option:
    case OptionModel::Rank:
      out.title = name;
      out.value.clear();
      if (!options.is_eligible(index.row())) out.formula << options.data(index, SentenceRole).toString();
      add_timing_sources(*option, out);
      break;
    default:
      add_timing_sources(*option, out);
  }
  out.formula.removeAll(QString());
  return out;
}

Explanation explain_answer(const reports::Decision& decision, const OptionModel& options) {
  for (int row = 0; row < options.rowCount(); ++row) {
    const int section = options.section_of(OptionModel::Tco);
    if (section >= 0 && options.option_at(row) == reports::recommended(decision.plan)) {
      Explanation out = explain_option(decision, options, options.index(row, section));
      for (const std::string& reason :
           reports::assumption_reasons(decision.plan, Spelling::typographic, ui_language())) {
        out.notes << text(reason);
      }
      // The first two stand below the headline.
      const auto reasons = reports::main_reasons(decision.plan, Spelling::typographic, ui_language());
      for (std::size_t i = 2; i < reasons.size(); ++i) out.notes << text(reasons[i]);
      return out;
    }
  }
  return {};
}

std::vector<NearestChange> nearest_changes(const PlanResult& plan) {
  std::vector<NearestChange> changes;
  const PlanOption* nearest = plan.feasible() ? nullptr : reports::nearest_option(plan);
  if (nearest == nullptr || !nearest->run) return changes;
  for (const sim::ClassResult& result : nearest->run->classes) {
    for (const sim::SloTarget& target : result.slo.targets) {
      if (target.met || !target.value_s) continue;
      // Rounded up to two digits, so that the proposed limit is one a person would write.
      const double step = std::pow(10, std::floor(std::log10(*target.value_s)) - 1);
      NearestChange change{{}, result.name, target.metric, target.percentile, std::ceil(*target.value_s / step) * step};
      const QString metric = text(target.metric).toUpper() + QLatin1Char(' ') + text(target.percentile).toUpper();
      change.text =
          QObject::tr("%1 of %2: %3 → %4")
              .arg(metric, text(result.name), text(reports::seconds_text(target.limit_s, Spelling::typographic)),
                   text(reports::seconds_text(change.limit_s, Spelling::typographic)));
      changes.push_back(change);
    }
  }
  return changes;
}

void apply_change(data::Scenario& scenario, const std::vector<NearestChange>& changes) {
  for (const NearestChange& change : changes) {
    for (data::RequestClass& c : scenario.workloads.front().classes) {
      if (c.name != change.class_name) continue;
      data::PercentileLimits& limits = change.metric == "ttft"   ? c.slo.ttft_s
                                       : change.metric == "tpot" ? c.slo.tpot_s
                                                                 : c.slo.e2e_s;
      limits[change.percentile] = change.limit_s;
    }
  }
}

}  // namespace weir::desktop

#pragma once

#include <vector>

#include "app/desktop/models/option_model.h"
#include "app/desktop/views/explanation.h"
#include "app/desktop/views/key_figures.h"
#include "reports/report.h"

namespace weir::desktop {

/// The answer, what it meets, and the five figures that carry it, in the language of the interface.
QString decision_headline(const sim::PlanResult& plan);
QString decision_sentence(const sim::PlanResult& plan);
std::vector<KeyFigureText> decision_figures(const sim::PlanResult& plan);

/// Where a number of the ranking comes from.
Explanation explain_option(const reports::Decision& decision, const OptionModel& options, const QModelIndex& index);
/// The cell of the recommended option in an OptionModel::Column; invalid where there is none.
QModelIndex answer_index(const reports::Decision& decision, const OptionModel& options, int column);
/// The same for the answer itself: the recommended option's cost.
Explanation explain_answer(const reports::Decision& decision, const OptionModel& options);

/// A target that the nearest option misses, and the limit at which it would meet it.
struct NearestChange {
  QString text;  ///< "TPOT P99 of chat: 50 ms → 68 ms"
  std::string class_name, metric, percentile;
  double limit_s = 0;
};
std::vector<NearestChange> nearest_changes(const sim::PlanResult& plan);
void apply_change(data::Scenario& scenario, const std::vector<NearestChange>& changes);

}  // namespace weir::desktop

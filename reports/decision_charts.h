#pragma once

#include <optional>
#include <string>
#include <vector>

#include "reports/charts/figures.h"
#include "reports/decision_view.h"

/// From a decision to the data of its charts, labels in `language`. Each is empty when there is nothing to draw.
namespace weir::reports {

/// The recommended option, the same deployment under the other tenure, and the best of the other tenure when that is
/// another deployment.
std::optional<charts::CostOverTime> cost_over_time(const sim::PlanResult& plan, const Shortlist& list,
                                                   Language language = Language::en);

/// The recommended option and up to three others of different hardware.
std::optional<charts::TailChart> tail_chart(const sim::PlanResult& plan, const Shortlist& list,
                                            Language language = Language::en);

std::optional<charts::ScatterChart> scatter_chart(const sim::PlanResult& plan, const Shortlist& list,
                                                  Language language = Language::en);

/// Parts of the TCO of one option, small lines put together by what they are spent on.
charts::BarChart cost_parts_chart(const sim::PlanResult& plan, const sim::PlanOption& option,
                                  Language language = Language::en);

std::optional<charts::LoadChart> load_chart(const sim::PlanResult& plan, const Shortlist& list,
                                            Language language = Language::en);

}  // namespace weir::reports

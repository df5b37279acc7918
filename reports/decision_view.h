#pragma once

#include <string>
#include <vector>

#include "reports/charts/figures.h"
#include "reports/format.h"
#include "reports/report.h"

/// What the terminal and the HTML page both show of a decision: which options, under which names, in which words.
namespace weir::reports {

/// The options worth a row of their own. Indices into PlanResult::options.
struct Shortlist {
  std::vector<std::size_t> rows;          ///< of each hardware and tenure the best feasible option, by rank
  std::vector<std::size_t> not_eligible;  ///< of each hardware without a feasible option, the one that came nearest
  std::optional<std::size_t> measured;    ///< of those, the machine that was measured: it has a row all the same
};
Shortlist shortlist(const sim::PlanResult& plan);

/// The same deployment (hardware, precision, engine, parallelism) under the other tenure; nullptr if there is none.
const sim::PlanOption* other_tenure(const sim::PlanResult& plan, const sim::PlanOption& option);
/// The option that misses its targets by least; nullptr when every option meets them.
const sim::PlanOption* nearest_option(const sim::PlanResult& plan);
const sim::PlanOption* recommended(const sim::PlanResult& plan);

/// "A100 SXM4 80GB": the vendor's name left out; the measured machine is "This machine".
std::string hardware_short(const sim::PlanOption& option);
/// "owned", "rented on demand", "rented 1 y".
std::string tenure_words(const sim::PlanOption& option, const data::Scenario& scenario);
charts::Role tenure_role(const sim::PlanOption& option);
charts::Shape hardware_shape(const std::string& hardware_id);

bool is_generative(const sim::PlanResult& plan);
/// Weakest evidence of the latency figures and of the amounts.
data::Evidence timing_evidence(const sim::PlanOption& option);
/// "measured", "published", "fitted", "datasheet", "assumed".
std::string_view evidence_word(data::Evidence evidence);

/// Value of a percentile of the run; empty when nothing was measured.
std::optional<double> p99(const sim::Distribution& distribution);

/// The answer in one sentence.
std::string headline(const sim::PlanResult& plan, Spelling spelling);
/// "chat: TTFT P99 <= 1 s, TPOT P99 <= 50 ms, 99 % of requests" one entry a class.
std::vector<std::string> target_lines(const sim::PlanResult& plan, Spelling spelling);
/// The reasons that carry the answer, and those that only name an assumption it rests on.
std::vector<std::string> main_reasons(const sim::PlanResult& plan);
std::vector<std::string> assumption_reasons(const sim::PlanResult& plan);

/// How the numbers of one table are spelled: amounts share a unit, columns share their decimals.
struct TableScale {
  double divisor = 1;
  std::string unit;                                                   ///< "k USD"
  int amount = 0, per_unit = 0, ttft_s = 0, tpot_ms = 0, e2e_ms = 0;  ///< decimals
  double low = 0, high = 0;  ///< of all TCO ranges, in currency units; high = 0: there are none
};
TableScale table_scale(const sim::PlanResult& plan, const std::vector<std::size_t>& rows);
std::optional<double> cost_per_unit(const sim::PlanResult& plan, const sim::PlanOption& option);

/// One line about demand: requests, span, rate, model.
std::string demand_line(const sim::PlanResult& plan);
/// "18 options considered; left out: ..."
std::string considered_line(const sim::PlanResult& plan);
/// "colo_usd_per_kw_month" -> "Colo USD per kW month"; "server_price_usd.t4" -> "Server price USD, t4".
std::string words_of_key(const std::string& key);
/// "month 11", "never", "" when it does not apply.
std::string payback_text(const sim::PlanOption& option);

}  // namespace weir::reports

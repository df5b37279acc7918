#pragma once

#include <string>
#include <vector>

#include "reports/charts/figures.h"
#include "reports/format.h"
#include "reports/report.h"

/// What the terminal, the documents and the window all show of a decision: which options, under which names, in which
/// words.
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

bool is_generative(const sim::PlanResult& plan);
/// The measured machine, which is not in the catalogue.
bool is_this_machine(const sim::PlanOption& option);
charts::Role tenure_role(const sim::PlanOption& option);
charts::Shape hardware_shape(const std::string& hardware_id);

/// Weakest evidence of the latency figures and of the amounts.
data::Evidence timing_evidence(const sim::PlanOption& option);
/// Value of a percentile of the run; empty when nothing was measured.
std::optional<double> p99(const sim::Distribution& distribution);
std::optional<double> cost_per_unit(const sim::PlanResult& plan, const sim::PlanOption& option);

/// How the numbers of one table are spelled: amounts share a unit, columns share their decimals.
struct TableScale {
  double divisor = 1;
  std::string unit;                                                   ///< "k USD", "万美元"
  int amount = 0, per_unit = 0, ttft_s = 0, tpot_ms = 0, e2e_ms = 0;  ///< decimals
  double low = 0, high = 0;  ///< of all TCO ranges, in currency units; high = 0: there are none
};
TableScale table_scale(const sim::PlanResult& plan, const std::vector<std::size_t>& rows,
                       Language language = Language::en);

// ---- Names ----

/// "A100 SXM4 80GB": the vendor's name left out; the measured machine is "This machine".
std::string hardware_short(const sim::PlanOption& option, Language language = Language::en);
/// A product name without its vendor.
std::string without_vendor(const std::string& name);
/// "INT8": as people write it; files and options keep "int8".
std::string precision_text(data::Precision precision);
/// "owned", "rented on demand", "rented 1 y".
std::string tenure_words(const sim::PlanOption& option, const data::Scenario& scenario,
                         Language language = Language::en);
/// "owned", "rented".
std::string tenure_word(const sim::PlanOption& option, Language language = Language::en);
/// "on demand", "1 y", "3 y".
std::string term_words(const std::string& term, Language language = Language::en);
/// "measured", "published", "fitted", "datasheet", "assumed".
std::string evidence_word(data::Evidence evidence, Language language = Language::en);
/// "measured here", "published measurement", "fitted to published measurements", "datasheet or price list",
/// "assumption".
std::string evidence_long_word(data::Evidence evidence, Language language = Language::en);
/// Name of an economic input or of a line of the cost: "Colocation, per kW and month", "Server price, T4 16GB".
std::string words_of_key(const std::string& key, Language language = Language::en);
/// "11", "never", "" when it does not apply.
std::string payback_text(const sim::PlanOption& option, Language language = Language::en);
/// "TTFT P99".
std::string target_name(const sim::SloTarget& target);
/// "3-year TCO", "TCO over 30 months".
std::string horizon_tco(const sim::PlanResult& plan, Language language = Language::en);
/// A finished sentence of the engine in `language`; typographic: with true multiplication and comparison signs.
std::string engine_text(const std::string& english, Spelling spelling, Language language);

// ---- Sentences ----

/// The answer in one sentence.
std::string headline(const sim::PlanResult& plan, Spelling spelling, Language language = Language::en);
/// "chat: TTFT P99 <= 1 s, TPOT P99 <= 50 ms; 99 % of requests within all limits", one entry a class.
std::vector<std::string> target_lines(const sim::PlanResult& plan, Spelling spelling, Language language = Language::en);
/// The reasons that carry the answer, and those that only name an assumption it rests on.
std::vector<std::string> main_reasons(const sim::PlanResult& plan, Spelling spelling = Spelling::ascii,
                                      Language language = Language::en);
std::vector<std::string> assumption_reasons(const sim::PlanResult& plan, Spelling spelling = Spelling::ascii,
                                            Language language = Language::en);
/// "INT8, TP 2: TPOT p99 is 66 ms with one request at a time; target 50 ms".
std::string why_not_eligible(const sim::PlanOption& option, Spelling spelling, Language language = Language::en);
/// One line about demand: requests, span, rate, model. No full stop.
std::string demand_line(const sim::PlanResult& plan, Spelling spelling, Language language = Language::en);
/// "18 options considered; left out: ...". No full stop.
std::string considered_line(const sim::PlanResult& plan, Language language = Language::en);
/// "USD, 36 months, undiscounted, region us-va, rented on demand". No full stop.
std::string cost_terms_line(const sim::PlanResult& plan, Language language = Language::en);

}  // namespace weir::reports

#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "data/catalog.h"
#include "data/scenario.h"
#include "sim/cost/fleet_schedule.h"
#include "sim/cost/money.h"

namespace weir::sim {

/// What the simulation says about the fleet that is priced.
struct FleetUse {
  data::Accelerator accelerator;
  int replicas = 1, accelerators_per_replica = 1;
  double busy_share = 0;       ///< mean share of time the accelerators are busy
  double power_share_x = 0;    ///< x of the power curve while busy
  double growth_per_year = 0;  ///< of the traffic; replicas follow it month by month
  /// Traffic the replicas carry within the targets, as a multiple of today's (>= 1): a replica is added when the growth
  /// has used it up. Empty = not known: the replicas are taken to be just enough for today.
  std::optional<double> load_factor;
  double output_tokens_per_s = 0;    ///< served within the targets, now (generative)
  double inferences_per_s = 0;       ///< served within the targets, now (one-shot)
  double stored_bytes = 0;           ///< weights kept in the cloud's object storage; 0 = not counted
  double timing_relative_error = 0;  ///< P80 of |log(predicted/true)| of the simulated capacity, for tco_range
};

/// One line of the result that can be opened: formula with the numbers in it, and its inputs with sources.
struct CostLine {
  std::string key;                ///< "energy", "colocation", "maintenance", "staff", "server", "cloud", ...
  std::string formula;            ///< "2 servers x 327,500 USD x (1 - 0.05)"
  Money total;                    ///< over the horizon
  std::vector<Money> by_month{};  ///< month 0 .. horizon, adds up to total
};

struct CostInput {
  std::string key;
  data::RangedQuantity value;
  bool overridden = false;
};

struct MonthlyCash {
  int month = 0;
  Money capex, opex, residual;
};  ///< month 0 = today

struct TenureCost {
  std::string tenure;  ///< "owned", "cloud"
  std::string currency;
  int servers = 0, spare_servers = 0;  ///< in month 1: bought, spares included; spares among them (owned)
  int accelerators = 0;                ///< in month 1: in all those servers (owned), rented (cloud)
  Money capex;                         ///< of month 0
  Money opex_first_year;               ///< of months 1 to 12, or to the horizon if that is shorter
  Money total;                         ///< capex + opex - residual over the horizon, undiscounted (the TCO)
  Money npv;                           ///< a cost too, positive: the same, discounted monthly at (1 + rate)^(1/12)
  std::vector<MonthlyCash> months;
  std::vector<CostLine> lines;
  std::vector<CostInput> inputs;
  FleetSchedule schedule;  ///< what the amounts are paid for
  std::optional<double> per_million_output_tokens,
      per_thousand_inferences;                           ///< TCO / served within targets over the horizon
  double average_kw = 0;                                 ///< of the whole fleet with PUE, month 1 (owned)
  data::Evidence evidence = data::Evidence::assumption;  ///< weakest that matters
};

/// Why an option cannot be priced: "no server price is known for ...: set cost.overrides...".
struct Unpriced {
  std::string why;
};

struct CostResult {
  std::optional<TenureCost> cost;
  std::string why_not;
};

/// Owned: servers with spares (so that P(enough healthy) >= target availability), bought as traffic grows; energy from
/// the measured power curve; colocation, maintenance, staff, software, insurance; residual value. Formulas and sources
/// stand in `lines` and `inputs`.
CostResult price_owned(const FleetUse& use, const data::CostChoice& choice, const data::Catalog& catalog);
/// Rented under choice.cloud_term, with price drift, support and contention.
CostResult price_cloud(const FleetUse& use, const data::CostChoice& choice, const data::Catalog& catalog);

/// P10, P50 and P90 of the total over seeded draws of every drawn input's range (and of the timing error). Same inputs
/// draw the same values for every option, so that options stay comparable. Empty when the option cannot be priced.
std::optional<std::array<double, 3>> tco_range(const FleetUse& use, const data::CostChoice& choice,
                                               const data::Catalog& catalog, std::string_view tenure,
                                               std::uint64_t seed, int draws = 1000);

/// First month in which the cumulative owned cost is at or below the cumulative rented cost and stays there
/// (undiscounted; the resale value counts in the month it is received); empty = never within the horizon.
std::optional<int> break_even_month(const TenureCost& owned, const TenureCost& cloud);

}  // namespace weir::sim

#pragma once

#include <vector>

namespace weir::sim {

/// The fleet in one month: what simulation, growth, failures and age ask for. No price plays a part in it.
struct FleetMonth {
  double traffic = 1;          ///< relative to today
  double servers_bought = 0;   ///< owned: paid in this month; those of month 1 are paid today
  double servers = 0;          ///< owned: held, spares included
  double accelerators = 0;     ///< in all those servers (owned); rented, before what neighbours take (cloud)
  double out_of_warranty = 0;  ///< accelerators (owned)
  double mean_kw = 0;          ///< IT power, without PUE (owned) ...
  double peak_kw = 0;          ///< ... with every needed replica busy ...
  double nameplate_kw = 0;     ///< ... and as a colocation contract counts it
  int signed_month = 1;        ///< cloud: month in which the price that is valid now was agreed
};

/// Servers bought together and sold together.
struct ServerLot {
  int paid_month = 0;  ///< 0 = today
  int sold_month = 0;  ///< at the end of its life, else with the horizon
  int age_months = 0;  ///< when it is sold
  double servers = 0;
};

struct FleetSchedule {
  std::vector<FleetMonth> months;  ///< month m at index m - 1
  std::vector<ServerLot> lots;     ///< in the order in which they are sold (owned)
  double accelerators_per_server = 1;
  bool accelerators_resold =
      false;             ///< false: the machine is sold as a whole, its accelerators have no price of their own
  double stored_gb = 0;  ///< cloud
};

}  // namespace weir::sim

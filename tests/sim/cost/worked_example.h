#pragma once

#include <map>
#include <string>

#include "data/catalog.h"
#include "data/scenario.h"
#include "sim/cost/cost.h"

namespace weir::sim {

/// A choice in which every economic input is a round number, so that results can be worked out by hand: no inflation,
/// no drift, no tax, no spares (any availability will do), no factors. Tests switch on what they look at.
inline data::CostChoice plain_choice(int horizon_months) {
  data::CostChoice choice;
  choice.horizon_months = horizon_months;
  choice.discount_rate = 0.0;
  choice.overrides = {{"inflation", 0},
                      {"target_availability", 0.01},
                      {"gpu_failures_per_gpu_year", 0},
                      {"server_stops_per_server_year", 0},
                      {"repair_hours", 24},
                      {"replaced_parts_per_gpu_year", 0},
                      {"warranty_years", 3},
                      {"network_share_of_server_capex", 0},
                      {"storage_share_of_server_capex", 0},
                      {"rack_setup_per_server_usd", 0},
                      {"unrecovered_tax_rate", 0},
                      {"purchase_discount", 0},
                      {"server_price_factor", 1},
                      {"pue", 1},
                      {"electricity_usd_per_kwh", 0},
                      {"electricity_price_drift", 0},
                      {"demand_charge_usd_per_kw_month", 0},
                      {"gpu_idle_share_of_tdp", 0.1},
                      {"gpu_power_a", 0.6},
                      {"gpu_power_b", 0.3},
                      {"host_kw_per_8gpu_server", 2},
                      {"host_idle_kw_per_8gpu_server", 1},
                      {"host_kw_per_pcie_server", 0.3},
                      {"host_chassis_4gpu_pcie_usd", 10000},
                      {"host_chassis_8gpu_pcie_usd", 20000},
                      {"host_chassis_8gpu_sxm_usd", 80000},
                      {"colo_usd_per_kw_month", 0},
                      {"maintenance_share_of_capex_per_year", 0},
                      {"engineer_usd_per_year", 0},
                      {"gpus_per_fte", 50},
                      {"min_fte", 0},
                      {"software_usd_per_gpu_year", 0},
                      {"internet_usd_per_month", 0},
                      {"insurance_share_of_capex_per_year", 0},
                      {"spare_stock_share_of_capex", 0},
                      {"residual_share_year_1", 0},
                      {"residual_share_year_2", 0},
                      {"residual_share_year_3", 0},
                      {"residual_share_year_4", 0},
                      {"residual_share_year_5", 0},
                      {"residual_share_non_gpu", 0},
                      {"disposal_share_of_capex", 0},
                      {"depreciation_years", 5},
                      {"cloud_price_drift", 0},
                      {"cloud_support_share", 0},
                      {"contention_jitter_share", 0},
                      {"cloud_tax_rate", 0},
                      {"storage_usd_per_gb_month", 0},
                      {"server_price_usd.t4", 18000},
                      {"cloud_usd_per_hour.t4", 0.5}};
  return choice;
}

/// T4 in servers of four: 70 W each, 10 W idle.
inline FleetUse t4_fleet(int replicas) {
  FleetUse use;
  use.accelerator = data::Catalog::builtin().accelerator("t4");
  use.accelerator.tdp_w.value = 70;
  use.accelerator.idle_w.value = 10;
  use.replicas = replicas;
  return use;
}

inline double line(const TenureCost& cost, const std::string& key) {
  for (const CostLine& l : cost.lines) {
    if (l.key == key) return l.total.units();
  }
  return 0;
}

inline TenureCost owned(const FleetUse& use, const data::CostChoice& choice) {
  return price_owned(use, choice, data::Catalog::builtin()).cost.value();
}

inline TenureCost rented(const FleetUse& use, const data::CostChoice& choice) {
  return price_cloud(use, choice, data::Catalog::builtin()).cost.value();
}

}  // namespace weir::sim

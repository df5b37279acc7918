#include <map>

#include "data/catalog.h"
#include "data/errors.h"
#include "reports/decision_view.h"

namespace weir::reports {
namespace {

/// Economic inputs of the catalogue.
const std::map<std::string, const char*, std::less<>> kInputs = {
    {"horizon_years", "Economic life of hardware"},
    {"discount_rate", "Discount rate"},
    {"inflation", "Inflation"},
    {"traffic_growth", "Growth of traffic"},
    {"target_availability", "Availability to reach"},
    {"gpu_failures_per_gpu_year", "Failures of an accelerator a year"},
    {"server_stops_per_server_year", "Stops of a server a year"},
    {"repair_hours", "Time to repair"},
    {"replaced_parts_per_gpu_year", "Accelerators replaced a year"},
    {"warranty_years", "Warranty"},
    {"network_share_of_server_capex", "Network, share of servers"},
    {"storage_share_of_server_capex", "Storage, share of servers"},
    {"rack_setup_per_server_usd", "Rack and set-up, per server"},
    {"unrecovered_tax_rate", "Purchase tax not recovered"},
    {"purchase_discount", "Discount on the list price"},
    {"server_price_factor", "Spread of server prices between sources"},
    {"host_chassis_4gpu_pcie_usd", "Host for 4 PCIe cards"},
    {"host_chassis_8gpu_pcie_usd", "Host for 8 PCIe cards"},
    {"host_chassis_8gpu_sxm_usd", "Host for 8 SXM modules"},
    {"pue", "PUE"},
    {"electricity_usd_per_kwh", "Electricity"},
    {"electricity_price_drift", "Drift of the electricity price"},
    {"tariff_peak_factor", "Tariff at peak hours"},
    {"tariff_valley_factor", "Tariff at valley hours"},
    {"demand_charge_usd_per_kw_month", "Demand charge"},
    {"gpu_idle_share_of_tdp", "Idle power of an accelerator"},
    {"gpu_power_a", "Power of a busy accelerator, constant part"},
    {"gpu_power_b", "Power of a busy accelerator, part with load"},
    {"host_kw_per_8gpu_server", "Power of the host of 8 accelerators, busy"},
    {"host_idle_kw_per_8gpu_server", "Power of the host of 8 accelerators, idle"},
    {"host_kw_per_pcie_server", "Power of the host of PCIe cards"},
    {"co2_kg_per_kwh", "CO2 of electricity"},
    {"colo_usd_per_kw_month", "Colocation, per kW"},
    {"maintenance_share_of_capex_per_year", "Maintenance, share of capex a year"},
    {"engineer_usd_per_year", "Engineer, loaded cost"},
    {"gpus_per_fte", "Accelerators one engineer looks after"},
    {"min_fte", "Engineers at least"},
    {"software_usd_per_gpu_year", "Software licence, per accelerator"},
    {"internet_usd_per_month", "Internet line"},
    {"insurance_share_of_capex_per_year", "Insurance, share of capex a year"},
    {"spare_stock_share_of_capex", "Stock of spare parts, share of capex"},
    {"residual_share_year_1", "Resale value after 1 year"},
    {"residual_share_year_2", "Resale value after 2 years"},
    {"residual_share_year_3", "Resale value after 3 years"},
    {"residual_share_year_4", "Resale value after 4 years"},
    {"residual_share_year_5", "Resale value after 5 years"},
    {"residual_share_non_gpu", "Resale value of the rest"},
    {"disposal_share_of_capex", "Disposal, share of capex"},
    {"depreciation_years", "Life until replacement"},
    {"income_tax_rate", "Income tax"},
    {"reserved_1y_ratio", "Price of a 1-year plan against on demand"},
    {"reserved_3y_ratio", "Price of a 3-year plan against on demand"},
    {"spot_ratio", "Price of spot capacity against on demand"},
    {"spot_interruptions_per_instance_day", "Interruptions of spot capacity"},
    {"spot_rework_share", "Work lost to spot interruptions"},
    {"billing_unit_seconds", "Smallest time that is billed"},
    {"autoscale_delay_minutes", "Delay of autoscaling"},
    {"cloud_price_drift", "Drift of rented prices"},
    {"egress_usd_per_gb", "Traffic out of the cloud"},
    {"storage_usd_per_gb_month", "Rented storage"},
    {"cloud_support_share", "Support plan, share of spend"},
    {"contention_jitter_share", "Throughput lost to neighbours"},
    {"cloud_tax_rate", "Tax on services not recovered"},
    {"mean_utilisation", "Mean utilisation"},
    {"peak_to_mean", "Peak against mean"},
    {"slo_headroom", "Capacity kept free"},
};

/// Lines of the cost.
const std::map<std::string, const char*, std::less<>> kLines = {
    {"server", "Servers"},
    {"network", "Network"},
    {"storage", "Storage"},
    {"rack_setup", "Rack and set-up"},
    {"spare_stock", "Stock of spare parts"},
    {"purchase_tax", "Purchase tax"},
    {"energy", "Energy"},
    {"demand_charge", "Demand charge"},
    {"colocation", "Colocation"},
    {"maintenance", "Maintenance"},
    {"staff", "Staff"},
    {"software", "Software licences"},
    {"insurance", "Insurance"},
    {"internet", "Internet line"},
    {"parts", "Replaced parts"},
    {"residual", "Resale value"},
    {"disposal", "Disposal"},
    {"cloud", "Rented accelerator-hours"},
    {"cloud_support", "Support plan"},
    {"cloud_storage", "Rented storage"},
    {"cloud_tax", "Tax on services"},
};

std::string card_name(const std::string& id, Language language) {
  if (id == "this-machine") return say(language, "This machine");
  try {
    return without_vendor(data::Catalog::builtin().accelerator(id).name);
  } catch (const data::InputError&) {
    return id;  // a catalogue of the user's own
  }
}

/// A key that no table knows, as words: "some_new_input" -> "Some new input".
std::string spelled_out(const std::string& key) {
  std::string text = key;
  for (char& c : text) {
    if (c == '_') c = ' ';
  }
  if (!text.empty() && text.front() >= 'a' && text.front() <= 'z')
    text.front() = static_cast<char>(text.front() - 'a' + 'A');
  return text;
}

}  // namespace

std::string words_of_key(const std::string& key, Language language) {
  if (const auto found = kInputs.find(key); found != kInputs.end()) return say(language, found->second);
  if (const auto found = kLines.find(key); found != kLines.end()) return say(language, found->second);
  const std::size_t dot = key.find('.');
  if (dot == std::string::npos) return spelled_out(key);
  const std::string about = key.substr(0, dot), of = key.substr(dot + 1);
  if (about == "server_price_usd")
    return say(language, "Price of a server, {card}", {{"card", card_name(of, language)}});
  if (about == "cloud_usd_per_hour")
    return say(language, "Rented accelerator-hour, {card}", {{"card", card_name(of, language)}});
  if (about == "exchange_rate" && of.size() == 7) {
    return say(language, "Exchange rate, {from} to {to}", {{"from", of.substr(0, 3)}, {"to", of.substr(4)}});
  }
  return spelled_out(about) + ", " + of;
}

}  // namespace weir::reports

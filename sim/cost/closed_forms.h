#pragma once

namespace weir::sim {

/// Closed forms of the cost questions people ask on one line. They check the monthly engine where both apply, and
/// reproduce worked cases from the field. Money in any one currency, time in hours, power in kW; a year has 8,760
/// hours.

double it_power_kw(double accelerators, double accelerator_kw, double power_factor, double host_kw);
/// it_kw x PUE x tariff.
double energy_per_hour(double it_kw, double pue, double tariff_per_kwh);
/// Energy plus what is paid by the year, spread over its hours; maintenance is a share of capex.
double running_per_hour(double energy_per_h, double maintenance_share_per_year, double capex, double fixed_per_year);
/// Straight-line depreciation with an overhead that is a share of it, plus running cost.
double owned_per_year(double capex, double life_years, double overhead_share_of_depreciation, double running_per_h);
double owned_per_accelerator_hour(double owned_per_year, double accelerators);

/// Hours until the rent saved has paid for the purchase; negative or infinite when renting is cheaper for ever.
double payback_hours(double capex, double cloud_per_h, double utilisation, double running_per_h);
/// Capex that is paid back in `hours`, maintenance following capex: hours (c u - r) / (1 + hours s / 8760).
double capex_for_payback(double hours, double cloud_per_h, double utilisation, double running_without_maintenance_per_h,
                         double maintenance_share_per_year);
/// Share of hours of use from which a fixed price an hour beats a price by the used hour.
double breakeven_utilisation(double fixed_per_h, double cloud_per_h);
double effective_per_hour(double fixed_per_h, double utilisation);
/// 1 - a / b.
double saving_share(double a, double b);

/// Price of a million tokens at a throughput.
double per_million_tokens(double per_accelerator_hour, double accelerators, double tokens_per_s);
double per_thousand_requests(double owned_per_year, double requests_per_s, double utilisation);
/// Months until the API bill saved, less energy, has paid for the purchase.
double api_payback_months(double capex, double million_tokens_per_month, double input_share, double per_m_in,
                          double per_m_out, double energy_per_month);

double failures_per_accelerator_year(double events, double accelerators, double days);
double hours_between_stops(double days, double stop_events);
double joules_per_token(double system_kw, double tokens_per_s);
double kwh_per_million_tokens(double joules_per_token);
/// Servers that work off `tokens` in `seconds` at `tokens_per_s` each.
double servers_for_tokens(double tokens, double seconds, double tokens_per_s);

}  // namespace weir::sim

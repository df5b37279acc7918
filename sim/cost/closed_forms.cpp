#include "sim/cost/closed_forms.h"

#include "sim/cost/rates.h"

namespace weir::sim {

double it_power_kw(double accelerators, double accelerator_kw, double power_factor, double host_kw) {
  return accelerators * accelerator_kw * power_factor + host_kw;
}

double energy_per_hour(double it_kw, double pue, double tariff_per_kwh) { return it_kw * pue * tariff_per_kwh; }

double running_per_hour(double energy_per_h, double maintenance_share_per_year, double capex, double fixed_per_year) {
  return energy_per_h + (maintenance_share_per_year * capex + fixed_per_year) / kHoursPerYear;
}

double owned_per_year(double capex, double life_years, double overhead_share_of_depreciation, double running_per_h) {
  return capex / life_years * (1 + overhead_share_of_depreciation) + running_per_h * kHoursPerYear;
}

double owned_per_accelerator_hour(double owned_per_year, double accelerators) {
  return owned_per_year / kHoursPerYear / accelerators;
}

double payback_hours(double capex, double cloud_per_h, double utilisation, double running_per_h) {
  return capex / (cloud_per_h * utilisation - running_per_h);
}

double capex_for_payback(double hours, double cloud_per_h, double utilisation, double running_without_maintenance_per_h,
                         double maintenance_share_per_year) {
  return hours * (cloud_per_h * utilisation - running_without_maintenance_per_h) /
         (1 + hours * maintenance_share_per_year / kHoursPerYear);
}

double breakeven_utilisation(double fixed_per_h, double cloud_per_h) { return fixed_per_h / cloud_per_h; }

double effective_per_hour(double fixed_per_h, double utilisation) { return fixed_per_h / utilisation; }

double saving_share(double a, double b) { return 1 - a / b; }

double per_million_tokens(double per_accelerator_hour, double accelerators, double tokens_per_s) {
  return per_accelerator_hour * accelerators / (tokens_per_s * 3600 / 1e6);
}

double per_thousand_requests(double owned_per_year, double requests_per_s, double utilisation) {
  return owned_per_year / (requests_per_s * kHoursPerYear * 3600 * utilisation) * 1000;
}

double api_payback_months(double capex, double million_tokens_per_month, double input_share, double per_m_in,
                          double per_m_out, double energy_per_month) {
  const double bill = million_tokens_per_month * (input_share * per_m_in + (1 - input_share) * per_m_out);
  return capex / (bill - energy_per_month);
}

double failures_per_accelerator_year(double events, double accelerators, double days) {
  return events / accelerators / days * 365;
}

double hours_between_stops(double days, double stop_events) { return days * 24 / stop_events; }

double joules_per_token(double system_kw, double tokens_per_s) { return system_kw * 1000 / tokens_per_s; }

double kwh_per_million_tokens(double joules_per_token) { return joules_per_token / 3.6; }

double servers_for_tokens(double tokens, double seconds, double tokens_per_s) {
  return tokens / seconds / tokens_per_s;
}

}  // namespace weir::sim

#include "sim/cost/cost_formulas.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "sim/cost/rates.h"
#include "sim/cost/readable_number.h"

namespace weir::sim {
namespace {

std::string t(double value) { return readable_number(value); }

std::string per_year(double rate, const char* what) {
  return rate == 0 ? std::string() : std::string(", ") + what + " " + signed_percent_text(rate) + " a year";
}

std::string growth_text(const FleetUse& use) {
  if (use.growth_per_year == 0) return {};
  std::string text = ", traffic " + signed_percent_text(use.growth_per_year) + " a year";
  if (use.load_factor) {
    text += ", of which " + t(use.replicas) + (use.replicas == 1 ? " replica carries " : " replicas carry ") +
            t(std::round(*use.load_factor * 100) / 100) + " x today's within the targets";
  }
  return text;
}

class Lines {
 public:
  explicit Lines(const Ledger& ledger) : ledger_(ledger) {}
  void add(Line line, std::string formula) {
    if (ledger_.line(line) != Money()) {
      lines_.push_back(
          {std::string(key_of(line)), std::move(formula), ledger_.line(line), ledger_.line_by_month(line)});
    }
  }
  std::vector<CostLine> take() { return std::move(lines_); }

 private:
  const Ledger& ledger_;
  std::vector<CostLine> lines_;
};

void capex_lines(Lines& lines, const PreparedOwned& prepared, const OwnedDetails& d, const InputValues& v,
                 const FleetUse& use, const data::CostChoice& choice) {
  const double fx = v[Input::exchange_rate], g = prepared.model.accelerators_per_server;
  const std::string& currency = choice.currency;
  const std::string servers = t(d.servers) + (d.servers == 1 ? " server" : " servers");
  std::string price = servers + " of " + t(g) + " accelerators x " + t(v[Input::server_price] * fx) + " " + currency;
  if (v[Input::server_price_factor] != 1) price += " x " + t(v[Input::server_price_factor]);
  if (v[Input::purchase_discount] != 0) price += " x (1 - " + t(v[Input::purchase_discount]) + ")";
  price += "; " + t(d.servers - d.spares) + " for " + t(use.replicas) + " replicas of " +
           t(use.accelerators_per_replica) + " (whole servers), " + t(d.spares) +
           " spare so that P(enough up) >= " + t(v[Input::target_availability]) + " at " + t(d.stops_per_year) +
           " stops a server-year and " + t(v[Input::repair_hours]) + " h to repair (availability " +
           t(std::round(d.availability * 1e6) / 1e6) + ")";
  if (d.servers_at_end > d.servers)
    price += "; " + t(d.servers_at_end) + " servers by month " + t(choice.horizon_months) + growth_text(use);
  if (choice.horizon_months > v[Input::life_years] * kMonthsPerYear)
    price += "; replaced after " + t(v[Input::life_years]) + " years";
  lines.add(Line::server, price);
  lines.add(Line::network, "servers x " + t(v[Input::network_share]));
  lines.add(Line::storage, "servers x " + t(v[Input::storage_share]));
  lines.add(Line::rack_setup, servers + " x " + t(v[Input::rack_setup] * fx) + " " + currency);
  lines.add(Line::spare_stock, "(servers + network + storage) x " + t(v[Input::spare_stock_share]));
  lines.add(Line::purchase_tax,
            "(servers + network + storage + rack + spare stock) x " + t(v[Input::unrecovered_tax]) + " not recovered");
}

std::string energy_formula(const PreparedOwned& prepared, const OwnedDetails& d, const InputValues& v,
                           const FleetUse& use, const data::CostChoice& choice) {
  const OwnedModel& m = prepared.model;
  const double installed = d.servers * m.accelerators_per_server;
  std::string text = t(d.it_kw) + " kW x PUE " + t(v[Input::pue]) + " x " + t(kHoursPerMonth) + " h x " +
                     t(v[Input::electricity] * v[Input::exchange_rate]) + " " + choice.currency + "/kWh a month" +
                     per_year(v[Input::electricity_drift], "tariff") + growth_text(use);
  if (m.tdp_kw <= 0) return text + "; the accelerator's own power is not known: only the host is counted";
  return text + "; " + t(d.busy_accelerators) + " accelerators busy on average at " + t(m.tdp_kw) + " kW x clip(" +
         t(v[Input::power_a]) + " + " + t(v[Input::power_b]) + " x " + t(m.power_share_x) +
         ", 0.2, 1) = " + t(d.busy_kw) + " kW, " + t(installed - d.busy_accelerators) + " idle at " + t(d.idle_kw) +
         " kW, hosts beside";
}

void opex_lines(Lines& lines, const PreparedOwned& prepared, const OwnedDetails& d, const InputValues& v,
                const FleetUse& use, const data::CostChoice& choice) {
  const double fx = v[Input::exchange_rate], installed = d.servers * prepared.model.accelerators_per_server;
  const std::string& currency = choice.currency;
  const std::string inflation = per_year(v[Input::inflation], "prices");
  const std::string capex = t(d.servers * d.capex_before_tax) + " " + currency;
  lines.add(Line::energy, energy_formula(prepared, d, v, use, choice));
  lines.add(Line::demand_charge, t(d.peak_kw) + " kW at full load x PUE " + t(v[Input::pue]) + " x " +
                                     t(v[Input::demand_charge] * fx) + " " + currency + "/kW a month" +
                                     per_year(v[Input::electricity_drift], "tariff"));
  lines.add(Line::colocation, t(d.contract_kw) + " kW of nameplate power x " + t(v[Input::colocation] * fx) + " " +
                                  currency + "/kW a month" + inflation);
  lines.add(Line::maintenance, capex + " of equipment x " + t(v[Input::maintenance_share]) + " a year" + inflation);
  lines.add(Line::staff, t(d.fte) + " FTE (the larger of " + t(v[Input::min_fte]) + " and " + t(installed) + " / " +
                             t(v[Input::gpus_per_fte]) + ") x " + t(v[Input::engineer] * fx) + " " + currency +
                             " a year" + inflation);
  lines.add(Line::software,
            t(installed) + " accelerators x " + t(v[Input::software] * fx) + " " + currency + " a year" + inflation);
  lines.add(Line::insurance, capex + " of equipment x " + t(v[Input::insurance_share]) + " a year" + inflation);
  lines.add(Line::internet, t(v[Input::internet] * fx) + " " + currency + " a month" + inflation);
  lines.add(Line::parts, "accelerators out of the warranty of " + t(v[Input::warranty_years]) + " years x " +
                             t(v[Input::replaced_parts]) + " replaced a year x accelerator price" + inflation);
}

}  // namespace

std::vector<CostLine> owned_lines(const PreparedOwned& prepared, const OwnedDetails& d, const InputValues& v,
                                  const Ledger& ledger, const FleetUse& use, const data::CostChoice& choice) {
  Lines lines(ledger);
  capex_lines(lines, prepared, d, v, use, choice);
  opex_lines(lines, prepared, d, v, use, choice);
  const double age = std::min<double>(choice.horizon_months, v[Input::life_years] * kMonthsPerYear);
  lines.add(Line::residual, "resale at the end: accelerators (" +
                                t(std::round(d.accelerator_share_of_price * 1000) / 10) + "% of a server) x " +
                                t(residual_share(v, age)) + " at " + t(age) + " months of age, the rest x " +
                                t(v[Input::residual_other]));
  lines.add(Line::disposal, "equipment x " + t(v[Input::disposal_share]) + " when it leaves");
  return lines.take();
}

std::vector<CostLine> cloud_lines(const PreparedCloud& prepared, const InputValues& v, const Ledger& ledger,
                                  const FleetUse& use, const data::CostChoice& choice) {
  Lines lines(ledger);
  const double fx = v[Input::exchange_rate];
  const std::string& currency = choice.currency;
  std::string compute = t(use.replicas * use.accelerators_per_replica) + " accelerators / (1 - " +
                        t(v[Input::contention]) + " lost to neighbours) x " + t(kHoursPerMonth) + " h x " +
                        t(v[Input::cloud_price] * fx) + " " + currency + "/h a month (" + choice.cloud_term +
                        ", always on at fleet size: no autoscaling in this version)" +
                        per_year(v[Input::cloud_drift], "price");
  if (prepared.model.price_fixed_months > 1) compute += " at renewal";
  lines.add(Line::cloud, compute + growth_text(use));
  lines.add(Line::cloud_storage, t(prepared.model.stored_gb) + " GB of weights x " + t(v[Input::cloud_storage] * fx) +
                                     " " + currency + "/GB a month");
  lines.add(Line::cloud_support, "(accelerators + storage) x " + t(v[Input::cloud_support]));
  lines.add(Line::cloud_tax, "(accelerators + storage + support) x " + t(v[Input::cloud_tax]));
  return lines.take();
}

double drawn_need(const FleetUse& use, std::uint64_t seed, std::uint64_t index) {
  const double relative_error = use.timing_relative_error;
  if (!(relative_error > 0)) return needed_replicas(use);
  // Symmetric triangle on [-w, w] with its P90 at relative_error: w (1 - sqrt(0.2)) = relative_error.
  constexpr double kWidthPerP90 = 1.8090169943749475;
  constexpr std::uint64_t kTimingStream = 1'000'003;
  const double u = uniform_draw(seed, index, kTimingStream), width = relative_error * kWidthPerP90;
  const double error = u < 0.5 ? width * (std::sqrt(2 * u) - 1) : width * (1 - std::sqrt(2 * (1 - u)));
  const double slower = error >= 0 ? 1 + error : 1 / (1 - error);
  return (use.load_factor ? needed_replicas(use) : use.replicas - 0.5) * slower;
}

}  // namespace weir::sim

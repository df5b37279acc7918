#include <algorithm>
#include <functional>
#include <string>
#include <utility>

#include "reports/format.h"
#include "reports/xlsx/flow_columns.h"
#include "sim/cost/rates.h"

namespace weir::reports::xlsx {
namespace {

constexpr const char* kKilowatts = "#,##0.00";

double servers_of(const FlowSource& s, int sim::ServerLot::*when, int month) {
  double servers = 0;
  for (const sim::ServerLot& lot : s.cost.schedule.lots) servers += lot.*when == month ? lot.servers : 0;
  return servers;
}

class OwnedColumns {
 public:
  OwnedColumns(const FlowSource& source, const ResaleCells& resale) : s_(source), resale_(resale) {}

  std::vector<FlowColumn> make() {
    columns_.push_back({.key = "month", .group = " ", .head = s_.t("Month"), .value = [](int m) { return m; }});
    add_fleet();
    add_factors();
    add_purchases();
    add_running();
    add_resale();
    add_sums(columns_, s_, "[capex]+[opex]+[residual]+[disposal]");
    return std::move(columns_);
  }

 private:
  void physical(const char* key, const char* head, const char* format, double sim::FleetMonth::*part) {
    columns_.push_back({.key = key, .head = s_.t(head), .format = format, .value = [&s = s_, part](int m) {
                          return m == 0 ? from_month_1(0, 0) : s.fleet(m).*part;
                        }});
  }

  void add_fleet() {
    columns_.push_back({.key = "bought",
                        .group = s_.t("Fleet: from the simulation and the growth of the traffic"),
                        .head = s_.t("Servers\nbought"),
                        .value = [&s = s_](int m) { return servers_of(s, &sim::ServerLot::paid_month, m); },
                        .summed = true});
    columns_.push_back({.key = "sold",
                        .head = s_.t("Servers\nsold"),
                        .value = [&s = s_](int m) { return servers_of(s, &sim::ServerLot::sold_month, m); },
                        .summed = true});
    physical("held", "Servers\nheld", kWhole, &sim::FleetMonth::servers);
    physical("accelerators", "Accelerators", kWhole, &sim::FleetMonth::accelerators);
    physical("aged", "of them out\nof warranty", kWhole, &sim::FleetMonth::out_of_warranty);
    physical("traffic", "Traffic,\ntoday = 1", kFactor, &sim::FleetMonth::traffic);
    physical("kw", "IT power,\nmean (kW)", kKilowatts, &sim::FleetMonth::mean_kw);
    physical("peak", "at full load\n(kW)", kKilowatts, &sim::FleetMonth::peak_kw);
    physical("nameplate", "nameplate\n(kW)", kKilowatts, &sim::FleetMonth::nameplate_kw);
  }

  void factor(const char* key, const std::string& group, const char* head, const char* input) {
    const auto values = sim::monthly_factors(s_.input(input), s_.horizon_months);
    columns_.push_back(
        {.key = key,
         .group = group,
         .head = s_.t(head),
         .format = kFactor,
         .value = [values](int m) { return m == 0 ? from_month_1(0, 0) : values[static_cast<std::size_t>(m - 1)]; },
         .formula = [name = s_.names[input]](int) { return "(1+" + name + ")^(([month]-1)/12)"; }});
  }

  void add_factors() {
    factor("prices", s_.t("Follows from the inputs"), "Price level,\ntoday = 1", "inflation");
    factor("tariff", "", "Power tariff,\ntoday = 1", "electricity_price_drift");
    const double least = s_.input("min_fte"), each = s_.input("gpus_per_fte");
    const std::string formula = "MAX(" + s_.names["min_fte"] + ",[accelerators]/" + s_.names["gpus_per_fte"] + ")";
    columns_.push_back(
        {.key = "fte",
         .head = s_.t("Staff\n(FTE)"),
         .format = kCents,
         .value = [&s = s_, least, each](
                      int m) { return m == 0 ? from_month_1(0, 0) : std::max(least, s.fleet(m).accelerators / each); },
         .formula = [formula](int) { return formula; }});
  }

  /// What one server costs stands in the row above the months; a month pays for the servers it buys.
  void purchase(const char* key, const std::string& group, const char* head, const std::string& each,
                double each_value) {
    columns_.push_back(
        {.key = key,
         .group = group,
         .head = s_.amount_head(head),
         .format = s_.money,
         .value = [&s = s_, each_value](int m) { return servers_of(s, &sim::ServerLot::paid_month, m) * each_value; },
         .formula = [key](int) { return "[bought]*[" + std::string(key) + "^]"; },
         .summed = true,
         .each = each,
         .each_value = each_value});
  }

  void add_purchases() {
    const sim::CostInput* price = InputNames::find(s_.cost, "server_price_usd.");
    const std::string list = price == nullptr ? "0" : s_.names[price->key] + "*" + s_.names["server_price_factor"];
    const std::string fx = s_.names.times_exchange_rate();
    const auto line = [&](const char* key, const std::string& group, const char* head, const std::string& each) {
      purchase(key, group, head, each, s_.each_of(key));
    };
    line("server", s_.t("Purchases"), "Servers", list + "*(1-" + s_.names["purchase_discount"] + ")" + fx);
    purchase("cards", "", "of it the\naccelerators", accelerators_formula(list), s_.accelerators_each());
    line("network", "", "Network", "[server^]*" + s_.names["network_share_of_server_capex"]);
    line("storage", "", "Storage", "[server^]*" + s_.names["storage_share_of_server_capex"]);
    line("rack_setup", "", "Rack", s_.names["rack_setup_per_server_usd"] + fx);
    line("spare_stock", "", "Spare\nstock",
         "([server^]+[network^]+[storage^])*" + s_.names["spare_stock_share_of_capex"]);
    purchase("equipment", "", "Equipment\nbefore tax", "[server^]+[network^]+[storage^]+[rack_setup^]+[spare_stock^]",
             s_.equipment_each());
    line("purchase_tax", "", "Tax", "[equipment^]*" + s_.names["unrecovered_tax_rate"]);
    purchase("capex", "", "Capex", "[equipment^]+[purchase_tax^]", s_.equipment_each() + s_.each_of("purchase_tax"));
  }

  std::string accelerators_formula(const std::string& list) const {
    const sim::CostInput* chassis = InputNames::find(s_.cost, "host_chassis_");
    if (!s_.cost.schedule.accelerators_resold || chassis == nullptr) return "0";
    return "IF(" + list + ">0,[server^]*MAX(0,1-" + s_.names[chassis->key] + "/(" + list + ")),0)";
  }

  void running(const char* key, const std::string& group, const char* head, const std::string& formula) {
    columns_.push_back(s_.running(key, group, head, formula));
  }

  void add_running() {
    const auto& n = s_.names;
    const std::string fx = n.times_exchange_rate();
    running("energy", s_.t("Running costs"), "Energy",
            "[kw]*" + n["pue"] + "*" + kHoursName + "*" + n["electricity_usd_per_kwh"] + "*[tariff]" + fx);
    running("demand_charge", "", "Demand\ncharge",
            "[peak]*" + n["pue"] + "*" + n["demand_charge_usd_per_kw_month"] + "*[tariff]" + fx);
    running("colocation", "", "Colocation", "[nameplate]*" + n["colo_usd_per_kw_month"] + "*[prices]" + fx);
    running("maintenance", "", "Mainte-\nnance",
            "[held]*[equipment^]*" + n["maintenance_share_of_capex_per_year"] + "/12*[prices]");
    running("staff", "", "Staff", "[fte]*" + n["engineer_usd_per_year"] + "/12*[prices]" + fx);
    running("software", "", "Software", "[accelerators]*" + n["software_usd_per_gpu_year"] + "/12*[prices]" + fx);
    running("insurance", "", "Insurance",
            "[held]*[equipment^]*" + n["insurance_share_of_capex_per_year"] + "/12*[prices]");
    running("internet", "", "Internet", n["internet_usd_per_month"] + "*[prices]" + fx);
    running("parts", "", "Parts",
            "[aged]*" + n["replaced_parts_per_gpu_year"] + "/12*[cards^]/" +
                shortest(s_.cost.schedule.accelerators_per_server) + "*[prices]");
    columns_.push_back(
        {.key = "opex",
         .head = s_.amount_head("Opex"),
         .format = s_.money,
         .value = [&s = s_](int m) { return from_month_1(m, s.cost.months[static_cast<std::size_t>(m)].opex.units()); },
         .formula = [](int) { return std::string("SUM([energy]:[parts])"); },
         .summed = true});
  }

  void add_resale() {
    const auto sales = [&](const char* key, const std::string& group, const char* head, const std::string& cells,
                           const char* sign) {
      const std::string formula = sign + std::string("SUMIF(") + resale_.sold_in + ",[month]," + cells + ")";
      columns_.push_back({.key = key,
                          .group = group,
                          .head = s_.amount_head(head),
                          .format = s_.money,
                          .value = [&s = s_, key](int m) { return s.line(key, m); },
                          .formula = [formula](int) { return formula; },
                          .summed = true});
    };
    sales("residual", s_.t("When servers leave"), "Resale", resale_.proceeds, "-");
    sales("disposal", "", "Disposal", resale_.disposal, "");
  }

  const FlowSource& s_;
  const ResaleCells& resale_;
  std::vector<FlowColumn> columns_;
};

}  // namespace

std::vector<FlowColumn> owned_columns(const FlowSource& source, const ResaleCells& resale) {
  return OwnedColumns(source, resale).make();
}

}  // namespace weir::reports::xlsx

#include <functional>
#include <string>
#include <utility>

#include "reports/xlsx/flow_columns.h"
#include "sim/cost/rates.h"

namespace weir::reports::xlsx {
namespace {

class RentedColumns {
 public:
  explicit RentedColumns(const FlowSource& source) : s_(source) {}

  std::vector<FlowColumn> make() {
    columns_.push_back({.key = "month", .group = " ", .head = s_.t("Month"), .value = [](int m) { return m; }});
    add_fleet();
    add_factors();
    add_running();
    add_sums(columns_, s_, "[opex]");
    return std::move(columns_);
  }

 private:
  using Part = std::function<double(const sim::FleetMonth&)>;

  void physical(const char* key, const std::string& group, const char* head, const char* format, const Part& part) {
    columns_.push_back(
        {.key = key, .group = group, .head = s_.t(head), .format = format, .value = [&s = s_, part](int m) {
           return m == 0 ? from_month_1(0, 0) : part(s.fleet(m));
         }});
  }

  void add_fleet() {
    physical("accelerators", s_.t("Fleet: from the simulation and the growth of the traffic"), "Accelerators\nneeded",
             kWhole, [](const auto& fleet) { return fleet.accelerators; });
    physical("traffic", "", "Traffic,\ntoday = 1", kFactor, [](const auto& fleet) { return fleet.traffic; });
    physical("stored", "", "Weights stored\n(GB)", "#,##0.0",
             [gb = s_.cost.schedule.stored_gb](const auto&) { return gb; });
    physical("signed", "", "Price agreed\nin month", kWhole, [](const auto& fleet) { return fleet.signed_month; });
  }

  void follows(const char* key, const std::string& group, const char* head, const char* format, const Part& part,
               const std::string& formula) {
    physical(key, group, head, format, part);
    columns_.back().formula = [formula](int) { return formula; };
  }

  void add_factors() {
    const auto drift = sim::monthly_factors(s_.input("cloud_price_drift"), s_.horizon_months);
    follows(
        "price", s_.t("Follows from the inputs"), "Price level,\ntoday = 1", kFactor,
        [drift](const auto& fleet) { return drift[static_cast<std::size_t>(fleet.signed_month - 1)]; },
        "(1+" + s_.names["cloud_price_drift"] + ")^(([signed]-1)/12)");
    const double contention = s_.input("contention_jitter_share");
    follows(
        "rented", "", "Accelerators\nrented", kCents,
        [contention](const auto& fleet) { return fleet.accelerators / (1 - contention); },
        "[accelerators]/(1-" + s_.names["contention_jitter_share"] + ")");
  }

  void amount(const char* key, const std::string& group, const char* head, const std::string& formula) {
    columns_.push_back(s_.running(key, group, head, formula));
  }

  void add_running() {
    const sim::CostInput* price = InputNames::find(s_.cost, "cloud_usd_per_hour.");
    const std::string price_name = price == nullptr ? "0" : s_.names[price->key];
    const std::string hours = kHoursName, fx = s_.names.times_exchange_rate();
    amount("cloud", s_.t("Running costs"), "Accelerators", "[rented]*" + hours + "*" + price_name + "*[price]" + fx);
    amount("cloud_storage", "", "Storage", "[stored]*" + s_.names["storage_usd_per_gb_month"] + fx);
    amount("cloud_support", "", "Support", "([cloud]+[cloud_storage])*" + s_.names["cloud_support_share"]);
    amount("cloud_tax", "", "Tax", "([cloud]+[cloud_storage]+[cloud_support])*" + s_.names["cloud_tax_rate"]);
    amount("opex", "", "Opex", "SUM([cloud]:[cloud_tax])");
    columns_.back().value = [&s = s_](int m) {
      return from_month_1(m, s.cost.months[static_cast<std::size_t>(m)].opex.units());
    };
  }

  const FlowSource& s_;
  std::vector<FlowColumn> columns_;
};

}  // namespace

std::vector<FlowColumn> rented_columns(const FlowSource& source) { return RentedColumns(source).make(); }

}  // namespace weir::reports::xlsx

// Worked cost cases from the field: published sums must come out of our closed forms, published mistakes must not.
// The vocabulary (inputs, outputs, relations) is that of shared data's facts/README.md.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "sim/cost/closed_forms.h"

namespace weir::sim {
namespace {

constexpr double kYear = 8760;

/// One case: its inputs by name and the documented outputs over them.
class Case {
 public:
  explicit Case(std::map<std::string, double> inputs) : in_(std::move(inputs)) {}

  double output(const std::string& name) const {
    const auto& table = outputs();
    const auto found = table.find(name);
    if (found == table.end()) throw std::invalid_argument("unknown output " + name);
    return found->second(*this);
  }

 private:
  using Formula = std::function<double(const Case&)>;

  bool has(const std::string& key) const { return in_.contains(key); }
  double in(const std::string& key, double missing = 0) const { return has(key) ? in_.at(key) : missing; }

  double servers() const { return in("servers", 1); }
  double utilisation() const { return in("utilisation", 1); }
  double horizon() const { return in("horizon_years", 1); }
  double capex() const {
    if (has("capex_usd")) return in("capex_usd");
    return in("accelerators") * in("accelerator_price_usd") + in("servers") * in("server_price_usd");
  }
  double it_kw() const {
    if (has("system_kw")) return in("system_kw");
    return it_power_kw(in("accelerators"), in("accelerator_kw"), in("power_factor", 1), in("host_kw"));
  }
  double energy() const { return energy_per_hour(it_kw(), in("pue", 1), in("tariff_usd_per_kwh")); }
  double fixed_per_year() const {
    return in("colo_usd_per_year") +
           servers() * (in("hosting_usd_per_server_year") + in("software_usd_per_server_year"));
  }
  double running() const {
    if (has("own_running_usd_per_h")) return in("own_running_usd_per_h");
    return running_per_hour(energy(), in("maintenance_share_per_year"), capex(), fixed_per_year());
  }
  double own_year() const {
    return owned_per_year(capex(), in("life_years", 1), in("overhead_share_of_depreciation"), running());
  }
  double own_gpu_hour() const {
    if (has("own_usd_per_gpu_h")) return in("own_usd_per_gpu_h");
    return owned_per_accelerator_hour(own_year(), in("accelerators"));
  }
  double cloud_hour() const {
    if (has("cloud_usd_per_h")) return in("cloud_usd_per_h");
    return in("cloud_usd_per_gpu_h") * in("accelerators", 1);
  }
  double cloud_year() const { return cloud_hour() * kYear * utilisation(); }
  double own_total() const { return has("own_total_usd") ? in("own_total_usd") : own_year() * horizon(); }
  double cloud_total() const { return has("cloud_total_usd") ? in("cloud_total_usd") : cloud_year() * horizon(); }
  double payback() const { return payback_hours(capex(), cloud_hour(), utilisation(), running()); }
  double lease() const {
    return in("servers") * in("accelerators_per_server") * in("hours") * in("cloud_usd_per_gpu_h");
  }
  double wanted_capex() const {
    const double without_maintenance = running_per_hour(energy(), 0, 0, fixed_per_year());
    return capex_for_payback(in("payback_months_wanted") * in("hours_per_month", 730), cloud_hour(), utilisation(),
                             without_maintenance, in("maintenance_share_per_year"));
  }
  double breakeven() const {
    if (has("fixed_usd_per_h")) return breakeven_utilisation(in("fixed_usd_per_h"), in("cloud_usd_per_h"));
    return breakeven_utilisation(own_gpu_hour(), in("cloud_usd_per_gpu_h"));
  }
  double effective() const { return effective_per_hour(in("fixed_usd_per_h"), utilisation()); }
  double api_months() const {
    const double energy_month = energy() * in("powered_hours_per_month");
    return api_payback_months(capex(), in("million_tokens_per_month"), in("input_share"), in("api_usd_per_m_in"),
                              in("api_usd_per_m_out"), energy_month);
  }
  double failures() const {
    return failures_per_accelerator_year(in("failure_events"), in("observed_accelerators"), in("observed_days"));
  }

  static const std::map<std::string, Formula>& outputs();
  std::map<std::string, double> in_;
};

const std::map<std::string, Case::Formula>& Case::outputs() {
  static const std::map<std::string, Formula> kOutputs = {
      {"capex_usd", [](const Case& c) { return c.capex(); }},
      {"energy_usd_per_h", [](const Case& c) { return c.energy(); }},
      {"energy_usd_total", [](const Case& c) { return c.energy() * kYear * c.horizon(); }},
      {"own_usd_per_year", [](const Case& c) { return c.own_year(); }},
      {"own_usd_per_gpu_h", [](const Case& c) { return c.own_gpu_hour(); }},
      {"cloud_usd_per_year", [](const Case& c) { return c.cloud_year(); }},
      {"cloud_usd_per_month",
       [](const Case& c) { return c.cloud_hour() * c.in("hours_per_day") * c.in("days_per_month"); }},
      {"payback_hours", [](const Case& c) { return c.payback(); }},
      {"payback_months", [](const Case& c) { return c.payback() / c.in("hours_per_month", 730); }},
      {"capex_for_payback_usd", [](const Case& c) { return c.wanted_capex(); }},
      {"saving_share", [](const Case& c) { return saving_share(c.own_total(), c.cloud_total()); }},
      {"saving_share_from_factor", [](const Case& c) { return saving_share(1, c.in("cost_factor_given")); }},
      {"breakeven_utilisation", [](const Case& c) { return c.breakeven(); }},
      {"effective_usd_per_h", [](const Case& c) { return c.effective(); }},
      {"saving_share_at_utilisation",
       [](const Case& c) { return saving_share(c.effective(), c.in("cloud_usd_per_h")); }},
      {"saving_usd_per_h_at_utilisation", [](const Case& c) { return c.in("cloud_usd_per_h") - c.effective(); }},
      {"rental_usd",
       [](const Case& c) { return c.in("gpu_hours") * c.in("cloud_usd_per_h") / c.in("accelerators_per_server"); }},
      {"lease_usd", [](const Case& c) { return c.lease(); }},
      {"margin", [](const Case& c) { return c.in("revenue_usd") / c.lease() - 1; }},
      {"usd_per_m_tokens",
       [](const Case& c) {
         return per_million_tokens(c.own_gpu_hour(), c.in("accelerators"), c.in("throughput_tok_s"));
       }},
      {"usd_per_1000_requests",
       [](const Case& c) { return per_thousand_requests(c.own_year(), c.in("requests_per_s"), c.utilisation()); }},
      {"api_payback_months", [](const Case& c) { return c.api_months(); }},
      {"failures_per_gpu_year", [](const Case& c) { return c.failures(); }},
      {"failures_per_server_year", [](const Case& c) { return c.failures() * c.in("accelerators_per_server"); }},
      {"hours_between_stops",
       [](const Case& c) { return hours_between_stops(c.in("observed_days"), c.in("stop_events")); }},
  };
  return kOutputs;
}

std::map<std::string, double> overlaid(std::map<std::string, double> base, const nlohmann::json& over) {
  for (const auto& [key, value] : over.items()) base[key] = value.get<double>();
  return base;
}

TEST(TcoCases, EveryCheckHolds) {
  const char* folder = std::getenv("WEIR_FIELD_DATA");
  if (folder == nullptr) GTEST_SKIP() << "WEIR_FIELD_DATA is not set: the worked cost cases are not here";
  const auto path = std::filesystem::path(folder) / "data/facts/tco_cases.json";
  std::ifstream file(path);
  ASSERT_TRUE(file) << "cannot read " << path;
  const nlohmann::json all = nlohmann::json::parse(file);

  int checks = 0;
  for (const auto& one : all.at("cases")) {
    const auto base = overlaid({}, one.at("engine_inputs"));
    for (const auto& expected : one.at("expected")) {
      const auto name = expected.at("output").get<std::string>();
      const auto value = expected.at("value").get<double>();
      const Case inputs(overlaid(base, expected.value("with", nlohmann::json::object())));
      const double tolerance = expected.value("tolerance", one.at("tolerance_relative").get<double>());
      const auto relation = expected.value("relation", std::string("approx"));
      const double computed = inputs.output(name);
      const bool near = std::abs(computed - value) <= tolerance * std::abs(value);
      SCOPED_TRACE(one.at("id").get<std::string>() + " " + name);
      if (relation == "approx") {
        EXPECT_TRUE(near) << computed << " against " << value << ", tolerance " << tolerance;
      } else if (relation == "not_approx") {
        EXPECT_FALSE(near) << computed << " against " << value;
      } else if (relation == "greater") {
        EXPECT_GT(computed, value);
      } else {
        ASSERT_EQ(relation, "less");
        EXPECT_LT(computed, value);
      }
      ++checks;
    }
  }
  EXPECT_EQ(checks, 50);
}

}  // namespace
}  // namespace weir::sim

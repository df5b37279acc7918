#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "data/catalog.h"
#include "data/scenario.h"
#include "sim/cost/cost.h"
#include "sim/cost/ledger.h"

namespace weir::sim {

/// Every number of the cost model that is not a result of the simulation. Amounts are in USD, as the catalogue has
/// them.
enum class Input : std::size_t {
  discount_rate,
  inflation,
  target_availability,
  gpu_failures,
  server_stops,
  repair_hours,
  replaced_parts,
  warranty_years,
  network_share,
  storage_share,
  rack_setup,
  unrecovered_tax,
  purchase_discount,
  server_price_factor,
  pue,
  electricity,
  electricity_drift,
  demand_charge,
  idle_share,
  power_a,
  power_b,
  host_kw_8gpu,
  host_idle_kw_8gpu,
  host_kw_pcie,
  colocation,
  maintenance_share,
  engineer,
  gpus_per_fte,
  min_fte,
  software,
  internet,
  insurance_share,
  spare_stock_share,
  residual_1,
  residual_2,
  residual_3,
  residual_4,
  residual_5,
  residual_other,
  disposal_share,
  life_years,
  host_chassis,
  cloud_drift,
  cloud_support,
  contention,
  cloud_tax,
  cloud_storage,
  server_price,
  cloud_price,
  exchange_rate,
  count_
};
inline constexpr std::size_t kInputs = static_cast<std::size_t>(Input::count_);

/// One value of every input; those not loaded are 0.
struct InputValues {
  std::array<double, kInputs> at{};
  double operator[](Input input) const { return at[static_cast<std::size_t>(input)]; }
};

/// The inputs a price needs, each from the scenario's overrides, else from the catalogue at the scenario's region.
class EconomicInputs {
 public:
  EconomicInputs(const data::CostChoice& choice, const data::Catalog& catalog) : choice_(choice), catalog_(catalog) {}

  /// From overrides, else economics. Throws InputError for an override outside what the input can be.
  void load(Input input);
  void load(std::span<const Input> inputs);
  /// The same under another key of the economics (an input that depends on the form of the server).
  void load_as(Input input, std::string_view key);
  /// The discount rate (the scenario's own, else the catalogue's) and 1 USD in the scenario's currency.
  void load_rate_and_currency();
  /// A value that does not come from the economics file (prices, exchange rate). `drawn`: its range is real
  /// uncertainty.
  void set(Input input, std::string key, data::RangedQuantity value, bool overridden, bool drawn);
  /// Keeps the value at its middle in draw().
  void hold(Input input);

  InputValues middle() const;
  /// Draw number `index`: depends only on seed, index and input, so that all options see the same future.
  InputValues draw(std::uint64_t seed, std::uint64_t index) const;
  /// Every loaded input, in the order of Input.
  std::vector<CostInput> list() const;
  /// The weakest evidence among inputs of lines that are at least a tenth of the gross sum.
  data::Evidence weakest_that_matters(const Ledger& ledger) const;

 private:
  struct Loaded {
    bool present = false, overridden = false, drawn = false;
    std::string key;
    data::RangedQuantity value;
    double lowest = 0, highest = 0;  ///< ends of the triangles whose P5 and P95 are low and high
  };
  const data::CostChoice& choice_;
  const data::Catalog& catalog_;
  std::array<Loaded, kInputs> loaded_;
};

/// Override of this accelerator under "PREFIX.ID" (id or alias), e.g. "server_price_usd.t4"; null when there is none.
/// Throws InputError for a negative value.
const double* accelerator_override(const data::CostChoice& choice, const data::Catalog& catalog,
                                   std::string_view prefix, const data::Accelerator& accelerator);

/// Throws InputError when an override is neither an economic input nor a known price override.
void check_overrides(const data::CostChoice& choice, const data::Catalog& catalog);

/// Lowest and highest value that an override of this economic input may take; empty for a key that no cost depends on.
/// A highest value of 1e12 means that any will do.
std::optional<std::pair<double, double>> override_bounds(std::string_view key);

/// Uniform in (0, 1) from (seed, index, stream), by SplitMix64 (Steele, Lea, Flood 2014).
double uniform_draw(std::uint64_t seed, std::uint64_t index, std::uint64_t stream);

/// Ends of the two triangles that meet at the median `middle` and whose P5 is low and P95 is high.
std::array<double, 2> triangle_ends(double low, double middle, double high);

}  // namespace weir::sim

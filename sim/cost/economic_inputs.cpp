#include "sim/cost/economic_inputs.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "data/errors.h"
#include "sim/cost/readable_number.h"

namespace weir::sim {
namespace {

enum class Draw { triangular, discrete, choice };  // choice: what the user decides; never drawn

struct InputInfo {
  Input input;
  std::string_view key;
  double floor, ceiling;  ///< what the input can be; floor and ceiling of a draw and of an override
  Draw draw;
  Line line;  ///< the line it moves most
};

constexpr double kAny = 1e12;  // far above any planning value, far below where sums of it would overflow
constexpr std::array<InputInfo, kInputs> kInfo = {{
    {Input::discount_rate, "discount_rate", -0.99, 10, Draw::choice, Line::count_},
    {Input::inflation, "inflation", -0.5, 10, Draw::triangular, Line::maintenance},
    {Input::target_availability, "target_availability", 1e-6, 1 - 1e-9, Draw::choice, Line::server},
    {Input::gpu_failures, "gpu_failures_per_gpu_year", 0, 365, Draw::triangular, Line::server},
    {Input::server_stops, "server_stops_per_server_year", 0, 365, Draw::triangular, Line::server},
    {Input::repair_hours, "repair_hours", 0, 8760, Draw::triangular, Line::server},
    {Input::replaced_parts, "replaced_parts_per_gpu_year", 0, 365, Draw::triangular, Line::parts},
    {Input::warranty_years, "warranty_years", 0, 100, Draw::discrete, Line::parts},
    {Input::network_share, "network_share_of_server_capex", 0, 100, Draw::triangular, Line::network},
    {Input::storage_share, "storage_share_of_server_capex", 0, 100, Draw::triangular, Line::storage},
    {Input::rack_setup, "rack_setup_per_server_usd", 0, kAny, Draw::triangular, Line::rack_setup},
    {Input::unrecovered_tax, "unrecovered_tax_rate", 0, 10, Draw::triangular, Line::purchase_tax},
    {Input::purchase_discount, "purchase_discount", 0, 1, Draw::triangular, Line::server},
    {Input::server_price_factor, "server_price_factor", 0, 1000, Draw::triangular, Line::server},
    {Input::pue, "pue", 1, 10, Draw::triangular, Line::energy},
    {Input::electricity, "electricity_usd_per_kwh", 0, kAny, Draw::triangular, Line::energy},
    {Input::electricity_drift, "electricity_price_drift", -0.5, 10, Draw::triangular, Line::energy},
    {Input::demand_charge, "demand_charge_usd_per_kw_month", 0, kAny, Draw::triangular, Line::demand_charge},
    {Input::idle_share, "gpu_idle_share_of_tdp", 0, 1, Draw::triangular, Line::energy},
    {Input::power_a, "gpu_power_a", 0, 1, Draw::triangular, Line::energy},
    {Input::power_b, "gpu_power_b", -1, 1, Draw::triangular, Line::energy},
    {Input::host_kw_8gpu, "host_kw_per_8gpu_server", 0, 1000, Draw::triangular, Line::energy},
    {Input::host_idle_kw_8gpu, "host_idle_kw_per_8gpu_server", 0, 1000, Draw::triangular, Line::energy},
    {Input::host_kw_pcie, "host_kw_per_pcie_server", 0, 1000, Draw::triangular, Line::energy},
    {Input::colocation, "colo_usd_per_kw_month", 0, kAny, Draw::triangular, Line::colocation},
    {Input::maintenance_share, "maintenance_share_of_capex_per_year", 0, 100, Draw::triangular, Line::maintenance},
    {Input::engineer, "engineer_usd_per_year", 0, kAny, Draw::triangular, Line::staff},
    {Input::gpus_per_fte, "gpus_per_fte", 1e-6, kAny, Draw::triangular, Line::staff},
    {Input::min_fte, "min_fte", 0, 1e6, Draw::triangular, Line::staff},
    {Input::software, "software_usd_per_gpu_year", 0, kAny, Draw::choice, Line::software},
    {Input::internet, "internet_usd_per_month", 0, kAny, Draw::choice, Line::internet},
    {Input::insurance_share, "insurance_share_of_capex_per_year", 0, 100, Draw::triangular, Line::insurance},
    {Input::spare_stock_share, "spare_stock_share_of_capex", 0, 100, Draw::triangular, Line::spare_stock},
    {Input::residual_1, "residual_share_year_1", 0, 1, Draw::triangular, Line::residual},
    {Input::residual_2, "residual_share_year_2", 0, 1, Draw::triangular, Line::residual},
    {Input::residual_3, "residual_share_year_3", 0, 1, Draw::triangular, Line::residual},
    {Input::residual_4, "residual_share_year_4", 0, 1, Draw::triangular, Line::residual},
    {Input::residual_5, "residual_share_year_5", 0, 1, Draw::triangular, Line::residual},
    {Input::residual_other, "residual_share_non_gpu", 0, 1, Draw::triangular, Line::residual},
    {Input::disposal_share, "disposal_share_of_capex", 0, 1, Draw::triangular, Line::disposal},
    {Input::life_years, "depreciation_years", 1, 100, Draw::choice, Line::server},
    {Input::host_chassis, "host_chassis", 0, kAny, Draw::choice, Line::residual},
    {Input::cloud_drift, "cloud_price_drift", -0.9, 10, Draw::triangular, Line::cloud},
    {Input::cloud_support, "cloud_support_share", 0, 100, Draw::triangular, Line::cloud_support},
    {Input::contention, "contention_jitter_share", 0, 0.99, Draw::triangular, Line::cloud},
    {Input::cloud_tax, "cloud_tax_rate", 0, 10, Draw::triangular, Line::cloud_tax},
    {Input::cloud_storage, "storage_usd_per_gb_month", 0, kAny, Draw::triangular, Line::cloud_storage},
    {Input::server_price, "server_price_usd", 0, kAny, Draw::triangular, Line::server},
    {Input::cloud_price, "cloud_usd_per_hour", 0, kAny, Draw::triangular, Line::cloud},
    {Input::exchange_rate, "exchange_rate", 0, kAny, Draw::choice, Line::count_},
}};

constexpr const InputInfo& info(Input input) { return kInfo[static_cast<std::size_t>(input)]; }

constexpr bool in_order() {
  for (std::size_t i = 0; i < kInputs; ++i) {
    if (kInfo[i].input != static_cast<Input>(i)) return false;
  }
  return true;
}
static_assert(in_order());

std::string pointer(std::string_view key) { return "/cost/overrides/" + std::string(key); }

std::uint64_t mix(std::uint64_t z) {
  z += 0x9e3779b97f4a7c15U;
  z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9U;
  z = (z ^ (z >> 27U)) * 0x94d049bb133111ebU;
  return z ^ (z >> 31U);
}

/// Two triangles back to back, half of the draws in each: the middle value is the median, so that an answer computed at
/// the middle of every input lies inside its own range even where ranges are lopsided.
double triangular(double u, double lowest, double middle, double highest) {
  return u < 0.5 ? lowest + (middle - lowest) * std::sqrt(2 * u)
                 : highest - (highest - middle) * std::sqrt(2 * (1 - u));
}

data::RangedQuantity given_by_the_scenario(double value, const std::string& unit) {
  data::RangedQuantity given;
  given.low = given.mid = given.high = value;
  given.unit = unit;
  given.evidence = data::Evidence::datasheet;
  given.source = "given in the scenario (cost.overrides)";
  return given;
}

}  // namespace

void EconomicInputs::load(Input input) { load_as(input, info(input).key); }

void EconomicInputs::load_as(Input input, std::string_view name) {
  const InputInfo& about = info(input);
  const std::string key(name);
  data::RangedQuantity value = catalog_.economic(key, choice_.region);
  const auto given = choice_.overrides.find(key);
  const bool overridden = given != choice_.overrides.end();
  if (overridden) {
    if (!(given->second >= about.floor && given->second <= about.ceiling)) {
      throw data::InputError(
          "", pointer(key), readable_number(given->second),
          "expected a number from " + readable_number(about.floor) + " to " + readable_number(about.ceiling));
    }
    value = given_by_the_scenario(given->second, value.unit);
  }
  set(input, key, std::move(value), overridden, !overridden && about.draw != Draw::choice);
}

void EconomicInputs::load(std::span<const Input> inputs) {
  for (const Input input : inputs) load(input);
}

void EconomicInputs::load_rate_and_currency() {
  load(Input::discount_rate);
  Loaded& rate = loaded_[static_cast<std::size_t>(Input::discount_rate)];
  if (choice_.discount_rate && !rate.overridden) {
    data::RangedQuantity given = given_by_the_scenario(*choice_.discount_rate, rate.value.unit);
    given.source = "given in the scenario (cost.discount_rate)";
    set(Input::discount_rate, rate.key, std::move(given), true, false);
  }
  data::RangedQuantity unity;
  unity.low = unity.mid = unity.high = 1;
  unity.evidence = data::Evidence::measured_here;
  if (choice_.currency == "USD") {
    set(Input::exchange_rate, "exchange_rate.USD.USD", unity, false, false);
    return;
  }
  data::RangedQuantity rate_now = catalog_.exchange_rate("USD", choice_.currency);
  rate_now.mid = catalog_.convert(1, "USD", choice_.currency);
  set(Input::exchange_rate, "exchange_rate.USD." + choice_.currency, std::move(rate_now), false, false);
}

void EconomicInputs::set(Input input, std::string key, data::RangedQuantity value, bool overridden, bool drawn) {
  Loaded& slot = loaded_[static_cast<std::size_t>(input)];
  slot.present = true;
  slot.overridden = overridden;
  slot.drawn = drawn && value.low < value.high;
  slot.key = std::move(key);
  slot.lowest = slot.highest = value.mid;
  if (slot.drawn) {
    const auto ends = triangle_ends(value.low, value.mid, value.high);
    slot.lowest = ends[0];
    slot.highest = ends[1];
  }
  slot.value = std::move(value);
}

void EconomicInputs::hold(Input input) { loaded_[static_cast<std::size_t>(input)].drawn = false; }

InputValues EconomicInputs::middle() const {
  InputValues values;
  for (std::size_t i = 0; i < kInputs; ++i) values.at[i] = loaded_[i].value.mid;
  return values;
}

InputValues EconomicInputs::draw(std::uint64_t seed, std::uint64_t index) const {
  InputValues values;
  for (std::size_t i = 0; i < kInputs; ++i) {
    const Loaded& slot = loaded_[i];
    values.at[i] = slot.value.mid;
    if (!slot.drawn) continue;
    const double u = uniform_draw(seed, index, i);
    if (kInfo[i].draw == Draw::discrete) {
      values.at[i] = u * 3 < 1 ? slot.value.low : u * 3 < 2 ? slot.value.mid : slot.value.high;
    } else {
      // The tail of a positive quantity stays clear of 0: nobody runs a fleet with 0.01 GPUs an engineer.
      const double floor = slot.value.low > 0 ? std::max(kInfo[i].floor, slot.value.low / 2) : kInfo[i].floor;
      const double drawn = triangular(u, slot.lowest, slot.value.mid, slot.highest);
      values.at[i] = std::clamp(drawn, floor, kInfo[i].ceiling);
    }
  }
  return values;
}

std::vector<CostInput> EconomicInputs::list() const {
  std::vector<CostInput> inputs;
  for (const Loaded& slot : loaded_) {
    if (!slot.present || slot.key == "exchange_rate.USD.USD") continue;
    inputs.push_back({slot.key, slot.value, slot.overridden});
  }
  return inputs;
}

data::Evidence EconomicInputs::weakest_that_matters(const Ledger& ledger) const {
  const auto size = [&](std::size_t line) { return std::abs(ledger.line(static_cast<Line>(line)).units()); };
  double gross = 0;
  for (std::size_t line = 0; line < kLines; ++line) gross += size(line);
  data::Evidence weakest = data::Evidence::measured_here;
  for (std::size_t i = 0; i < kInputs; ++i) {
    if (!loaded_[i].present || kInfo[i].line == Line::count_) continue;
    if (size(static_cast<std::size_t>(kInfo[i].line)) * 10 < gross) continue;
    weakest = data::weakest(weakest, loaded_[i].value.evidence);
  }
  return weakest;
}

const double* accelerator_override(const data::CostChoice& choice, const data::Catalog& catalog,
                                   std::string_view prefix, const data::Accelerator& accelerator) {
  const std::string start = std::string(prefix) + ".";
  for (auto it = choice.overrides.lower_bound(start); it != choice.overrides.end() && it->first.starts_with(start);
       ++it) {
    const std::string name = it->first.substr(start.size());
    const bool same = name == accelerator.id || std::ranges::count(accelerator.aliases, name) > 0 ||
                      (name != "this-machine" && catalog.accelerator(name).id == accelerator.id);
    if (!same) continue;
    if (!(it->second >= 0 && it->second <= kAny)) {
      throw data::InputError("", pointer(it->first), readable_number(it->second), "expected a price of 0 or more");
    }
    return &it->second;
  }
  return nullptr;
}

void check_overrides(const data::CostChoice& choice, const data::Catalog& catalog) {
  for (const auto& [key, value] : choice.overrides) {
    bool known = catalog.has_economic(key);
    for (const std::string_view prefix : {"server_price_usd.", "cloud_usd_per_hour."}) {
      if (!key.starts_with(prefix)) continue;
      const std::string name = key.substr(prefix.size());
      if (name != "this-machine") catalog.accelerator(name);  // throws and names the nearest
      known = true;
    }
    if (known) continue;
    std::string nearest;
    for (const std::string& name : data::nearest_names(key, catalog.economic_keys()))
      nearest += (nearest.empty() ? "" : ", ") + name;
    throw data::InputError("", pointer(key), readable_number(value),
                           "expected an economic input (did you mean " + nearest +
                               "?), server_price_usd.ACCELERATOR or cloud_usd_per_hour.ACCELERATOR");
  }
}

std::optional<std::pair<double, double>> override_bounds(std::string_view key) {
  for (const InputInfo& about : kInfo) {
    const bool family = about.input == Input::host_chassis;  // one key for each form of server
    if (family ? key.starts_with(std::string(about.key) + "_") : key == about.key) {
      return std::pair(about.floor, about.ceiling);
    }
  }
  return std::nullopt;
}

double uniform_draw(std::uint64_t seed, std::uint64_t index, std::uint64_t stream) {
  const std::uint64_t bits = mix(mix(mix(seed) ^ index) ^ stream);
  return (static_cast<double>(bits >> 11U) + 0.5) * 0x1p-53;
}

std::array<double, 2> triangle_ends(double low, double middle, double high) {
  // A tenth of each half lies beyond the end of the range: (1 - (middle - low) / width)^2 = 0.1.
  constexpr double kWidthPerRange = 1.4624752955742644;  // 1 / (1 - sqrt(0.1))
  return {middle - (middle - low) * kWidthPerRange, middle + (high - middle) * kWidthPerRange};
}

}  // namespace weir::sim

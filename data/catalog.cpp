#include "data/catalog.h"

#include <algorithm>
#include <array>
#include <set>

#include "data/catalog_reader.h"
#include "data/embedded.h"
#include "data/errors.h"
#include "data/json_io.h"
#include "data/nearest.h"

namespace weir::data {
namespace {

constexpr std::string_view kCatalogue = "catalogue";

/// First entry whose id is `name`, else whose name, else one of whose aliases; in any case of letters.
template <class T>
const T* find_named(const std::vector<T>& entries, std::string_view name) {
  const std::string wanted = lower_case(name);
  for (const T& entry : entries) {
    if (lower_case(entry.id) == wanted) return &entry;
  }
  for (const T& entry : entries) {
    if (lower_case(entry.name) == wanted) return &entry;
  }
  for (const T& entry : entries) {
    for (const std::string& alias : entry.aliases) {
      if (lower_case(alias) == wanted) return &entry;
    }
  }
  return nullptr;
}

template <class T>
std::vector<std::string> ids_of(const std::vector<T>& entries) {
  std::vector<std::string> ids;
  for (const T& entry : entries) ids.push_back(entry.id);
  return ids;
}

/// Member states in 2026, as the country part of a place.
constexpr std::array<std::string_view, 27> kEuropeanUnion{"at", "be", "bg", "cy", "cz", "de", "dk", "ee", "es",
                                                          "fi", "fr", "gr", "hr", "hu", "ie", "it", "lt", "lu",
                                                          "lv", "mt", "nl", "pl", "pt", "ro", "se", "si", "sk"};

std::string country_of(std::string_view place) { return std::string(place.substr(0, place.find('-'))); }

/// The places whose value holds at `place`, the most exact first.
std::vector<std::string> from_near_to_far(std::string_view place) {
  const std::string exact = lower_case(place);
  std::vector<std::string> places{exact};
  const std::string country = country_of(exact);
  if (country != exact) places.push_back(country);
  if (std::find(kEuropeanUnion.begin(), kEuropeanUnion.end(), country) != kEuropeanUnion.end()) {
    places.push_back("eu");
  }
  return places;
}

[[noreturn]] void unknown(std::string_view what, std::string_view name, const std::vector<std::string>& known) {
  throw InputError(std::string(kCatalogue), "", '"' + std::string(name) + '"',
                   "unknown " + std::string(what) + "; " + did_you_mean(name, known));
}

}  // namespace

const Catalog& Catalog::builtin() {
  static const Catalog catalog = [] {
    Catalog built;
    CatalogReader reader(built);
    const auto parsed = [](const std::string& name) {
      return parse_json(embedded_file("catalog/" + name), "built-in " + name);
    };
    reader.hardware(parsed("hardware.json"), "built-in hardware.json");
    reader.models(parsed("models.json"), "built-in models.json");
    reader.prices(parsed("prices.json"), "built-in prices.json");
    reader.economics(parsed("economics.json"), "built-in economics.json");
    reader.networks(parsed("networks.json"), "built-in networks.json");
    return built;
  }();
  return catalog;
}

Catalog Catalog::load(const std::filesystem::path& folder) {
  if (!std::filesystem::is_directory(folder)) {
    throw InputError(folder.string(), "", "",
                     "expected a folder with hardware.json, models.json, prices.json, economics.json or networks.json");
  }
  Catalog catalog = builtin();
  CatalogReader reader(catalog);
  int files = 0;
  const auto lay = [&](const char* name,
                       void (CatalogReader::*read)(const nlohmann::ordered_json&, const std::string&)) {
    const auto file = folder / name;
    if (!std::filesystem::exists(file)) return;
    (reader.*read)(read_json_file(file), file.string());
    ++files;
  };
  lay("hardware.json", &CatalogReader::hardware);
  lay("models.json", &CatalogReader::models);
  lay("prices.json", &CatalogReader::prices);
  lay("economics.json", &CatalogReader::economics);
  lay("networks.json", &CatalogReader::networks);
  if (files == 0) {
    throw InputError(folder.string(), "", "",
                     "the folder holds no hardware.json, models.json, prices.json, economics.json or networks.json");
  }
  return catalog;
}

const Accelerator* Catalog::find_accelerator(std::string_view name) const { return find_named(accelerators_, name); }

const Model* Catalog::find_model(std::string_view name) const { return find_named(models_, name); }

const Accelerator& Catalog::accelerator(std::string_view name) const {
  if (const auto* found = find_accelerator(name)) return *found;
  unknown("accelerator", name, accelerator_ids());
}

const Model& Catalog::model(std::string_view name) const {
  if (const auto* found = find_model(name)) return *found;
  unknown("model", name, model_ids());
}

const Network& Catalog::network(std::string_view name) const {
  for (const Network& entry : networks_) {
    if (entry.id == lower_case(name)) return entry;
  }
  unknown("network", name, network_ids());
}

const Storage& Catalog::storage(std::string_view name) const {
  for (const Storage& entry : storages_) {
    if (entry.id == lower_case(name)) return entry;
  }
  unknown("storage", name, ids_of(storages_));
}

std::vector<std::string> Catalog::network_ids() const { return ids_of(networks_); }

std::vector<std::string> Catalog::accelerator_ids() const { return ids_of(accelerators_); }

std::vector<std::string> Catalog::model_ids() const { return ids_of(models_); }

bool Catalog::has_economic(std::string_view key) const { return economics_.contains(std::string(key)); }

std::vector<std::string> Catalog::economic_keys() const {
  std::vector<std::string> keys;
  for (const auto& [key, value] : economics_) keys.push_back(key);
  return keys;
}

RangedQuantity Catalog::economic(std::string_view key, std::string_view place) const {
  const auto found = economics_.find(std::string(key));
  if (found == economics_.end()) unknown("economic input", key, economic_keys());
  const auto regional = regional_economics_.find(found->first);
  if (place.empty() || regional == regional_economics_.end()) return found->second;
  for (const std::string& near : from_near_to_far(place)) {
    const auto value = regional->second.find(near);
    if (value != regional->second.end()) return value->second;
  }
  return found->second;
}

std::vector<std::string> Catalog::places() const {
  std::set<std::string> all;
  for (const PricePoint& point : prices_) all.insert(point.place);
  for (const auto& [key, places] : regional_economics_) {
    for (const auto& [place, value] : places) all.insert(place);
  }
  return {all.begin(), all.end()};
}

bool Catalog::knows_place(std::string_view place) const {
  const std::string country = country_of(lower_case(place));
  const auto all = places();
  return std::any_of(all.begin(), all.end(), [&](const std::string& known) { return country_of(known) == country; });
}

void Catalog::add(Accelerator accelerator) {
  for (Accelerator& existing : accelerators_) {
    if (existing.id == accelerator.id) {
      existing = std::move(accelerator);
      return;
    }
  }
  accelerators_.push_back(std::move(accelerator));
}

}  // namespace weir::data

#pragma once

#include <map>
#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

#include "data/catalog.h"
#include "data/json_reader.h"

namespace weir::data {

/// An id is what scenarios and file names use: lower-case letters, digits, dashes, dots.
std::string catalog_id(const JsonReader& reader);

/// Lays the content of one catalogue file over a catalogue: entries with the same id replace those that are there.
/// Every function throws InputError with file and JSON pointer, and then has changed nothing that a caller should use.
class CatalogReader {
 public:
  explicit CatalogReader(Catalog& catalog) : catalog_(catalog) {}

  void hardware(const nlohmann::ordered_json& json, const std::string& file);   ///< weir.hardware/1
  void models(const nlohmann::ordered_json& json, const std::string& file);     ///< weir.models/1
  void prices(const nlohmann::ordered_json& json, const std::string& file);     ///< weir.prices/1, after the hardware
  void economics(const nlohmann::ordered_json& json, const std::string& file);  ///< weir.economics/1
  void networks(const nlohmann::ordered_json& json, const std::string& file);   ///< weir.networks/1

 private:
  void read_sources(const ObjectReader& root);
  /// Title of a key of the file's `sources`; a text that is no key is its own title.
  std::string source_of(const ObjectReader& entry) const;
  std::string titles_of(const ObjectReader& entry) const;
  Quantity quantity(const JsonReader& reader, const NumberRange& range) const;
  RangedQuantity ranged(const ObjectReader& entry, const std::string& unit, const NumberRange& range) const;

  Quantity known_quantity(const JsonReader& reader, const NumberRange& range) const;
  Network network(const JsonReader& reader) const;
  Storage storage(const JsonReader& reader) const;
  Accelerator accelerator(const JsonReader& reader) const;
  Model model(const JsonReader& reader) const;
  PricePoint price_point(const JsonReader& reader) const;
  ServerPrice server_price(const JsonReader& reader) const;
  ExchangeRate exchange_rate(const JsonReader& reader) const;
  DiscountRatio discount_ratio(const JsonReader& reader) const;
  std::string known_accelerator(const JsonReader& reader) const;

  Catalog& catalog_;
  std::map<std::string, std::string> sources_;
};

}  // namespace weir::data

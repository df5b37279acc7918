// Reading of networks.json.
#include <algorithm>

#include "data/catalog_reader.h"
#include "data/json_io.h"

namespace weir::data {
namespace {

/// Replaces the entry with the same id, or adds a new one.
template <class T>
void put_by_id(std::vector<T>& all, T entry) {
  const auto found = std::find_if(all.begin(), all.end(), [&](const T& other) { return other.id == entry.id; });
  if (found == all.end()) {
    all.push_back(std::move(entry));
  } else {
    *found = std::move(entry);
  }
}

}  // namespace

Quantity CatalogReader::known_quantity(const JsonReader& reader, const NumberRange& range) const {
  Quantity value = quantity(reader, range);
  if (!value.known()) reader.object({"value", "evidence", "source", "note"}).at("value");  // names the missing value
  return value;
}

Network CatalogReader::network(const JsonReader& reader) const {
  const auto entry = reader.object({"id", "name", "kind", "adapter_bytes_per_s", "adapters_per_node", "note"});
  Network n;
  n.id = catalog_id(entry.at("id"));
  n.name = entry.at("name").text();
  n.kind = entry.at("kind").one_of({"rdma", "ethernet"});
  n.adapter_bytes_per_s = known_quantity(entry.at("adapter_bytes_per_s"), kPositive);
  n.adapters_per_node = known_quantity(entry.at("adapters_per_node"), NumberRange{1});
  n.note = entry.text_or("note", "");
  return n;
}

Storage CatalogReader::storage(const JsonReader& reader) const {
  const auto entry = reader.object({"id", "name", "bytes_per_s", "latency_s", "note"});
  Storage s;
  s.id = catalog_id(entry.at("id"));
  s.name = entry.at("name").text();
  s.bytes_per_s = known_quantity(entry.at("bytes_per_s"), kPositive);
  s.latency_s = known_quantity(entry.at("latency_s"), kNonNegative);
  s.note = entry.text_or("note", "");
  return s;
}

void CatalogReader::networks(const nlohmann::ordered_json& json, const std::string& file) {
  require_schema(json, file, "networks");
  const auto root = JsonReader(json, file).object({"schema", "date", "note", "sources", "networks", "storage"});
  read_sources(root);
  if (const auto list = root.find("networks")) {
    for (const JsonReader& reader : list->array()) put_by_id(catalog_.networks_, network(reader));
  }
  if (const auto list = root.find("storage")) {
    for (const JsonReader& reader : list->array()) put_by_id(catalog_.storages_, storage(reader));
  }
}

}  // namespace weir::data

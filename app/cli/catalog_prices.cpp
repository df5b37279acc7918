#include <algorithm>

#include "app/cli/catalog_view.h"
#include "data/errors.h"
#include "data/scenario.h"
#include "reports/decision_view.h"
#include "reports/text_table.h"

namespace weir::cli {
namespace {

using Json = nlohmann::ordered_json;

Json or_null(const std::optional<double>& value) { return value ? Json(*value) : Json(nullptr); }

Json price_json(const data::PricePoint& p) {
  return {{"id", p.id},
          {"kind", p.kind},
          {"provider", p.provider},
          {"sku", p.sku},
          {"accelerator", p.accelerator_id},
          {"accelerators", p.accelerators},
          {"per_accelerator_hour", or_null(p.per_accelerator_hour)},
          {"per_accelerator", or_null(p.per_accelerator)},
          {"currency", p.currency},
          {"term", p.term},
          {"region", p.region},
          {"place", p.place},
          {"date", p.date},
          {"evidence", data::to_string(p.evidence)},
          {"source", p.source}};
}

Json ranged_json(const std::string& key, const data::RangedQuantity& q) {
  return {{"key", key},         {"value", q.mid},
          {"low", q.low},       {"high", q.high},
          {"unit", q.unit},     {"evidence", data::to_string(q.evidence)},
          {"source", q.source}, {"note", q.note.empty() ? Json(nullptr) : Json(q.note)}};
}

Json server_json(const data::ServerPrice& s) {
  Json json = ranged_json("server_price." + s.accelerator_id, s.price);
  json["accelerator"] = s.accelerator_id;
  json["accelerators"] = s.accelerators;
  json["currency"] = s.currency;
  json["region"] = s.region;
  return json;
}

std::string rent_table(const data::Catalog& catalog, const std::string& id, int width) {
  reports::TextTable table({{"Accelerator", false, 0},
                            {"Kind", false, 2},
                            {"Provider", false, 0},
                            {"Term", false, 0},
                            {"Place", false, 3},
                            {"Per hour\neach", true, 0},
                            {"To buy\neach", true, 0},
                            {"", false, 0},
                            {"Date", false, 4},
                            {"Known as", false, 5},
                            {"Source", false, 6}});
  for (const data::PricePoint& p : catalog.prices()) {
    if (!id.empty() && p.accelerator_id != id) continue;
    table.add({p.accelerator_id, p.kind, p.provider, p.term, p.place.empty() ? p.region : p.place,
               p.per_accelerator_hour ? reports::significant(*p.per_accelerator_hour, 3) : "",
               p.per_accelerator ? reports::significant(*p.per_accelerator, 4) : "", p.currency, p.date,
               std::string(reports::evidence_word(p.evidence)), p.source});
  }
  return table.empty() ? "No card or rental price is known.\n" : table.render(width);
}

std::string server_table(const data::Catalog& catalog, const std::string& id, int width) {
  reports::TextTable table({{"Whole server", false, 0},
                            {"Cards", true, 0},
                            {"Price", true, 0},
                            {"Low", true, 1},
                            {"High", true, 1},
                            {"", false, 0},
                            {"Known as", false, 2},
                            {"Source", false, 3}});
  for (const data::ServerPrice& s : catalog.server_prices()) {
    if (!id.empty() && s.accelerator_id != id) continue;
    table.add({s.accelerator_id, std::to_string(s.accelerators), reports::money_full(s.price.mid, ""),
               reports::money_full(s.price.low, ""), reports::money_full(s.price.high, ""), s.currency,
               std::string(reports::evidence_word(s.price.evidence)), s.price.source});
  }
  return table.empty() ? "" : "\n" + table.render(width);
}

}  // namespace

CatalogView price_view(const data::Catalog& catalog, const std::string& name, int width) {
  const std::string id = name.empty() ? "" : catalog.accelerator(name).id;
  Json prices = Json::array();
  for (const data::PricePoint& p : catalog.prices()) {
    if (id.empty() || p.accelerator_id == id) prices.push_back(price_json(p));
  }
  Json servers = Json::array();
  for (const data::ServerPrice& s : catalog.server_prices()) {
    if (id.empty() || s.accelerator_id == id) servers.push_back(server_json(s));
  }
  return {{{"prices", std::move(prices)}, {"servers", std::move(servers)}},
          rent_table(catalog, id, width) + server_table(catalog, id, width)};
}

CatalogView economics_view(const data::Catalog& catalog, const std::string& name, int width) {
  if (!name.empty() && !catalog.economics().contains(name)) {
    std::vector<std::string> known;
    for (const auto& [key, value] : catalog.economics()) known.push_back(key);
    std::string nearest;
    for (const std::string& key : data::nearest_names(name, known)) nearest += (nearest.empty() ? "" : ", ") + key;
    throw data::InputError("economics", "", name, "did you mean " + nearest + "?");
  }
  reports::TextTable table({{"Input", false, 0},
                            {"Value", true, 0},
                            {"Low", true, 0},
                            {"High", true, 0},
                            {"Unit", false, 0},
                            {"Known as", false, 1},
                            {"Source", false, 2}});
  Json all = Json::array();
  for (const auto& [key, q] : catalog.economics()) {
    if (!name.empty() && key != name) continue;
    table.add({key, reports::trimmed(q.mid, 4), reports::trimmed(q.low, 4), reports::trimmed(q.high, 4), q.unit,
               std::string(reports::evidence_word(q.evidence)), q.source});
    all.push_back(ranged_json(key, q));
  }
  return {name.empty() ? std::move(all) : all.front(), table.render(width)};
}

}  // namespace weir::cli

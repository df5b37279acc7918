#include <algorithm>

#include "app/cli/catalog_view.h"
#include "data/errors.h"
#include "data/scenario.h"
#include "reports/decision_view.h"
#include "reports/text_table.h"

namespace weir::cli {
namespace {

using Json = nlohmann::ordered_json;
using reports::say;

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

std::string rent_table(const data::Catalog& catalog, const std::string& id, TextStyle style) {
  const auto in_words = [&](std::string_view english) { return say(style.language, english); };
  reports::TextTable table({{in_words("Accelerator"), false, 0},
                            {in_words("Kind"), false, 2},
                            {in_words("Provider"), false, 0},
                            {in_words("Term"), false, 0},
                            {in_words("Place"), false, 3},
                            {in_words("Per hour\neach"), true, 0},
                            {in_words("To buy\neach"), true, 0},
                            {"", false, 0},
                            {in_words("Date"), false, 4},
                            {in_words("Known as"), false, 5},
                            {in_words("Source"), false, 6}});
  for (const data::PricePoint& p : catalog.prices()) {
    if (!id.empty() && p.accelerator_id != id) continue;
    table.add({p.accelerator_id, in_words(p.kind), p.provider, in_words(p.term), p.place.empty() ? p.region : p.place,
               p.per_accelerator_hour ? reports::significant(*p.per_accelerator_hour, 3) : "",
               p.per_accelerator ? reports::significant(*p.per_accelerator, 4) : "", p.currency, p.date,
               reports::evidence_word(p.evidence, style.language), p.source});
  }
  return table.empty() ? in_words("No card or rental price is known.") + "\n" : table.render(style.width);
}

std::string server_table(const data::Catalog& catalog, const std::string& id, TextStyle style) {
  const auto in_words = [&](std::string_view english) { return say(style.language, english); };
  reports::TextTable table({{in_words("Whole server"), false, 0},
                            {in_words("Cards"), true, 0},
                            {in_words("Price"), true, 0},
                            {in_words("Low"), true, 1},
                            {in_words("High"), true, 1},
                            {"", false, 0},
                            {in_words("Known as"), false, 2},
                            {in_words("Source"), false, 3}});
  for (const data::ServerPrice& s : catalog.server_prices()) {
    if (!id.empty() && s.accelerator_id != id) continue;
    table.add({s.accelerator_id, std::to_string(s.accelerators), reports::money_full(s.price.mid, ""),
               reports::money_full(s.price.low, ""), reports::money_full(s.price.high, ""), s.currency,
               reports::evidence_word(s.price.evidence, style.language), s.price.source});
  }
  return table.empty() ? "" : "\n" + table.render(style.width);
}

}  // namespace

CatalogView price_view(const data::Catalog& catalog, const std::string& name, TextStyle style) {
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
          rent_table(catalog, id, style) + server_table(catalog, id, style)};
}

CatalogView economics_view(const data::Catalog& catalog, const std::string& name, TextStyle style) {
  if (!name.empty() && !catalog.economics().contains(name)) {
    std::vector<std::string> known;
    for (const auto& [key, value] : catalog.economics()) known.push_back(key);
    std::string nearest;
    for (const std::string& key : data::nearest_names(name, known)) nearest += (nearest.empty() ? "" : ", ") + key;
    throw data::InputError("economics", "", name, "did you mean " + nearest + "?");
  }
  const auto in_words = [&](std::string_view english) { return say(style.language, english); };
  reports::TextTable table({{in_words("Economic input"), false, 0},
                            {in_words("Value"), true, 0},
                            {in_words("Low"), true, 0},
                            {in_words("High"), true, 0},
                            {in_words("Unit"), false, 0},
                            {in_words("Known as"), false, 1},
                            {in_words("Source"), false, 2}});
  Json all = Json::array();
  for (const auto& [key, q] : catalog.economics()) {
    if (!name.empty() && key != name) continue;
    table.add({key, reports::trimmed(q.mid, 4), reports::trimmed(q.low, 4), reports::trimmed(q.high, 4),
               in_words(q.unit), reports::evidence_word(q.evidence, style.language), q.source});
    all.push_back(ranged_json(key, q));
  }
  return {name.empty() ? std::move(all) : all.front(), table.render(style.width)};
}

}  // namespace weir::cli

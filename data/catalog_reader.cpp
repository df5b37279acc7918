#include "data/catalog_reader.h"

#include <algorithm>
#include <set>
#include <utility>

#include "data/errors.h"
#include "data/json_io.h"
#include "data/nearest.h"

namespace weir::data {
namespace {

/// Replaces the entry that `same` recognises, or adds a new one.
template <class T, class Same>
void put(std::vector<T>& all, T entry, Same same) {
  const auto found = std::find_if(all.begin(), all.end(), same);
  if (found == all.end()) {
    all.push_back(std::move(entry));
  } else {
    *found = std::move(entry);
  }
}

std::vector<std::string> texts(const std::optional<JsonReader>& list) {
  std::vector<std::string> all;
  if (!list) return all;
  for (const JsonReader& entry : list->array()) all.push_back(entry.text());
  return all;
}

void once(std::set<std::string>& seen, const std::string& key, const JsonReader& reader) {
  if (!seen.insert(key).second) {
    throw InputError(reader.file(), reader.pointer(), '"' + key + '"', "this id stands twice in the file");
  }
}

std::string currency(const JsonReader& reader) {
  auto text = reader.text();
  const bool good =
      text.size() == 3 && std::all_of(text.begin(), text.end(), [](char c) { return c >= 'A' && c <= 'Z'; });
  if (!good) reader.fail("expected an ISO 4217 code such as \"USD\"");
  return text;
}

constexpr NumberRange kAtLeastOne{1};

}  // namespace

std::string catalog_id(const JsonReader& reader) {
  auto text = reader.text();
  for (const char c : text) {
    const bool good = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '.' || c == '_';
    if (!good) reader.fail("expected lower-case letters, digits, dashes and dots");
  }
  return text;
}

void CatalogReader::read_sources(const ObjectReader& root) {
  sources_.clear();
  const auto sources = root.find("sources");
  if (!sources) return;
  for (const auto& [key, title] : sources->members()) sources_[key] = title.text();
}

std::string CatalogReader::source_of(const ObjectReader& entry) const {
  auto key = entry.at("source").text();
  const auto found = sources_.find(key);
  return found == sources_.end() ? key : found->second;
}

std::string CatalogReader::titles_of(const ObjectReader& entry) const {
  std::string all;
  for (const JsonReader& reader : entry.at("sources").non_empty_array()) {
    const auto key = reader.text();
    const auto found = sources_.find(key);
    all += (all.empty() ? "" : "; ") + (found == sources_.end() ? key : found->second);
  }
  return all;
}

Quantity CatalogReader::quantity(const JsonReader& reader, const NumberRange& range) const {
  const auto entry = reader.object({"value", "evidence", "source", "note"});
  Quantity result;
  result.value = entry.optional_number("value", range);
  result.evidence = entry.at("evidence").evidence();
  result.source = source_of(entry);
  result.note = entry.text_or("note", "");
  return result;
}

RangedQuantity CatalogReader::ranged(const ObjectReader& entry, const std::string& unit,
                                     const NumberRange& range) const {
  RangedQuantity result;
  result.low = entry.at("low").number(range);
  result.mid = entry.at("mid").number(range);
  result.high = entry.at("high").number(range);
  if (result.low > result.mid) entry.at("low").fail("expected low <= mid");
  if (result.high < result.mid) entry.at("high").fail("expected high >= mid");
  result.unit = unit;
  result.evidence = entry.at("evidence").evidence();
  result.note = entry.text_or("note", "");
  return result;
}

Accelerator CatalogReader::accelerator(const JsonReader& reader) const {
  const auto entry = reader.object({"id", "name", "vendor", "architecture", "aliases", "form_factor", "note",
                                    "chips_on_board", "memory_bytes", "memory_bandwidth_bytes_per_s",
                                    "peak_flops_per_s", "tdp_w", "idle_w", "interconnect_name",
                                    "interconnect_bytes_per_s", "pcie_bytes_per_s", "max_per_server", "compute_units"});
  const auto optional = [&](std::string_view key, const NumberRange& range) {
    const auto found = entry.find(key);
    return found ? quantity(*found, range) : Quantity{};
  };
  Accelerator a;
  a.id = catalog_id(entry.at("id"));
  a.name = entry.at("name").text();
  a.vendor = entry.at("vendor").text();
  a.architecture = entry.at("architecture").text();
  a.aliases = texts(entry.find("aliases"));
  a.form_factor = entry.text_or("form_factor", "");
  a.note = entry.text_or("note", "");
  a.chips_on_board = entry.integer_or("chips_on_board", 1, 1, 64);
  a.memory_bytes = quantity(entry.at("memory_bytes"), kPositive);
  a.memory_bandwidth_bytes_per_s = quantity(entry.at("memory_bandwidth_bytes_per_s"), kPositive);
  for (const auto& [name, peak] : entry.at("peak_flops_per_s").members()) {
    const auto precision = parse_precision(name);
    if (!precision) peak.fail("expected a precision (fp32, tf32, fp16, bf16, fp8, int8, int4) as key");
    const auto value = quantity(peak, kPositive);
    if (value.known()) a.peak_flops_per_s[*precision] = value;
  }
  a.tdp_w = optional("tdp_w", kPositive);
  a.idle_w = optional("idle_w", kNonNegative);
  a.interconnect_name = entry.text_or("interconnect_name", "none");
  a.interconnect_bytes_per_s = optional("interconnect_bytes_per_s", kPositive);
  a.pcie_bytes_per_s = optional("pcie_bytes_per_s", kPositive);
  a.max_per_server = optional("max_per_server", kAtLeastOne);
  a.compute_units = optional("compute_units", kAtLeastOne);
  return a;
}

void CatalogReader::hardware(const nlohmann::ordered_json& json, const std::string& file) {
  require_schema(json, file, "hardware");
  const auto root = JsonReader(json, file).object({"schema", "date", "note", "sources", "accelerators"});
  read_sources(root);
  std::set<std::string> seen;
  for (const JsonReader& reader : root.at("accelerators").array()) {
    auto entry = accelerator(reader);
    once(seen, entry.id, reader);
    catalog_.add(std::move(entry));
  }
}

namespace {

/// A mixture without these keys is known by name only; the simulator says so.
void read_experts(const ObjectReader& entry, Model& m) {
  if (!entry.find("experts")) return;
  constexpr int kMostExperts = 65536, kMost = 100'000'000;
  ExpertShape& e = m.experts;
  e.count = entry.at("experts").small_integer(1, kMostExperts);
  e.active = entry.at("experts_active").small_integer(1, e.count);
  e.intermediate = entry.at("expert_intermediate").small_integer(1, kMost);
  e.shared_intermediate = entry.integer_or("shared_intermediate", 0, 0, kMost);
  e.dense_layers = entry.integer_or("dense_layers", 0, 0, m.layers - 1);
  m.mixture_of_experts = true;
}

void read_latent_attention(const ObjectReader& entry, Model& m) {
  if (m.attention != "mla" || !entry.find("kv_lora_rank")) return;
  constexpr int kMost = 1'000'000;
  LatentShape& l = m.latent;
  l.kv_rank = entry.at("kv_lora_rank").small_integer(1, kMost);
  l.query_rank = entry.integer_or("q_lora_rank", 0, 1, kMost);
  l.nope_dim = entry.at("qk_nope_head_dim").small_integer(1, kMost);
  l.rope_dim = entry.at("qk_rope_head_dim").small_integer(1, kMost);
  l.value_dim = entry.at("v_head_dim").small_integer(1, kMost);
}

}  // namespace

Model CatalogReader::model(const JsonReader& reader) const {
  const auto entry = reader.object({"id",
                                    "name",
                                    "kind",
                                    "family",
                                    "aliases",
                                    "layers",
                                    "hidden",
                                    "heads",
                                    "kv_heads",
                                    "head_dim",
                                    "intermediate",
                                    "vocabulary",
                                    "max_positions",
                                    "mlp_matrices",
                                    "tied_embeddings",
                                    "mixture_of_experts",
                                    "experts",
                                    "experts_active",
                                    "expert_intermediate",
                                    "shared_intermediate",
                                    "dense_layers",
                                    "attention",
                                    "kv_lora_rank",
                                    "q_lora_rank",
                                    "qk_nope_head_dim",
                                    "qk_rope_head_dim",
                                    "v_head_dim",
                                    "sliding_window",
                                    "sliding_layers",
                                    "parameters",
                                    "evidence",
                                    "source",
                                    "note"});
  Model m;
  m.id = catalog_id(entry.at("id"));
  m.name = entry.at("name").text();
  const auto kind = entry.at("kind").one_of({"llm", "encoder", "other"});
  m.kind = kind == "llm" ? ModelKind::llm : kind == "encoder" ? ModelKind::encoder : ModelKind::other;
  m.family = entry.text_or("family", "");
  m.aliases = texts(entry.find("aliases"));
  m.parameters = entry.number_or("parameters", 0, kPositive);
  m.evidence = entry.at("evidence").evidence();
  m.source = entry.at("source").text();
  m.note = entry.text_or("note", "");
  if (m.kind == ModelKind::other) return m;
  constexpr int kMost = 100'000'000;
  const auto count = [&](std::string_view key) { return entry.at(key).small_integer(1, kMost); };
  m.layers = count("layers");
  m.hidden = count("hidden");
  m.heads = count("heads");
  m.kv_heads = count("kv_heads");
  m.head_dim = count("head_dim");
  m.intermediate = count("intermediate");
  m.vocabulary = count("vocabulary");
  m.max_positions = count("max_positions");
  m.mlp_matrices = entry.integer_or("mlp_matrices", 3, 2, 3);
  m.tied_embeddings = entry.boolean_or("tied_embeddings", false);
  m.mixture_of_experts = entry.boolean_or("mixture_of_experts", false);
  const auto attention = entry.find("attention");
  m.attention = attention ? attention->one_of({"gqa", "mha", "mla"}) : m.heads == m.kv_heads ? "mha" : "gqa";
  if (m.kv_heads > m.heads || m.heads % m.kv_heads != 0) entry.at("kv_heads").fail("expected a divisor of heads");
  read_experts(entry, m);
  read_latent_attention(entry, m);
  m.sliding_layers = entry.integer_or("sliding_layers", 0, 0, m.layers);
  if (m.sliding_layers > 0) m.sliding_window = entry.at("sliding_window").small_integer(1, kMost);
  return m;
}

void CatalogReader::models(const nlohmann::ordered_json& json, const std::string& file) {
  require_schema(json, file, "models");
  const auto root = JsonReader(json, file).object({"schema", "date", "note", "sources", "models"});
  read_sources(root);
  std::set<std::string> seen;
  for (const JsonReader& reader : root.at("models").array()) {
    auto entry = model(reader);
    once(seen, entry.id, reader);
    const auto key = entry.id;
    put(catalog_.models_, std::move(entry), [&](const Model& m) { return m.id == key; });
  }
}

std::string CatalogReader::known_accelerator(const JsonReader& reader) const {
  const auto name = reader.text();
  if (const auto* found = catalog_.find_accelerator(name)) return found->id;
  reader.fail("unknown accelerator; " + did_you_mean(name, catalog_.accelerator_ids()));
}

PricePoint CatalogReader::price_point(const JsonReader& reader) const {
  const auto entry = reader.object({"id",
                                    "kind",
                                    "provider",
                                    "sku",
                                    "accelerator",
                                    "accelerators",
                                    "per_accelerator_hour",
                                    "per_accelerator",
                                    "low",
                                    "high",
                                    "currency",
                                    "term",
                                    "region",
                                    "place",
                                    "date",
                                    "source",
                                    "evidence",
                                    "condition",
                                    "note",
                                    "not_used"});
  PricePoint p;
  p.id = entry.at("id").text();
  p.kind = entry.at("kind").one_of({"rent", "buy-card", "buy-module", "buy-server", "buy-cluster", "buy-kit"});
  p.provider = entry.at("provider").text();
  p.sku = entry.text_or("sku", "");
  p.accelerator_id = known_accelerator(entry.at("accelerator"));
  p.accelerators = entry.number_or("accelerators", 1, kPositive);
  if (p.kind == "rent") {
    p.per_accelerator_hour = entry.at("per_accelerator_hour").number(kPositive);
    p.term = entry.at("term").one_of({"on-demand", "spot", "reserved-1y", "reserved-3y", "monthly", "assumed"});
  } else {
    p.per_accelerator = entry.at("per_accelerator").number(kPositive);
    p.term = entry.text_or("term", "purchase");
  }
  p.low = entry.optional_number("low", kPositive);
  p.high = entry.optional_number("high", kPositive);
  p.currency = currency(entry.at("currency"));
  p.place = lower_case(entry.at("place").text());
  p.region = entry.text_or("region", p.place);
  p.date = entry.at("date").text();
  p.source = source_of(entry);
  p.evidence = entry.at("evidence").evidence();
  p.condition = entry.text_or("condition", "");
  p.note = entry.text_or("note", "");
  p.not_used = entry.text_or("not_used", "");
  return p;
}

ServerPrice CatalogReader::server_price(const JsonReader& reader) const {
  const auto entry = reader.object({"accelerator", "accelerators", "low", "mid", "high", "currency", "region",
                                    "evidence", "source", "sources", "note"});
  ServerPrice s;
  s.accelerator_id = known_accelerator(entry.at("accelerator"));
  s.accelerators = entry.at("accelerators").small_integer(1, 1024);
  s.currency = currency(entry.at("currency"));
  s.region = entry.text_or("region", "world");
  s.price = ranged(entry, s.currency + "/server", kPositive);
  s.price.source = entry.find("sources") ? titles_of(entry) : source_of(entry);
  return s;
}

ExchangeRate CatalogReader::exchange_rate(const JsonReader& reader) const {
  const auto entry = reader.object({"from", "to", "low", "mid", "high", "date", "evidence", "source", "note"});
  ExchangeRate r;
  r.from = currency(entry.at("from"));
  r.to = currency(entry.at("to"));
  r.date = entry.at("date").text();
  r.rate = ranged(entry, r.to + "/" + r.from, kPositive);
  r.rate.source = source_of(entry);
  return r;
}

DiscountRatio CatalogReader::discount_ratio(const JsonReader& reader) const {
  const auto entry = reader.object({"scheme", "term", "low", "mid", "high", "evidence", "source", "note"});
  DiscountRatio d;
  d.scheme = entry.at("scheme").text();
  d.term = entry.at("term").one_of({"spot", "reserved-1y", "reserved-3y"});
  d.ratio = ranged(entry, "ratio to on demand", kPositive);
  d.ratio.source = source_of(entry);
  return d;
}

void CatalogReader::prices(const nlohmann::ordered_json& json, const std::string& file) {
  require_schema(json, file, "prices");
  const auto root = JsonReader(json, file)
                        .object({"schema", "date", "note", "sources", "exchange_rates", "server_prices",
                                 "discount_ratios", "points"});
  read_sources(root);
  const auto each = [&](std::string_view key, const auto& read) {
    if (const auto list = root.find(key)) {
      for (const JsonReader& reader : list->array()) read(reader);
    }
  };
  each("exchange_rates", [&](const JsonReader& reader) {
    const auto entry = exchange_rate(reader);
    put(catalog_.rates_, entry, [&](const ExchangeRate& r) { return r.from == entry.from && r.to == entry.to; });
  });
  each("server_prices", [&](const JsonReader& reader) {
    const auto entry = server_price(reader);
    put(catalog_.server_prices_, entry,
        [&](const ServerPrice& s) { return s.accelerator_id == entry.accelerator_id && s.currency == entry.currency; });
  });
  each("discount_ratios", [&](const JsonReader& reader) {
    const auto entry = discount_ratio(reader);
    put(catalog_.discount_ratios_, entry,
        [&](const DiscountRatio& d) { return d.scheme == entry.scheme && d.term == entry.term; });
  });
  std::set<std::string> seen;
  std::map<std::string, std::size_t> places;  // id -> index: a linear search a point would be quadratic
  for (std::size_t i = 0; i < catalog_.prices_.size(); ++i) places[catalog_.prices_[i].id] = i;
  each("points", [&](const JsonReader& reader) {
    auto entry = price_point(reader);
    once(seen, entry.id, reader);
    const auto [found, added] = places.emplace(entry.id, catalog_.prices_.size());
    if (added) {
      catalog_.prices_.push_back(std::move(entry));
    } else {
      catalog_.prices_[found->second] = std::move(entry);
    }
  });
}

void CatalogReader::economics(const nlohmann::ordered_json& json, const std::string& file) {
  require_schema(json, file, "economics");
  const auto root = JsonReader(json, file).object({"schema", "date", "note", "sources", "inputs"});
  read_sources(root);
  for (const auto& [key, reader] : root.at("inputs").members()) {
    const auto entry = reader.object({"group", "unit", "low", "mid", "high", "evidence", "source", "note", "by_place"});
    const auto unit = entry.at("unit").text();
    auto value = ranged(entry, unit, kAnyNumber);
    value.source = source_of(entry);
    if (!catalog_.economics_.contains(key)) {
      const auto group = entry.find("group");
      catalog_.economic_groups_.emplace_back(key, group ? group->text() : "");
    }
    catalog_.economics_[key] = value;
    const auto by_place = entry.find("by_place");
    if (!by_place) continue;
    for (const auto& [place, regional] : by_place->members()) {
      const auto inner = regional.object({"low", "mid", "high", "evidence", "source", "note"});
      auto regional_value = ranged(inner, unit, kAnyNumber);
      regional_value.source = source_of(inner);
      catalog_.regional_economics_[key][lower_case(place)] = regional_value;
    }
  }
}

}  // namespace weir::data

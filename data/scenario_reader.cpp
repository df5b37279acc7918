#include "data/scenario_reader.h"
#include "data/mig_slice.h"

#include <algorithm>
#include <set>

#include "data/errors.h"
#include "data/nearest.h"

namespace weir::data {
namespace {

constexpr const char* kThisMachine = "this-machine";  // id of the device a calibration describes

void refuse_unless_null(const ObjectReader& entry, std::string_view key, const std::string& why) {
  if (const auto found = entry.find(key)) found->not_in_this_version(why);
}

template <class T>
void unique(const std::vector<T>& all, const JsonReader& reader) {
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (std::find(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(i), all[i]) !=
        all.begin() + static_cast<std::ptrdiff_t>(i)) {
      reader.array()[i].fail("this entry stands twice in the list");
    }
  }
}

/// Sign and size that an economic input may have; the catalogue's unit says which kind of number it is.
NumberRange range_of(const std::string& key, const RangedQuantity& economic) {
  if (key == "pue") return {1};
  if (economic.low < 0) return {-1, kAnyNumber.high, false, true};  // rates of change
  const std::string& unit = economic.unit;
  if (unit.rfind("share", 0) == 0 || unit == "probability") return kFraction;
  return kNonNegative;
}

std::vector<int> tensor_parallel_list(const JsonReader& reader) {
  std::vector<int> all;
  for (const JsonReader& entry : reader.non_empty_array()) all.push_back(entry.small_integer(1, 64));
  unique(all, reader);
  return all;
}

}  // namespace

std::string ScenarioReader::accelerator(const JsonReader& reader) const {
  const auto name = reader.text();
  if (name == kThisMachine) return name;
  if (const auto* found = catalog_.find_accelerator(name)) return found->id;
  reader.fail("unknown accelerator; " + did_you_mean(name, catalog_.accelerator_ids()));
}

ModelChoice ScenarioReader::model(const JsonReader& reader, WorkloadKind kind) const {
  const auto entry = reader.object({"id", "weights", "activations", "kv", "sparsity", "pruned_share", "layers_kept",
                                    "vocabulary_kept", "distilled_to", "expert_skew", "quality"});
  ModelChoice choice;
  const auto id = entry.at("id");
  const auto name = id.text();
  const auto* found = catalog_.find_model(name);
  if (found == nullptr) id.fail("unknown model; " + did_you_mean(name, catalog_.model_ids()));
  choice.id = found->id;
  if (found->kind == ModelKind::other) id.not_in_this_version("models are language models and text encoders");
  if ((found->kind == ModelKind::llm) != (kind == WorkloadKind::generative)) {
    id.fail(kind == WorkloadKind::generative ? "a generative workload needs a language model; this is an encoder"
                                             : "a one-shot workload needs an encoder; this is a language model");
  }
  const auto precision = [&](std::string_view key, Precision otherwise) {
    const auto value = entry.find(key);
    return value ? value->precision() : otherwise;
  };
  choice.weights = precision("weights", choice.weights);
  choice.activations = precision("activations", choice.weights);
  choice.kv = precision("kv", choice.kv);
  choice.compression = read_compression(entry, *found, catalog_);
  const Model served = compressed(catalog_, choice.id, choice.compression);
  if (const auto skew = entry.find("expert_skew")) {
    choice.expert_skew = skew->number({0, 4});
    if (choice.expert_skew > 0 && served.experts.count == 0) skew->fail("0: this model has no experts");
  }
  choice.quality = entry.text_or("quality", "");
  return choice;
}

Workload ScenarioReader::workload(const JsonReader& reader) const {
  const auto entry = reader.object({"name", "kind", "model", "classes", "trace", "growth_per_year", "duration_s"});
  Workload w;
  w.name = entry.at("name").text();
  const auto kind = entry.find("kind");
  w.kind = !kind || kind->one_of({"generative", "one-shot"}) == "generative" ? WorkloadKind::generative
                                                                             : WorkloadKind::one_shot;
  w.model = model(entry.at("model"), w.kind);
  if (const auto trace = entry.find("trace")) w.trace = read_trace_reference(*trace);
  w.growth_per_year = entry.number_or("growth_per_year", 0, {-1, 100, false, true});
  w.duration_s = entry.optional_number("duration_s", {0, 1e7, false, true});
  double share = 0;
  std::set<std::string> names;
  for (const JsonReader& c : entry.at("classes").non_empty_array()) {
    w.classes.push_back(read_request_class(c, w.kind, w.trace.has_value()));
    share += w.classes.back().share;
    if (!names.insert(w.classes.back().name).second) {
      for (const auto& [key, value] : c.members()) {
        if (key == "name") value.fail("another class has this name");
      }
    }
  }
  if (share <= 0) entry.at("classes").fail("expected at least one class with a share > 0");
  return w;
}

std::vector<PoolChoice> ScenarioReader::pools(const JsonReader& reader) const {
  constexpr std::size_t kMostPools = 64;
  std::vector<PoolChoice> all;
  for (const JsonReader& one : reader.non_empty_array()) {
    const auto entry = one.object({"accelerator", "replicas", "tensor_parallel", "cloud", "speed"});
    PoolChoice& pool = all.emplace_back();
    pool.accelerator = accelerator(entry.at("accelerator"));
    pool.replicas = entry.integer_or("replicas", 1, 1, 100'000);
    pool.tensor_parallel = entry.integer_or("tensor_parallel", 1, 1, 64);
    pool.cloud = entry.boolean_or("cloud", false);
    pool.speed = entry.optional_number("speed", {1e-6, 1e6});
    if (pool.speed.has_value() != all.front().speed.has_value()) {
      entry.fail_at("speed", "speeds are relative: all pools have one or none");
    }
  }
  if (all.size() > kMostPools) reader.fail("at most 64 pools");
  return all;
}

DeploymentChoice ScenarioReader::deployment(const JsonReader& reader) const {
  const auto entry = reader.object({"accelerator", "replicas", "tensor_parallel", "pipeline_parallel", "micro_batches",
                                    "expert_parallel", "slice", "network", "all_reduce_overlap", "pools"});
  DeploymentChoice d;
  if (const auto found = entry.find("pools")) {
    d.pools = pools(*found);
    for (const char* key : {"accelerator", "replicas", "tensor_parallel", "slice"}) {
      if (entry.find(key)) entry.fail_at(key, "not beside pools, which say themselves what they are");
    }
  }
  if (const auto name = entry.find("accelerator")) d.accelerator = accelerator(*name);
  d.replicas = entry.integer_or("replicas", 1, 1, 1'000'000);
  d.tensor_parallel = entry.integer_or("tensor_parallel", 1, 1, 64);
  if (const auto slice = entry.find("slice")) {
    if (d.accelerator.empty()) slice->fail("null without an accelerator to cut");
    if (d.tensor_parallel > 1) slice->fail("null with tensor_parallel: slices have no link between them");
    d.slice = slice->text();
    int per_card = 0;
    if (const Accelerator* card = catalog_.find_accelerator(d.accelerator)) {
      mig_slice(*card, d.slice, slice->file(), slice->pointer(), per_card);
    } else {
      slice->fail("null on the machine at hand, which is measured as it is");
    }
  }
  d.parallel = read_parallel(entry);
  if (d.parallel.pipeline * d.parallel.expert > 1 && !d.slice.empty()) {
    entry.at("slice").fail("null with several accelerators a replica: slices have no link between them");
  }
  d.links = read_links(entry, catalog_);
  return d;
}

Candidates ScenarioReader::candidates(const JsonReader& reader, const std::string& engine) const {
  const auto entry = reader.object({"accelerators", "precisions", "engines", "tensor_parallel", "pipeline_parallel",
                                    "expert_parallel", "tenures", "max_replicas"});
  Candidates c;
  if (const auto list = entry.find("accelerators")) {
    for (const JsonReader& name : list->array()) c.accelerators.push_back(accelerator(name));
    unique(c.accelerators, *list);
  }
  if (const auto list = entry.find("precisions")) {
    for (const JsonReader& name : list->non_empty_array()) c.precisions.push_back(name.precision());
    unique(c.precisions, *list);
  }
  if (const auto list = entry.find("engines")) {
    for (const JsonReader& name : list->array()) {
      if (name.text() != engine)
        name.not_in_this_version("one engine is compared, serving.engine (\"" + engine + "\")");
    }
  }
  if (const auto list = entry.find("tensor_parallel")) c.tensor_parallel = tensor_parallel_list(*list);
  c.parallel = read_parallel_lists(entry);
  if (const auto list = entry.find("tenures")) {
    for (const JsonReader& name : list->non_empty_array()) {
      c.tenures.push_back(name.one_of({"owned", "cloud", "hybrid", "leased"}));
      if (c.tenures.back() == "hybrid" || c.tenures.back() == "leased") {
        name.not_in_this_version("tenures are \"owned\" and \"cloud\"");
      }
    }
    unique(c.tenures, *list);
  }
  c.max_replicas = entry.integer_or("max_replicas", c.max_replicas, 1, 1'000'000);
  return c;
}

std::pair<std::string, double> ScenarioReader::override_of(const std::string& key, const JsonReader& reader) const {
  for (const std::string prefix : {"server_price_usd.", "cloud_usd_per_hour."}) {
    if (key.rfind(prefix, 0) != 0) continue;
    const std::string name = key.substr(prefix.size());
    const double value = reader.number(kPositive);
    if (name == kThisMachine) return {key, value};
    if (const auto* found = catalog_.find_accelerator(name)) return {prefix + found->id, value};
    throw InputError(reader.file(), reader.pointer(), '"' + name + '"',
                     "unknown accelerator; " + did_you_mean(name, catalog_.accelerator_ids()));
  }
  if (!catalog_.has_economic(key)) {
    auto known = catalog_.economic_keys();
    known.insert(known.end(), {"server_price_usd.ACCELERATOR", "cloud_usd_per_hour.ACCELERATOR"});
    throw InputError(reader.file(), reader.pointer(), "", "unknown key; " + did_you_mean(key, known));
  }
  return {key, reader.number(range_of(key, catalog_.economic(key)))};
}

CostChoice ScenarioReader::cost(const JsonReader& reader) const {
  const auto entry =
      reader.object({"horizon_months", "currency", "region", "discount_rate", "cloud_term", "overrides"});
  CostChoice c;
  c.horizon_months = entry.integer_or("horizon_months", c.horizon_months, 1, 120);
  if (const auto currency = entry.find("currency")) {
    c.currency = currency->text();
    std::vector<std::string> known{"USD"};
    for (const ExchangeRate& rate : catalog_.exchange_rates()) {
      for (const std::string& name : {rate.from, rate.to}) {
        if (std::find(known.begin(), known.end(), name) == known.end()) known.push_back(name);
      }
    }
    if (std::find(known.begin(), known.end(), c.currency) == known.end()) {
      currency->fail("no exchange rate is known for it; " + did_you_mean(c.currency, known));
    }
  }
  if (const auto region = entry.find("region")) {
    c.region = lower_case(region->text());
    if (!catalog_.knows_place(c.region)) {
      region->fail("no price is known there; " + did_you_mean(c.region, catalog_.places()));
    }
  }
  c.discount_rate = entry.optional_number("discount_rate", kFraction);
  if (const auto term = entry.find("cloud_term")) {
    c.cloud_term = term->one_of({"on-demand", "reserved-1y", "reserved-3y", "spot"});
  }
  if (const auto overrides = entry.find("overrides")) {
    for (const auto& [key, value] : overrides->members()) {
      const auto [name, number] = override_of(key, value);
      if (!c.overrides.emplace(name, number).second) value.fail("another key overrides the same input");
    }
  }
  return c;
}

Scenario ScenarioReader::scenario(const JsonReader& reader) const {
  const auto entry = reader.object({"schema", "name", "title", "note", "seed", "workloads", "serving", "deployment",
                                    "fleet", "existing", "candidates", "constraints", "cost"});
  Scenario s;
  s.name = entry.text_or("name", "");
  if (const auto title = entry.find("title")) {
    for (const auto& [language, text] : title->members()) s.title[language] = text.text();
  }
  s.note = entry.text_or("note", "");
  if (const auto seed = entry.find("seed")) {
    s.seed = static_cast<std::uint64_t>(seed->integer(0, std::numeric_limits<std::int64_t>::max()));
  }
  std::set<std::string> names;
  const auto workloads = entry.at("workloads").non_empty_array();
  for (const JsonReader& w : workloads) {
    s.workloads.push_back(workload(w));
    const auto place = w.pointer();
    if (!names.insert(s.workloads.back().name).second) {
      throw InputError(w.file(), place + "/name", '"' + s.workloads.back().name + '"',
                       "another workload has this name");
    }
    if (s.workloads.back().kind != s.workloads.front().kind) {
      throw InputError(w.file(), place + "/kind", "",
                       "not in this version: generative and one-shot workloads in one scenario");
    }
  }
  const nlohmann::ordered_json nothing = nlohmann::ordered_json::object();
  const JsonReader defaults(nothing, reader.file());
  s.serving = read_serving(entry.find("serving").value_or(defaults), s.workloads.front().kind);
  if (const auto found = entry.find("deployment")) s.deployment = deployment(*found);
  if (const auto found = entry.find("fleet")) {
    std::vector<std::string> storages;
    for (const Storage& storage : catalog_.storages()) storages.push_back(storage.id);
    s.fleet = read_fleet_conduct(*found, storages);
    if (s.fleet.autoscaling && s.deployment.pools.size() > 1) {
      found->fail("a fleet of several pools is not autoscaled");
    }
    if (s.fleet.autoscaling && s.serving.router == "priority") {
      found->fail("router \"priority\" keeps replicas of a fixed fleet; this one is autoscaled");
    }
  }
  if (const auto found = entry.find("candidates")) s.candidates = candidates(*found, s.serving.engine);
  const auto& ranks = s.candidates.tensor_parallel;
  const auto& pools = s.deployment.pools;
  const bool reduces =
      s.deployment.tensor_parallel > 1 || std::any_of(ranks.begin(), ranks.end(), [](int r) { return r > 1; }) ||
      std::any_of(pools.begin(), pools.end(), [](const PoolChoice& p) { return p.tensor_parallel > 1; });
  const auto& stages = s.candidates.parallel.pipeline;
  const bool staged = s.deployment.parallel.pipeline > 1 ||
                      std::any_of(stages.begin(), stages.end(), [](int stage) { return stage > 1; });
  if (s.deployment.parallel.micro_batches > 0 && !staged) {
    throw InputError(reader.file(), reader.pointer() + "/deployment/micro_batches", "",
                     "no deployment or candidate has more than one pipeline stage");
  }
  if (s.deployment.links.all_reduce_overlap > 0 && !reduces) {
    throw InputError(reader.file(), reader.pointer() + "/deployment/all_reduce_overlap", "",
                     "no deployment or candidate has more than one tensor-parallel rank, so there is no all-reduce");
  }
  if (const auto found = entry.find("existing"); found && !found->array().empty()) {
    found->not_in_this_version("fleets start empty");
  }
  if (const auto found = entry.find("constraints")) {
    const auto inner = found->object({"budget", "rack_kw", "rack_units", "max_lead_time_days", "residency"});
    for (const char* key : {"budget", "rack_kw", "rack_units", "max_lead_time_days", "residency"}) {
      refuse_unless_null(inner, key, "plans are not constrained");
    }
  }
  if (const auto found = entry.find("cost")) s.cost = cost(*found);
  return s;
}

}  // namespace weir::data

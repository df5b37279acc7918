#include "data/scenario_fleet.h"

#include "data/json_reader.h"

namespace weir::data {
namespace {

using Json = nlohmann::ordered_json;

// Bounds that keep a run finite: at most some hundred failures or spells an hour and replica.
constexpr NumberRange kBetweenFailures{0.01, 1e7}, kDown{0, 8760}, kDelay{0, 86'400};
constexpr NumberRange kInterval{1, 86'400}, kStartUp{0, 86'400}, kSpell{0.01, 1e7};
constexpr int kMostReplicas = 100'000;

Failures read_failures(const JsonReader& reader) {
  const auto entry =
      reader.object({"mtbf_h", "repair_h", "distribution", "on_failure", "retry_delay_s", "max_retries"});
  Failures f;
  f.mtbf_h = entry.at("mtbf_h").number(kBetweenFailures);
  f.repair_h = entry.at("repair_h").number(kDown);
  if (const auto distribution = entry.find("distribution")) {
    f.fixed = distribution->one_of({"exponential", "fixed"}) == "fixed";
  }
  if (const auto policy = entry.find("on_failure")) f.retry = policy->one_of({"retry", "lose"}) == "retry";
  if (!f.retry) {
    for (const char* key : {"retry_delay_s", "max_retries"}) {
      if (entry.find(key)) entry.fail_at(key, "requests are lost with their replica (on_failure), none is sent again");
    }
  }
  f.retry_delay_s = entry.number_or("retry_delay_s", f.retry_delay_s, kDelay);
  f.max_retries = entry.integer_or("max_retries", f.max_retries, 1, 100);
  return f;
}

Maintenance read_maintenance(const JsonReader& reader) {
  const auto entry = reader.object({"every_h", "lasts_h", "drain"});
  Maintenance m;
  m.every_h = entry.at("every_h").number(kBetweenFailures);
  m.lasts_h = entry.at("lasts_h").number(kDown);
  m.drain = entry.boolean_or("drain", m.drain);
  return m;
}

std::vector<ScheduledReplicas> read_schedule(const JsonReader& reader, int min, int max) {
  std::vector<ScheduledReplicas> all;
  for (const JsonReader& one : reader.non_empty_array()) {
    const auto entry = one.object({"at_h", "replicas"});
    const auto at = entry.at("at_h");
    all.push_back({at.number({0, 24, true, false}), entry.at("replicas").small_integer(min, max)});
    if (all.size() > 1 && all.back().at_h <= all[all.size() - 2].at_h) at.fail("hours of the day in ascending order");
  }
  return all;
}

Autoscaling read_autoscaling(const JsonReader& reader, const std::vector<std::string>& storages) {
  const auto entry = reader.object({"metric", "target", "min", "max", "interval_s", "cooldown_up_s", "cooldown_down_s",
                                    "start_up_s", "boot_s", "weights_from", "schedule"});
  Autoscaling a;
  a.metric = entry.at("metric").one_of({"outstanding", "queue", "utilisation", "schedule"});
  a.min = entry.integer_or("min", a.min, 1, kMostReplicas);
  a.max = entry.at("max").small_integer(a.min, kMostReplicas);
  const bool by_clock = a.metric == "schedule";
  if (by_clock) {
    a.schedule = read_schedule(entry.at("schedule"), a.min, a.max);
    if (entry.find("target")) entry.fail_at("target", "a schedule says the replicas itself");
  } else {
    a.target = entry.at("target").number(a.metric == "utilisation" ? kPositiveFraction : NumberRange{0, 1e9, false});
    if (entry.find("schedule")) entry.fail_at("schedule", "only metric \"schedule\" goes by the clock");
  }
  a.interval_s = entry.number_or("interval_s", a.interval_s, kInterval);
  a.cooldown_up_s = entry.number_or("cooldown_up_s", a.cooldown_up_s, kDelay);
  a.cooldown_down_s = entry.number_or("cooldown_down_s", a.cooldown_down_s, kDelay);
  a.start_up_s = entry.optional_number("start_up_s", kStartUp);
  if (a.start_up_s) {
    for (const char* key : {"boot_s", "weights_from"}) {
      if (entry.find(key)) entry.fail_at(key, "start_up_s says the whole time already");
    }
  }
  a.boot_s = entry.number_or("boot_s", a.boot_s, kStartUp);
  if (const auto from = entry.find("weights_from")) a.weights_from = from->one_of(storages);
  return a;
}

Contention read_contention(const JsonReader& reader) {
  const auto entry = reader.object({"share_of_time", "slowdown", "mean_s"});
  Contention c;
  c.share_of_time = entry.at("share_of_time").number({0.0001, 0.99});
  c.slowdown = entry.at("slowdown").number({1, 100});
  c.mean_s = entry.at("mean_s").number(kSpell);
  return c;
}

Json failures_json(const std::optional<Failures>& f) {
  if (!f) return nullptr;
  Json json{{"mtbf_h", f->mtbf_h},
            {"repair_h", f->repair_h},
            {"distribution", f->fixed ? "fixed" : "exponential"},
            {"on_failure", f->retry ? "retry" : "lose"}};
  if (f->retry) json["retry_delay_s"] = f->retry_delay_s, json["max_retries"] = f->max_retries;
  return json;
}

Json autoscaling_json(const std::optional<Autoscaling>& a) {
  if (!a) return nullptr;
  Json json{{"metric", a->metric}, {"min", a->min}, {"max", a->max}};
  if (a->metric == "schedule") {
    json["schedule"] = Json::array();
    for (const ScheduledReplicas& s : a->schedule)
      json["schedule"].push_back({{"at_h", s.at_h}, {"replicas", s.replicas}});
  } else {
    json["target"] = a->target;
  }
  json["interval_s"] = a->interval_s;
  json["cooldown_up_s"] = a->cooldown_up_s;
  json["cooldown_down_s"] = a->cooldown_down_s;
  if (a->start_up_s) {
    json["start_up_s"] = *a->start_up_s;
  } else {
    json["boot_s"] = a->boot_s;
    json["weights_from"] = a->weights_from;
  }
  return json;
}

}  // namespace

FleetConduct read_fleet_conduct(const JsonReader& reader, const std::vector<std::string>& storages) {
  const auto entry = reader.object({"failures", "maintenance", "autoscaling", "contention"});
  FleetConduct conduct;
  if (const auto found = entry.find("failures")) conduct.failures = read_failures(*found);
  if (const auto found = entry.find("maintenance")) conduct.maintenance = read_maintenance(*found);
  if (const auto found = entry.find("autoscaling")) conduct.autoscaling = read_autoscaling(*found, storages);
  if (const auto found = entry.find("contention")) conduct.contention = read_contention(*found);
  return conduct;
}

Routing read_routing(const ObjectReader& serving, const std::string& router) {
  Routing routing;
  const bool keeps = router == "priority";
  const auto found = serving.find("routing");
  if (!found) {
    if (keeps) serving.fail_at("routing", "missing; router \"priority\" needs kept_replicas");
    return routing;
  }
  const auto entry = found->object({"kept_replicas", "from_priority", "by_speed"});
  if (keeps) {
    routing.kept_replicas = entry.at("kept_replicas").small_integer(1, kMostReplicas);
    routing.from_priority = entry.integer_or("from_priority", routing.from_priority, -1000, 1000);
  } else {
    for (const char* key : {"kept_replicas", "from_priority"}) {
      if (entry.find(key)) entry.fail_at(key, "only router \"priority\" keeps replicas for some requests");
    }
  }
  const bool compares = router == "least-outstanding" || router == "least-tokens" || router == "power-of-two" || keeps;
  if (!compares && entry.find("by_speed")) entry.fail_at("by_speed", "this router does not compare loads");
  routing.by_speed = entry.boolean_or("by_speed", routing.by_speed);
  return routing;
}

Json to_json(const FleetConduct& c) {
  if (!c.any()) return nullptr;
  Json maintenance, contention;
  if (c.maintenance) {
    maintenance =
        Json{{"every_h", c.maintenance->every_h}, {"lasts_h", c.maintenance->lasts_h}, {"drain", c.maintenance->drain}};
  }
  if (c.contention) {
    contention = Json{{"share_of_time", c.contention->share_of_time},
                      {"slowdown", c.contention->slowdown},
                      {"mean_s", c.contention->mean_s}};
  }
  return Json{{"failures", failures_json(c.failures)},
              {"maintenance", maintenance},
              {"autoscaling", autoscaling_json(c.autoscaling)},
              {"contention", contention}};
}

Json to_json(const Routing& routing, const std::string& router) {
  if (router == "priority") {
    return Json{{"kept_replicas", routing.kept_replicas},
                {"from_priority", routing.from_priority},
                {"by_speed", routing.by_speed}};
  }
  if (routing == Routing{}) return nullptr;
  return Json{{"by_speed", routing.by_speed}};
}

}  // namespace weir::data

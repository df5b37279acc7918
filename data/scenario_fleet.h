#pragma once

#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

namespace weir::data {

class JsonReader;
class ObjectReader;

/// Replicas fail one by one, each on its own.
struct Failures {
  double mtbf_h = 0;    ///< hours from being up to the next failure, on average; >= 0.01
  double repair_h = 0;  ///< hours it is down, on average; the cold start included
  bool fixed = false;   ///< both are exactly so long; else exponential
  /// Requests of a replica that is lost are sent to another one; else they are lost with it.
  bool retry = true;
  double retry_delay_s = 0;  ///< until the client or the gateway has noticed
  int max_retries = 3;       ///< a request that would have to be sent again once more is lost
  bool operator==(const Failures&) const = default;
};

/// Replicas are taken out of service in turn, one at a time; a round begins every every_h hours.
struct Maintenance {
  double every_h = 0;
  double lasts_h = 0;  ///< of one replica, from when it has nothing left to do
  bool drain = true;   ///< what it has is served first; else it is sent to others at once
  bool operator==(const Maintenance&) const = default;
};

/// From `at_h` on, every day.
struct ScheduledReplicas {
  double at_h = 0;  ///< in [0, 24)
  int replicas = 1;
  bool operator==(const ScheduledReplicas&) const = default;
};

struct Autoscaling {
  /// "outstanding", "queue": requests sent to replicas, or waiting there, for each one; "utilisation": share of the
  /// last interval in which they computed; "schedule": by the clock.
  std::string metric = "outstanding";
  double target = 0;  ///< what the metric is to be, a replica; 0 for "schedule"
  int min = 1, max = 1;
  double interval_s = 15;        ///< between two looks at the metric
  double cooldown_up_s = 0;      ///< after more replicas were started, no more are started for so long
  double cooldown_down_s = 300;  ///< after any change, none are stopped for so long
  /// From the decision until a new replica takes requests. Empty: boot_s + reading the weights.
  std::optional<double> start_up_s;
  double boot_s = 60;                         ///< machine, container and engine
  std::string weights_from = "network-disk";  ///< a storage of the catalogue
  std::vector<ScheduledReplicas> schedule;    ///< "schedule": ascending
  bool operator==(const Autoscaling&) const = default;
};

/// Neighbours on shared hardware: a replica is slow for a while, then quiet for a while; both are exponential.
struct Contention {
  double share_of_time = 0;  ///< slow, in (0, 1)
  double slowdown = 1;       ///< a step that begins while it is slow lasts so many times as long, >= 1
  double mean_s = 1;         ///< of a slow spell
  bool operator==(const Contention&) const = default;
};

/// Key `fleet`: what happens to the replicas while they serve. Everything off: they are all there all the time.
struct FleetConduct {
  std::optional<Failures> failures;
  std::optional<Maintenance> maintenance;
  std::optional<Autoscaling> autoscaling;
  std::optional<Contention> contention;
  /// Needs schedulers that keep every request's state.
  bool cuts_steps() const { return failures || contention || (maintenance && !maintenance->drain); }
  bool any() const { return failures || maintenance || autoscaling || contention; }
  bool operator==(const FleetConduct&) const = default;
};

/// Key serving.routing: what serving.router needs besides its name.
struct Routing {
  int kept_replicas = 0;  ///< router "priority": the last so many take only requests of from_priority or more
  int from_priority = 1;
  bool by_speed = true;  ///< in a fleet of several pools, loads are compared relative to the pools' speeds
  bool operator==(const Routing&) const = default;
};

/// `storages`: names that weights may come from.
FleetConduct read_fleet_conduct(const JsonReader& reader, const std::vector<std::string>& storages);
Routing read_routing(const ObjectReader& serving, const std::string& router);
/// null when everything is off, or as by default.
nlohmann::ordered_json to_json(const FleetConduct& conduct);
nlohmann::ordered_json to_json(const Routing& routing, const std::string& router);

}  // namespace weir::data

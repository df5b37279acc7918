#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/core/time.h"
#include "sim/metrics/record.h"
#include "sim/serving/held_request.h"
#include "sim/workload/sim_request.h"

namespace weir::sim {

/// Why a replica takes no new requests. It takes them when no reason is left.
enum class Closed : std::uint8_t { scaled_in = 1, failed = 2, maintained = 4 };

/// What a FleetProcess may do to the fleet it runs beside. No time lies before the one of the call that the process is
/// in.
class FleetHandle {
 public:
  static constexpr std::int32_t kRouted = -1;

  virtual std::size_t replicas() const = 0;
  /// A new request of the demand, to arrive at its own time.
  virtual void arrive(const SimRequest& request) = 0;
  /// A request that is in the system already comes to a replica at `at`: the router's choice, or the one given. From
  /// `now` until then it is in the system and at no replica.
  virtual void send(const QueuedRequest& request, Time now, Time at, std::int32_t replica = kRouted) = 0;
  /// A request that is in the system, at no replica, leaves it unserved.
  virtual void drop(const QueuedRequest& request, Time now, RequestOutcome outcome) = 0;

  // Replicas come and go. What has no open replica to go to is held at the router until one opens.

  /// No new request is sent there; those it has are served. FleetProcess::drained() tells when the last has left,
  /// unless outstanding() is 0 already.
  virtual void close(std::size_t replica, Closed why, Time now) = 0;
  virtual void open(std::size_t replica, Closed why, Time now) = 0;
  virtual bool is_open(std::size_t replica) const = 0;
  /// All that is at the replica is lost: its cache, its step and its requests, which are appended to `lost` and are now
  /// in the system at no replica. To be closed before.
  virtual void fail(std::size_t replica, Time now, std::vector<HeldRequest>& lost) = 0;
  /// Steps that begin there after `now` last `factor` times as long.
  virtual void slow(std::size_t replica, double factor, Time now) = 0;
  /// Whether the replica runs, and is paid for; all do at first.
  virtual void switch_on(std::size_t replica, bool on, Time now) = 0;
  virtual bool is_on(std::size_t replica) const = 0;

  virtual std::int32_t outstanding(std::size_t replica) const = 0;  ///< requests sent there that have not left it
  virtual std::int64_t waiting(std::size_t replica) const = 0;
  virtual std::int64_t held_at_router() const = 0;
  virtual std::int64_t busy_ticks(std::size_t replica, Time now) const = 0;  ///< with a step in flight, up to `now`

 protected:
  ~FleetHandle() = default;
};

/// Something that runs beside the replicas and acts on them: clients that answer, failures, a second pool. A fleet with
/// processes takes its events strictly in order of time, so that what a process does at a departure is seen by all.
class FleetProcess {
 public:
  virtual ~FleetProcess() = default;
  /// Before anything else. The handle lives as long as the run.
  virtual void begin(FleetHandle& fleet, Time now) = 0;
  /// When act() is to be called next; may change at every call of the process.
  virtual Time next_event() const { return Time::never(); }
  /// next_event() has come. Replicas have done everything up to and at `now`, what arrives at `now` is still to come.
  virtual void act(Time) {}
  /// Its events alone do not keep a run going, which ends when every request has left and nobody else has any more.
  virtual bool background() const { return false; }
  /// A closed replica has nothing left to do.
  virtual void drained(std::size_t /*replica*/, Time /*now*/) {}
  /// A replica has served a request. True: it does not leave the system, the process has sent it on.
  virtual bool served(const ServedRequest&, Time /*now*/, std::int32_t /*replica*/) { return false; }
  /// When a request that the router sends to `replica` at `now` reaches its scheduler: not before `now`. Until then it
  /// counts as outstanding there.
  virtual Time enters(const QueuedRequest&, Time now, std::int32_t /*replica*/) { return now; }
  /// When a request that `replica` has served at `now` leaves the system: not before `now`. Requests of one replica are
  /// told in the order in which they are served.
  virtual Time leaves(const ServedRequest&, Time now, std::int32_t /*replica*/) { return now; }
  /// A request leaves the system, served or not, at record.done, which may lie ahead (see leaves()).
  virtual void left(const RequestRecord&) {}
};

}  // namespace weir::sim

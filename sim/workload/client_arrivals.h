#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "data/scenario.h"
#include "sim/core/time.h"
#include "sim/workload/arrival_stream.h"
#include "sim/workload/length_source.h"
#include "sim/workload/small_random.h"

namespace weir::sim {

/// Token counts of a client's requests.
struct ClientLengths {
  LengthLaw input, output;
};

/// The arrivals of many clients, merged: the earliest first, of equal ones the client with the smaller number. A client
/// takes 48 bytes.
class ClientArrivals {
 public:
  virtual ~ClientArrivals() = default;

  /// At least the one before; Time::never() at the end.
  Time next();
  /// Who sent the last one, from 0.
  std::int32_t client() const { return current_; }
  /// Scales the token counts of the last one.
  virtual double length_factor() const { return 1; }
  /// The client's own token counts at the last one; null = those of the class.
  virtual const ClientLengths* lengths() const { return nullptr; }
  virtual std::int32_t count() const = 0;

 protected:
  /// The next arrival of a client, Time::never() after its last.
  virtual Time next_of(std::int32_t client) = 0;
  /// To be called once, when next_of() may be.
  void start();

 private:
  struct Head {
    Time at;
    std::int32_t client;
    bool operator<(const Head& other) const { return at != other.at ? at < other.at : client < other.client; }
  };
  void sift_down(std::size_t i);

  std::vector<Head> heap_;  ///< of the clients that have an arrival to come; the earliest on top
  std::int32_t current_ = -1;
};

/// Rates of `mix.count` clients as shares of all, the largest first for "zipf".
std::vector<double> client_shares(const data::ClientMix& mix, std::uint64_t seed, const std::string& class_name);

/// Clients whose gaps follow the class's law at rates of their own. Each has gone on for long at time 0.
class MixedClients final : public ClientArrivals {
 public:
  MixedClients(const data::ArrivalProcess& process, const data::ClientMix& mix, std::uint64_t seed,
               const std::string& class_name);
  double length_factor() const override { return clients_[static_cast<std::size_t>(client())].factor; }
  std::int32_t count() const override { return static_cast<std::int32_t>(clients_.size()); }

 private:
  Time next_of(std::int32_t client) override;

  struct Client {
    SmallRandom random;
    double mean_gap_s;
    Time even_time;
    float factor;
    bool begun;
  };
  GapLaw law_;
  TimeBend bend_;
  std::vector<Client> clients_;
};

}  // namespace weir::sim

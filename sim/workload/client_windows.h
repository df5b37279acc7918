#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "data/scenario.h"
#include "sim/workload/client_arrivals.h"

namespace weir::sim {

/// The clients of some files, cut to a window of time that begins at 0.
struct ClientWindowTable {
  struct Window {
    Time begin, end;
    double rate_per_s = 0;  ///< scaled; 0 = nobody asks
    GapLaw law;
    std::int32_t lengths = -1;  ///< of the client's; -1 = those of the class
  };
  struct Client {
    std::vector<Window> windows;
    std::vector<ClientLengths> lengths;
  };
  std::vector<Client> clients;
  Time length;
  double mean_rate_per_s() const;
};

/// Reads ServeGen's client files (github.com/alibaba/ServeGen): rows without a header of the window's start second, its
/// rate in requests/s, the CV of its gaps and its pattern (Gamma, Weibull, Exponential, or nothing when nobody asks);
/// a window lasts until the next, the last as long as the one before it. With `with_lengths` the file beside it that
/// ends in -dataset.json instead of -trace.csv gives the token counts by start second: {"START": {"input_tokens":
/// "{LENGTH: WEIGHT, ...}", "output_tokens": ...}}; a window without takes those of the last one that has some, the
/// first ones those that come first. Throws InputError with file and place.
ClientWindowTable read_client_windows(const data::Scenario& scenario, const data::ClientWindows& what,
                                      bool with_lengths);

/// Their arrivals: a gap that begins in a window follows its law on the integrated rate, so it may end in a later one.
class WindowClients final : public ClientArrivals {
 public:
  WindowClients(std::shared_ptr<const ClientWindowTable> table, std::uint64_t seed, const std::string& class_name);
  const ClientLengths* lengths() const override;
  std::int32_t count() const override { return static_cast<std::int32_t>(clients_.size()); }

 private:
  Time next_of(std::int32_t client) override;

  struct Client {
    SmallRandom random;
    Time at;
    std::int32_t window = 0, shown = 0;  ///< of the next arrival, and of the one before it
    bool begun = false;
  };
  std::shared_ptr<const ClientWindowTable> table_;
  std::vector<Client> clients_;
};

}  // namespace weir::sim

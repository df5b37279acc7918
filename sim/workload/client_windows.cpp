#include "sim/workload/client_windows.h"

#include <utility>

namespace weir::sim {

double ClientWindowTable::mean_rate_per_s() const {
  double requests = 0;
  for (const Client& client : clients) {
    for (const Window& w : client.windows) requests += w.rate_per_s * (w.end - w.begin).seconds();
  }
  return length > Time() ? requests / length.seconds() : 0;
}

WindowClients::WindowClients(std::shared_ptr<const ClientWindowTable> table, std::uint64_t seed,
                             const std::string& class_name)
    : table_(std::move(table)) {
  const StreamName name(seed, "client-arrivals/" + class_name);
  for (std::size_t i = 0; i < table_->clients.size(); ++i)
    clients_.push_back({.random = SmallRandom(name, i), .at = {}});
  start();
}

const ClientLengths* WindowClients::lengths() const {
  const auto& client = table_->clients[static_cast<std::size_t>(this->client())];
  const auto shown = static_cast<std::size_t>(clients_[static_cast<std::size_t>(this->client())].shown);
  const std::int32_t lengths = client.windows[shown].lengths;
  return lengths < 0 ? nullptr : &client.lengths[static_cast<std::size_t>(lengths)];
}

Time WindowClients::next_of(std::int32_t client) {
  Client& c = clients_[static_cast<std::size_t>(client)];
  const auto& windows = table_->clients[static_cast<std::size_t>(client)].windows;
  c.shown = c.window;
  const auto silent = [&] {
    return static_cast<std::size_t>(c.window) < windows.size() &&
           windows[static_cast<std::size_t>(c.window)].rate_per_s <= 0;
  };
  while (silent()) ++c.window;
  if (static_cast<std::size_t>(c.window) >= windows.size()) return Time::never();
  const GapLaw& law = windows[static_cast<std::size_t>(c.window)].law;
  double work = c.begun ? law.gap(c.random, 1) : law.rest_of_gap(c.random, 1);  // of mean 1 request
  c.begun = true;
  for (; static_cast<std::size_t>(c.window) < windows.size(); ++c.window) {
    const auto& w = windows[static_cast<std::size_t>(c.window)];
    c.at = std::max(c.at, w.begin);
    const double left = w.rate_per_s * (w.end - c.at).seconds();
    if (work < left) return c.at += Time::from_seconds(work / w.rate_per_s);
    work -= left;
  }
  return Time::never();
}

}  // namespace weir::sim

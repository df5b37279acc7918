#include "sim/workload/client_arrivals.h"

#include <algorithm>

#include "sim/core/math.h"

namespace weir::sim {

void ClientArrivals::start() {
  for (std::int32_t i = 0; i < count(); ++i) {
    if (const Time at = next_of(i); at < Time::never()) heap_.push_back({at, i});
  }
  for (std::size_t i = heap_.size() / 2; i-- > 0;) sift_down(i);
}

void ClientArrivals::sift_down(std::size_t i) {
  const Head moving = heap_[i];
  while (true) {
    std::size_t child = 2 * i + 1;
    if (child >= heap_.size()) break;
    if (child + 1 < heap_.size() && heap_[child + 1] < heap_[child]) ++child;
    if (!(heap_[child] < moving)) break;
    heap_[i] = heap_[child];
    i = child;
  }
  heap_[i] = moving;
}

Time ClientArrivals::next() {
  if (heap_.empty()) return Time::never();
  const Head first = heap_.front();
  current_ = first.client;
  const Time at = next_of(first.client);
  if (at < Time::never()) {
    heap_.front().at = std::max(at, first.at);
  } else {
    heap_.front() = heap_.back();
    heap_.pop_back();
  }
  if (!heap_.empty()) sift_down(0);
  return first.at;
}

std::vector<double> client_shares(const data::ClientMix& mix, std::uint64_t seed, const std::string& class_name) {
  std::vector<double> shares(static_cast<std::size_t>(mix.count), 1);
  if (mix.rates == "zipf") {
    for (std::size_t i = 0; i < shares.size(); ++i) {
      shares[i] = math::exp(-mix.exponent * math::log(static_cast<double>(i + 1)));
    }
  } else if (mix.rates == "lognormal") {
    const LognormalParameters p = lognormal_from_mean_and_p99(1, mix.p99_over_mean);
    const StreamName name(seed, "client-rate/" + class_name);
    for (std::size_t i = 0; i < shares.size(); ++i) shares[i] = SmallRandom(name, i).lognormal(p.mu, p.sigma);
  }
  double sum = 0;
  for (const double share : shares) sum += share;
  for (double& share : shares) share /= sum;
  return shares;
}

MixedClients::MixedClients(const data::ArrivalProcess& process, const data::ClientMix& mix, std::uint64_t seed,
                           const std::string& class_name)
    : law_(GapLaw::of(process)), bend_(process) {
  const StreamName arrivals(seed, "client-arrivals/" + class_name), lengths(seed, "client-lengths/" + class_name);
  LognormalParameters spread;
  if (mix.lengths_p99_over_mean) spread = lognormal_from_mean_and_p99(1, *mix.lengths_p99_over_mean);
  const std::vector<double> shares = client_shares(mix, seed, class_name);
  clients_.reserve(shares.size());
  for (std::size_t i = 0; i < shares.size(); ++i) {
    const double factor = mix.lengths_p99_over_mean ? SmallRandom(lengths, i).lognormal(spread.mu, spread.sigma) : 1.0;
    const double rate_per_s = process.rate_per_s * shares[i];
    clients_.push_back({.random = SmallRandom(arrivals, i),
                        .mean_gap_s = rate_per_s > 0 ? 1 / rate_per_s : 2e7,
                        .even_time = {},
                        .factor = static_cast<float>(factor),
                        .begun = false});
  }
  start();
}

Time MixedClients::next_of(std::int32_t client) {
  constexpr Time kLate = Time::from_ticks(20'000'000 * Time::kTicksPerSecond);  // twice the longest demand
  Client& c = clients_[static_cast<std::size_t>(client)];
  if (c.even_time > kLate) return Time::never();
  c.even_time += gap_time(c.begun ? law_.gap(c.random, c.mean_gap_s) : law_.rest_of_gap(c.random, c.mean_gap_s));
  c.begun = true;
  return bend_.none() ? c.even_time : bend_(c.even_time);
}

}  // namespace weir::sim

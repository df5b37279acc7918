// Arrival processes against their closed forms.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

#include <boost/math/special_functions/gamma.hpp>

#include "sim/workload/arrival_stream.h"
#include "sim/workload/client_arrivals.h"
#include "sim/workload/duration_law.h"

namespace weir::sim {
namespace {

std::vector<double> arrivals_s(const data::ArrivalProcess& process, double until_s, std::uint64_t seed = 7) {
  ArrivalStream stream(process, "s", "/arrivals", seed, "c");
  std::vector<double> all;
  for (Time at = stream.next(); at < Time::from_seconds(until_s); at = stream.next()) all.push_back(at.seconds());
  return all;
}

struct Moments {
  double mean = 0, cv = 0;
};
Moments of_gaps(const std::vector<double>& arrivals) {
  double sum = 0, squares = 0, before = 0;
  for (const double at : arrivals) sum += at - before, squares += (at - before) * (at - before), before = at;
  const double n = static_cast<double>(arrivals.size()), mean = sum / n;
  return {mean, std::sqrt(squares / n - mean * mean) / mean};
}

/// Variance over mean of the counts in bins.
double dispersion(const std::vector<double>& arrivals, double bin_s, double until_s) {
  std::vector<double> counts(static_cast<std::size_t>(until_s / bin_s));
  for (const double at : arrivals) {
    if (const auto bin = static_cast<std::size_t>(at / bin_s); bin < counts.size()) ++counts[bin];
  }
  double sum = 0, squares = 0;
  for (const double count : counts) sum += count, squares += count * count;
  const double mean = sum / static_cast<double>(counts.size());
  return (squares / static_cast<double>(counts.size()) - mean * mean) / mean;
}

TEST(Weibull, LogGammaIsTheFunction) {
  for (const double x : {0.01, 0.5, 1.0, 1.5, 2.0, 3.0, 11.5, 80.0}) {
    EXPECT_NEAR(log_gamma(x), boost::math::lgamma(x), 1e-13 * (1 + std::abs(boost::math::lgamma(x)))) << x;
  }
}

// Shape 1 is the exponential distribution, CV 1; shape 1/2 has mean 2 and second moment 24: CV sqrt(5).
TEST(Weibull, TheSolverFindsTheShapeOfACv) {
  EXPECT_NEAR(weibull_shape(1), 1, 1e-12);
  EXPECT_NEAR(weibull_shape(std::sqrt(5.0)), 0.5, 1e-12);
  for (const double cv : {0.01, 0.3, 2.0, 10.0}) EXPECT_NEAR(weibull_cv(weibull_shape(cv)), cv, 1e-9 * cv) << cv;
}

TEST(Weibull, HasItsRateAndCv) {
  for (const double cv : {0.4, 2.0}) {
    const Moments m = of_gaps(arrivals_s({.process = "weibull", .rate_per_s = 4, .cv = cv}, 100'000));
    EXPECT_NEAR(m.mean, 0.25, 4 * 0.25 * cv / std::sqrt(400'000)) << cv;
    EXPECT_NEAR(m.cv, cv, 0.02 * cv) << cv;
  }
  data::ArrivalProcess by_shape{.process = "weibull", .rate_per_s = 4};
  by_shape.weibull_shape = 0.5;
  EXPECT_NEAR(of_gaps(arrivals_s(by_shape, 100'000)).cv, std::sqrt(5.0), 0.06);
}

// Two states, 10/s for 5 s and 1/s for 20 s on average: the mean is (50 + 20) / 25 = 2.8/s. With switching rates a =
// 1/5 and b = 1/20, counts over long times have variance / mean 1 + 2 a b (10 - 1)^2 / ((a + b)^2 (10 b + 1 a)) = 1 + 2
// x 0.2 x 0.05 x 81 / (0.0625 x 0.7) = 38.03; over 2 s the excess is (1 - (1 - e^-x) / x), x = 0.5, of that: 0.21306
// x 37.03 + 1 = 8.89 (Fischer and Meier-Hellstern, "The MMPP cookbook", 1993).
TEST(Mmpp, HasItsRateAndDispersion) {
  data::ArrivalProcess process{.process = "mmpp"};
  process.states = {{10, 5}, {1, 20}};
  EXPECT_DOUBLE_EQ(mean_rate_per_s(process), 2.8);
  const double until_s = 4e6;
  const std::vector<double> arrivals = arrivals_s(process, until_s);
  EXPECT_NEAR(static_cast<double>(arrivals.size()) / until_s, 2.8, 4 * std::sqrt(38.03 * 2.8 / until_s));
  EXPECT_NEAR(dispersion(arrivals, 2, until_s), 8.89, 0.15);
  EXPECT_NEAR(dispersion(arrivals, 1000, until_s), 38.03, 4 * 38.03 * std::sqrt(2.0 / 4000));
}

TEST(Mmpp, StatesOfOneRateArePoisson) {
  data::ArrivalProcess process{.process = "mmpp"};
  process.states = {{3, 1}, {3, 7}, {3, 2}};
  const Moments m = of_gaps(arrivals_s(process, 100'000));
  EXPECT_NEAR(m.mean, 1.0 / 3, 4.0 / 3 / std::sqrt(300'000));
  EXPECT_NEAR(m.cv, 1, 0.01);
}

// Three steps of 100 s at 0, 6 and 3 requests/s, twice as fast, come again every 300 s: 1200 and 600 a round.
TEST(RateSeries, EachStepHasItsShareAndComesAgain) {
  for (const double cv : {1.0, 0.3}) {
    data::ArrivalProcess process{.process = "rate-series", .cv = cv};
    process.series = data::RateSeries{.step_s = 100, .rates_per_s = {0, 6, 3}, .file = {}, .rate_scale = 2};
    std::map<int, double> in_step;
    const int rounds = 200;
    for (const double at : arrivals_s(process, 300.0 * rounds)) ++in_step[static_cast<int>(at / 100) % 3];
    EXPECT_EQ(in_step[0], 0) << cv;
    EXPECT_NEAR(in_step[1], 1200.0 * rounds, 4 * std::sqrt(1200.0 * rounds)) << cv;
    EXPECT_NEAR(in_step[2], 600.0 * rounds, 4 * std::sqrt(600.0 * rounds)) << cv;
  }
}

// Five days at 1, a weekend at 0.5: 6 days' worth a week. Noon to midnight has three times what the morning has.
TEST(WeeklyShape, DaysAndHoursHaveTheirShares) {
  data::ArrivalProcess process{.process = "poisson", .rate_per_s = 1, .daily_shape = {1, 3}};
  process.weekly_shape = {1, 1, 1, 1, 1, 0.5, 0.5};
  std::map<int, double> in_half_day;
  const double week_s = 604'800, n = week_s;
  const std::vector<double> arrivals = arrivals_s(process, week_s);
  for (const double at : arrivals) ++in_half_day[static_cast<int>(at / 43'200)];
  EXPECT_NEAR(static_cast<double>(arrivals.size()), n, 4 * std::sqrt(n));
  for (int half = 0; half < 14; ++half) {
    const double share = (half < 10 ? 1 : 0.5) / 6 * (half % 2 == 0 ? 0.25 : 0.75);
    EXPECT_NEAR(in_half_day[half], n * share, 4 * std::sqrt(n * share)) << half;
  }
}

// Doubling in a year: over 100 days (0.27379 years) the rate goes from 1 to 1.2090 times itself, on average
// (1.2090 - 1) / (ln 2 x 0.27379) = 1.1013.
TEST(Growth, TheRateGrows) {
  data::ArrivalProcess process{.process = "poisson", .rate_per_s = 0.1};
  process.growth_per_year = 1;
  const std::vector<double> arrivals = arrivals_s(process, 100 * 86'400.0);
  EXPECT_NEAR(static_cast<double>(arrivals.size()), 864'000 * 1.1013, 4 * std::sqrt(951'500.0));
  const auto last_day = std::count_if(arrivals.begin(), arrivals.end(), [](double at) { return at >= 99 * 86'400.0; });
  EXPECT_NEAR(static_cast<double>(last_day), 8640 * 1.2078, 4 * std::sqrt(10'435.0));
}

TEST(Growth, ADemandThatShrinksToNothingEnds) {
  data::ArrivalProcess process{.process = "poisson", .rate_per_s = 1e-3};
  process.growth_per_year = -0.999999;
  EXPECT_LT(arrivals_s(process, 1e7).size(), 3000u);  // 1e-3 x Y / 13.8 = 2284 in all
}

std::vector<std::pair<double, int>> client_arrivals(const data::ArrivalProcess& process, const data::ClientMix& mix,
                                                    double until_s) {
  MixedClients clients(process, mix, 5, "c");
  std::vector<std::pair<double, int>> all;
  for (Time at = clients.next(); at < Time::from_seconds(until_s); at = clients.next()) {
    all.emplace_back(at.seconds(), clients.client());
  }
  return all;
}

// Four clients with rates as 1 : 1/2 : 1/3 : 1/4 of 25 requests/s: 12, 6, 4 and 3/s.
TEST(Clients, HaveTheirRatesAndCv) {
  const double until_s = 20'000;
  const auto all = client_arrivals({.process = "gamma", .rate_per_s = 25, .cv = 2},
                                   {.count = 4, .rates = "zipf", .exponent = 1}, until_s);
  const double rates[] = {12, 6, 4, 3};
  for (int c = 0; c < 4; ++c) {
    std::vector<double> of_client;
    for (const auto& [at, client] : all) {
      if (client == c) of_client.push_back(at);
    }
    const double n = rates[c] * until_s;
    EXPECT_NEAR(static_cast<double>(of_client.size()), n, 4 * 2 * std::sqrt(n)) << c;
    EXPECT_NEAR(of_gaps(of_client).cv, 2, 0.1) << c;
  }
  EXPECT_TRUE(std::is_sorted(all.begin(), all.end()));
}

// Each client asks every 100 s, nearly to the second, and all have done so for long: they are not in step at time 0, so
// the first 10 s have a tenth of 1,000 requests.
TEST(Clients, AreNotInStepAtTheBeginning) {
  for (const char* process : {"gamma", "weibull"}) {
    const auto all =
        client_arrivals({.process = process, .rate_per_s = 10, .cv = 0.01}, {.count = 1000, .rates = "equal"}, 10);
    EXPECT_NEAR(static_cast<double>(all.size()), 100, 4 * std::sqrt(90.0)) << process;
  }
}

// The merged arrivals of many are nearly Poisson over times in which one client hardly comes twice, whatever its CV.
TEST(Clients, ManyTogetherAreNearlyPoisson) {
  const auto all = client_arrivals({.process = "gamma", .rate_per_s = 100, .cv = 0.1}, {.count = 100'000}, 1000);
  std::vector<double> at;
  for (const auto& [time, client] : all) at.push_back(time);
  EXPECT_NEAR(dispersion(at, 1, 1000), 1, 4 * std::sqrt(2.0 / 1000));
}

// Three cameras of 2 frames/s: each sends every 0.5 s from a phase of its own.
TEST(Clients, OfAPeriodicProcessSendAtEqualGaps) {
  data::ArrivalProcess process{.process = "periodic", .rate_per_s = 6};
  MixedClients clients(process, {.count = 3}, 5, "c");
  std::map<std::int32_t, std::vector<Time>> sent;
  for (int i = 0; i < 300; ++i) {
    const Time at = clients.next();
    sent[clients.client()].push_back(at);
  }
  ASSERT_EQ(sent.size(), 3U);
  std::map<std::int64_t, int> phases;
  for (const auto& [client, at] : sent) {
    ASSERT_EQ(at.size(), 100U);
    EXPECT_LT(at.front().seconds(), 0.5);
    ++phases[at.front().ticks()];
    for (std::size_t i = 1; i < at.size(); ++i) EXPECT_EQ(at[i] - at[i - 1], Time::from_seconds(0.5));
  }
  EXPECT_EQ(phases.size(), 3U);
}

TEST(Durations, HaveTheirMeans) {
  SmallRandom random(StreamName(1, "durations"));
  const auto mean = [&](const data::DurationDistribution& what) {
    const DurationLaw law(what);
    double sum = 0;
    for (int i = 0; i < 100'000; ++i) sum += law.draw(random).seconds();
    return sum / 100'000;
  };
  EXPECT_DOUBLE_EQ(mean({"fixed", 3, {}}), 3);
  EXPECT_NEAR(mean({"exponential", 3, {}}), 3, 4 * 3 / std::sqrt(1e5));
  EXPECT_NEAR(mean({"lognormal", 3, 12}), 3, 4 * 3 / std::sqrt(1e5));
}

TEST(Cancellation, AShareOfTheClientsHangUp) {
  const CancelLaw law({0.2, {"exponential", 5, {}}}, 1, "c");
  double waiting = 0, sum_s = 0;
  for (std::uint64_t i = 0; i < 100'000; ++i) {
    const Time after = law.after(i);
    after == Time::never() ? ++waiting : sum_s += after.seconds();
  }
  EXPECT_NEAR(waiting, 80'000, 4 * std::sqrt(16'000.0));
  EXPECT_NEAR(sum_s / (100'000 - waiting), 5, 4 * 5 / std::sqrt(20'000.0));
  EXPECT_EQ(law.after(17), CancelLaw({0.2, {"exponential", 5, {}}}, 1, "c").after(17));
}

}  // namespace
}  // namespace weir::sim

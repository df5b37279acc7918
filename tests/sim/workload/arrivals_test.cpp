// Arrival processes: gaps, daily shape, horizon.
#include "sim/workload/arrival_stream.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <boost/math/distributions/gamma.hpp>
#include <cmath>
#include <vector>

#include "data/errors.h"
#include "sim/workload/draw_class.h"

namespace weir::sim {
namespace {

using ::testing::HasSubstr;

data::ArrivalProcess gamma_arrivals(double rate_per_s, double cv) {
  return {.process = "gamma", .rate_per_s = rate_per_s, .cv = cv, .daily_shape = {}};
}

std::vector<double> gaps_s(const data::ArrivalProcess& process, std::size_t count, std::uint64_t seed = 7) {
  ArrivalStream stream(process, "s", "/arrivals", seed, "c");
  std::vector<double> gaps;
  Time before;
  for (std::size_t i = 0; i < count; ++i) {
    const Time at = stream.next();
    gaps.push_back((at - before).seconds());
    before = at;
  }
  return gaps;
}

// The largest distance between the empirical distribution of n values and the true one is above 1.95 / sqrt(n) once in
// a thousand samples (Kolmogorov); the seed is fixed, so this holds or does not.
double kolmogorov_distance(std::vector<double> values, const boost::math::gamma_distribution<double>& truth) {
  std::sort(values.begin(), values.end());
  const auto n = static_cast<double>(values.size());
  double distance = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double p = cdf(truth, std::max(values[i], 1e-300));
    distance = std::max({distance, p - static_cast<double>(i) / n, static_cast<double>(i + 1) / n - p});
  }
  return distance;
}

TEST(GammaVariate, HasItsDistribution) {
  constexpr std::size_t kCount = 100'000;
  for (const double shape : {0.01, 0.25, 0.5, 1.0, 2.0, 4.0, 25.0, 10'000.0}) {
    RandomStream random(3, "gamma");
    std::vector<double> values(kCount);
    for (double& value : values) value = gamma_variate(random, shape);
    const boost::math::gamma_distribution<double> truth(shape, 1);
    EXPECT_LT(kolmogorov_distance(values, truth), 1.95 / std::sqrt(kCount)) << shape;
    double sum = 0, squares = 0;
    for (const double value : values) sum += value, squares += value * value;
    const double mean = sum / kCount, variance = squares / kCount - mean * mean;
    // Mean k and variance k; their estimates have variances k/n and (2 k^2 + 6 k)/n. Four deviations.
    EXPECT_NEAR(mean, shape, 4 * std::sqrt(shape / kCount)) << shape;
    EXPECT_NEAR(variance, shape, 4 * std::sqrt((2 * shape * shape + 6 * shape) / kCount)) << shape;
  }
}

TEST(GammaVariate, TellsAnotherShapeApart) {  // the test above can fail
  RandomStream random(3, "gamma");
  std::vector<double> values(100'000);
  for (double& value : values) value = gamma_variate(random, 2.1);
  EXPECT_GT(kolmogorov_distance(values, boost::math::gamma_distribution<double>(2, 1)), 1.95 / std::sqrt(100'000));
}

// CV 2 at 4 requests/s: shape 1/4, mean gap 1/4 s, so the scale is 1 s.
TEST(GammaArrivals, HaveTheirRateAndCv) {
  const std::vector<double> gaps = gaps_s(gamma_arrivals(4, 2), 100'000);
  EXPECT_LT(kolmogorov_distance(gaps, boost::math::gamma_distribution<double>(0.25, 1)), 1.95 / std::sqrt(100'000));
  EXPECT_LT(kolmogorov_distance(gaps_s(gamma_arrivals(4, 0.5), 100'000),
                                boost::math::gamma_distribution<double>(4, 1.0 / 16)),
            1.95 / std::sqrt(100'000));
}

TEST(GammaArrivals, UnknownProcessesAreNamed) {
  data::ArrivalProcess process = gamma_arrivals(1, 1);
  process.process = "closed-loop";
  try {
    ArrivalStream(process, "s.json", "/arrivals", 1, "c");
    FAIL() << "taken";
  } catch (const data::InputError& error) {
    EXPECT_STREQ(error.what(),
                 "s.json: /arrivals/process: closed-loop is not allowed: \"poisson\", \"gamma\", \"weibull\", "
                 "\"periodic\", \"mmpp\", "
                 "\"rate-series\"");
  }
}

RateShape daily(const std::vector<double>& rates) { return {rates, RateShape::kDay_s}; }

Time hours(double count) { return Time::from_seconds(3600 * count); }

TEST(DailyShape, AnEvenDayChangesNothing) {
  EXPECT_EQ(RateShape().time_at(hours(3.3)), hours(3.3));
  EXPECT_EQ(daily({5, 5, 5, 5}).time_at(hours(13)), hours(13));
}

// Two halves of a day at 1 : 3, so at 0.5 and 1.5 times the mean. A quarter of the day's work is done at noon (6 hours
// of the even day); 3 even hours take 6; the other 18 even hours take 12: 9 of them 6, so even 15 h is 18 h.
TEST(DailyShape, BendsTimeByHand) {
  const RateShape shape = daily({1, 3});
  EXPECT_EQ(shape.time_at(hours(0)), hours(0));
  EXPECT_EQ(shape.time_at(hours(3)), hours(6));
  EXPECT_EQ(shape.time_at(hours(6)), hours(12));
  EXPECT_EQ(shape.time_at(hours(15)), hours(18));
  EXPECT_EQ(shape.time_at(hours(24)), hours(24));
  EXPECT_EQ(shape.time_at(hours(24 * 5 + 15)), hours(24 * 5 + 18));
}

// Nights without requests: rates 0, 2, 0 in thirds. All 24 even hours pass from 8 to 16 o'clock.
TEST(DailyShape, SkipsPartsWithoutRate) {
  const RateShape shape = daily({0, 2, 0});
  EXPECT_EQ(shape.time_at(hours(0)), hours(8));
  EXPECT_EQ(shape.time_at(hours(12)), hours(12));
  EXPECT_EQ(shape.time_at(hours(24) - Time::from_ticks(3)), hours(16) - Time::from_ticks(1));
  EXPECT_EQ(shape.time_at(hours(24)), hours(32));  // the next day's first
}

TEST(DailyShape, NeverGoesBack) {
  const RateShape shape = daily({3, 0, 0.1, 7, 0, 2, 0.001});
  Time before;
  for (std::int64_t i = 0; i < 100'000; ++i) {
    const Time at = shape.time_at(Time::from_ticks(i * 3'456'789'012'345));
    ASSERT_GE(at, before);
    before = at;
  }
}

// By the minute, the most a scenario may have: a day x 1,440 is more than the clock's 63 bits.
TEST(DailyShape, GoesThroughADayOfMinutes) {
  std::vector<double> rates(1440, 1);
  EXPECT_EQ(daily(rates).time_at(hours(23.5)), hours(23.5));
  rates.back() = 0;
  EXPECT_EQ(daily(rates).time_at(hours(24)), hours(24));
  EXPECT_LE(daily(rates).time_at(hours(24) - Time::from_ticks(1)), hours(24) - Time::from_seconds(60));
  EXPECT_GT(daily(rates).time_at(hours(24) - Time::from_ticks(1440)), hours(24) - Time::from_seconds(61));
}

TEST(DailyShape, RefusesWhatIsNoShape) {
  EXPECT_THROW(daily({0, 0}), std::invalid_argument);
  EXPECT_THROW(daily({2, -1}), std::invalid_argument);
}

// 10/s on average over 10 days, half of them before noon at 1 : 3: 216,000 a day before noon, 648,000 after.
TEST(DailyShape, GivesItsShareOfTheRequests) {
  for (const char* process : {"poisson", "gamma"}) {
    data::ArrivalProcess arrivals{.process = process, .rate_per_s = 10, .cv = 0.5, .daily_shape = {1, 3}};
    ArrivalStream stream(arrivals, "s", "/arrivals", 5, "c");
    double morning = 0, all = 0;
    for (Time at = stream.next(); at < hours(240); at = stream.next()) {
      ++all;
      if (at.ticks() % hours(24).ticks() < hours(12).ticks()) ++morning;
    }
    EXPECT_NEAR(all, 8'640'000, 4 * std::sqrt(8'640'000)) << process;
    EXPECT_NEAR(morning, 2'160'000, 4 * std::sqrt(2'160'000)) << process;
  }
}

std::vector<DrawnClass> shaped(double rate_per_s, std::vector<double> daily_shape) {
  DrawnClass drawn;
  drawn.arrivals =
      data::ArrivalProcess{.process = "poisson", .rate_per_s = rate_per_s, .cv = 1, .daily_shape = daily_shape};
  return {drawn};
}

// Without a shape 0.1/s lasts 200,000 s, which is 2.3 days.
TEST(DrawnHorizon, IsWholeDaysWithADailyShape) {
  EXPECT_EQ(drawn_horizon_s(shaped(0.1, {})), 200'000);
  EXPECT_EQ(drawn_horizon_s(shaped(0.1, {1, 3})), 3 * 86'400);
  EXPECT_EQ(drawn_horizon_s(shaped(10, {1, 3})), 86'400);
  EXPECT_EQ(drawn_horizon_s(shaped(1e-9, {1, 3})), 115 * 86'400);  // the clock's longest demand is 115.7 days
}

TEST(ArrivalNotes, SayProcessShapeAndHorizon) {
  DrawnClass drawn;
  drawn.name = "chat";
  drawn.arrivals = {.process = "gamma", .rate_per_s = 10, .cv = 2, .daily_shape = {1, 3}};
  EXPECT_THAT(arrival_notes(drawn, 86'400, 4, 7),
              ::testing::ElementsAre(
                  "class chat: 7 arrivals with gamma-distributed gaps of CV 2 at 10/s drawn over 86400 s (seed 4)",
                  "class chat: the rate follows a daily shape of 2 parts from the begin of the simulated time, 1.5 "
                  "times the mean at its peak"));
  EXPECT_THAT(arrival_notes(drawn, 43'200, 4, 7).at(2), HasSubstr("lasts 0.5 days, not whole ones"));
}

}  // namespace
}  // namespace weir::sim

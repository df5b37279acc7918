#include "sim/core/math.h"

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "sim/core/random.h"

namespace weir::sim {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kMostUlp = 1.0;

/// Distance from the exact value in units of the last place of the double nearest to it. Long double has 11 bits more.
double ulp_error(double got, long double exact) {
  const double nearest = static_cast<double>(exact);
  const double ulp = std::nextafter(std::fabs(nearest), kInfinity) - std::fabs(nearest);
  return static_cast<double>(std::fabs(static_cast<long double>(got) - exact) / static_cast<long double>(ulp));
}

TEST(Math, ExpIsWithinTheStatedError) {
  RandomStream random(1, "exp");
  double worst = 0;
  for (int i = 0; i < 200'000; ++i) {
    const double x = i % 2 == 0 ? 1400 * (random.uniform() - 0.5) : 4 * (random.uniform() - 0.5);
    worst = std::max(worst, ulp_error(math::exp(x), std::exp(static_cast<long double>(x))));
  }
  EXPECT_LT(worst, kMostUlp);
  EXPECT_EQ(math::exp(0), 1);
  EXPECT_EQ(math::exp(710), kInfinity);
  EXPECT_EQ(math::exp(-746), 0);
  EXPECT_EQ(math::exp(kInfinity), kInfinity);
  EXPECT_EQ(math::exp(-kInfinity), 0);
  EXPECT_TRUE(std::isnan(math::exp(std::nan(""))));
  EXPECT_NEAR(math::exp(-740) / 4.199558e-322, 1, 0.02);  // subnormal: 85 units of the last place
}

TEST(Math, LogIsWithinTheStatedError) {
  RandomStream random(2, "log");
  double worst = 0;
  for (int i = 0; i < 200'000; ++i) {
    double x = 0.5 + 1.5 * random.uniform();  // around 1, where the logarithm is small
    if (i % 2 == 0) {
      const std::uint64_t bits = random.bits() % 0x7ff0000000000000ULL;  // any positive finite double
      std::memcpy(&x, &bits, sizeof x);
    }
    worst = std::max(worst, ulp_error(math::log(x), std::log(static_cast<long double>(x))));
  }
  EXPECT_LT(worst, kMostUlp);
  EXPECT_EQ(math::log(1), 0);
  EXPECT_EQ(math::log(0), -kInfinity);
  EXPECT_EQ(math::log(kInfinity), kInfinity);
  EXPECT_TRUE(std::isnan(math::log(-1)));
}

TEST(Math, PowIsWithinTheStatedError) {
  RandomStream random(3, "pow");
  double worst = 0;
  for (int i = 0; i < 200'000; ++i) {
    const double x = i % 2 == 0 ? 10 * random.uniform() : 1e6 * random.uniform();
    const double limit = 690 / std::max(1e-3, std::fabs(std::log(x)));
    const double y = std::min(limit, 300.0) * (2 * random.uniform() - 1);
    worst =
        std::max(worst, ulp_error(math::pow(x, y), std::pow(static_cast<long double>(x), static_cast<long double>(y))));
  }
  EXPECT_LT(worst, kMostUlp);
  EXPECT_EQ(math::pow(2, 10), 1024);
  EXPECT_EQ(math::pow(0, 2), 0);
  EXPECT_EQ(math::pow(0, -2), kInfinity);
  EXPECT_EQ(math::pow(7, 0), 1);
  EXPECT_EQ(math::pow(10, 400), kInfinity);
  EXPECT_EQ(math::pow(10, -400), 0);
  EXPECT_EQ(math::pow(kInfinity, -1), 0);
  EXPECT_TRUE(std::isnan(math::pow(-1, 2)));
}

// P(Z < z) = erfc(-z / sqrt 2) / 2; the quantile is checked by going back. A relative error e of z moves the
// probability by z phi(z) e, which is set against the density to get e.
TEST(Math, NormalQuantileInvertsTheNormalDistribution) {
  constexpr double kTolerance = 2e-15;
  const long double pi = std::acos(-1.0L);
  for (const double p : {1e-300, 1e-100, 1e-20, 1e-8, 1e-4, 0.01, 0.05, 0.075, 0.0751, 0.3, 0.4999, 0.6, 0.9, 0.95}) {
    const double z = math::normal_quantile(p);
    const long double back = std::erfc(-static_cast<long double>(z) / std::sqrt(2.0L)) / 2;
    const long double density = std::exp(-static_cast<long double>(z) * z / 2) / std::sqrt(2 * pi);
    EXPECT_LT(static_cast<double>(std::fabs((back - p) / density / z)), kTolerance) << p;
  }
  // Tables of the normal distribution.
  EXPECT_NEAR(math::normal_quantile(0.975), 1.959963984540054, 3e-15);
  EXPECT_NEAR(math::normal_quantile(0.99), 2.326347874040841, 3e-15);
  EXPECT_EQ(math::normal_quantile(0.5), 0);
  EXPECT_EQ(math::normal_quantile(0), -kInfinity);
  EXPECT_EQ(math::normal_quantile(1), kInfinity);
}

/// Bits of a double, for results that must be the same on every machine.
std::uint64_t bits_of(double x) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, &x, sizeof bits);
  return bits;
}

// Golden bits: another compiler, C library or CPU must give the same. Checked against correctly rounded values of
// exp(1) and log(10).
TEST(Math, GivesTheSameBitsEverywhere) {
  EXPECT_EQ(bits_of(math::exp(1)), 0x4005bf0a8b145769ULL);
  EXPECT_EQ(bits_of(math::log(10)), 0x40026bb1bbb55516ULL);
  std::uint64_t mixed = 0;
  RandomStream random(4, "golden");
  for (int i = 0; i < 10'000; ++i) {
    const double u = random.uniform();
    for (const double value : {math::exp(20 * u), math::log(u), math::pow(u, 3.7), math::normal_quantile(u)}) {
      mixed = (mixed ^ bits_of(value)) * 0x100000001b3ULL;
    }
  }
  EXPECT_EQ(mixed, 0x9b4d774218014b08ULL);
}

}  // namespace
}  // namespace weir::sim

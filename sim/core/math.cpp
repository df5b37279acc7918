#include "sim/core/math.h"

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

namespace weir::sim::math {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

// ln 2 in two parts. The upper one has 33 significant bits, so that its product with an exponent (11 bits) is exact.
constexpr double kLn2Upper = 0x1.62e42feep-1;
constexpr double kLn2Lower = 0x1.a39ef35793c76p-33;
constexpr double kInverseLn2 = 0x1.71547652b82fep+0;

/// An unevaluated sum, |lower| <= ulp(upper)/2: about 106 bits.
struct Pair {
  double upper, lower;
};

/// a + b exactly (Knuth's two-sum).
Pair exact_sum(double a, double b) {
  const double sum = a + b;
  const double from_b = sum - a;
  return {sum, (a - (sum - from_b)) + (b - from_b)};
}

/// a * b exactly (Dekker); |a|, |b| below 2^970.
Pair exact_product(double a, double b) {
  constexpr double kSplit = 134217729.0;  // 2^27 + 1
  const double a_wide = a * kSplit, b_wide = b * kSplit;
  const double a_upper = a_wide - (a_wide - a), b_upper = b_wide - (b_wide - b);
  const double a_lower = a - a_upper, b_lower = b - b_upper;
  const double product = a * b;
  return {product, ((a_upper * b_upper - product) + a_upper * b_lower + a_lower * b_upper) + a_lower * b_lower};
}

Pair product(Pair a, Pair b) {
  const Pair p = exact_product(a.upper, b.upper);
  return exact_sum(p.upper, p.lower + (a.upper * b.lower + a.lower * b.upper));
}

/// 2^k for -1022 <= k <= 1023.
double power_of_two(int k) { return std::bit_cast<double>(static_cast<std::uint64_t>(k + 1023) << 52); }

double scale(double x, int k) {
  if (k > 1023) return x * power_of_two(1023) * power_of_two(k - 1023);
  if (k < -1022) return x * power_of_two(k + 1000) * power_of_two(-1000);  // one rounding: the first product is exact
  return x * power_of_two(k);
}

/// exp(x + x_lower) for tiny x_lower: x = k ln 2 + r with |r| <= ln 2 / 2, then the Taylor series of exp(r), whose
/// remainder after r^13 is below 5e-18.
double exp_of_sum(double x, double x_lower) {
  if (x > 709.8) return kInfinity;
  if (x < -745.2) return 0;
  const int k = static_cast<int>(x * kInverseLn2 + (x < 0 ? -0.5 : 0.5));
  const double rest = x - k * kLn2Upper;  // exact
  const double r = rest - k * kLn2Lower;
  const double r_lower = ((rest - r) - k * kLn2Lower) + x_lower;
  constexpr double kInverseFactorial[] = {1.0 / 2,        1.0 / 6,          1.0 / 24,          1.0 / 120,
                                          1.0 / 720,      1.0 / 5040,       1.0 / 40320,       1.0 / 362880,
                                          1.0 / 3628800., 1.0 / 39916800.0, 1.0 / 479001600.0, 1.0 / 6227020800.0};
  double q = kInverseFactorial[11];
  for (int i = 10; i >= 0; --i) q = q * r + kInverseFactorial[i];
  const double beyond_r = r * r * q;  // exp(r) - 1 - r
  return scale(1 + (r + (beyond_r + r_lower * (1 + (r + beyond_r)))), k);
}

/// x = 2^exponent * (1 + f), 1 + f in [sqrt(1/2), sqrt(2)]; x > 0 and finite.
struct Split {
  int exponent;
  double f;
};

Split split(double x) {
  int exponent = 0;
  if (x < std::numeric_limits<double>::min()) {  // subnormal
    x *= 0x1p54;
    exponent = -54;
  }
  const std::uint64_t bits = std::bit_cast<std::uint64_t>(x);
  exponent += static_cast<int>(bits >> 52) - 1023;
  // Without a branch: for random numbers the processor could not foresee it.
  constexpr std::uint64_t kMantissa = 0xfffffffffffffULL;
  constexpr std::uint64_t kRootOfTwo = std::bit_cast<std::uint64_t>(1.4142135623730951) & kMantissa;
  const std::uint64_t above = (bits & kMantissa) > kRootOfTwo ? 1 : 0;
  exponent += static_cast<int>(above);
  return {exponent, std::bit_cast<double>((bits & kMantissa) | ((0x3ffULL - above) << 52)) - 1};
}

constexpr int kAtanhTerms = 11;  // s2^12 / 25 < 2e-20

/// sum * s2^(i - first + 1) + 2 s2^(i - first) / (2 i + 1) + ... + 2 / (2 first + 1), by Horner. A recursion, because
/// compilers do not unroll the loop, and then divide on every turn.
template <int i, int first>
double horner(double s2, double sum) {
  if constexpr (i < first) {
    return sum;
  } else {
    return horner<i - 1, first>(s2, sum * s2 + 2.0 / (2 * i + 1));
  }
}

/// 2 (s^(2 first + 1) / (2 first + 1) + ...) / s: the tail of 2 atanh(s) / s, with s2 = s^2 <= 0.0295.
template <int first>
double atanh_tail(double s2) {
  double sum = horner<kAtanhTerms - 1, first>(s2, 2.0 / (2 * kAtanhTerms + 1));
  for (int i = 0; i < first; ++i) sum *= s2;
  return sum;
}

/// log x to about 65 bits: 2 atanh(s), s = f / (2 + f), with s, s^3 and the sum in pairs.
Pair log_pair(double x) {
  const auto [k, f] = split(x);
  const Pair denominator = exact_sum(2, f);
  const double s_upper = f / denominator.upper;
  const Pair back = exact_product(s_upper, denominator.upper);
  const double s_lower = ((f - back.upper) - back.lower - s_upper * denominator.lower) / denominator.upper;
  const Pair s{s_upper, s_lower};
  const Pair s2 = product(s, s);
  const Pair cubic = product(product(s2, s), {0x1.5555555555555p-1, 0x1.5555555555555p-55});  // 2/3
  const double rest = s_upper * atanh_tail<2>(s2.upper);

  Pair sum = exact_sum(k * kLn2Upper, 2 * s.upper);
  const Pair more = exact_sum(sum.upper, cubic.upper);
  const double lower = sum.lower + more.lower + (2 * s.lower + cubic.lower + rest + k * kLn2Lower);
  return exact_sum(more.upper, lower);
}

double polynomial(const double (&c)[8], double x) {
  double sum = c[7];
  for (int i = 6; i >= 0; --i) sum = sum * x + c[i];
  return sum;
}

}  // namespace

double exp(double x) {
  if (x != x) return x;
  return exp_of_sum(x, 0);
}

double log(double x) {
  if (x != x || x < 0) return kNaN;
  if (x == 0) return -kInfinity;
  if (x == kInfinity) return x;
  const auto [k, f] = split(x);
  // With s = f/(2+f): log(1+f) = 2 atanh(s) = f - f^2/2 + s (f^2/2 + R), R = 2 atanh(s)/s - 2. The form keeps f exact.
  const double s = f / (2 + f);
  const double half_square = 0.5 * f * f;
  const double tail = atanh_tail<1>(s * s);
  return k * kLn2Upper - ((half_square - (s * (half_square + tail) + k * kLn2Lower)) - f);
}

double pow(double x, double y) {
  if (x != x || y != y || x < 0) return kNaN;
  if (y == 0 || x == 1) return 1;
  if (x == 0 || x == kInfinity) return (x == 0) == (y < 0) ? kInfinity : 0;
  const Pair l = log_pair(x);
  const double estimate = y * l.upper;
  if (estimate > 710) return kInfinity;
  if (estimate < -746) return 0;
  const Pair p = exact_product(y, l.upper);
  const Pair exponent = exact_sum(p.upper, p.lower + y * l.lower);
  return exp_of_sum(exponent.upper, exponent.lower);
}

// M. J. Wichura, "Algorithm AS 241: The percentage points of the normal distribution", Applied Statistics 37 (1988),
// routine PPND16: rational approximations on |p - 1/2| <= 0.425 and, in r = sqrt(-log(min(p, 1-p))), on r <= 5 and r
// > 5.
double normal_quantile(double p) {
  if (!(p > 0)) return p == 0 ? -kInfinity : kNaN;
  if (!(p < 1)) return p == 1 ? kInfinity : kNaN;
  static constexpr double kA[8] = {3.3871328727963666080e0, 1.3314166789178437745e2, 1.9715909503065514427e3,
                                   1.3731693765509461125e4, 4.5921953931549871457e4, 6.7265770927008700853e4,
                                   3.3430575583588128105e4, 2.5090809287301226727e3};
  static constexpr double kB[8] = {1.0,
                                   4.2313330701600911252e1,
                                   6.8718700749205790830e2,
                                   5.3941960214247511077e3,
                                   2.1213794301586595867e4,
                                   3.9307895800092710610e4,
                                   2.8729085735721942674e4,
                                   5.2264952788528545610e3};
  static constexpr double kC[8] = {1.42343711074968357734e0,  4.63033784615654529590e0, 5.76949722146069140550e0,
                                   3.64784832476320460504e0,  1.27045825245236838258e0, 2.41780725177450611770e-1,
                                   2.27238449892691845833e-2, 7.74545014278341407640e-4};
  static constexpr double kD[8] = {1.0,
                                   2.05319162663775882187e0,
                                   1.67638483018380384940e0,
                                   6.89767334985100004550e-1,
                                   1.48103976427480074590e-1,
                                   1.51986665636164571966e-2,
                                   5.47593808499534494600e-4,
                                   1.05075007164441684324e-9};
  static constexpr double kE[8] = {6.65790464350110377720e0,  5.46378491116411436990e0,  1.78482653991729133580e0,
                                   2.96560571828504891230e-1, 2.65321895265761230930e-2, 1.24266094738807843860e-3,
                                   2.71155556874348757815e-5, 2.01033439929228813265e-7};
  static constexpr double kF[8] = {1.0,
                                   5.99832206555887937690e-1,
                                   1.36929880922735805310e-1,
                                   1.48753612908506148525e-2,
                                   7.86869131145613259100e-4,
                                   1.84631831751005468180e-5,
                                   1.42151175831644588870e-7,
                                   2.04426310338993978564e-15};
  const double q = p - 0.5;
  if (q >= -0.425 && q <= 0.425) {
    const double r = 0.180625 - q * q;
    return q * (polynomial(kA, r) / polynomial(kB, r));
  }
  const double r = std::sqrt(-log(q < 0 ? p : 1 - p));
  const double z =
      r <= 5 ? polynomial(kC, r - 1.6) / polynomial(kD, r - 1.6) : polynomial(kE, r - 5) / polynomial(kF, r - 5);
  return q < 0 ? -z : z;
}

}  // namespace weir::sim::math

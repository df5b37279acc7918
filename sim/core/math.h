#pragma once

/// Transcendental functions with a fixed order of + - * / and bit operations, so that a simulation gives the same bytes
/// on every CPU, compiler and C library (libm picks other code by CPU). Within 1 ulp of the exact value unless a
/// function says otherwise. NOTE: needs -ffp-contract=off, which the build sets, and IEEE round-to-nearest doubles.
namespace weir::sim::math {

double exp(double x);

/// Natural logarithm; NaN for x < 0, -infinity for 0.
double log(double x);

/// x to the power y for x >= 0; NaN for x < 0.
double pow(double x, double y);

/// z such that a standard normal variate is below z with probability p, for p in (0, 1); relative error about 1e-15.
double normal_quantile(double p);

}  // namespace weir::sim::math

// Logarithm and exponential in double precision from + - * / and bit operations only.
//
// The libm of two machines may differ in the last bit of log and exp, and one bit is enough to change
// an argmin. These functions use nothing but correctly rounded IEEE operations in a fixed order, so
// the same argument gives the same bits everywhere (compiled without fused multiply-add, see
// cmake/options.cmake). Error: below 1 ulp, tested against long double to 1.0 ulp.
//
//   ln x   = k ln 2 + 2 atanh(s),  x = 2^k m,  m in [sqrt(1/2), sqrt 2),  s = (m-1)/(m+1)
//   exp x  = 2^k exp(r),           r = x - k ln 2,  |r| <= (ln 2)/2
//
// Both series are plain Taylor series, cut where the remainder is below 2^-57 of the result.
// Cost: about 15 ns.
#pragma once

namespace hannan::detail {

// ln x; -infinity at 0, NaN below 0.
double portable_log(double x);

// e^x; 0 below the smallest subnormal, +infinity above the largest finite number.
double portable_exp(double x);

// x^y = exp(y ln x) for x >= 0, y > 0; exact for y = 1 and y = 2 up to one rounding, otherwise with
// relative error about (1 + |y ln x|) * 2^-52.
double portable_power(double x, double y);

}  // namespace hannan::detail

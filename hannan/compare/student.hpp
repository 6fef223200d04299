// Quantiles of Student's law, for intervals of means.
#pragma once

namespace hannan::detail {

// The t with P(T > t) = tail for T with so many degrees of freedom, within 1e-5 relative. With x = sqrt(d) tan(a) the
// density is proportional to cos(a)^(d-1) on (-pi/2, pi/2), which is summed by Simpson's rule: no gamma function is
// needed, and taken as linear within a panel of it. Degrees above kMostDegrees count as so many: then the quantile is a
// little too large, which only widens an interval. Needs 0 < tail < 1/2 and degrees >= 1. Costs 4,000 evaluations of
// the density.
inline constexpr double kMostDegrees = 1000;
double student_quantile(double tail, double degrees);

}  // namespace hannan::detail

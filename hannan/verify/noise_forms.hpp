// M = E max_k <-row(k), alpha>, computed a second time from docs/theory.md ("The size of the noise") and docs/record.md
// ("How M is measured").
//
// Exact for Laplace noise on a sum of codes over the full product of their values: bits on all 0/1 rows (emax_bits),
// thermometers (emax_prefix), unit vectors (emax_identity). Otherwise the mean over draws with keys of their own and
// 3.29 standard errors to both sides. Cost: nothing, or some 2000 draws with a look at all actions, or a search, each.
//
// The exact forms are sums whose error does not grow with the number of terms: below 2e-16 of M for every N and K up to
// 2e6, where the program's series and products are within 9e-16. Both sides use + - * / and the portable logarithm
// and exponential alone, so that these figures are the same on every machine.
#pragma once

#include <optional>
#include <span>

#include "hannan/core/perturbation.hpp"
#include "hannan/verify/recomputed_totals.hpp"
#include "hannan/verify/setting.hpp"

namespace hannan::detail {

namespace forms {

double emax_bits(double columns);
double emax_prefix(double columns);    // rows of k ones and then zeros, k = 0 ... columns
double emax_identity(double actions);  // a column an action
// The sum over coordinates; none where one of them has no formula.
std::optional<double> emax_of(std::span<const CoordinateShape> shape);

}  // namespace forms

// high: an upper limit of M; all three are M where it is exact.
struct RecomputedSize {
  double low = 0, mean = 0, high = 0;
  bool certain = false;  // the largest noise of each draw was found for certain, or the value is exact
  Precision precision;   // how closely another computation agrees: where M is exact, to some units in the last place
};
// None where the law does not go together with the perturbation.
std::optional<RecomputedSize> noise_size_again(const RecordedSetting& setting);

}  // namespace hannan::detail

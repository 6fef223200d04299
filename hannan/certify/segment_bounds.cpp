// The closed forms of docs/contexts.md for a tree of segments: the base learners over n leaves by Cauchy-Schwarz, and
// the cost of mixing, the root of a quadratic inequality in the square root of what the mixtures lost.
#include "hannan/certify/segment_bounds.hpp"

#include <cmath>
#include <numbers>

namespace hannan::detail {

double mix_bound(const MixTerms& t) {
  const double log_experts = t.orders == 1 ? std::numbers::ln2 : std::log(1 + t.orders);
  const double a = 4 * log_experts * t.k * t.levels;
  const double b0 = t.k * (4.0 / 3 * log_experts + 2);
  return b0 + a / 2 + std::sqrt(a * a / 4 + a * (t.B + b0));
}

double segments_bound(const SegmentTerms& t) {
  const double size = t.gamma * t.M;
  const double base = t.learner == SegmentTerms::Learner::kAda
                          ? 2 * std::sqrt(2 * size * t.n * t.best) + t.n * (8 * size + 2)
                          : 5.64 * std::sqrt(2 * size * t.n * (t.best + t.n)) + t.n * (64 * size + 7);
  const double learners = base + t.open_gap;
  const double mixing =
      t.k > 0 ? mix_bound({.B = t.best + learners + t.wait, .k = t.k, .levels = t.levels, .orders = t.orders}) : 0.0;
  return learners + t.wait + mixing;
}

}  // namespace hannan::detail

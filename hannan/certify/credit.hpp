// The credit of noise in use (docs/theory-run.md, exact): by how much noise of scale z lowers the minimum in the mean,
// estimated by one draw as L* + z n(leader) - min_k (L(k) + z n(k)). Never negative. One oracle call.
#pragma once

#include <algorithm>

#include "hannan/game/seen_outcomes.hpp"

namespace hannan::detail {

// `found` is a buffer.
inline double credit_of(const SeenOutcomes& seen, const RoundNoise& noise, double z, GameAnswer& found) {
  // lead.value is L*; total is L(k) at the perturbed minimiser k, so the difference is L* + z n(leader) - (L(k) + z
  // n(k)).
  const auto& lead = seen.peek();
  seen.probe(noise, z, found);
  const double total = seen.total_of(found.action, found.value, noise, z);
  return std::max(0.0, lead.value - total + z * (noise.exact(lead.action) - noise.exact(found.action)));
}

}  // namespace hannan::detail

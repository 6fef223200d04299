// Reading of the parameters of elements. Noise and its columns are settled by the elements themselves: a Laplace column
// each, cut at 32; whatever names another is refused, as is what belongs to the certificate of a run that sees all.
#include "hannan/learners/element_params.hpp"

#include <string>

#include "hannan/core/error.hpp"

namespace hannan::detail {

ElementParams parse_elements(Fields& fields) {
  for (const char* name : {"perturbation", "noise", "draw", "alpha", "gamma", "range", "track", "pivot", "rho2",
                           "credit_draws", "by", "delayed", "discount", "half_life"}) {
    if (!fields.has(name)) continue;
    throw Error(Code::kUnavailable,
                "found \"" + std::string(name) +
                    "\" with elements, expected none: each element has Laplace noise of its own, drawn anew in every "
                    "round",
                fields.at(name));
  }
  return {.cap = fields.number("cap", kElementCap, 16.0)};
}

}  // namespace hannan::detail

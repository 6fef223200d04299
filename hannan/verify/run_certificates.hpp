// The bounds that a certificate shows since there are certificates of the run (docs/theory-run.md): decided again from
// the header and the verifier's own sums. Those of version 0.2 are in bounds.hpp.
#pragma once

#include <vector>

#include "hannan/verify/bounds.hpp"

namespace hannan::detail {

std::vector<ExpectedBound> certified_leader(const BoundFacts& facts);
std::vector<ExpectedBound> certified_gftpl(const BoundFacts& facts);
std::vector<ExpectedBound> certified_ada(const BoundFacts& facts);
std::vector<ExpectedBound> certified_delayed(const BoundFacts& facts);  // of ada with delayed outcomes
std::vector<ExpectedBound> certified_flipflop(const BoundFacts& facts);

// The sentence that stands beside a bound which is no closed form.
std::string sentence_of(const ExpectedBound& bound, const RecordedSetting& setting);

// rho2 as it is given, or as the law of the noise and the ranges of the columns give it; none where neither does.
std::optional<double> noise_square(const RecordedSetting& setting);

}  // namespace hannan::detail

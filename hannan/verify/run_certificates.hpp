// The bounds of learners with certificates of the run (docs/theory-run.md): decided again from the header and the
// verifier's own sums. Those of the others are in bounds.hpp.
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

// The one that programs of version 0.3 wrote.
std::string earlier_sentence(const ExpectedBound& bound, const RecordedSetting& setting);

// What the certificate must say it leaves out, since a given gamma or rho2 is below the proven one.
std::vector<std::string> expected_left_out(const RecordedSetting& setting);

// rho2 as the law of the noise and the ranges of the columns give it; none where they do not.
std::optional<double> proven_noise_square(const RecordedSetting& setting);
// The one that the limit may use: as given, unless it is below the proven one and the noise was drawn by the law.
std::optional<double> noise_square(const RecordedSetting& setting);

}  // namespace hannan::detail

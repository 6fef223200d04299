// What a verification may say of the choices of a record: which of them were held against the best, and which rest on
// trust.
#pragma once

#include <cstdint>
#include <string>

#include "hannan/verify/claims.hpp"
#include "hannan/verify/setting.hpp"
#include "hannan/verify/verifier.hpp"

namespace hannan::detail {

struct StandingInput {
  const RecordedSetting& setting;
  Claims& claims;
  double gap = 0;  // end.oracle_gap
  std::string of;  // whose choices, after the word: " of every segment"
};

// Adds to result.checked and result.trusted, and says whether a choice is on trust.
void add_choices(const StandingInput& in, Verification& result);

// How the rate of each round is called, and whether the learner has one.
std::string rate_words(const RecordedSetting& setting);
// " under the noise, drawn again", or nothing where the learner has no noise.
std::string noise_words(const RecordedSetting& setting);

// L* as the verifier knows it: [floor, best], both the same where it is proven.
struct KnownBest {
  double floor = 0;
  double best = 0;
};
// Sets best, floor and regret of the result; an interval is on trust.
void add_best(const KnownBest& known, double slack, Verification& result);

}  // namespace hannan::detail

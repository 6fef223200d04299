#include "hannan/verify/standing.hpp"

#include <utility>

namespace hannan::detail {
namespace {

std::string counted_of(std::uint64_t some, std::uint64_t all, const std::string& of) {
  if (some == all) return "every choice" + of;
  return std::to_string(some) + " of " + std::to_string(all) + " choices" + of;
}

void add_taken_over(const TakenOver& taken, Verification& result) {
  const auto add = [&](std::uint64_t count, const char* what) {
    if (count > 0) result.trusted.push_back(std::to_string(count) + what);
  };
  add(taken.best,
      " values of L* between the first and the last round, for which no search was made or none was proven");
  add(taken.rates, " rates, within what L* may be: L* of their rounds is not known");
  add(taken.gaps, " gaps or estimates, within what a round can cost");
}

}  // namespace

std::string rate_words(const RecordedSetting& setting) {
  if (setting.facts().multiplies) return "the noise multiplier of every round";
  return setting.facts().rated ? "the rate of every round" : "";
}

std::string noise_words(const RecordedSetting& setting) {
  if (setting.facts().noise == NoiseOn::kNothing) return "";
  const std::string where = setting.facts().switches ? ", where its part has some" : "";
  return (setting.noise.alpha ? " under the given noise" : " under the noise") + where +
         (setting.noise.alpha ? "" : ", drawn again");
}

void add_choices(const StandingInput& in, Verification& result) {
  const ChoiceCounts& counts = in.claims.choices();
  const std::uint64_t all = counts.listed + counts.proven + counts.unproven + counts.skipped;
  const std::string noise = noise_words(in.setting);
  const auto some = [&](std::uint64_t count) { return counted_of(count, all, in.of); };
  // A choice that was found to be above the best was looked at, but is no choice that holds.
  const std::string above = counts.above > 0 ? "; some are above the best, which is on trust" : "";
  if (counts.listed > 0) result.checked.push_back(some(counts.listed) + noise + ", against all actions" + above);
  if (counts.proven > 0)
    result.checked.push_back(some(counts.proven) + noise + ", against a new search that proved its answer" + above);
  if (counts.unproven > 0)
    result.trusted.push_back(
        some(counts.unproven) +
        ", which no action refutes that a new search found, but the search did not prove its answer");
  if (counts.skipped > 0) result.trusted.push_back(some(counts.skipped) + ", for which no search was made");
  if (counts.above > 0) {
    result.trusted.push_back(some(counts.above) + ", above the best by " + number_text(in.claims.shortfall()) +
                             " all together: that the oracle of the run stopped there");
  }
  result.choices_on_trust = counts.unproven + counts.skipped + counts.above > 0;
  add_taken_over(in.claims.taken_over(), result);
  if (in.gap > 0) {
    result.trusted.push_back("what the oracle's calls left unproven, all together: oracle_gap " + number_text(in.gap) +
                             " of at most " + number_text(in.claims.possible_gap()) + " that is possible");
  }
  if (const auto& first = in.claims.suspicion()) {
    result.trusted.push_back(std::to_string(in.claims.suspicions()) +
                             " values that are not what the best action gives, as an oracle that stops early may leave "
                             "them; the first at " +
                             first->at() + ": " + first->message());
  }
}

void add_best(const KnownBest& known, double slack, Verification& result) {
  result.best = known.best;
  result.floor = known.floor >= known.best - 2 * slack ? known.best : known.floor;
  result.regret = result.total - result.best;
  if (result.floor < result.best) {
    result.trusted.push_back("that no action loses less than the " + number_text(result.best) +
                             " that was found: L* lies from " + number_text(result.floor) + " to " +
                             number_text(result.best));
  }
}

std::string verdict_of(const Verification& found) {
  if (found.trusted.empty()) return "verifies";
  return found.choices_on_trust ? "is consistent, choices on trust" : "is consistent, in part on trust";
}

}  // namespace hannan::detail

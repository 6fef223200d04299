// act and observe of a learner that looks (docs/partial.md).
#include "hannan/core/error.hpp"
#include "hannan/runtime/pipe.hpp"
#include "hannan/runtime/round_json.hpp"

namespace hannan::detail {
namespace {

namespace looks_answers {

using namespace round_fields;
constexpr RoundField kActedLooking[] = {kNumber, kLook, kShare, kAction, kChoice, kRate, known(kRegime)};
constexpr RoundField kObservedLooking[] = {kLooks,
                                           kLost,
                                           kLookWeight,
                                           kGap,
                                           kStability,
                                           kSwitched,
                                           kLookCost,
                                           kEstimate,
                                           kOwnEstimate,
                                           kBestEstimate,
                                           shown(kRun, When::kAlways),
                                           shown(kLimit, When::kAlways),
                                           kOracleCalls,
                                           kUnseenTotal,
                                           kBest,
                                           kRegret};

}  // namespace looks_answers

// An outcome, or null; where coins come from a log also the share, and whether there was a look.
LooksLearner::Seen seen_in(LooksLearner& learner, Fields& in) {
  LooksLearner::Seen seen;
  const Json* outcome = in.maybe("outcome");  // left out it is null
  seen.lost = in.flag("lost", false);
  if (in.has("raw")) seen.raw = in.number("raw", kMatrixEntry);
  if (learner.logged()) {
    seen.share = in.number("share", kLookChance);
    seen.look = in.flag("look");
    seen.rounds = static_cast<std::uint64_t>(in.integer("rounds", {1, 1'000'000'000}, 1));
    if (seen.look && seen.rounds > 1)
      throw Error(Code::kOutOfRange, "found several rounds of a look, expected one", in.at("rounds"));
  }
  in.done();
  if (outcome && !outcome->is_null()) seen.outcome = &learner.read(*outcome, "outcome");
  return seen;
}

}  // namespace

Json act_looking(LooksLearner& learner, Fields& in) {
  in.done();
  return round_json(learner.act(), looks_answers::kActedLooking);
}

Json observe_looking(LooksLearner& learner, Fields& in) {
  return round_json(learner.observe(seen_in(learner, in)), looks_answers::kObservedLooking);
}

}  // namespace hannan::detail

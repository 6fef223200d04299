// act and observe of a learner that sees a part of its rounds (docs/partial.md).
#include "hannan/runtime/elements_learner.hpp"
#include "hannan/runtime/pipe.hpp"
#include "hannan/runtime/round_json.hpp"

namespace hannan::detail {
namespace part_answers {

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
constexpr RoundField kActedByElements[] = {kNumber, kAction, kRate, kDrawCap};
constexpr RoundField kObservedByElements[] = {kLoss,     kTotal,       kCopies,   kCapped,
                                              kGap,      kStability,   kMeasured, shown(kLimit, When::kAlways),
                                              kNewDraws, kOracleCalls, kBest,     kRegret};

}  // namespace part_answers

Json act_in_part(PartLearner& learner, Fields& in) {
  in.done();
  const Round& round = learner.act();
  return round_json(round, round.elements ? RoundFields(part_answers::kActedByElements) : part_answers::kActedLooking);
}

Json observe_in_part(PartLearner& learner, Fields& in) {
  Round round = learner.observe(learner.read_seen(in));
  if (!round.elements) return round_json(round, part_answers::kObservedLooking);
  round.limit = static_cast<ElementsLearner&>(learner).limit();
  return round_json(round, part_answers::kObservedByElements);
}

}  // namespace hannan::detail

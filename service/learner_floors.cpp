// The floors.json of a learner: its current reserves as a file of Prebid's price floors. With contexts the file is made
// of the report, on the writer's thread; the last one is kept, to be served when nothing newer can be had.
#include "service/learner_floors.hpp"

#include <utility>

#include "hannan/bidlog/map_floors.hpp"
#include "hannan/bidlog/price_floors.hpp"
#include "hannan/core/error.hpp"

namespace hannan::detail::service {

void refuse_no_decision() {
  throw Error(Code::kUndefined,
              "found a learner without a decision, expected one: it has no floors yet; make a decision with POST "
              ".../decisions",
              "decision");
}

Json floors_of_decision(const Entry& entry, const DecidedAction& decided) {
  const LearnerConfig& config = entry.config();
  return price_floors({.problem = config.floors_of(),
                       .action = decided.action,
                       .log = config.facts(),
                       .field = read_floor_fields(config.floor_fields, {}).of_slot,
                       .model = decision_name(decided.generation, decided.round),
                       .skip_share = decided.look_share});
}

Json floors_of_segments(HostedLearner& learner) {
  const LearnerConfig& config = learner.config();
  if (!learner.turn().as<ContextLearner>())
    throw Error(Code::kUnavailable,
                "found a portfolio with columns, whose decision is drawn for every round, expected GET .../decision "
                "with the context of each: it has no file of floors",
                "name");
  ContextLearner& tree = *learner.turn().as<ContextLearner>();
  using Empty = SegmentFloorsRequest::Empty;
  // With several orders of columns the report says which of them the map has.
  const Json report = tree.orders().size() > 1 ? tree.report() : Json::object({{"map", tree.map()}});
  return map_floors({.problem = config.floors_of(),
                     .report = report,
                     .orders = tree.orders(),
                     .log = config.facts(),
                     .fields = read_floor_fields(config.floor_fields, tree.orders()),
                     .model = decision_name(learner.log().generation, learner.current()),
                     .empty = config.floors_drop_empty ? Empty::kDrop : Empty::kRefuse})
      .floors;
}

std::shared_ptr<const KeptFloors> KeptFloorsOf::find(const std::string& name) const {
  const std::lock_guard lock(mutex_);
  const auto found = kept_.find(name);
  return found == kept_.end() ? nullptr : found->second;
}

void KeptFloorsOf::keep(const std::string& name, std::shared_ptr<const KeptFloors> floors) {
  const std::lock_guard lock(mutex_);
  kept_[name] = std::move(floors);
}

}  // namespace hannan::detail::service

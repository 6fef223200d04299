#include "hannan/runtime/part_learner.hpp"

#include <string>
#include <utility>

#include "hannan/core/error.hpp"
#include "hannan/learners/learner_params.hpp"
#include "hannan/runtime/elements_learner.hpp"
#include "hannan/runtime/looks_learner.hpp"

namespace hannan::detail {

void PartLearner::refuse(std::string_view path) {
  throw Error(
      Code::kUnavailable,
      "a learner that sees a part of its rounds is played where each round says what was seen of it; here every "
      "outcome is seen",
      path_of(path, "feedback"));
}

void PartLearner::check_rehearsal(std::string_view path) const {
  throw Error(Code::kUnavailable,
              "found a rehearsal, expected none: this learner sees a part of its rounds, and a rehearsal sees all",
              std::string(path));
}

Json PartLearner::stated(std::string_view name, const std::optional<double>& value, std::string_view says) {
  return Json::object({{"name", name}, {"value", value}, {"side", "upper"}, {"holds", nullptr}, {"says", says}});
}

std::unique_ptr<PartLearner> part_learner(std::shared_ptr<const Game> game, LearnerParams params) {
  if (params.elements) return std::make_unique<ElementsLearner>(std::move(game), std::move(params));
  return std::make_unique<LooksLearner>(std::move(game), std::move(params));
}

}  // namespace hannan::detail

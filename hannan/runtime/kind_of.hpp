// The row of the registry that a typed problem P gives: the one place where P meets the run-time interface.
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "hannan/io/codec.hpp"
#include "hannan/io/fields.hpp"
#include "hannan/problems/game_of.hpp"
#include "hannan/runtime/any_problem.hpp"
#include "hannan/runtime/context_learner.hpp"
#include "hannan/runtime/delayed_learner_of.hpp"
#include "hannan/runtime/learner_of.hpp"
#include "hannan/runtime/registered_problem.hpp"
#include "hannan/runtime/registry.hpp"
#include "hannan/runtime/segment_learners_of.hpp"
#include "hannan/runtime/sleeping_learner.hpp"

namespace hannan::detail {

template <class P>
  requires RegisteredProblem<P>
ProblemKind kind_of() {
  ProblemKind kind;
  kind.name = Codec<P>::kKind;
  kind.about = Codec<P>::kAbout;
  kind.make = [](const Json& params, std::string_view path) {
    Fields fields(params, std::string(path));
    auto problem = Codec<P>::parse(fields);
    fields.done();
    const auto learner = [](const std::shared_ptr<const Game>& game, LearnerParams given) {
      auto typed = std::static_pointer_cast<const GameOf<P>>(game);
      std::unique_ptr<AnyLearner> made;
      if constexpr (requires { typed->problem()->sleeps(); }) {
        if (typed->problem()->sleeps()) {
          made = std::make_unique<SleepingLearner>(game, std::move(given));
          return made;
        }
      }
      if (!given.segments.by.empty()) {
        auto learners = std::make_unique<SegmentLearnersOf<P>>(typed, given);
        made = std::make_unique<ContextLearner>(game, std::move(given), std::move(learners));
      } else if (given.delayed) {
        made = std::make_unique<DelayedLearnerOf<P>>(std::move(typed), std::move(given));
      } else {
        made = std::make_unique<LearnerOf<P>>(std::move(typed), std::move(given));
      }
      return made;
    };
    return std::make_unique<AnyProblem>(std::make_shared<GameOf<P>>(std::move(problem)), learner);
  };
  if constexpr (requires { Codec<P>::kColumnsParam; }) kind.columns_param = Codec<P>::kColumnsParam;
  if constexpr (requires { Codec<P>::kActionLabels; }) kind.action_labels = Codec<P>::kActionLabels;
  if constexpr (requires { Codec<P>::instances(); }) kind.instances = Codec<P>::instances();
  if constexpr (requires { Codec<P>::help(); }) kind.help = Codec<P>::help();
  if constexpr (requires { Codec<P>::kFileAbout; }) {
    kind.file_about = Codec<P>::kFileAbout;
    kind.import = [](Json params, const std::string& file) { return Codec<P>::import(std::move(params), file); };
  }
  return kind;
}

}  // namespace hannan::detail

// A learner by the kind of its turn: what has to be known before it acts, and when outcomes come.
//
//   PlainLearner     in order: act, then the outcome
//   DelayedLearner   late: rounds are played by their numbers, outcomes come in any order
//   ContextLearner   by context: told the context of the round before it acts
//   SleepingLearner  asleep: told which experts are awake before it acts
//   PortfolioLearner by proposals: told what others propose before it acts, and may be told the loss of what is done
//                    today with the outcome; outcomes before its first decision may be rehearsed
//   PartLearner      seen in part: told what was seen of a round, which may be nothing
//
// Each kind has the methods of its own turn and no others. Whoever plays a learner states what it does with each kind:
// a new one is a class, a line in AnyTurn, and errors of the compiler where a caller has not decided about it.
#pragma once

#include <concepts>
#include <memory>
#include <string_view>
#include <utility>
#include <variant>

#include "hannan/runtime/any_learner.hpp"

namespace hannan::detail {

class PlainLearner;      // plain_learner.hpp
class DelayedLearner;    // delayed_learner.hpp
class ContextLearner;    // context_learner.hpp
class SleepingLearner;   // sleeping_learner.hpp
class PortfolioLearner;  // portfolio_learner.hpp
class PartLearner;       // part_learner.hpp; turns.hpp has all of them

template <class... Cases>
struct CaseOf : Cases... {
  using Cases::operator()...;
};

// Owns a learner of one of these kinds.
template <class... Kinds>
class TurnOf {
 public:
  TurnOf() = default;  // none
  template <class Kind>
    requires(std::same_as<Kind, Kinds> || ...)
  TurnOf(std::unique_ptr<Kind> learner) : learner_(std::move(learner)) {}
  // Of other kinds: those that are not of these are refused, `path` being that of the learner's parameters.
  template <class... More>
  TurnOf(TurnOf<More...> of_more, std::string_view path) {
    std::visit(
        [&]<class Kind>(std::unique_ptr<Kind>& learner) {
          if constexpr ((std::same_as<Kind, Kinds> || ...)) {
            learner_ = std::move(learner);
          } else {
            Kind::refuse(path);
          }
        },
        of_more.learner_);
  }

  explicit operator bool() const {
    return std::visit([](const auto& learner) { return learner != nullptr; }, learner_);
  }
  // What all kinds have.
  AnyLearner& operator*() const {
    return std::visit([](const auto& learner) -> AnyLearner& { return *learner; }, learner_);
  }
  AnyLearner* operator->() const { return &**this; }

  // Calls the case of its kind; there has to be one for each.
  template <class... Cases>
  decltype(auto) visit(Cases... cases) const {
    CaseOf<Cases...> all{std::move(cases)...};
    return std::visit([&](const auto& learner) -> decltype(auto) { return all(*learner); }, learner_);
  }
  // For what one kind alone has; null where it is of another.
  template <class Kind>
  Kind* as() const {
    const auto* learner = std::get_if<std::unique_ptr<Kind>>(&learner_);
    return learner ? learner->get() : nullptr;
  }
  // For those who play one kind alone.
  template <class Kind>
  std::unique_ptr<Kind> take(std::string_view path) && {
    return std::get<0>(std::move(TurnOf<Kind>(std::move(*this), path).learner_));
  }

 private:
  template <class...>
  friend class TurnOf;
  std::variant<std::unique_ptr<Kinds>...> learner_;
};

using AnyTurn = TurnOf<PlainLearner, DelayedLearner, ContextLearner, SleepingLearner, PortfolioLearner, PartLearner>;
// Each outcome comes before the next decision.
using PromptTurn = TurnOf<PlainLearner, ContextLearner, SleepingLearner, PortfolioLearner>;
// What whole outcomes in order can be replayed to: the last is shown what it would see of them.
using ReplayTurn = TurnOf<PlainLearner, ContextLearner, SleepingLearner, PortfolioLearner, PartLearner>;

}  // namespace hannan::detail

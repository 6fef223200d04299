// All actions of a problem in order, by their places 0..K-1, for checkers that look at every one of them.
//
// Actions are kept where there are few enough, or where the problem cannot make the k-th one; otherwise each is made
// again when it is looked at, over the last one, so that 10^7 actions need no memory. Cost: O(K) for losses and each,
// O(log K) for index.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "hannan/core/any_value.hpp"
#include "hannan/core/problem.hpp"

namespace hannan::detail {

class ActionTable {
 public:
  virtual ~ActionTable() = default;
  virtual std::size_t size() const = 0;
  virtual AnyAction action(std::size_t place) const = 0;
  // None where it is no action of the problem.
  virtual std::optional<std::size_t> place(const AnyAction& x) const = 0;
  // out[k] = loss of action k. Requires out.size() == size().
  virtual void losses(const AnyOutcome& y, std::span<double> out) const = 0;
  // Every action in order; the argument is valid during the call.
  virtual void each(const std::function<void(const AnyAction&)>& visit) const = 0;
};

template <class P>
class ActionTableOf final : public ActionTable {
 public:
  using Action = typename P::Action;

  // `list` makes the first actions, at most as many as asked for.
  template <class List>
  ActionTableOf(std::shared_ptr<const P> problem, std::size_t size, const List& list)
      : problem_(std::move(problem)), size_(size) {
    if (!Enumerable<P> || size_ <= kMostKept) kept_ = list(size_);
  }

  std::size_t size() const override { return size_; }
  AnyAction action(std::size_t place) const override {
    Action buffer{};
    return AnyAction::of<Action>(Action(at(place, buffer)));
  }
  std::optional<std::size_t> place(const AnyAction& x) const override {
    const Action& wanted = x.get<Action>();
    Action buffer{};
    std::size_t low = 0, high = size_;  // the first that is not below the wanted one lies in [low, high]
    while (low < high) {
      const std::size_t middle = low + (high - low) / 2;
      if (at(middle, buffer) < wanted) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low < size_ && at(low, buffer) == wanted ? std::optional(low) : std::nullopt;
  }
  void losses(const AnyOutcome& y, std::span<double> out) const override {
    const auto& outcome = y.get<typename P::Outcome>();
    if constexpr (Accumulating<P>) {
      std::fill(out.begin(), out.end(), 0.0);
      return problem_->accumulate(outcome, 1.0, out);
    }
    Action buffer{};
    if constexpr (Preparing<P>) {
      const auto prepared = problem_->prepare(outcome);
      for (std::size_t k = 0; k < size_; ++k) out[k] = problem_->loss_prepared(at(k, buffer), prepared);
    } else {
      for (std::size_t k = 0; k < size_; ++k) out[k] = problem_->loss(at(k, buffer), outcome);
    }
  }
  void each(const std::function<void(const AnyAction&)>& visit) const override {
    AnyAction shown;
    Action buffer{};
    for (std::size_t k = 0; k < size_; ++k) {
      shown.as<Action>() = at(k, buffer);
      visit(shown);
    }
  }

 private:
  static constexpr std::size_t kMostKept = 1'000'000;  // about 100 MB where an action is a short list

  const Action& at(std::size_t k, Action& buffer) const {
    if constexpr (Enumerable<P>) {
      if (kept_.empty()) {
        set_action(*problem_, k, buffer);
        return buffer;
      }
    }
    return kept_[k];
  }

  std::shared_ptr<const P> problem_;
  std::size_t size_;
  std::vector<Action> kept_;
};

}  // namespace hannan::detail

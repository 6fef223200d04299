// A typed problem P as a Game, with its oracles and matrices: the only place where a type becomes a Game.
//
// Each adapter converts the values of one call and forwards it: nothing here decides anything. Histories are wrapped,
// actions and outcomes are taken out of their AnyValue and put back; a call for the choice alone allocates nothing.
// What P does not offer (core/problem.hpp) has a plain default. Users have no need to name what is in here: Setting<P>
// (hannan/learner.hpp) does.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <typeinfo>
#include <utility>
#include <vector>

#include "hannan/game/any_game.hpp"

namespace hannan::detail {

// An answer with its actions converted, moved and not copied. `unit` stays 1: who divides a history by a unit sets it
// afterwards (game/shared_history.hpp, runtime/best_answer.cpp).
template <class To, class From, class Convert>
Answer<To> converted(Answer<From>&& answer, const Convert& convert) {
  Answer<To> out{.action = convert(std::move(answer.action)),
                 .value = answer.value,
                 .floor = answer.floor,
                 .pool = {},
                 .rest = answer.rest,
                 .nodes = answer.nodes,
                 .calls = answer.calls};
  out.pool.reserve(answer.pool.size());
  for (auto& [action, value] : answer.pool) out.pool.push_back({convert(std::move(action)), value});
  return out;
}

// The state of a typed oracle behind the interface of Game; owns it.
template <class P>
class ErasedHistory final : public GameHistory {
 public:
  explicit ErasedHistory(std::unique_ptr<AnyHistory<P>> typed) : typed_(std::move(typed)) {}
  void add(const AnyOutcome& y, double weight) override { typed_->add(y.get<typename P::Outcome>(), weight); }
  void add_table(std::size_t coordinate, std::span<const double> values) override {
    typed_->add_table(coordinate, values);
  }
  void scale(double factor) override { typed_->scale(factor); }
  void clear() override { typed_->clear(); }
  void shrink() override { typed_->shrink(); }
  void archive(Archive& a) override { typed_->archive(a); }
  AnyHistory<P>& typed() const { return *typed_; }

 private:
  std::unique_ptr<AnyHistory<P>> typed_;
};

// A history of Game for those who speak of P.
template <class P>
class TypedHistory final : public AnyHistory<P> {
 public:
  explicit TypedHistory(std::unique_ptr<GameHistory> owned) : owned_(std::move(owned)), game_(*owned_) {}
  explicit TypedHistory(GameHistory& game) : game_(game) {}
  void add(const typename P::Outcome& y, double weight) override {
    outcome_.as<typename P::Outcome>() = y;
    game_.add(outcome_, weight);
  }
  void add_table(std::size_t coordinate, std::span<const double> values) override {
    game_.add_table(coordinate, values);
  }
  void scale(double factor) override { game_.scale(factor); }
  void clear() override { game_.clear(); }
  void shrink() override { game_.shrink(); }
  void archive(Archive& a) override { game_.archive(a); }
  const GameHistory& game() const { return game_; }

 private:
  std::unique_ptr<GameHistory> owned_;
  GameHistory& game_;
  AnyOutcome outcome_;  // a buffer
};

template <class P>
class ErasedOracle final : public GameOracle {
 public:
  ErasedOracle(std::shared_ptr<const Game> game, std::shared_ptr<const AnyOracle<P>> typed)
      : game_(std::move(game)), typed_(std::move(typed)) {}

  const std::string& name() const override { return typed_->name(); }
  const Game& problem() const override { return *game_; }
  std::size_t pool() const override { return typed_->pool(); }
  std::size_t suitable_pool() const override { return typed_->suitable_pool(); }
  bool takes_negative_weights() const override { return typed_->takes_negative_weights(); }
  bool takes_tables() const override { return typed_->takes_tables(); }
  bool scales() const override { return typed_->scales(); }
  std::string_view claims() const override { return typed_->claims(); }
  std::unique_ptr<GameHistory> empty() const override { return std::make_unique<ErasedHistory<P>>(typed_->empty()); }
  std::shared_ptr<const GameOracle> limited(std::uint64_t work) const override {
    auto limited = typed_->limited(work);
    return limited ? std::make_shared<ErasedOracle>(game_, std::move(limited)) : nullptr;
  }
  GameAnswer best(Evidence<GameHistory> e, std::size_t keep) const override {
    return converted<AnyAction>(typed_->best(typed(e), keep),
                                [](typename P::Action x) { return AnyAction::of(std::move(x)); });
  }
  // The buffer of the caller's action goes through the typed answer and back, so that a round allocates nothing.
  void choose(Evidence<GameHistory> e, GameAnswer& answer) const override {
    auto& action = answer.action.as<typename P::Action>();
    Answer<typename P::Action> found;
    found.action = std::move(action);
    typed_->choose(typed(e), found);
    action = std::move(found.action);
    answer.value = found.value;
    answer.floor = found.floor;
    answer.pool.clear();
    answer.rest = found.rest;
    answer.unit = found.unit;
    answer.nodes = found.nodes;
    answer.calls = found.calls;
  }

 private:
  // The cast is safe for histories of this oracle's empty(); no other may be given to it (core/oracle.hpp).
  static Evidence<AnyHistory<P>> typed(const Evidence<GameHistory>& e) {
    const auto of = [](const GameHistory& history) -> const AnyHistory<P>& {
      return static_cast<const ErasedHistory<P>&>(history).typed();
    };
    return {of(e.data), of(e.noise), e.scale};
  }

  std::shared_ptr<const Game> game_;
  std::shared_ptr<const AnyOracle<P>> typed_;
};

template <class P>
class ErasedMatrix final : public GameMatrix {
 public:
  using Action = typename P::Action;
  explicit ErasedMatrix(std::shared_ptr<const Perturbation<P>> typed) : typed_(std::move(typed)) {}

  const std::string& name() const override { return typed_->name(); }
  std::size_t columns() const override { return typed_->columns(); }
  std::optional<double> gamma() const override { return typed_->gamma(); }
  HedgeSign hedge_sign() const override { return typed_->hedge_sign(); }
  bool unit_entries() const override { return typed_->unit_entries(); }
  std::vector<CoordinateShape> shape() const override { return typed_->shape(); }
  std::optional<double> single_out() const override { return typed_->single_out(); }
  void row(const AnyAction& x, std::span<double> out) const override { typed_->row(x.get<Action>(), out); }
  double exact(const AnyAction& x, std::span<const double> alpha, std::span<double> entries) const override {
    return typed_->exact(x.get<Action>(), alpha, entries);
  }
  void project(std::span<const double> alpha, NoiseTable& into) const override { typed_->project(alpha, into); }
  double noise(const AnyAction& x, NoiseTable& table) const override { return typed_->noise(x.get<Action>(), table); }
  bool quick() const override { return typed_->quick(); }
  void pour(std::span<const double> alpha, GameHistory& into) const override {
    with_typed(into, [&](AnyHistory<P>& typed) {
      typed_->pour(alpha, typed);
      return true;
    });
  }
  bool pour_data(std::span<const double> alpha, GameHistory& into, Weights weights) const override {
    return with_typed(into, [&](AnyHistory<P>& typed) { return typed_->pour_data(alpha, typed, weights); });
  }
  bool has_data(ColumnRequest request) const override { return typed_->has_data(request); }
  std::optional<Dataset<AnyOutcome>> data(ColumnRequest request) const override {
    auto typed = typed_->data(request);
    if (!typed) return std::nullopt;
    Dataset<AnyOutcome> set;
    for (auto& [weight, y] : *typed) set.push_back({weight, AnyOutcome::of(std::move(y))});
    return set;
  }

 private:
  // The history may be one of ours, or one of an oracle that knows Game alone.
  template <class Call>
  static bool with_typed(GameHistory& into, const Call& call) {
    if (typeid(into) == typeid(ErasedHistory<P>)) return call(static_cast<ErasedHistory<P>&>(into).typed());
    TypedHistory<P> wrapped(into);
    return call(wrapped);
  }

  std::shared_ptr<const Perturbation<P>> typed_;
};

// Everything of a Game that needs neither JSON nor rows of numbers; game/game_of.hpp adds these for registered
// problems.
template <class P>
class TypedGame : public Game, public std::enable_shared_from_this<TypedGame<P>> {
 public:
  using TypedAction = typename P::Action;
  using TypedOutcome = typename P::Outcome;

  explicit TypedGame(std::shared_ptr<const P> problem) : problem_(std::move(problem)) {}
  const std::shared_ptr<const P>& problem() const { return problem_; }

  // get<T>() asserts that the value is one of this problem (core/any_value.hpp): values are made by first_actions,
  // parse_action, read_outcome and the oracles of the same game.
  double loss(const AnyAction& x, const AnyOutcome& y) const override {
    return problem_->loss(x.get<TypedAction>(), y.get<TypedOutcome>());
  }
  // What depends on the outcome alone (sorted bids, say) is worked out once for all actions, where P has prepare().
  void losses_of(std::span<const AnyAction> actions, const AnyOutcome& y, std::span<double> out) const override {
    const auto& outcome = y.get<TypedOutcome>();
    if constexpr (Preparing<P>) {
      const auto& prepared = problem_->prepare(outcome);
      for (std::size_t i = 0; i < actions.size(); ++i)
        out[i] = problem_->loss_prepared(actions[i].get<TypedAction>(), prepared);
    } else {
      for (std::size_t i = 0; i < actions.size(); ++i) out[i] = problem_->loss(actions[i].get<TypedAction>(), outcome);
    }
  }
  double least_loss(const AnyOutcome& y) const override { return hannan::least_loss(*problem_, y.get<TypedOutcome>()); }
  // In the problem's own unit; the normalised loss where P has no other.
  double raw(const AnyAction& x, const AnyOutcome& y) const override {
    if constexpr (requires { problem_->raw(x.get<TypedAction>(), y.get<TypedOutcome>()); })
      return problem_->raw(x.get<TypedAction>(), y.get<TypedOutcome>());
    return loss(x, y);
  }
  // In the order of first_actions; fewer than all where `limit` is below their number.
  std::vector<double> losses(const AnyOutcome& y, std::uint64_t limit) const override {
    std::vector<double> all;
    for (const auto& x : typed_actions(limit)) all.push_back(problem_->loss(x, y.get<TypedOutcome>()));
    return all;
  }
  LossRange loss_range() const override {
    return has_unknown_range(*problem_) ? LossRange::kUnknown : LossRange::kUnitInterval;
  }
  LossSpread spread(const AnyOutcome& y) const override { return loss_spread(*problem_, y.get<TypedOutcome>()); }
  std::optional<double> known_range() const override {
    return loss_range() == LossRange::kUnitInterval ? std::optional(1.0) : std::nullopt;
  }
  std::optional<double> gamma_at(std::string_view perturbation, const AnyOutcome& y) const override {
    if constexpr (requires { problem_->gamma_at(perturbation, y.get<TypedOutcome>()); }) {
      return problem_->gamma_at(perturbation, y.get<TypedOutcome>());
    } else {
      return std::nullopt;
    }
  }
  double ln_size() const override { return problem_->ln_size(); }
  double normaliser() const override {
    if constexpr (requires { problem_->normaliser(); }) return problem_->normaliser();
    return 1;
  }
  Form form() const override {
    if constexpr (requires { problem_->form(); }) return problem_->form();
    return Form::kLoss;
  }

  // Enumerable: actions have numbers 0 .. size() - 1, and tables of totals are indexed by them. The three calls below
  // are asked only where this is true.
  bool numbers_actions() const override { return Enumerable<P>; }
  std::uint64_t size() const override {
    if constexpr (Enumerable<P>) return problem_->size();
    return 0;
  }
  void set_action(std::uint64_t k, AnyAction& x) const override {
    if constexpr (Enumerable<P>) hannan::set_action(*problem_, k, x.as<TypedAction>());
  }
  void accumulate(const AnyOutcome& y, double weight, std::span<double> totals) const override {
    const auto& outcome = y.get<TypedOutcome>();
    if constexpr (Accumulating<P>) {
      problem_->accumulate(outcome, weight, totals);
    } else if constexpr (Enumerable<P>) {
      TypedAction x{};
      for (std::size_t k = 0; k < totals.size(); ++k) {
        hannan::set_action(*problem_, k, x);
        totals[k] += weight * problem_->loss(x, outcome);
      }
    }
  }
  bool sleeps() const override {
    if constexpr (requires { problem_->sleeps(); }) return problem_->sleeps();
    return false;
  }

  // None says too many to list or not known; a double, as counts beyond 2^53 are not used as counts.
  std::optional<double> action_count() const override {
    if constexpr (requires { problem_->action_count(); }) {
      return problem_->action_count();
    } else if constexpr (Enumerable<P>) {
      return static_cast<double>(problem_->size());
    } else {
      return std::nullopt;
    }
  }
  std::vector<AnyAction> first_actions(std::uint64_t limit) const override {
    std::vector<AnyAction> some;
    for (auto& x : typed_actions(limit)) some.push_back(AnyAction::of<TypedAction>(std::move(x)));
    return some;
  }
  bool allows(const AnyAction& x) const override { return hannan::allows(*problem_, x.get<TypedAction>()); }
  void archive_action(Archive& a, AnyAction& x) const override { archive_value(a, x.as<TypedAction>()); }

  std::optional<std::vector<AnyOutcome>> outcomes() const override {
    if constexpr (requires { problem_->outcomes(); }) {
      std::vector<AnyOutcome> all;
      for (auto& y : problem_->outcomes()) all.push_back(AnyOutcome::of<TypedOutcome>(y));
      return all;
    } else {
      return std::nullopt;
    }
  }

  // Made anew at each call: they share the problem, and callers keep what they chose.
  std::vector<std::shared_ptr<const GameMatrix>> perturbations() const override {
    std::vector<std::shared_ptr<const GameMatrix>> all;
    if constexpr (requires { P::perturbations(problem_); }) {
      for (auto& typed : P::perturbations(problem_)) all.push_back(std::make_shared<ErasedMatrix<P>>(std::move(typed)));
    }
    return all;
  }
  // Each oracle holds this game, so that its answers can be written and its problem asked for: shared_from_this.
  std::vector<std::shared_ptr<const GameOracle>> oracles() const override {
    std::vector<std::shared_ptr<const GameOracle>> all;
    if constexpr (requires { P::oracles(problem_); }) {
      for (auto& typed : P::oracles(problem_))
        all.push_back(std::make_shared<ErasedOracle<P>>(this->shared_from_this(), std::move(typed)));
    }
    return all;
  }

 protected:
  // The problem's own walk where it has one, which lists a few of very many; else by number; else none.
  std::vector<TypedAction> typed_actions(std::uint64_t limit) const {
    if constexpr (requires { problem_->first_actions(limit); }) {
      return problem_->first_actions(limit);
    } else if constexpr (Enumerable<P>) {
      std::vector<TypedAction> some;
      for (std::uint64_t k = 0; k < problem_->size() && k < limit; ++k) some.push_back(problem_->action(k));
      return some;
    } else {
      return {};
    }
  }

  const std::shared_ptr<const P> problem_;
};

// A typed problem, its oracle and its matrix for those who speak of Game.
template <class P>
std::shared_ptr<const Game> erased(std::shared_ptr<const P> problem) {
  return std::make_shared<const TypedGame<P>>(std::move(problem));
}
template <class P>
std::shared_ptr<const GameOracle> erased(std::shared_ptr<const Game> game, std::shared_ptr<const AnyOracle<P>> oracle) {
  return std::make_shared<const ErasedOracle<P>>(std::move(game), std::move(oracle));
}
template <class P>
std::shared_ptr<const GameMatrix> erased(std::shared_ptr<const Perturbation<P>> matrix) {
  return std::make_shared<const ErasedMatrix<P>>(std::move(matrix));
}

}  // namespace hannan::detail

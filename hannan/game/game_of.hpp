// A registered problem P as a Game: what TypedGame<P> has, and what its Codec adds: JSON, rows, money, rivals.
//
// Each function converts the values of one call and forwards it. What P does not offer (core/problem.hpp,
// game/registered_problem.hpp lists what it may) has the default of Game.
#pragma once

#include <algorithm>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "hannan/core/error.hpp"
#include "hannan/core/rows.hpp"
#include "hannan/game/action_row.hpp"
#include "hannan/game/game.hpp"
#include "hannan/game/money.hpp"
#include "hannan/game/rivals.hpp"
#include "hannan/game/typed_game.hpp"

namespace hannan::detail {

// An oracle that knows Game alone, such as a program of the user's own, for those who speak of P.
template <class P>
class TypedOracle final : public AnyOracle<P> {
 public:
  TypedOracle(std::shared_ptr<const P> problem, std::shared_ptr<const GameOracle> game)
      : problem_(std::move(problem)), game_(std::move(game)) {}

  const std::string& name() const override { return game_->name(); }
  const P& problem() const override { return *problem_; }
  std::size_t suitable_pool() const override { return game_->suitable_pool(); }
  bool takes_negative_weights() const override { return game_->takes_negative_weights(); }
  bool takes_tables() const override { return game_->takes_tables(); }
  bool scales() const override { return game_->scales(); }
  std::string_view claims() const override { return game_->claims(); }
  std::unique_ptr<AnyHistory<P>> empty() const override { return std::make_unique<TypedHistory<P>>(game_->empty()); }
  std::shared_ptr<const AnyOracle<P>> limited(std::uint64_t work) const override {
    auto limited = game_->limited(work);
    return limited ? std::make_shared<TypedOracle>(problem_, std::move(limited)) : nullptr;
  }
  Answer<typename P::Action> best(Evidence<AnyHistory<P>> e, std::size_t keep) const override {
    const auto game = [](const AnyHistory<P>& history) -> const GameHistory& {
      return static_cast<const TypedHistory<P>&>(history).game();
    };
    return converted<typename P::Action>(game_->best({game(e.data), game(e.noise), e.scale}, keep),
                                         [](const AnyAction& x) { return x.get<typename P::Action>(); });
  }

 private:
  std::shared_ptr<const P> problem_;
  std::shared_ptr<const GameOracle> game_;
};

// A list of outcomes of P that fills one of Game.
template <class P>
// The problem writes its outcomes typed; each goes on at once through one buffer, so that no list is built twice.
class TypedExtremes final : public ExtremeOutcomes<typename P::Outcome> {
 public:
  explicit TypedExtremes(ExtremeOutcomes<AnyOutcome>& into) : into_(into) {}
  std::uint64_t left() const override { return into_.left(); }
  void add(const typename P::Outcome& y) override {
    outcome_.template as<typename P::Outcome>() = y;
    into_.add(outcome_);
  }
  void describe(const std::string& words) override { into_.describe(words); }

 private:
  ExtremeOutcomes<AnyOutcome>& into_;
  AnyOutcome outcome_;
};

// Coding is Codec<P>.
template <class P, class Coding>
class GameOf final : public TypedGame<P> {
 public:
  using TypedAction = typename P::Action;
  using TypedOutcome = typename P::Outcome;
  using TypedGame<P>::TypedGame;

  std::string_view kind() const override { return Coding::kKind; }
  Json params() const override { return Coding::params(*problem_); }

  std::optional<double> known_range() const override {
    if (this->loss_range() == LossRange::kUnitInterval) return 1.0;
    const auto stated = money();
    return stated && stated->most_gain ? stated->most_gain({}) : std::nullopt;
  }
  std::optional<Elements> elements() const override {
    if constexpr (requires { problem_->elements(); }) return problem_->elements();
    return std::nullopt;
  }
  void element_losses([[maybe_unused]] const AnyOutcome& y, [[maybe_unused]] std::span<const std::int32_t> elements,
                      [[maybe_unused]] std::span<double> out) const override {
    if constexpr (requires { problem_->elements(); }) {
      const auto& losses = y.get<TypedOutcome>();  // one number an element
      for (std::size_t i = 0; i < elements.size(); ++i) out[i] = losses[static_cast<std::size_t>(elements[i])];
    }
  }

  // Null where there are more than `limit`: the caller then goes without a table.
  std::unique_ptr<const ActionTable> action_table(std::uint64_t limit) const override {
    const auto count = this->action_count();
    if (!count || *count > static_cast<double>(limit)) return nullptr;
    return std::make_unique<ActionTableOf<P>>(problem_, static_cast<std::size_t>(*count),
                                              [&](std::uint64_t most) { return this->typed_actions(most); });
  }
  bool action_row(const AnyAction& x, std::vector<std::int32_t>& into) const override {
    return write_action_row<Coding>(x.get<TypedAction>(), into);
  }
  Json action_json(const AnyAction& x) const override { return Coding::action_json(*problem_, x.get<TypedAction>()); }
  AnyAction parse_action(const Json& json, std::string_view path) const override {
    return AnyAction::of<TypedAction>(Coding::parse_action(*problem_, json, path));
  }

  Json outcome_json(const AnyOutcome& y) const override {
    return Coding::outcome_json(*problem_, y.get<TypedOutcome>());
  }
  // Checked by the codec, with errors at `path`; `into` keeps its memory from outcome to outcome.
  void read_outcome(const Json& json, std::string_view path, AnyOutcome& into) const override {
    into.as<TypedOutcome>() = Coding::parse_outcome(*problem_, json, path);
  }
  std::size_t row_width() const override { return detail::row_width(*problem_); }
  Interval row_range() const override { return detail::row_range(*problem_); }
  RowGaps row_gaps() const override { return detail::row_gaps(*problem_); }
  std::string_view row_gap_hint() const override { return detail::row_gap_hint(*problem_); }
  void read_row(std::span<const double> row, AnyOutcome& into) const override {
    outcome_from_row(*problem_, row, into.as<TypedOutcome>());
  }
  bool extreme_outcomes(ExtremeOutcomes<AnyOutcome>& into) const override {
    if constexpr (requires(TypedExtremes<P>& list) { problem_->extreme_outcomes(list); }) {
      TypedExtremes<P> list(into);
      problem_->extreme_outcomes(list);
      return true;
    } else {
      return false;
    }
  }
  bool simulates() const override { return kSimulates; }
  void simulate(const MarketDraws& draws, AnyOutcome& into) const override {
    if constexpr (kSimulates) {
      into.as<TypedOutcome>() = problem_->simulated(draws);
    } else {
      throw Error(Code::kUnavailable, "no simulated market makes outcomes of this problem", "problem");
    }
  }

  std::size_t labelled_points() const override {
    if constexpr (requires { Coding::labelled_points(*problem_); }) return Coding::labelled_points(*problem_);
    return 0;
  }
  std::shared_ptr<const Money> money() const override {
    if constexpr (requires { Coding::money(problem_); }) return std::make_shared<const Money>(Coding::money(problem_));
    return nullptr;
  }
  std::unique_ptr<RivalGroup> rivals() const override {
    if constexpr (requires { Coding::rivals(problem_); }) return Coding::rivals(problem_);
    return nullptr;
  }

 private:
  using TypedGame<P>::problem_;
  // Decided when P is compiled, not when it is called: what P lacks costs nothing at run time.
  static constexpr bool kSimulates = requires(const P& p, const MarketDraws& draws) { p.simulated(draws); };
};

}  // namespace hannan::detail

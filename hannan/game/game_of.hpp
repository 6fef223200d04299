// A typed problem P as a Game: the only place where a type becomes a Game.
//
// Each function converts the values of one call and forwards it. What P does not offer (core/problem.hpp,
// game/registered_problem.hpp lists what it may) has a plain default here or throws kUnavailable.
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
#include "hannan/game/erased.hpp"
#include "hannan/game/game.hpp"
#include "hannan/game/money.hpp"
#include "hannan/game/rivals.hpp"

namespace hannan::detail {

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

// Coding is Codec<P>, or void for a problem that is played and neither read from nor written as JSON.
template <class P, class Coding>
class GameOf final : public Game, public std::enable_shared_from_this<GameOf<P, Coding>> {
 public:
  using TypedAction = typename P::Action;
  using TypedOutcome = typename P::Outcome;

  explicit GameOf(std::shared_ptr<const P> problem) : problem_(std::move(problem)) {}
  const std::shared_ptr<const P>& problem() const { return problem_; }

  std::string_view kind() const override {
    if constexpr (kCoded) return Coding::kKind;
    return "a problem of your own";
  }
  Json params() const override {
    if constexpr (kCoded) return Coding::params(*problem_);
    return Json::object();
  }

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
    if (loss_range() == LossRange::kUnitInterval) return 1.0;
    const auto stated = money();
    return stated && stated->most_gain ? stated->most_gain({}) : std::nullopt;
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
  // Null where there are more than `limit`: the caller then goes without a table.
  std::unique_ptr<const ActionTable> action_table(std::uint64_t limit) const override {
    const auto count = action_count();
    if (!count || *count > static_cast<double>(limit)) return nullptr;
    return std::make_unique<ActionTableOf<P>>(problem_, static_cast<std::size_t>(*count),
                                              [&](std::uint64_t most) { return typed_actions(most); });
  }
  bool allows(const AnyAction& x) const override { return hannan::allows(*problem_, x.get<TypedAction>()); }
  void archive_action(Archive& a, AnyAction& x) const override { archive_value(a, x.as<TypedAction>()); }
  bool action_row(const AnyAction& x, std::vector<std::int32_t>& into) const override {
    return write_action_row<Coding>(x.get<TypedAction>(), into);
  }
  Json action_json(const AnyAction& x) const override {
    if constexpr (kCoded) return Coding::action_json(*problem_, x.get<TypedAction>());
    refuse_json();
  }
  AnyAction parse_action(const Json& json, std::string_view path) const override {
    if constexpr (kCoded) return AnyAction::of<TypedAction>(Coding::parse_action(*problem_, json, path));
    refuse_json();
  }

  std::optional<std::vector<AnyOutcome>> outcomes() const override {
    if constexpr (requires { problem_->outcomes(); }) {
      std::vector<AnyOutcome> all;
      for (auto& y : problem_->outcomes()) all.push_back(AnyOutcome::of<TypedOutcome>(y));
      return all;
    } else {
      return std::nullopt;
    }
  }
  Json outcome_json(const AnyOutcome& y) const override {
    if constexpr (kCoded) return Coding::outcome_json(*problem_, y.get<TypedOutcome>());
    refuse_json();
  }
  // Checked by the codec, with errors at `path`; `into` keeps its memory from outcome to outcome.
  void read_outcome(const Json& json, std::string_view path, AnyOutcome& into) const override {
    if constexpr (kCoded) {
      into.as<TypedOutcome>() = Coding::parse_outcome(*problem_, json, path);
    } else {
      refuse_json();
    }
  }
  std::size_t row_width() const override { return hannan::row_width(*problem_); }
  Interval row_range() const override { return hannan::row_range(*problem_); }
  RowGaps row_gaps() const override { return hannan::row_gaps(*problem_); }
  std::string_view row_gap_hint() const override { return hannan::row_gap_hint(*problem_); }
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

 private:
  // Decided when P is compiled, not when it is called: what P lacks costs nothing at run time.
  static constexpr bool kCoded = !std::is_void_v<Coding>;
  static constexpr bool kSimulates = requires(const P& p, const MarketDraws& draws) { p.simulated(draws); };

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
  [[noreturn]] static void refuse_json() {
    throw Error(Code::kUnavailable, "a problem without a Codec is neither read from nor written as JSON", "problem");
  }

  std::shared_ptr<const P> problem_;
};

// A typed problem, its oracle and its matrix for those who speak of Game.
template <class P>
std::shared_ptr<const Game> erased(std::shared_ptr<const P> problem) {
  return std::make_shared<const GameOf<P, void>>(std::move(problem));
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

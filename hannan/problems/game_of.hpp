// A typed problem P as a Game, its oracles and matrices with it; and the way back, a Game's oracle as one of P.
//
// Each adapter converts the values of one call and forwards it: nothing here decides anything.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "hannan/core/error.hpp"
#include "hannan/core/rows.hpp"
#include "hannan/io/codec.hpp"
#include "hannan/problems/game.hpp"

namespace hannan::detail {

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

// A history of P for those who speak of Game.
template <class P>
class GameHistory final : public AnyHistory<Game> {
 public:
  explicit GameHistory(std::unique_ptr<AnyHistory<P>> typed) : typed_(std::move(typed)) {}
  void add(const AnyOutcome& y, double weight) override { typed_->add(y.get<typename P::Outcome>(), weight); }
  void add_table(std::size_t coordinate, std::span<const double> values) override {
    typed_->add_table(coordinate, values);
  }
  void scale(double factor) override { typed_->scale(factor); }
  void clear() override { typed_->clear(); }
  void archive(Archive& a) override { typed_->archive(a); }
  AnyHistory<P>& typed() const { return *typed_; }

 private:
  std::unique_ptr<AnyHistory<P>> typed_;
};

// A history of Game for those who speak of P.
template <class P>
class TypedHistory final : public AnyHistory<P> {
 public:
  explicit TypedHistory(std::unique_ptr<AnyHistory<Game>> owned) : owned_(std::move(owned)), game_(*owned_) {}
  explicit TypedHistory(AnyHistory<Game>& game) : game_(game) {}
  void add(const typename P::Outcome& y, double weight) override { game_.add(AnyOutcome::of(y), weight); }
  void add_table(std::size_t coordinate, std::span<const double> values) override {
    game_.add_table(coordinate, values);
  }
  void scale(double factor) override { game_.scale(factor); }
  void clear() override { game_.clear(); }
  void archive(Archive& a) override { game_.archive(a); }
  const AnyHistory<Game>& game() const { return game_; }

 private:
  std::unique_ptr<AnyHistory<Game>> owned_;
  AnyHistory<Game>& game_;
};

template <class P>
class GameOracle final : public AnyOracle<Game> {
 public:
  GameOracle(std::shared_ptr<const Game> game, std::shared_ptr<const AnyOracle<P>> typed)
      : game_(std::move(game)), typed_(std::move(typed)) {}

  const std::string& name() const override { return typed_->name(); }
  const Game& problem() const override { return *game_; }
  std::size_t pool() const override { return typed_->pool(); }
  std::size_t suitable_pool() const override { return typed_->suitable_pool(); }
  bool takes_negative_weights() const override { return typed_->takes_negative_weights(); }
  bool takes_tables() const override { return typed_->takes_tables(); }
  bool scales() const override { return typed_->scales(); }
  std::string_view claims() const override { return typed_->claims(); }
  std::unique_ptr<AnyHistory<Game>> empty() const override { return std::make_unique<GameHistory<P>>(typed_->empty()); }
  std::shared_ptr<const AnyOracle<Game>> limited(std::uint64_t work) const override {
    auto limited = typed_->limited(work);
    return limited ? std::make_shared<GameOracle>(game_, std::move(limited)) : nullptr;
  }
  Answer<AnyAction> best(Evidence<AnyHistory<Game>> e, std::size_t keep) const override {
    const auto typed = [](const AnyHistory<Game>& history) -> const AnyHistory<P>& {
      return static_cast<const GameHistory<P>&>(history).typed();
    };
    return converted<AnyAction>(typed_->best({typed(e.data), typed(e.noise), e.scale}, keep),
                                [](typename P::Action x) { return AnyAction::of(std::move(x)); });
  }

 private:
  std::shared_ptr<const Game> game_;
  std::shared_ptr<const AnyOracle<P>> typed_;
};

template <class P>
class TypedOracle final : public AnyOracle<P> {
 public:
  TypedOracle(std::shared_ptr<const P> problem, std::shared_ptr<const AnyOracle<Game>> game)
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
    const auto game = [](const AnyHistory<P>& history) -> const AnyHistory<Game>& {
      return static_cast<const TypedHistory<P>&>(history).game();
    };
    return converted<typename P::Action>(game_->best({game(e.data), game(e.noise), e.scale}, keep),
                                         [](const AnyAction& x) { return x.get<typename P::Action>(); });
  }

 private:
  std::shared_ptr<const P> problem_;
  std::shared_ptr<const AnyOracle<Game>> game_;
};

template <class P>
class GamePerturbation final : public Perturbation<Game> {
 public:
  explicit GamePerturbation(std::shared_ptr<const Perturbation<P>> typed) : typed_(std::move(typed)) {}

  const std::string& name() const override { return typed_->name(); }
  std::size_t columns() const override { return typed_->columns(); }
  std::optional<double> gamma() const override { return typed_->gamma(); }
  HedgeSign hedge_sign() const override { return typed_->hedge_sign(); }
  bool unit_entries() const override { return typed_->unit_entries(); }
  std::vector<CoordinateShape> shape() const override { return typed_->shape(); }
  std::optional<double> single_out() const override { return typed_->single_out(); }
  void row(const AnyAction& x, std::span<double> out) const override { typed_->row(x.get<typename P::Action>(), out); }
  void pour(std::span<const double> alpha, AnyHistory<Game>& into) const override {
    with_typed(into, [&](AnyHistory<P>& typed) {
      typed_->pour(alpha, typed);
      return true;
    });
  }
  bool pour_data(std::span<const double> alpha, AnyHistory<Game>& into, Weights weights) const override {
    return with_typed(into, [&](AnyHistory<P>& typed) { return typed_->pour_data(alpha, typed, weights); });
  }
  std::optional<Dataset<AnyOutcome>> data(ColumnRequest request) const override {
    auto typed = typed_->data({.column = request.column, .sign = request.sign, .weights = request.weights});
    if (!typed) return std::nullopt;
    Dataset<AnyOutcome> set;
    for (auto& [weight, y] : *typed) set.push_back({weight, AnyOutcome::of(std::move(y))});
    return set;
  }

 private:
  // The history may be one of ours, or one of an oracle that knows Game alone.
  template <class Call>
  static bool with_typed(AnyHistory<Game>& into, const Call& call) {
    if (auto* ours = dynamic_cast<GameHistory<P>*>(&into)) return call(ours->typed());
    TypedHistory<P> wrapped(into);
    return call(wrapped);
  }

  std::shared_ptr<const Perturbation<P>> typed_;
};

// A list of outcomes of P that fills one of Game.
template <class P>
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

template <class P>
class GameOf final : public Game, public std::enable_shared_from_this<GameOf<P>> {
 public:
  using TypedAction = typename P::Action;
  using TypedOutcome = typename P::Outcome;

  explicit GameOf(std::shared_ptr<const P> problem) : problem_(std::move(problem)) {}
  const std::shared_ptr<const P>& problem() const { return problem_; }

  std::string_view kind() const override { return Codec<P>::kKind; }
  Json params() const override { return Codec<P>::params(*problem_); }

  double loss(const AnyAction& x, const AnyOutcome& y) const override {
    return problem_->loss(x.get<TypedAction>(), y.get<TypedOutcome>());
  }
  double raw(const AnyAction& x, const AnyOutcome& y) const override {
    return problem_->raw(x.get<TypedAction>(), y.get<TypedOutcome>());
  }
  std::vector<double> losses(const AnyOutcome& y, std::uint64_t limit) const override {
    std::vector<double> all;
    for (const auto& x : typed_actions(limit)) all.push_back(problem_->loss(x, y.get<TypedOutcome>()));
    return all;
  }
  LossRange loss_range() const override {
    return has_unknown_range(*problem_) ? LossRange::kUnknown : LossRange::kUnitInterval;
  }
  LossSpread spread(const AnyOutcome& y) const override { return loss_spread(*problem_, y.get<TypedOutcome>()); }
  std::optional<double> gamma_at(std::string_view perturbation, const AnyOutcome& y) const override {
    if constexpr (requires { problem_->gamma_at(perturbation, y.get<TypedOutcome>()); }) {
      return problem_->gamma_at(perturbation, y.get<TypedOutcome>());
    } else {
      return std::nullopt;
    }
  }
  double ln_size() const override { return problem_->ln_size(); }
  double normaliser() const override { return problem_->normaliser(); }
  Form form() const override { return problem_->form(); }

  std::optional<double> action_count() const override {
    if constexpr (requires { problem_->action_count(); }) {
      return problem_->action_count();
    } else {
      return static_cast<double>(problem_->size());
    }
  }
  std::vector<AnyAction> first_actions(std::uint64_t limit) const override {
    std::vector<AnyAction> some;
    for (auto& x : typed_actions(limit)) some.push_back(AnyAction::of<TypedAction>(std::move(x)));
    return some;
  }
  std::unique_ptr<const ActionTable> action_table(std::uint64_t limit) const override {
    const auto count = action_count();
    if (!count || *count > static_cast<double>(limit)) return nullptr;
    return std::make_unique<ActionTableOf<P>>(problem_, static_cast<std::size_t>(*count),
                                              [&](std::uint64_t most) { return typed_actions(most); });
  }
  Json action_json(const AnyAction& x) const override { return Codec<P>::action_json(*problem_, x.get<TypedAction>()); }
  AnyAction parse_action(const Json& json, std::string_view path) const override {
    return AnyAction::of<TypedAction>(Codec<P>::parse_action(*problem_, json, path));
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
    return Codec<P>::outcome_json(*problem_, y.get<TypedOutcome>());
  }
  void read_outcome(const Json& json, std::string_view path, AnyOutcome& into) const override {
    into.as<TypedOutcome>() = Codec<P>::parse_outcome(*problem_, json, path);
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

  std::vector<std::shared_ptr<const Perturbation<Game>>> perturbations() const override {
    std::vector<std::shared_ptr<const Perturbation<Game>>> all;
    for (auto& typed : P::perturbations(problem_))
      all.push_back(std::make_shared<GamePerturbation<P>>(std::move(typed)));
    return all;
  }
  std::vector<std::shared_ptr<const AnyOracle<Game>>> oracles() const override {
    std::vector<std::shared_ptr<const AnyOracle<Game>>> all;
    for (auto& typed : P::oracles(problem_))
      all.push_back(std::make_shared<GameOracle<P>>(this->shared_from_this(), std::move(typed)));
    return all;
  }

 private:
  static constexpr bool kSimulates = requires(const P& p, const MarketDraws& draws) { p.simulated(draws); };

  std::vector<TypedAction> typed_actions(std::uint64_t limit) const {
    if constexpr (requires { problem_->first_actions(limit); }) {
      return problem_->first_actions(limit);
    } else {
      std::vector<TypedAction> some;
      for (std::uint64_t k = 0; k < problem_->size() && k < limit; ++k) some.push_back(problem_->action(k));
      return some;
    }
  }

  std::shared_ptr<const P> problem_;
};

}  // namespace hannan::detail

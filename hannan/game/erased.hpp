// The oracles and matrices of a typed problem P for those who speak of Game, and the way back.
//
// Each adapter converts the values of one call and forwards it: nothing here decides anything. Histories are wrapped,
// actions and outcomes are taken out of their AnyValue and put back; a call for the choice alone allocates nothing.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <typeinfo>
#include <utility>
#include <vector>

#include "hannan/game/game.hpp"

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

}  // namespace hannan::detail

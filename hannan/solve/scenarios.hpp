// Scenarios: what the opponent of a decision maker chooses among. A scenario is a name and a weighted data set, and
//
//   f(x, g) = sum over the data set of g of w f(x, y).
//
// Since losses are linear in weights, a mixture q of scenarios is one data set, and the best action against it one
// oracle call. Two kinds: lists of outcomes, of which equal ones are kept once, and the disruptions of a row of costs
// (a budget), whose mixtures are again one row: base + budget * q * rise.
//
// The shares say what the average over scenarios weighs: rows of a log in each group, otherwise 1/n.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "hannan/game/game.hpp"
#include "hannan/io/json.hpp"

namespace hannan::detail {

// Limits that count work: more scenarios, or more distinct outcomes, are kTooLarge.
inline constexpr std::size_t kMostScenarios = 20'000;
inline constexpr std::size_t kMostOutcomes = 1'000'000;
// The weights of one scenario add up to at most this.
inline constexpr double kMostScenarioWeight = 1e12;

class Scenarios {
 public:
  explicit Scenarios(std::shared_ptr<const Game> game) : game_(std::move(game)) {}
  virtual ~Scenarios() = default;
  Scenarios(const Scenarios&) = delete;
  Scenarios& operator=(const Scenarios&) = delete;

  const Game& game() const { return *game_; }
  const std::shared_ptr<const Game>& shared_game() const { return game_; }
  std::size_t size() const { return names_.size(); }
  const std::string& name(std::size_t g) const { return names_[g]; }
  std::span<const double> shares() const { return shares_; }

  // Adds the data set of the mixture `weights` to a history, every weight divided by `unit`.
  virtual void pour(std::span<const double> weights, double unit, GameHistory& into) const = 0;
  // out[g] = f(x, g). Requires out.size() == size().
  virtual void losses(const AnyAction& x, std::span<double> out) const = 0;
  // f(x, g) for every listed action x, in order, added to `totals`.
  virtual void add_losses(const ActionTable& actions, std::size_t g, std::span<double> totals) const = 0;
  // No action loses less, or more, in this scenario.
  virtual LossSpread spread(std::size_t g) const = 0;
  virtual double weight(std::size_t g) const = 0;  // the sum of its weights
  virtual std::size_t outcomes() const = 0;        // distinct ones

 protected:
  void add_scenario(std::string name) { names_.push_back(std::move(name)); }
  void set_shares(std::vector<double> shares) { shares_ = std::move(shares); }
  void share_equally() { shares_.assign(names_.size(), 1.0 / static_cast<double>(names_.size())); }

 private:
  std::shared_ptr<const Game> game_;
  std::vector<std::string> names_;
  std::vector<double> shares_;
};

// Losses of a scenario are measured in this unit: 1 where they lie in [0,1], otherwise the distance from the least to
// the largest loss that any action has in any scenario; never 0.
double unit_of_losses(const Scenarios& scenarios);

struct WeightedPlace {
  std::size_t outcome;
  double weight;
};

class ListedScenarios final : public Scenarios {
 public:
  using Scenarios::Scenarios;

  // Before the first question. The place of an outcome, kept once; `text` tells outcomes apart. Throws kTooLarge.
  std::size_t place(const AnyOutcome& y, const std::string& text);
  // Throws kTooLarge.
  void add(std::string name, std::vector<WeightedPlace> data);
  // After the last one: the shares, or none for equal ones.
  void finish(std::vector<double> shares = {});

  void pour(std::span<const double> weights, double unit, GameHistory& into) const override;
  void losses(const AnyAction& x, std::span<double> out) const override;
  void add_losses(const ActionTable& actions, std::size_t g, std::span<double> totals) const override;
  LossSpread spread(std::size_t g) const override;
  double weight(std::size_t g) const override;
  std::size_t outcomes() const override { return outcomes_.size(); }

  const AnyOutcome& outcome(std::size_t place) const { return outcomes_[place]; }
  std::span<const WeightedPlace> data(std::size_t g) const { return data_[g]; }
  // [{"name","data":[{"weight","outcome"}]}, ...].
  Json json() const;

 private:
  std::vector<AnyOutcome> outcomes_;
  std::unordered_map<std::string, std::size_t> places_;
  std::vector<std::vector<WeightedPlace>> data_;
};

// One scenario for each number of a row of costs: the base costs, and `budget` times the rise of that one alone. With a
// cap of 1/budget it is the worst set of `budget` disruptions (docs/theory.md). Requires losses that are linear in the
// row.
class BudgetScenarios final : public Scenarios {
 public:
  struct Costs {
    double budget = 1;
    std::vector<double> base, rise;
  };
  BudgetScenarios(std::shared_ptr<const Game> game, Costs costs);

  void pour(std::span<const double> weights, double unit, GameHistory& into) const override;
  void losses(const AnyAction& x, std::span<double> out) const override;
  void add_losses(const ActionTable& actions, std::size_t g, std::span<double> totals) const override;
  LossSpread spread(std::size_t g) const override;
  double weight(std::size_t) const override { return 1 + costs_.budget; }
  std::size_t outcomes() const override { return size() + 1; }

 private:
  AnyOutcome rise_alone(std::size_t g) const;

  Costs costs_;
  AnyOutcome base_;
};

}  // namespace hannan::detail

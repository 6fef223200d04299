// A problem of any kind as the command line, the pipe and the verifier see it: JSON in, JSON or numbers out.
//
// It adds to a Game what needs a name looked up, and the learners. What a problem does not offer throws kUnavailable.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "hannan/check/check.hpp"
#include "hannan/check/check_outcomes.hpp"
#include "hannan/check/conditions.hpp"
#include "hannan/game/game.hpp"
#include "hannan/runtime/turns.hpp"

namespace hannan::detail {

class AnyProblem {
 public:
  explicit AnyProblem(std::shared_ptr<const Game> game) : game_(std::move(game)) {}

  const Game& game() const { return *game_; }
  std::string_view kind() const { return game_->kind(); }
  Json params() const { return game_->params(); }
  std::size_t row_width() const { return game_->row_width(); }

  // {ln_actions, actions, normaliser, perturbations: [{name, columns, gamma}], oracles: [name]}.
  Json describe() const;
  // {actions, complete}.
  Json actions(std::uint64_t limit) const;
  struct Loss {
    double loss;
    double raw;  // in the problem's own unit
  };
  Loss loss(const Json& action, const Json& outcome) const;
  // 1 less the loss, or minus the loss where its range is unknown.
  double reward(double loss) const { return (game_->loss_range() == LossRange::kUnitInterval ? 1.0 : 0.0) - loss; }
  // The loss of every action in order: for checkers. Needs a list of actions() that is complete.
  std::vector<double> losses(const Json& outcome, std::string_view path) const;
  // {range, least_loss, most_loss, gamma: {perturbation: number or null}} of one outcome.
  Json range(const Json& outcome) const;
  std::vector<double> row(const std::string& perturbation, const Json& action) const;
  struct ColumnRequest {
    std::string perturbation;
    std::uint64_t column = 0;
    int sign = 1;
    Weights weights = Weights::kAnySign;
  };
  // A list of {weight, outcome}. kUnavailable where no such data set is known by construction.
  Json column(const ColumnRequest& request) const;
  // The same for the pipe: where nothing is known by construction, a set is searched for among the outcomes given, or
  // all of them where they can be listed and `outcomes` is null.
  Json searched_column(const ColumnRequest& request, const Json* outcomes) const;
  struct BestRequest {
    const Json& data;
    std::string oracle;  // empty: the default
    std::uint64_t keep = 1;
  };
  Json best(const BestRequest& request) const;
  Json conditions(const ConditionsQuery& query) const;
  // What `hannan check` prints; `oracle` is the name of request.oracle, empty: as the request says.
  Json check(CheckRequest request, const std::string& oracle) const;
  OutcomeList listed_outcomes(const std::string& perturbation, std::uint64_t limit) const;
  NoiseSize noise_size(const std::string& perturbation, const std::string& noise) const;
  Json outcomes() const;  // every outcome there is, as a list; null where they cannot be listed
  void check_outcome(const Json& outcome, std::string_view path) const;  // throws what is wrong with it

  // A learner of the kind of turn that its parameters and the problem ask for; kUnavailable where Wanted (turn.hpp) has
  // no such kind.
  template <class Wanted = AnyTurn>
  Wanted turn(const std::string& kind, const Json& params) const {
    return Wanted(made(kind, params), "params");
  }
  // For those who play one kind of turn alone: in order, unless they say another.
  template <class Kind = PlainLearner>
  std::unique_ptr<Kind> learner(const std::string& kind, const Json& params) const {
    return turn(kind, params).template take<Kind>("params");
  }
  // From what AnyLearner::save gave, for this very problem.
  AnyTurn load(const Json& state) const;
  AnyTurn load_text(std::string_view state) const;  // from what AnyLearner::save_to gave

 private:
  AnyTurn made(const std::string& kind, const Json& params) const;

  std::shared_ptr<const Game> game_;
};

}  // namespace hannan::detail

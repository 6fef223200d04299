// A strategy of a portfolio: something that proposes an action before every round and is told the outcome after it.
//
//   fixed     always the same action
//   logged    what is done today: no action of ours, its loss comes with the outcome
//   given     what is proposed for the round from outside; nothing: it sleeps
//   a rule    of the problem (game/rivals.hpp, RivalRule)
//   a learner on all actions, on those equal in every coordinate ("tied"), or with a decision for every segment ("by")
//
// A tied learner plays the problem of listed losses (registry.hpp, loss_kind), whose k-th loss is that of the k-th tied
// action: the learner, its oracle, its one-hot code and its certificate are those of that problem.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "hannan/core/archive.hpp"
#include "hannan/game/game.hpp"
#include "hannan/game/proposal.hpp"
#include "hannan/learners/portfolio.hpp"
#include "hannan/runtime/any_learner.hpp"
#include "hannan/runtime/context_learner.hpp"
#include "hannan/runtime/plain_learner.hpp"
#include "hannan/runtime/round.hpp"

namespace hannan::detail {

// What is known of a round before its outcome.
struct PortfolioSeen {
  std::span<const std::string> context;  // where a strategy has a decision for every segment
  Proposals proposals;                   // of strategies that are given
};

class Strategy {
 public:
  Strategy(std::shared_ptr<const Game> game, StrategyParams params)
      : game_(std::move(game)), params_(std::move(params)) {}
  virtual ~Strategy() = default;
  Strategy(const Strategy&) = delete;
  Strategy& operator=(const Strategy&) = delete;

  const std::string& name() const { return params_.name; }
  const std::string& kind() const { return params_.kind; }
  const StrategyParams& params() const { return params_; }
  bool shadow() const { return params_.shadow; }

  // Writes what it proposes: action, or `other` where that is no action of the problem, or that it sleeps. A function
  // of its state; asked again it is the same.
  virtual void propose(const PortfolioSeen& seen, StrategyRound& into) = 0;
  // Of what it proposed, which did not sleep.
  virtual double loss(const StrategyRound& proposed, const AnyOutcome& y) const {
    return game_->loss(*proposed.action, y);
  }
  virtual void told(const PortfolioSeen&, const AnyOutcome&) {}
  virtual void archive(Archive&) {}
  virtual AnyLearner* learner() { return nullptr; }             // the learner that it is
  virtual const PlainLearner* full() const { return nullptr; }  // one on all actions of the problem
  virtual ContextLearner* tree() { return nullptr; }
  virtual Json params_json() { return params_.json(); }  // every default filled in

 protected:
  const std::shared_ptr<const Game>& shared_game() const { return game_; }

 private:
  std::shared_ptr<const Game> game_;
  StrategyParams params_;
};

// Throws what is wrong with the parameters, with their path.
std::unique_ptr<Strategy> make_strategy(const std::shared_ptr<const Game>& game, const StrategyParams& params, Key key);

// Whether that kind of strategy is a learner.
bool is_learner(std::string_view kind);

// The actions that are the same in every coordinate, in order; none where the problem has no equal grids.
std::vector<AnyAction> tied_actions(const Game& game);

}  // namespace hannan::detail

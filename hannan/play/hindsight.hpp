// What a replay knows of a run that the learner did not see: the loss of what was played, and the best fixed action,
// from the whole outcomes. Stated under that word alone, apart from what the learner may say.
//
// Cost: a round adds one outcome to a history; best() is a search.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "hannan/core/long_sums.hpp"
#include "hannan/game/game.hpp"

namespace hannan::detail {

class Hindsight {
 public:
  explicit Hindsight(const Game& game);

  void round(const AnyAction& played, const AnyOutcome& y);

  std::uint64_t rounds() const { return rounds_; }
  double total() const { return total_.value(); }
  // The least total of an action; searched for once a round.
  const GameAnswer& best();
  double regret() { return total() - best().value; }
  // {"total", "best", "best_action", "regret", "proven"}
  Json json();

 private:
  const Game& game_;
  std::shared_ptr<const GameOracle> oracle_;
  std::unique_ptr<GameHistory> history_, nothing_;
  CarriedSum total_;
  std::uint64_t rounds_ = 0, searched_ = 0;
  GameAnswer best_;
};

}  // namespace hannan::detail

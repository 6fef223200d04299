// The tracking regret of a run (docs/theory-run.md, tracking): what was lost beyond the best sequences of actions with
// at most so many switches, where actions can be listed.
//
// Cost: (most switches + 1) K a round, K the number of actions. All rounds together it is limited to kMostTracked.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "hannan/game/game.hpp"
#include "hannan/play/best_sequence.hpp"

namespace hannan::detail {

inline constexpr double kMostTracked = 2e9;  // actions times rounds times (switches + 1): some seconds
inline constexpr double kMostKept = 2e7;     // actions times (switches + 1): 160 MB

// Why so many rounds of a game cannot be followed with so many switches; empty where they can.
std::string tracking_refused(const Game& game, std::uint64_t rounds, std::uint64_t switches);

class Tracking {
 public:
  // Requires that one round is not refused.
  Tracking(const Game& game, std::uint64_t most_switches);

  void round(const AnyOutcome& outcome);
  // The least total of a sequence with at most so many switches; with none it is L*.
  double best(std::uint64_t switches) const { return sequences_.best(static_cast<std::size_t>(switches)); }

 private:
  std::unique_ptr<const ActionTable> actions_;
  BestSequence sequences_;
  std::vector<double> losses_;  // of the round
};

}  // namespace hannan::detail

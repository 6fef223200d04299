// Rounds whose outcomes come late and in any order, as the pipe plays them: each is named by its number, from 1 on.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "hannan/game/game.hpp"
#include "hannan/io/json.hpp"

namespace hannan::detail {

struct ActView {
  std::uint64_t round = 1;
  std::optional<double> eta;
  std::optional<double> multiplier;
  std::string_view regime;
  std::span<const double> weights;  // of a mixture; valid until the next observe
};

struct ArrivalView {
  double loss = 0;               // of the round whose outcome came
  std::uint64_t settled = 0;     // rounds; what follows is of these
  std::span<const double> gaps;  // of the rounds that this outcome settled, in order; valid until the next observe
  double stability = 0;          // S
  double total = 0;
  std::optional<double> best;
  std::optional<double> regret;
  std::uint64_t oracle_calls = 0;  // of all rounds
};

class DelayedRounds {
 public:
  virtual ~DelayedRounds() = default;
  // The next round, which this opens, or an open one again; kOutOfRange at "round" for any other.
  virtual ActView act(std::uint64_t round) = 0;
  virtual Json action(std::uint64_t round) = 0;  // of act
  // The outcome, one that the problem has read, of a round that was played and has none; kOutOfRange at "round"
  // otherwise.
  virtual ArrivalView observe(std::uint64_t round, const AnyOutcome& outcome) = 0;
};

}  // namespace hannan::detail

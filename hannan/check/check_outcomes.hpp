// Outcomes to check a problem on when none are given.
//
// Every outcome, where a problem can list them. Otherwise those that its data sets are made of, and extreme
// ones: for bids, prices and costs the problem's grid and the values just below it (the corners alone where
// even the plain grid is too large), for single-minded buyers every bundle at every level, for valuations all
// steps. What was used is said in words, for a gamma over a list is a lower bound of the one over all.
#pragma once

#include <cstdint>
#include <string>

#include "hannan/game/game.hpp"

namespace hannan::detail {

struct OutcomeList {
  Json outcomes = Json::array();
  bool all = false;   // there are no others
  std::string words;  // "3 outcomes, all there are"
};

// At most `limit` of them, repeats left out. Evenly spaced where there are more.
OutcomeList listed_outcomes(const Game& game, const std::string& perturbation, std::uint64_t limit);

// The same outcomes without repeats, at most `limit`, the first ones.
Json distinct(const Json& outcomes, std::uint64_t limit);

}  // namespace hannan::detail

// The action whose elements have the least sum of given values: over all actions where they can be listed, otherwise by
// a search of the problem's own oracle. Cost: O(elements of all actions), or a search.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "hannan/game/game.hpp"

namespace hannan::detail {

class ElementSearch {
 public:
  // Lists actions while there are at most `most`. `oracle` as a header names it.
  ElementSearch(const Game& game, const std::string& oracle, std::uint64_t most);

  bool listed() const { return !ends_.empty(); }
  std::size_t actions() const { return ends_.size(); }
  // Its elements; the first of equal ones. Valid until the next call.
  std::span<const std::int32_t> least(std::span<const double> values);
  static double sum(std::span<const std::int32_t> elements, std::span<const double> values);

 private:
  const Game& game_;
  std::shared_ptr<const GameOracle> oracle_;
  std::unique_ptr<GameHistory> history_;
  GameAnswer answer_;
  std::vector<std::int32_t> elements_;  // of all listed actions, one after the other, or of the answer
  std::vector<std::size_t> ends_;       // of each listed action
};

}  // namespace hannan::detail

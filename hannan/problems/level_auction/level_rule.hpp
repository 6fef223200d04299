// The rule of an s-level auction, on integers in units of 1/m.
//
// Every bidder has s increasing thresholds; its level is how many of them its bid reaches. The highest
// level wins, ties to the lower index, and the winner w pays the least bid that still wins: its
// threshold number c = max{1, 1 + highest level before w, highest level after w}. No bidder wins at level 0.
//
// Behind the n bidders stands a phantom with the fixed thresholds 1, 1, 2, ..., s-1. It bids 0 on real
// data, where it changes nothing; the perturbation's fake outcomes give it a bid.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>

namespace hannan::detail {

struct LevelRule {
  int bidders;
  int levels;      // m
  int thresholds;  // s

  static constexpr std::size_t kMostChoices = 1000;  // of one threshold

  std::size_t n() const { return static_cast<std::size_t>(bidders); }
  std::size_t s() const { return static_cast<std::size_t>(thresholds); }
  std::size_t choices() const { return static_cast<std::size_t>(levels) - s() + 1; }  // per threshold

  // Threshold j (from 1) of the phantom.
  static int phantom(int j) { return std::max(1, j - 1); }
  int phantom_level(int reach) const { return reach < 1 ? 0 : std::min(thresholds, reach + 1); }

  struct Sale {
    int winner;  // an index, the phantom's is n; -1: none
    int number;  // of the threshold paid, from 1
  };
  // levels of the n bidders and the phantom
  static Sale sale(std::span<const int> levels) {
    int winner = -1, highest = 0, before = 0, after = 0;
    for (std::size_t i = 0; i < levels.size(); ++i) {
      if (levels[i] > highest) {
        before = highest;  // whoever led so far stands before the new winner
        after = 0;
        highest = levels[i];
        winner = static_cast<int>(i);
      } else {
        after = std::max(after, levels[i]);
      }
    }
    return {winner, std::max({1, 1 + before, after})};
  }

  // Revenue in units of 1/m. `action`: n*s thresholds, `reach`: n+1 bids.
  int revenue(std::span<const int> action, std::span<const int> reach) const {
    int winner = -1, highest = 0, before = 0, after = 0;
    for (std::size_t i = 0; i <= n(); ++i) {
      int level = 0;
      if (i < n()) {
        for (std::size_t j = 0; j < s(); ++j) level += action[i * s() + j] <= reach[i] ? 1 : 0;
      } else {
        level = phantom_level(reach[i]);
      }
      if (level > highest) {
        before = highest, after = 0, highest = level, winner = static_cast<int>(i);
      } else {
        after = std::max(after, level);
      }
    }
    if (winner < 0) return 0;
    const int number = std::max({1, 1 + before, after});
    if (winner == bidders) return phantom(number);
    return action[static_cast<std::size_t>(winner) * s() + static_cast<std::size_t>(number) - 1];
  }
};

}  // namespace hannan::detail

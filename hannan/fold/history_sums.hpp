// The history of an oracle as exact sums: what every outcome adds to it is read from its archive, number by number.
//
// A history is linear (core/oracle.hpp), so it is enough to see what one outcome makes of an empty one. The numbers of
// an archive are taken as follows; summary_test.cpp holds every oracle of every problem to it.
// - A number or list that stands in the archive of the empty history is a sum. One that is not 0 there is a constant.
// - A list whose name ends in "carries" belongs to the list before it, and an object "carries" to the numbers that the
//   object around it began with: what rounding cut off them.
// - A list of objects that is empty in the empty history has one object per key. Its field "weight", "weights" or
//   "sums" is summed, all others are the key.
// Hints of searches are empty as long as none was made.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "hannan/fold/exact_sums.hpp"
#include "hannan/game/game.hpp"
#include "hannan/io/json.hpp"

namespace hannan::detail {

// [sum]: a sum is a number, or a list of numbers whose exact sum it is. The same sums give the same text.
Json sums_json(const ExactSums& sums);
// Adds what sums_json() gave. Throws kBadState at `path` where there are not as many.
void add_sums(const Json& json, const std::string& path, ExactSums& into);

class HistorySums {
 public:
  explicit HistorySums(std::shared_ptr<const GameOracle> oracle);

  // A row costs a pass over all numbers of the history. What it throws changes nothing.
  void add(const AnyOutcome& y, double weight);
  void add(const HistorySums& other);  // of the same problem and oracle

  // {numbers: [sum], lists: [{name, field, items: [{key, sums: [sum]}]}]}, sums as sums_json() writes them.
  Json json() const;
  // Adds what json() gave. Throws kBadState at `path`.
  void add(const Json& json, const std::string& path);

  // Every sum rounded once, and its carry. Throws kBadState where these are no sums of outcomes.
  std::unique_ptr<GameHistory> history(const std::string& path) const;

  std::size_t numbers() const { return numbers_.size(); }
  std::size_t keys() const;

  // What the archive of the empty history has: its numbers, and the length of each of its lists.
  struct Layout {
    std::vector<double> numbers;
    std::vector<std::uint64_t> lists;
  };
  struct Item {
    Json key;
    ExactSums sums;
  };
  struct KeyedList {
    std::string field;  // what is summed
    std::map<std::string, Item> items;
  };

 private:
  std::shared_ptr<const GameOracle> oracle_;
  std::unique_ptr<GameHistory> one_;  // of one outcome
  Layout layout_;
  ExactSums numbers_;
  std::map<std::string, KeyedList> lists_;
};

}  // namespace hannan::detail

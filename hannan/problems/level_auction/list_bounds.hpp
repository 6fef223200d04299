// What is proven about each threshold list of the first of three bidders: no lists of the others bring the evidence
// below it. Found by searches (LevelPair tries all lists of the others), kept with the history, and raised outcome by
// outcome: with the first bidder's list fixed an outcome earns at most
//   max(the highest of its thresholds that its bid reaches, the bids of the others).
// A search skips the lists whose bound is above what it has found, so most rounds try a few of all lists.
//
// As with hints (oracles/warm_start.hpp), what a search found is used from the next outcome on: asking twice gives the
// same answer twice, even under a limit. Sums are rounded downwards.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "hannan/core/archive.hpp"
#include "hannan/problems/level_auction/level_rule.hpp"

namespace hannan::detail {

// The non-decreasing lists of positions of one bidder, in order.
class ThresholdLists {
 public:
  explicit ThresholdLists(const LevelRule& rule);
  std::size_t size() const { return positions_.size() / length_; }
  std::span<const int> operator[](std::size_t k) const { return {positions_.data() + k * length_, length_}; }
  std::size_t index_of(std::span<const int> list) const;
  // Of each list the highest threshold that a bid reaches, 0 where none.
  std::span<const int> reached(int bid) const {
    return {reached_.data() + static_cast<std::size_t>(bid) * size(), size()};
  }

 private:
  std::size_t length_;
  std::vector<int> positions_;  // list after list
  std::vector<int> reached_;    // [bid][list]
};

class ListBounds {
 public:
  static bool worthwhile(const LevelRule& rule);  // three bidders, and not too many lists
  explicit ListBounds(const LevelRule& rule);     // empty where it is not

  bool empty() const { return lists_ == nullptr; }
  const ThresholdLists& lists() const { return *lists_; }
  std::span<const double> bounds() const { return bounds_; }

  void add(std::span<const int> reach, double weight);
  void searched() { searched_ = true; }  // from now on the bounds are saved
  void found(std::size_t list, double least) { found_[list] = least; }
  void forget();  // nothing is proven
  void scale(double factor);
  void clear();
  // False where nothing stands there, because there was no search or a state of an earlier version was read: then
  // the bounds are to be made from the outcomes.
  bool archive(Archive& a);

 private:
  int levels_ = 1;  // m
  std::shared_ptr<const ThresholdLists> lists_;
  std::vector<double> bounds_;  // of each list
  bool searched_ = false;
  std::vector<double> found_;  // since the last outcome; below all bounds where nothing was
};

}  // namespace hannan::detail

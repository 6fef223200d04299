// Bounds of threshold lists, kept from round to round. Invariant: bounds_[k] is at most the least evidence of the
// outcomes added so far over all actions whose first bidder has list k. An outcome of weight w >= 0 raises it by w (1 -
// earned/m) with earned the most that list can bring; of weight w < 0 by w, as it earns at least 0. Cost: O(C(m,s)) an
// outcome, O(s log C(m,s)) to find the index of a list.
#include "hannan/problems/level_auction/list_bounds.hpp"

#include <algorithm>
#include <cmath>

namespace hannan::detail {
namespace {

// -1e90: no sum of losses is near it, and adding losses to it stays far below every real bound. 4096 lists and 2^20
// numbers of reached_: chosen so that a history costs at most a few megabytes and an outcome a few microseconds.
constexpr double kNothingFound = -1e90;  // far below all totals
constexpr double kMostLists = 4096;
constexpr double kMostReached = 0x1p20;

// 2^-51 of the sum: four times what rounding the sum itself can add.
// A sum that is at most the true one.
double at_most(double sum) { return std::max(kNothingFound, sum - 0x1p-51 * std::abs(sum)); }

}  // namespace

bool ListBounds::worthwhile(const LevelRule& rule) {
  double lists = 1;
  for (int i = 1; i <= rule.thresholds; ++i) lists = lists * (rule.levels - rule.thresholds + i) / i;
  return rule.bidders == 3 && lists <= kMostLists && lists * (rule.levels + 1) <= kMostReached;
}

ThresholdLists::ThresholdLists(const LevelRule& rule) : length_(rule.s()) {
  const int last = static_cast<int>(rule.choices()) - 1;
  std::vector<int> list(length_, 0);
  while (true) {
    positions_.insert(positions_.end(), list.begin(), list.end());
    // The next list in lexicographic order: the last threshold below its top is raised by one and all behind it follow,
    // since positions never fall. j = 0 means all stand at the top.
    std::size_t j = length_;
    while (j > 0 && list[j - 1] == last) --j;
    if (j == 0) break;
    std::fill(list.begin() + static_cast<std::ptrdiff_t>(j) - 1, list.end(), list[j - 1] + 1);
  }
  for (int bid = 0; bid <= rule.levels; ++bid) {
    for (std::size_t k = 0; k < size(); ++k) {
      int highest = 0;
      for (std::size_t j = 0; j < length_; ++j) {
        const int threshold = (*this)[k][j] + static_cast<int>(j) + 1;
        if (threshold <= bid) highest = threshold;
      }
      reached_.push_back(highest);
    }
  }
}

std::size_t ThresholdLists::index_of(std::span<const int> list) const {
  // Invariant: lists[low] <= list < lists[high], with high = size() above all. `list` must be one of them; then it is
  // found.
  std::size_t low = 0, high = size();
  while (low + 1 < high) {
    const std::size_t middle = (low + high) / 2;
    const auto other = (*this)[middle];
    (std::lexicographical_compare(list.begin(), list.end(), other.begin(), other.end()) ? high : low) = middle;
  }
  return low;
}

ListBounds::ListBounds(const LevelRule& rule) : levels_(rule.levels) {
  if (!worthwhile(rule)) return;
  lists_ = std::make_shared<const ThresholdLists>(rule);
  bounds_.assign(lists_->size(), 0.0);
  found_.assign(lists_->size(), kNothingFound);
}

// The most that an outcome can earn under list k: the highest threshold of the first bidder that its bid reaches, or
// the highest bid of the others, which no threshold of theirs exceeds.
void ListBounds::add(std::span<const int> reach, double weight) {
  if (empty() || reach.empty() || reach[0] < 0 || reach[0] > levels_)
    return;  // a damaged state, refused after it is read
  int others = 0;
  for (std::size_t i = 1; i < reach.size(); ++i) others = std::max(others, reach[i]);
  const auto reached = lists_->reached(reach[0]);
  for (std::size_t k = 0; k < bounds_.size(); ++k) {
    const double earned = weight < 0 ? 0.0 : static_cast<double>(std::max(reached[k], others)) / levels_;
    bounds_[k] = at_most(std::max(bounds_[k], found_[k]) + weight * (1 - earned));
    found_[k] = kNothingFound;
  }
}

void ListBounds::scale(double factor) {
  for (std::size_t k = 0; k < bounds_.size(); ++k) {
    bounds_[k] = at_most(std::max(bounds_[k], found_[k]) * factor);
    found_[k] = kNothingFound;
  }
}

void ListBounds::clear() {
  searched_ = false;
  std::fill(bounds_.begin(), bounds_.end(), 0.0);
  std::fill(found_.begin(), found_.end(), kNothingFound);
}

void ListBounds::forget() {
  std::fill(bounds_.begin(), bounds_.end(), kNothingFound);
  std::fill(found_.begin(), found_.end(), kNothingFound);
}

bool ListBounds::archive(Archive& a) {
  if (empty()) return true;
  int kept = searched_ ? 1 : 0;
  a.later_count("list_bounds_kept", kept, 1);
  searched_ = kept == 1;
  if (!searched_) {
    if (a.reading()) clear();
    return false;
  }
  a.field("list_bounds", bounds_);
  a.field("list_found", found_);
  return true;
}

}  // namespace hannan::detail

// Pool and staircase (incumbents.hpp). Invariants: pool_ has at most keep_ entries, ordered by value, then positions;
// known_ points at their positions. stairs_ is ordered by positions with values that fall strictly, all within the tie
// window of the least. rest_ is at most every value that was turned away or proven. Cost: O(log keep + stairs) an
// offer.
#include "hannan/oracles/incumbents.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace hannan::detail {

// A value above this can neither enter the pool nor tie with the choice.
double Incumbents::cut() const {
  if (pool_.size() < keep_) return kInfinity;
  return std::max(pool_.rbegin()->value, least() + tie_window(least()));
}

bool Incumbents::needed(double bound, const std::vector<int>& smallest) const {
  if (bound == kInfinity) return false;
  if (pool_.size() < keep_) return true;
  const double worst = pool_.rbegin()->value;
  // A region may improve the pool; else it may hold a smaller tie of the choice: tested against the stairs in order.
  if (bound < worst - rounding_slack(worst)) return true;
  if (bound > least() + tie_window(least())) return false;
  for (const auto& stair : stairs_) {
    if (smallest < stair.positions) return true;  // this stair and all later ones are larger
    if (stair.value <= bound + rounding_slack(bound)) return false;
  }
  return true;
}

// changes_ counts what may change an answer of needed() or cut(): visits that were made ahead compare it.
void Incumbents::offer(const std::vector<int>& positions, double value) {
  if (value == kInfinity) return;
  if (stairs_.empty() || value <= least() + tie_window(least())) climb(positions, value);
  // Met before: it may come with other rounding, and must not count as turned away.
  const double worst = pool_.size() == keep_ ? pool_.rbegin()->value : kInfinity;
  if (value <= worst + rounding_slack(value) && known_.contains(&positions)) return;
  if (value > worst) return prove_rest(value);
  ++changes_;
  known_.insert(&pool_.insert(Found{positions, value}).first->positions);
  if (pool_.size() <= keep_) return;
  const auto last = std::prev(pool_.end());
  prove_rest(last->value);
  known_.erase(&last->positions);
  pool_.erase(last);
}

void Incumbents::climb(const std::vector<int>& positions, double value) {
  // A newcomer is kept if no smaller or equal assignment has a value as low; it then ends all larger ones of higher
  // value.
  auto at = stairs_.begin();
  for (; at != stairs_.end() && at->positions <= positions; ++at) {
    if (at->value <= value || at->positions == positions) return;
  }
  ++changes_;
  at = stairs_.insert(at, Found{positions, value});
  auto last = at + 1;
  while (last != stairs_.end() && last->value >= value) ++last;
  stairs_.erase(at + 1, last);
  // Values fall along the stairs, so the last one is the least of all.
  const double top = stairs_.back().value + tie_window(stairs_.back().value);
  stairs_.erase(stairs_.begin(),
                std::find_if(stairs_.begin(), stairs_.end(), [&](const Found& f) { return f.value <= top; }));
}

// The pool with the choice in front. The choice is the smallest assignment within the tie window of the least value,
// and may come from the stairs where the pool was too short for it.
std::vector<Found> Incumbents::settled(std::vector<Found> pool) {
  if (pool.empty()) return {};
  // Values were computed anew by one function, so the choice does not depend on which sums the search happened to take.
  double low = kInfinity;
  for (const auto* list : {&pool, &stairs_}) {
    for (const auto& found : *list) low = std::min(low, found.value);
  }
  const Found* choice = nullptr;
  for (const auto* list : {&pool, &stairs_}) {
    for (const auto& found : *list) {
      if (found.value <= low + tie_window(low) && (!choice || found.positions < choice->positions)) choice = &found;
    }
  }
  const Found first = *choice;
  std::sort(pool.begin(), pool.end(), Before{});
  const auto same =
      std::find_if(pool.begin(), pool.end(), [&](const Found& f) { return f.positions == first.positions; });
  if (same != pool.end()) {
    std::rotate(pool.begin(), same, same + 1);
  } else {
    if (pool.size() == keep_) {
      prove_rest(pool.back().value);
      pool.pop_back();
    }
    pool.insert(pool.begin(), first);
  }
  return pool;
}

}  // namespace hannan::detail

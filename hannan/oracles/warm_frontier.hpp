// The frontier of a history's plain evidence (frontier.hpp), kept from search to search and saved with the history.
//
// As with hints (warm_start.hpp) what a search found is used from the next outcome on: asking twice gives the same
// answer twice, even under a work limit. Only a finished search may be gone on from at once, to look for more of the
// best, since that changes neither its choice nor its floor.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "hannan/core/archive.hpp"
#include "hannan/oracles/frontier.hpp"

namespace hannan::detail {

template <class Outcome>
class WarmFrontier {
 public:
  // An outcome was added to the history.
  void add(const Outcome& y, double weight) {
    if (std::exchange(fresh_, false)) {
      used_ = std::move(found_);
      found_.clear();
      pending_.clear();
    }
    if (used_.empty()) return;
    pending_.emplace_back(y, weight);
    if (pending_.size() > kMostPending || used_.size() > 2 * used_.cold_size + kMostGrowth) forget();
  }
  // Something else was.
  void forget() { *this = {}; }

  // Where to begin; empty: with the whole grid. raise(frontier, y, weight) makes bounds and points hold after one more
  // outcome.
  template <class Raise>
  const Frontier& begin(Raise&& raise) {
    if (fresh_ && finished_) return found_;
    for (const auto& [y, weight] : pending_) raise(used_, y, weight);
    pending_.clear();
    return used_;
  }
  void remember(Frontier found, bool finished) {
    found_ = std::move(found);
    fresh_ = true;
    finished_ = finished;
    if (!finished) return;
    used_.clear();
    pending_.clear();
  }

  // fits(y): is it an outcome of the problem?
  template <class Fits>
  void archive(Archive& a, std::span<const std::size_t> domains, Fits&& fits) {
    a.count("fresh", fresh_);
    a.count("finished", finished_);
    for (Frontier* frontier : {&used_, &found_}) {
      a.open(frontier == &used_ ? "used" : "found");
      frontier->archive(a, domains);
      a.close();
    }
    pending_.resize(a.open_list("pending", pending_.size()));
    for (auto& [y, weight] : pending_) {
      a.item();
      a.field("weight", weight);
      a.open("outcome");
      archive_value(a, y);
      a.close();
      if (a.reading() && !fits(y)) a.refuse("outcome", "found what is no outcome of this problem");
    }
    a.close_list();
  }

 private:
  // Raising costs a pass over all boxes an outcome, and boxes grow looser: then a search of the whole grid is quicker.
  static constexpr std::size_t kMostPending = 64;
  static constexpr std::size_t kMostGrowth = 1024;  // boxes, beside twice those of the last search of the whole grid

  Frontier used_, found_;
  std::vector<std::pair<Outcome, double>> pending_;  // since used_
  bool fresh_ = false;                               // found_ is of the present evidence
  bool finished_ = false;                            // and of a search that proved its choice
};

}  // namespace hannan::detail

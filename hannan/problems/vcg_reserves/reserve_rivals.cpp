// Rivals of a learner of reserves; their rules and costs are in reserve_rivals.hpp. None has a guarantee. The monopoly
// price on levels adds up whole numbers, so its ties are exact; all other sums are of reals, and ties fall as they
// round.
#include "hannan/problems/vcg_reserves/reserve_rivals.hpp"

#include <algorithm>

namespace hannan::detail {

UniformLeader::UniformLeader(const VcgReserves& problem)
    : problem_(problem),
      curve_(problem.levels()),
      earned_(problem.domain(0)),
      reserves_(problem.coordinates(), problem.lowest()) {}

// One reserve for all needs one list for all.
bool UniformLeader::suits(const VcgReserves& problem) {
  if (!problem.money()) return true;
  const auto& lists = problem.money()->reserves();
  return std::all_of(lists.begin(), lists.end(), [&](const auto& list) { return list == lists.front(); });
}

void UniformLeader::observe(const RankedBids& ranked) {
  if (problem_.money()) {
    VcgReserves::Action same(reserves_.size());
    for (std::size_t z = 0; z < earned_.size(); ++z) {
      std::fill(same.begin(), same.end(), static_cast<int>(z));
      earned_[z] -= problem_.loss_prepared(same, ranked);
    }
  } else {
    // Without a price list: with the same reserve for all, each of the s highest bids pays max(z/m, b) if it reaches z,
    // with b the (s+1)-th bid, under both rules. Those below z pay nothing.
    const auto units = static_cast<std::size_t>(problem_.units());
    for (std::size_t k = 0; k < std::min(ranked.size(), units); ++k) {
      Response r{.own_level = ranked[k].level};
      if (units < ranked.size()) {
        r.price = ranked[units].bid;
        r.price_level = ranked[units].level;
      }
      curve_.add(r, 1);
    }
    curve_.read(earned_);
  }
  const auto best = std::max_element(earned_.begin(), earned_.end());  // the first of equals
  std::fill(reserves_.begin(), reserves_.end(), static_cast<int>(best - earned_.begin()) + problem_.lowest());
}

MonopolyReserves::MonopolyReserves(const VcgReserves& problem, Tied tied)
    : problem_(problem), tied_(tied), reserves_(problem.coordinates(), problem.lowest()) {
  const std::size_t lists = tied == Tied::kAll ? 1 : problem.coordinates();
  for (std::size_t i = 0; i < lists; ++i) earned_.emplace_back(problem.domain(i), 0.0);
}

// Only reserves up to the bid's level earn more, so the best of all is one of those or the best so far.
void MonopolyReserves::observe(const RankedBids& ranked) {
  for (const RankedBid& bid : ranked) {
    if (bid.bidder == kNoReserve) continue;
    const std::size_t list = tied_ == Tied::kAll ? 0 : static_cast<std::size_t>(bid.bidder);
    auto& earned = earned_[list];
    int& reserve = reserves_[list];
    const auto at = [](int z) { return static_cast<std::size_t>(z - 1); };
    for (int z = 1; z <= bid.level; ++z) {
      const double price = problem_.reserve_price(bid.bidder, z - 1) + ranked.shift;
      earned[at(z)] += problem_.money() ? ranked.scale * std::max(price, ranked.floor) : z;
    }
    // best and z number reserves from 1, actions number them from lowest().
    int best = reserve + 1 - problem_.lowest();
    for (int z = 1; z <= bid.level; ++z) {
      const double gain = earned[at(z)] - earned[at(best)];
      if (gain > 0 || (gain == 0 && z < best)) best = z;
    }
    reserve = best - 1 + problem_.lowest();
  }
  if (tied_ == Tied::kAll) std::fill(reserves_.begin(), reserves_.end(), reserves_.front());
}

// The reserves are not derived from what was earned when they are read: ties between sums of reals fall as they were
// added up.
void MonopolyReserves::archive(Archive& a) {
  a.open_shaped_list("earned", earned_.size());
  for (auto& list : earned_) {
    a.item();
    a.field("at", list, kSavedNonnegative);
  }
  a.close_list();
  a.wholes("reserves", reserves_, {-1, 1e9}, {reserves_.size(), reserves_.size()});
  if (!a.reading()) return;
  if (!hannan::allows(problem_, reserves_)) a.refuse("reserves", "found reserves that are none of the problem");
}

}  // namespace hannan::detail

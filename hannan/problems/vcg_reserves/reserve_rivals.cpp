#include "hannan/problems/vcg_reserves/reserve_rivals.hpp"

#include <algorithm>

namespace hannan::detail {

UniformLeader::UniformLeader(const VcgReserves& problem)
    : auction_(problem.auction()),
      curve_(problem.levels()),
      earned_(problem.domain(0)),
      reserves_(problem.coordinates(), 1) {}

void UniformLeader::observe(std::span<const RankedBid> ranked) {
  const auto units = static_cast<std::size_t>(auction_.units);
  for (std::size_t k = 0; k < std::min(ranked.size(), units); ++k) {
    Response r{.own_level = ranked[k].level};
    if (units < ranked.size()) {
      r.price = ranked[units].bid;
      r.price_level = ranked[units].level;
    }
    curve_.add(r, 1);
  }
  curve_.read(earned_);
  const auto best = std::max_element(earned_.begin(), earned_.end());  // the first of equals
  std::fill(reserves_.begin(), reserves_.end(), static_cast<int>(best - earned_.begin()) + 1);
}

MonopolyReserves::MonopolyReserves(const VcgReserves& problem)
    : earned_(problem.coordinates(), std::vector<double>(problem.domain(0), 0.0)),
      reserves_(problem.coordinates(), 1) {}

// Only reserves up to the bid's level earn more, so the best of all is one of those or the best so far.
void MonopolyReserves::observe(std::span<const RankedBid> ranked) {
  for (const RankedBid& bid : ranked) {
    auto& earned = earned_[static_cast<std::size_t>(bid.bidder)];
    int& reserve = reserves_[static_cast<std::size_t>(bid.bidder)];
    for (int z = 1; z <= bid.level; ++z) earned[static_cast<std::size_t>(z - 1)] += z;
    int best = reserve;
    for (int z = 1; z <= bid.level; ++z) {
      const double gain = earned[static_cast<std::size_t>(z - 1)] - earned[static_cast<std::size_t>(best - 1)];
      if (gain > 0 || (gain == 0 && z < best)) best = z;
    }
    reserve = best;
  }
}

}  // namespace hannan::detail

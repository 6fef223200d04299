// The branch-and-bound oracle of eager reserves: profiles merged into a tally, one table per bidder.
//
// A call ranks the T distinct profiles, O(T n log n), and searches: by boxes (reserve_boxes.hpp), or where the tables
// of all pairs of bidders are too large, value by value (vcg_search.hpp). Beyond the node limit floor and rest are what
// has been proven so far, and the next call, one or a few outcomes later, goes on from there (warm_frontier.hpp).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "hannan/core/oracle.hpp"
#include "hannan/core/tally.hpp"
#include "hannan/oracles/warm_frontier.hpp"
#include "hannan/oracles/warm_start.hpp"
#include "hannan/problems/vcg_reserves/vcg_reserves.hpp"

namespace hannan::detail {

class ReserveSearch {
 public:
  static constexpr bool kSigned = true;
  struct History {
    const VcgReserves* problem;  // outlives the history, as the oracle holds it
    Tally<VcgReserves::Outcome> tally;
    std::vector<std::vector<double>> tables;  // by bidder
    mutable WarmStart warm;                   // of the data's history; a search remembers what it found
    // Where the last search of the plain evidence stopped, and the last one with noise.
    mutable WarmFrontier<VcgReserves::Outcome> frontier, noisy_frontier;
    void scale(double factor);
    void clear();
    void archive(Archive& a);
    void forget_frontiers();
  };

  std::uint64_t nodes = 200'000;  // the limit of one call
  double leaf_points = 1e4;       // as in ReserveBoxes
  bool warm = true;               // begin where the last search of the same evidence stopped

  // By boxes one more outcome costs little without a pool (game/pool.hpp), and looking for more of the best takes as
  // many nodes as the choice itself.
  std::size_t suitable_pool(const VcgReserves& p) const;
  History empty(const VcgReserves& p) const;
  void add(const VcgReserves& p, History& h, const VcgReserves::Outcome& y, double weight) const;
  void add_table(const VcgReserves& p, History& h, std::size_t bidder, std::span<const double> values) const;
  Answer<VcgReserves::Action> best(const VcgReserves& p, Evidence<History> e, std::size_t keep) const;
};

}  // namespace hannan::detail

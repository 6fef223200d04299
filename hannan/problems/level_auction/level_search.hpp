// Exact search for the best level auction: history, model and oracle over oracles/branch_bound.hpp.
//
// Minimises  W - (1/m) sum_t w_t rev_t(a) + sum_c g_c(a_c)  for weights and tables of any sign.
// History: the distinct vectors of floor(m b) with their weights, and the tables.
//
// Of three bidders, what earlier searches proved of the first one's lists bounds the nodes that fix it
// (list_bounds.hpp).
//
// Structure. With the others fixed, revenue is a sum over one bidder's thresholds: let c be the level it
// needs to win and R(l) the price a rival pays while it stands at level l; then
//   rev = R(0) + sum_{j<c} (R(j) - R(j-1)) [a_j <= y] + (a_c - R(c-1)) [a_c <= y],
// so a best response is a chain programme after O(T s) work ("response"). With two bidders free, all
// threshold lists of the one are tried against the best response of the other (level_pair.hpp), at a
// cost that does not depend on T. Those two finish the search; above them the bidders are fixed in
// order. A node's bound lets every profile pay the highest threshold of a fixed bidder that it reaches or
// the second highest free bid, or else the highest threshold that the highest free bidder reaches: a sum
// over bidders of chain costs, so lists and noise are minimised together and exactly.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "hannan/core/evidence.hpp"
#include "hannan/core/tally.hpp"
#include "hannan/oracles/branch_bound.hpp"
#include "hannan/problems/level_auction/level_auction.hpp"
#include "hannan/problems/level_auction/level_pair.hpp"
#include "hannan/problems/level_auction/list_bounds.hpp"

namespace hannan::detail {

// What searches under one noise proved: it serves the second search of a round, and rounds that share a draw.
struct NoisyBounds {
  Tally<BidReach> tally;  // the noise
  std::vector<double> tables;
  double scale = 0;
  ListBounds lists;  // of outcomes and noise together

  bool belong_to(const Tally<BidReach>& noise, const std::vector<double>& noise_tables, double noise_scale) const {
    return scale == noise_scale && tables == noise_tables && std::ranges::equal(tally, noise);
  }
  void archive(Archive& a) {
    tally.archive(a);
    a.list("tables", tables);
    a.field("scale", scale);
    if (!lists.archive(a) && a.reading()) lists.forget();
  }
};

struct LevelHistory {
  Tally<BidReach> tally;
  std::vector<double> tables;  // coordinate after coordinate
  mutable ListBounds first;    // of the outcomes, not of the tables
  mutable NoisyBounds noisy;
  void add(const BidReach& y, double weight) {
    tally.add(y, weight);
    first.add(y.units, weight);
    if (noisy.scale > 0) noisy.lists.add(y.units, weight);
  }
  void scale(double factor) {
    tally.scale(factor);
    first.scale(factor);
    noisy.scale = 0;
    for (double& value : tables) value *= factor;
  }
  void clear() {
    tally.clear();
    first.clear();
    noisy.scale = 0;
    std::fill(tables.begin(), tables.end(), 0.0);
  }
  void archive(Archive& a) {
    tally.archive(a);
    a.field("tables", tables);
    if (first.empty()) return;
    if (!first.archive(a)) {
      for (const auto& [y, weight] : tally) {
        if (a.reading()) first.add(y.units, weight);
      }
      return;
    }
    a.open("noisy");
    noisy.archive(a);
    a.close();
  }
};

// One evidence. A position d of threshold j (from 1) is the value d + j; lists are non-decreasing in
// positions exactly if they are increasing in values.
class LevelModel {
 public:
  LevelModel(const LevelRule& rule, const Evidence<LevelHistory>& evidence);

  std::size_t coordinates() const { return rule_.n() * rule_.s(); }
  std::size_t domain(std::size_t) const { return rule_.choices(); }
  double value(const std::vector<int>& full);
  void line(const std::vector<int>& full, std::size_t c, std::span<double> out);
  void bound(const std::vector<int>& partial, BoundTable& bounds);
  bool finish(const std::vector<int>& partial, std::size_t keep, double cut, LeafSink& sink);

  // Block descents from a few fixed starts: bidders respond in turn until none can improve.
  std::vector<std::vector<int>> hints(std::size_t starts);
  // What the search proved of lists of the first bidder stays with the history.
  void leave_bounds(const Evidence<LevelHistory>& evidence) const;
  // How many nodes this many elementary steps pay for.
  std::uint64_t affordable_nodes(double most_work) const;

 private:
  std::size_t at(std::size_t bidder, int reach) const {
    return bidder * (static_cast<std::size_t>(rule_.levels) + 1) + static_cast<std::size_t>(reach);
  }
  double noise(std::size_t c, int d) const { return tables_[c * rule_.choices() + static_cast<std::size_t>(d)]; }
  bool feasible(const std::vector<int>& full) const;
  // costs_ of the bidder's thresholds against all others, and base_, what it cannot change.
  void respond(const std::vector<int>& full, std::size_t bidder);
  void respond_to(const LevelProfile& profile, std::size_t bidder, const std::vector<int>& full);
  void descend(std::vector<int>& full);
  double majorise(const std::vector<int>& partial);
  void cumulate_rests(std::size_t bidder);
  void bound_lists(const Evidence<LevelHistory>& evidence);
  void raise_to_lists(const std::vector<int>& partial, BoundTable& bounds) const;
  struct LastBidder {
    std::size_t bidder, keep;
  };
  void finish_one(const std::vector<int>& partial, LastBidder last, LeafSink& sink);

  LevelRule rule_;
  std::vector<LevelProfile> profiles_;
  std::vector<double> tables_;
  double weight_ = 0;  // W

  std::vector<int> level_;           // of a bidder at a bid, or the highest price that it may pay
  std::vector<int> now_;             // levels in one profile
  std::vector<int> responded_;       // the assignment that costs_ belongs to, the bidder's own part -1
  std::vector<double> steps_, own_;  // per threshold and bid: R(j) - R(j-1) and how often it is paid
  std::vector<std::vector<double>> costs_;
  double base_ = 0;
  struct Rest {
    int bid, price;  // the bidder's bid, and what is earned without it
    double weight;
  };
  std::vector<std::vector<Rest>> rests_;  // per free bidder
  std::vector<double> gains_;             // [threshold][bid]
  LevelPair pair_;
  const ListBounds& first_;
  std::vector<double> list_bounds_;  // of the whole evidence
  std::vector<std::pair<std::size_t, double>> found_;
};

class LevelOracle {
 public:
  static constexpr bool kSigned = true;
  using History = LevelHistory;
  static constexpr double kMostWork = 4e9;  // elementary steps of one search: two or three seconds
  std::uint64_t nodes = 0;                  // limit of one search; 0: what kMostWork pays for

  // Where lists are bounded from round to round, a pool costs more than the searches that it saves.
  std::size_t suitable_pool(const LevelAuction& p) const { return ListBounds::worthwhile(p.rule()) ? 0 : kLargePool; }
  History empty(const LevelAuction& p) const {
    return {{},
            std::vector<double>(p.coordinates() * p.domain(0), 0.0),
            ListBounds(p.rule()),
            {{}, {}, 0, ListBounds(p.rule())}};
  }
  bool fits(const LevelAuction& p, const History& h) const {
    for (const auto& [reach, weight] : h.tally) {
      if (reach.units.size() != p.rule().n() + 1) return false;
      if (*std::max_element(reach.units.begin(), reach.units.end()) > p.rule().levels) return false;
    }
    return true;
  }
  void add(const LevelAuction&, History& h, const BidReach& y, double weight) const { h.add(y, weight); }
  void add_table(const LevelAuction& p, History& h, std::size_t coordinate, std::span<const double> values) const {
    for (std::size_t d = 0; d < values.size(); ++d) h.tables[coordinate * p.domain(coordinate) + d] += values[d];
  }
  Answer<LevelAuction::Action> best(const LevelAuction& p, Evidence<History> e, std::size_t keep) const;
};

}  // namespace hannan::detail

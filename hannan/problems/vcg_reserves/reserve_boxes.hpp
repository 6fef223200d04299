// Eager reserves for the box search (oracles/box_search.hpp): a part is a profile, groups are the pairs of bidders.
//
// In a box a bidder of a profile leaves for sure (all its reserves are above its level), stays for sure, or is OPEN.
// The SCOPE of a profile, in rank order, is what can still change its revenue: without those who leave, up to the
// (s+1)-th who stays for sure, and behind the s-th up to the first bid that no possible winner's lowest reserve is
// below. A member MATTERS if it is open, or if it stays, may win, and its own reserve can exceed the price.
//   at most two matter   the revenue is a function of their reserves: resolved, in the table of that pair.
//   one open at most     with several units more than two may matter all the same. The open one decides who wins at
//   which
//                        price, and each winner then pays for itself: resolved too, as a sum of functions of the open
//                        one's reserve and one winner's, in the tables of those pairs.
//   more, weight > 0     the first two, p and q, take all four combinations of staying and leaving. Let S' be the
//                        scope without those of p and q who leave, c the (s+1)-th bid of S', 0 if there is none. Then
//                          Rev <= sum over the s first of S' of max(z_i, c),
//                        z_i the reserve of p or q, for others the highest reserve in the box that their bid reaches.
//                        Proof: those who stay are a subset of S', so the price is at most c. A winner among the s
//                        first of S' pays at most max(z_i, c); any other winner has a bid of at most c, so a reserve
//                        of at most c, and pays at most c; there are at most s winners.
//   more, weight < 0     Rev falls if bidders are left out or reserves lowered: S' is p and q as they are and those
//                        who stay for sure at their lowest reserves.
// A combination is a rectangle of the pair's table on which the revenue is a constant, a function of z_p and one of
// z_q: it is written as steps and summed up afterwards, O(|D_p| + |D_q|) a profile. A bidder with several bids matters
// if one of them does; the places at which they leave divide its list into cells, in each of which so many of its bids
// pay, and the combinations are those of the cells. (With several such bids "one open at most" is left to the bound.)
// Split: the bidder, and the place in
// its list, that decides most of what the bound gives away. A profile weighs weight (0.1 + bound - revenue), both at
// the likeliest action, and counts for its first five open members where they leave; the bidder with the largest total
// is split at the weighted median.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "hannan/oracles/box_model.hpp"
#include "hannan/problems/vcg_reserves/vcg_search.hpp"

namespace hannan::detail {

class ReserveBoxes final : public EvidenceBoxes<ReserveModel> {
 public:
  // Tables of all pairs must fit into memory; larger problems are left to the search by values.
  static bool suits(std::size_t bidders, std::size_t levels);

  // The evidence must be complete and outlive the boxes.
  explicit ReserveBoxes(ReserveModel& evidence);

  std::unique_ptr<BoxModel> clone() const override { return std::make_unique<ReserveBoxes>(*this); }
  const Groups& groups() const override { return groups_; }
  std::uint32_t parts() const override { return static_cast<std::uint32_t>(evidence_.profiles().size()); }
  double constant() const override { return evidence_.total_weight(); }
  void fill(const BoxLists& box, std::span<const std::uint32_t> parts, BoxTables& into) override;
  bool is_leaf(const BoxLists& box, std::size_t open) const override;
  void tabulate(const BoxLists& box, std::span<const std::uint32_t> open, std::span<double> grid) override;
  BoxSplit split(const BoxLists& box, std::span<const std::uint32_t> open, const std::vector<int>& likeliest) override;

  double leaf_points = 1e4;  // boxes of at most so many actions are tabulated, about 10 ns each
  double leaf_work = 2e5;    // with several units: and of at most so many responses

 private:
  struct Member {
    const RankedBid* bid = nullptr;
    std::size_t staying = 0, size = 0;  // how many of its reserves it reaches, of how many
    bool matters = false;
    bool open() const { return staying < size; }
  };
  // Places in a list.
  struct Range {
    std::size_t from, to;
  };
  struct Scope {
    std::vector<Member> at;
    std::size_t size = 0;
    double floor = 0, shift = 0;                       // of the profile
    std::size_t pair[2] = {kMostRanked, kMostRanked};  // the first bids of the first two bidders that matter
    std::size_t matter = 0;                            // bidders
    std::size_t open = 0;                              // members
    std::size_t first_open = kMostRanked;              // the first of them
    bool several = false;                              // has a bidder more than one bid?
    std::vector<Range> cells[2];                       // scratch of add_combinations
    bool resolved() const { return matter <= 2 || (open <= 1 && !several); }
  };
  // One combination of the pair: the sum over the s first of S'.
  struct Corner {
    double others = 0;     // what those outside the pair pay
    int pays[2] = {0, 0};  // so many bids of p and q, each max(reserve, price)
    double price = 0;
    int price_level = 0;  // of the bid that sets the price
    bool operator==(const Corner&) const = default;
  };
  // The table of a pair, with the strides of p and q.
  struct View {
    double* entries;
    std::size_t group;
    std::size_t stride[2], size[2];
  };

  void index(const BoxLists& box);
  std::size_t reached(int bidder, int level) const {
    return reached_[static_cast<std::size_t>(bidder) * stride_ + static_cast<std::size_t>(level)];
  }
  static std::size_t bidder_of(const RankedBid& bid) { return static_cast<std::size_t>(bid.bidder); }
  // A reserve in money, without the profile's shift.
  double unit(const RankedBid& bid, int position) const {
    return reserves_of_[bidder_of(bid) * stride_ + static_cast<std::size_t>(position)];
  }
  // The reserves of a bid's bidder in the box; one that every bid reaches where it has none.
  const std::vector<int>& list_of(const BoxLists& box, const RankedBid& bid) const {
    return bid.bidder == kNoReserve ? no_reserve_ : box[bidder_of(bid)];
  }
  double lowest_reserve(const Scope& scope, const RankedBid& bid) const {
    return bid.bidder == kNoReserve ? -kInfinity : ends_[bidder_of(bid)].lowest + scope.shift;
  }
  // In the box that was indexed last.
  void find_scope(const BidProfile& profile, Scope& scope) const;
  Scope new_scope() const;
  enum class Side { kAbove, kBelow };  // of the revenue; the same where the profile is resolved
  // Where p and q are in these cells.
  Corner corner(const Scope& scope, const BoxLists& box, const Range (&cells)[2], Side side) const;
  View view(const Scope& scope, const BoxLists& box, const BoxLayout& layout, std::span<double> tables) const;
  // The places between which bids of p or q leave; one cell where there is no p or q.
  static void find_cells(const View& view, std::size_t side, Scope& scope);
  void add_combinations(const View& view, Scope& scope, const BoxLists& box, Side side, double factor) const;
  void add_one_open(Scope& scope, const BoxLists& box, BoxTables& into, std::vector<char>& touched,
                    double factor) const;
  void add_corner(const View& view, const Scope& scope, const BoxLists& box, const Range (&ranges)[2],
                  const Corner& corner, double factor) const;
  double bounded(const Scope& scope, const BoxLists& box, const std::vector<int>& full) const;
  void tabulate_one_unit(const BoxLists& box, std::span<const std::uint32_t> open, std::span<double> grid);
  void tabulate_units(const BoxLists& box, std::span<const std::uint32_t> open, std::span<double> grid);

  std::size_t units_;
  std::size_t stride_;                  // of reached_
  Groups groups_;                       // all pairs, in order
  std::vector<std::uint32_t> reached_;  // [bidder][level]: how many of the box's reserves are at or below the level
  struct Ends {
    std::size_t size;
    double lowest, highest;  // reserve in money, without a profile's shift
  };
  std::vector<Ends> ends_;           // by bidder, of the box that was indexed last
  std::vector<double> reserves_of_;  // [bidder][position]: the reserve in money
  std::vector<int> no_reserve_{0};
  std::size_t most_bids_ = 0;  // of a profile
};

}  // namespace hannan::detail

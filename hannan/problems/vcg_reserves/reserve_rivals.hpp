// What a seller does about reserve prices without a library: rivals to hold a learner against.
//
//   fixed     the same reserves in every round: all at level 1, the lowest there is, which still asks for 1/m; with
//             prices in money all at 0, with shares no ceiling.
//   uniform   one reserve for all bidders, the one of m that would have earned most so far (follow the
//             leader; ties to the lowest; level 1 before the first round).
//   monopoly  per bidder i the empirical monopoly price of its past bids, re-estimated after every round:
//               argmax over z in 1..m of (z/m) * #{past bids of i that reach level z},
//             ties to the lowest, level 1 before i's first bid. It looks at each bidder alone, as if there
//             were no others to compete with, whatever the rule of the auction is.
//
// In money the uniform leader needs one list for all bidders and adds up what each of its reserves earns, O(m n) a
// round. Where bidders share a slot its monopoly price counts the bids of all of them. An outcome has only the s + 1
// highest of a slot, since no others can set a price: those that count every bid are given each as a profile of its
// own, where all are known.
//
// For a uniform level z both rules earn the same: with b the highest bid that cannot win, all s winners
// pay b as long as b reaches z, and beyond that those of the s highest that reach z pay z/m each.
//
// Cost a round: fixed O(1), uniform O(s + m), monopoly O(n m).
#pragma once

#include <memory>
#include <vector>

#include "hannan/core/archive.hpp"
#include "hannan/game/rivals.hpp"
#include "hannan/problems/vcg_reserves/vcg_reserves.hpp"

namespace hannan::detail {

class ReserveRival {
 public:
  virtual ~ReserveRival() = default;
  virtual const VcgReserves::Action& act() const = 0;
  virtual void observe(const RankedBids& ranked) = 0;
  // Whether it looks at each bid alone: it is given all of them, a profile each, where an outcome does not have all.
  virtual bool counts_every_bid() const { return false; }
};

class FixedReserves final : public ReserveRival {
 public:
  explicit FixedReserves(VcgReserves::Action reserves) : reserves_(std::move(reserves)) {}
  const VcgReserves::Action& act() const override { return reserves_; }
  void observe(const RankedBids&) override {}

 private:
  VcgReserves::Action reserves_;
};

class UniformLeader final : public ReserveRival {
 public:
  // The problem must outlive it. Requires suits(problem).
  explicit UniformLeader(const VcgReserves& problem);
  static bool suits(const VcgReserves& problem);                         // one list of reserves for all bidders
  const VcgReserves::Action& act() const override { return reserves_; }  // after the last round: the best in hindsight
  void observe(const RankedBids& ranked) override;

 private:
  const VcgReserves& problem_;
  ResponseCurve curve_;         // money earned so far, by reserve
  std::vector<double> earned_;  // the same, read out
  VcgReserves::Action reserves_;
};

class MonopolyReserves final : public ReserveRival {
 public:
  // Tied: one price for all, of the bids of all together; requires UniformLeader::suits(problem).
  explicit MonopolyReserves(const VcgReserves& problem, Tied tied = Tied::kNo);
  const VcgReserves::Action& act() const override { return reserves_; }
  void observe(const RankedBids& ranked) override;
  bool counts_every_bid() const override { return true; }
  void archive(Archive& a);

 private:
  const VcgReserves& problem_;
  Tied tied_;
  std::vector<std::vector<double>> earned_;  // [bidder][z-1]: z * #{bids that reach z}, whole numbers; or in money
  VcgReserves::Action reserves_;
};

}  // namespace hannan::detail

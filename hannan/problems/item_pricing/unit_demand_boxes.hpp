// Unit-demand pricing for the box search (oracles/box_search.hpp): a part is a buyer's list of values, groups are the
// pairs of items.
//
// In a box an item is a CANDIDATE of a buyer if it can be bought: some price is low enough, and its utility can reach
// that of every item that the buyer can afford at all prices of the box.
//   at most two   the purchase is a function of their prices: resolved, in the table of that pair.
//   more          p and q, the two of greatest possible utility, at prices z_p and z_q. Let u be the utility of the one
//                 of them that is bought if there is no other. Any other candidate j is bought only at prices z with
//                 v_j - z >= u, so for buyers of revenue the price paid is at most the greater of
//                   the price of p or q, unless another item surely has more utility than u,
//                   R(u) = max over j of the highest price of j in the box with v_j - z >= u.
//                 R falls in u, so R(max(u_p, u_q)) = min(R(u_p), R(u_q)): one number per price of p and of q, and an
//                 entry of the table is a few comparisons. For buyers of negative weight the least price is bounded
//                 from below alike, by the lowest prices of those that may be bought.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "hannan/oracles/box_model.hpp"
#include "hannan/problems/item_pricing/pricing_search.hpp"

namespace hannan::detail {

class UnitDemandBoxes final : public EvidenceBoxes<UnitDemandModel> {
 public:
  // There must be pairs, and their tables must fit into memory.
  static bool suits(std::size_t items, std::size_t levels);

  // The evidence must outlive the boxes.
  explicit UnitDemandBoxes(UnitDemandModel& evidence);

  std::unique_ptr<BoxModel> clone() const override { return std::make_unique<UnitDemandBoxes>(*this); }
  const Groups& groups() const override { return groups_; }
  std::uint32_t parts() const override { return static_cast<std::uint32_t>(evidence_.buyers()); }
  double constant() const override { return evidence_.rounds(); }
  void fill(const BoxLists& box, std::span<const std::uint32_t> parts, BoxTables& into) override;
  bool is_leaf(const BoxLists& box, std::size_t open) const override;
  void tabulate(const BoxLists& box, std::span<const std::uint32_t> open, std::span<double> grid) override;

  double leaf_points = 1e5;  // boxes of at most so many actions are tabulated
  double leaf_work = 2e5;    // and of at most so many purchases of open buyers

 private:
  using Wish = UnitDemandModel::Wish;

  // One of the pair at each of its prices.
  struct Side {
    std::size_t item = 0;
    std::vector<std::int64_t> utility;  // kNone where it is too expensive
    std::vector<int> price;             // 0 where it is too expensive
    std::vector<int> outside;           // what another candidate may be bought at, if this one is to be beaten
  };
  void find_candidates(std::uint32_t part, const BoxLists& box);
  void prepare(Side& side, const Wish* wish, const BoxLists& box, bool at_most);
  void add_pair(double weight, double* table) const;

  Groups groups_;                        // all pairs, in order
  std::vector<const Wish*> candidates_;  // of a part, by greatest possible utility
  Side sides_[2];                        // by item, the lower one first
  std::int64_t sure_ = 0;                // the most that a candidate outside the pair surely has
};

}  // namespace hannan::detail

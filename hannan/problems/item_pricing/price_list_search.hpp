// Exact oracle for item-pricing with price lists, beyond tables: branch and bound (oracles/branch_bound.hpp).
//
// History: distinct buyers with their weights, and a table of noise per item. With some items fixed and the set F of
// others free, a buyer of positive weight pays, when item j in F stands at z, at most
//   single-minded  value, or fixed prices + p_z + highest prices of the rest of F + fee, whichever is less; nothing
//   where
//                  fixed prices + p_z + fee are above the value;
//   unit demand    the highest price of an item whose utility can still reach what the fixed items and j surely give.
// A payment is at most each of these, and so at most their mean over j in F: one table per free item. Buyers of
// negative weight are bounded by what they pay at least. Exact when one item is free. A node costs O(buyers * positions
// * items).
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "hannan/core/archive.hpp"
#include "hannan/core/evidence.hpp"
#include "hannan/oracles/branch_bound.hpp"
#include "hannan/oracles/warm_start.hpp"
#include "hannan/problems/item_pricing/item_pricing.hpp"

namespace hannan::detail {

class PriceListSearch {
 public:
  static constexpr bool kSigned = true;

  struct History {
    std::map<Buyer, double> buyers;           // weights
    std::vector<std::vector<double>> tables;  // of noise, per item
    ItemPricing::Demand demand;
    mutable WarmStart warm;
    void scale(double factor);
    void clear();
    void archive(Archive& a);
  };

  std::uint64_t nodes = SearchLimits{}.nodes;  // the work limit of a call

  History empty(const ItemPricing& p) const;
  void add(const ItemPricing& p, History& h, const ItemPricing::Outcome& y, double weight) const;
  void add_table(const ItemPricing&, History& h, std::size_t item, std::span<const double> values) const;
  Answer<ItemPricing::Action> best(const ItemPricing& p, Evidence<History> e, std::size_t keep) const;
};

class PriceListModel {
 public:
  PriceListModel(const ItemPricing& p, const Evidence<PriceListSearch::History>& e);
  std::size_t coordinates() const { return tables_.size(); }
  std::size_t domain(std::size_t c) const { return tables_[c].size(); }
  void bound(const std::vector<int>& partial, BoundTable& bounds) const;
  double value(const std::vector<int>& full) const;
  void line(const std::vector<int>& full, std::size_t c, std::span<double> out) const;

 private:
  struct Weighted {
    const Buyer* buyer;
    double weight;
  };
  double price(std::size_t item, int position) const { return p_.prices()[item][static_cast<std::size_t>(position)]; }
  // What the buyer pays at least or at most for each position of free item j; `out` is of its length.
  void reach_bundle(const Weighted& who, const std::vector<int>& partial, std::size_t j, std::span<double> out) const;
  void reach_unit(const Weighted& who, const std::vector<int>& partial, std::size_t j, std::span<double> out) const;

  const ItemPricing& p_;
  std::vector<std::vector<double>> tables_;
  std::vector<Weighted> buyers_;
};

}  // namespace hannan::detail

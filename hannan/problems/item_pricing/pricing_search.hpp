// Exact oracles for item-pricing at sizes where actions cannot be listed: branch and bound
// (oracles/branch_bound.hpp) on histories whose size does not grow with the rounds as such. Single-minded buyers whose
// bundles have tables that fit into memory are searched by boxes instead (pricing_boxes.hpp).
//
// Single-minded buyers (BundleSearch). Evidence is one demand curve per distinct bundle,
//   sum_S rev_S(a(S)),  rev_S(p) = (p/m) * weight of the buyers of S with level >= p,
// plus one noise table per item. Only prices p <= m sell, since values are at most 1. With items F of
// S still free and the others summing to P, the split bound gives each free item an equal share,
//   rev_S <= sum_{j in F} (1/|F|) max{0, max_{p >= P + z_j + |F| - 1} rev_S(p)},
// a sum of one-item tables, exact when one item is free. A node costs O(sum_S |F| m). Since a(S) is
// itself a sum over items, any multiple of it may be moved from the curve to the tables first,
//   rev_S(p) = s_S p + (rev_S(p) - s_S p),
// and only the second part is split; searches that prove hard choose the slopes s_S by subgradient
// steps on the root's bound, once, and every node uses them from then on.
//
// Unit demand (UnitDemandSearch). History: distinct value vectors with their weights. A buyer's best
// fixed item pays p; let j be its most valued free item and c the highest price at which j still
// beats the fixed ones. At z_j <= c the buyer takes j, or another free item at most as expensive, since it
// is valued at most as much and preferred; beyond c it pays at most the greater of p and the highest
// price of another free item. So
//   rev <= z_j 1[z_j <= c] + max{p, c'} 1[z_j > c],
// a table on item j alone, exact when one item is free. Buyers of negative weight are bounded below
// by what they surely pay. A node costs O(buyers * k + k m).
#pragma once

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

// What both histories share: the weight of all rounds and a table of noise per item.
struct PricingNoise {
  explicit PricingNoise(const ItemPricing& p);
  void add_table(std::size_t item, std::span<const double> values);
  void scale(double factor);
  void clear();
  void archive(Archive& a);

  std::size_t items;
  std::size_t levels;
  double rounds = 0;           // summed weights: each round's loss is 1 minus a reward
  std::vector<double> tables;  // item by item
};

class BundleSearch {
 public:
  static constexpr bool kSigned = true;

  struct History {
    PricingNoise noise;
    std::map<std::uint32_t, std::vector<double>> sales;  // bundle -> weight at levels 1..m
    mutable WarmStart warm;                              // of the data's history; a search remembers what it found
    void scale(double factor);
    void clear();
    void archive(Archive& a);
  };

  std::uint64_t nodes = SearchLimits{}.nodes;  // the work limit of a call
  double leaf_points = 1e4;                    // as in BundleBoxes

  History empty(const ItemPricing& p) const { return {PricingNoise(p), {}, {}}; }
  void add(const ItemPricing& p, History& h, const ItemPricing::Outcome& y, double weight) const;
  void add_table(const ItemPricing&, History& h, std::size_t item, std::span<const double> values) const {
    h.noise.add_table(item, values);
  }
  Answer<ItemPricing::Action> best(const ItemPricing& p, Evidence<History> e, std::size_t keep) const;
};

class UnitDemandSearch {
 public:
  static constexpr bool kSigned = true;

  struct History {
    PricingNoise noise;
    std::map<std::vector<std::int64_t>, double> buyers;  // values in ticks -> weight
    mutable WarmStart warm;
    void scale(double factor);
    void clear();
    void archive(Archive& a);
  };

  std::uint64_t nodes = SearchLimits{}.nodes;  // the work limit of a call
  double leaf_points = 1e5;                    // as in UnitDemandBoxes

  History empty(const ItemPricing& p) const { return {PricingNoise(p), {}, {}}; }
  void add(const ItemPricing& p, History& h, const ItemPricing::Outcome& y, double weight) const;
  void add_table(const ItemPricing&, History& h, std::size_t item, std::span<const double> values) const {
    h.noise.add_table(item, values);
  }
  Answer<ItemPricing::Action> best(const ItemPricing& p, Evidence<History> e, std::size_t keep) const;
};

// What a search over positions of prices found, in prices.
Answer<ItemPricing::Action> priced_answer(const ItemPricing& p, const SearchResult& found, std::size_t keep);

// The models themselves, for those who count nodes.
class BundleModel {
 public:
  BundleModel(const ItemPricing& p, const Evidence<BundleSearch::History>& e);
  std::size_t coordinates() const { return items_; }
  std::size_t domain(std::size_t) const { return levels_; }
  void bound(const std::vector<int>& partial, BoundTable& bounds);
  double value(const std::vector<int>& full) const;
  void line(const std::vector<int>& full, std::size_t c, std::span<double> out) const;
  struct Curve {
    std::uint32_t bundle;
    std::vector<double> loss;  // at price p = 0..m, p = 0 never asked for: minus the revenue
    double slope = 0;
    std::vector<double> least;  // min of loss - slope * p' over p <= p' <= m, and m + 1 where slope <= 0
  };
  const std::vector<Curve>& curves() const { return curves_; }
  double rounds() const { return rounds_; }
  std::span<const double> table(std::size_t item) const { return {tables_.data() + item * levels_, levels_}; }
  // Chooses the slopes; bound() does so by itself after kPatience nodes.
  void sharpen();

 private:
  static constexpr std::uint64_t kPatience = 100;  // sharpening costs about as much as so many nodes
  static constexpr int kSteps = 30;                // later ones gain little
  int price(const Curve& curve, const std::vector<int>& partial) const;
  void set_slope(Curve& curve, double slope) const;
  struct Rest {
    std::uint32_t free;  // the bundle's free items
    std::size_t fixed;   // the price of the others
  };
  void add_split(const Curve& curve, Rest rest, BoundTable& bounds) const;
  double relax(const std::vector<int>& partial, BoundTable& bounds) const;
  double pull(const Curve& curve, const std::vector<int>& at) const;

  std::size_t items_;
  std::size_t levels_;
  double rounds_;
  std::vector<double> tables_;
  std::vector<Curve> curves_;
  std::uint64_t nodes_ = 0;
};

class UnitDemandModel {
 public:
  UnitDemandModel(const ItemPricing& p, const Evidence<UnitDemandSearch::History>& e);
  std::size_t coordinates() const { return items_; }
  std::size_t domain(std::size_t) const { return levels_; }
  void bound(const std::vector<int>& partial, BoundTable& bounds) const;
  double value(const std::vector<int>& full) const;
  void line(const std::vector<int>& full, std::size_t c, std::span<double> out) const;

  // What a buyer would give for an item.
  struct Wish {
    std::int64_t ticks;
    int level;  // the highest price it reaches
    int item;
  };
  std::size_t buyers() const { return weights_.size(); }
  std::span<const Wish> wishes(std::size_t buyer) const { return {wishes_.data() + buyer * items_, items_}; }
  double weight(std::size_t buyer) const { return weights_[buyer]; }
  int paid(std::size_t buyer, const std::vector<int>& full) const { return best_fixed(buyer, full).price; }
  double rounds() const { return rounds_; }
  std::span<const double> table(std::size_t item) const { return {tables_.data() + item * levels_, levels_}; }

 private:
  struct Purchase {
    std::int64_t utility = 0;
    int price = 0;  // 0: nothing
    int item = 0;
  };
  // One row per item: loss at price z = sum over caps >= z of z * weight + over caps < z of fall.
  class Steps;

  Purchase best_fixed(std::size_t buyer, const std::vector<int>& partial) const;
  static int cap(const Wish& wish, const Purchase& rival);

  std::size_t items_;
  std::size_t levels_;
  double rounds_;
  std::vector<double> tables_;
  std::vector<Wish> wishes_;     // buyer by buyer, the most valued first
  std::vector<double> weights_;  // of minus one grid unit of money, per buyer
};

}  // namespace hannan::detail

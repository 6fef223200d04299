// Single-minded pricing for the box search (oracles/box_search.hpp): a part is the demand curve of one bundle.
//
// The loss of a bundle depends on the sum of its prices alone. Groups are the maximal bundles of at most `width` items,
// width 3 or less as memory allows; a bundle that fits into groups is exact in their tables, shared evenly by all that
// hold it. A larger bundle goes to the group within it whose lists are longest: given the group's prices, the
// sum P of the other items lies between the sums of their lowest and of their highest, so the loss is at least
//   min over these P of loss(price of the group + P),
// exact, and resolved, once the other items have one price each. Nothing depends on the number of rounds.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "hannan/oracles/box_model.hpp"
#include "hannan/problems/item_pricing/pricing_search.hpp"

namespace hannan::detail {

class BundleBoxes final : public EvidenceBoxes<BundleModel> {
 public:
  // Groups for these bundles whose tables fit into memory; none if there are no such groups.
  static std::optional<Groups> groups_for(const BundleModel& evidence);

  // The evidence must outlive the boxes.
  BundleBoxes(BundleModel& evidence, Groups groups);

  std::unique_ptr<BoxModel> clone() const override { return std::make_unique<BundleBoxes>(*this); }
  const Groups& groups() const override { return groups_; }
  std::uint32_t parts() const override { return static_cast<std::uint32_t>(evidence_.curves().size()); }
  double constant() const override { return evidence_.rounds(); }
  void fill(const BoxLists& box, std::span<const std::uint32_t> parts, BoxTables& into) override;
  bool is_leaf(const BoxLists& box, std::size_t open) const override;
  void tabulate(const BoxLists& box, std::span<const std::uint32_t> open, std::span<double> grid) override;

  double leaf_points = 1e4;  // boxes of at most so many actions are tabulated
  double leaf_work = 1e6;    // and of at most so many prices of open bundles

 private:
  // Adds share * loss[price of the bundle's items in the group] to the group's table.
  void add_curve(const BoxLists& box, std::size_t group, std::uint32_t bundle, std::span<const double> loss,
                 double share, double* table) const;
  std::size_t longest_within(const BoxLists& box, std::uint32_t bundle) const;
  // The least loss for every price of the group when the other items' lists are taken into account.
  void take_least(std::span<const double> loss, std::size_t lowest, std::size_t highest);

  Groups groups_;
  std::vector<std::uint32_t> masks_;                 // of the groups
  std::vector<std::vector<std::uint32_t>> holders_;  // by part: the groups that hold the whole bundle
  std::vector<double> least_;
};

}  // namespace hannan::detail

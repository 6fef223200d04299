// Tables of a box of prices: each demand curve goes into the tables of groups of at most three items. pricing_boxes.hpp
// has the bound. Invariant of groups: every bundle of at most `width` items is within some group, every larger bundle
// has a group of `width` items within it. Cost of fill: O(size of the group's table) a curve, and O(m * spread of the
// other items' sums) for a bundle that is larger than its group.
#include "hannan/problems/item_pricing/pricing_boxes.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

namespace hannan::detail {

namespace {

constexpr double kMostTableEntries = 4e6;  // of all groups: 32 MB

bool holds(std::uint32_t group, std::uint32_t bundle) { return (bundle & ~group) == 0; }

// The first items of a bundle.
std::uint32_t first_items(std::uint32_t bundle, int count) {
  std::uint32_t mask = 0;
  for (; count > 0 && bundle != 0; --count, bundle &= bundle - 1) mask |= bundle & -bundle;
  return mask;
}

// Masks of the maximal bundles of at most `width` items; larger ones have at least one group within them.
// Largest first, so that a bundle within another is met after it and adds no group. Sorted masks at the end: the order
// of groups, and with it of all sums, does not depend on the order of the curves.
std::vector<std::uint32_t> group_masks(const BundleModel& evidence, int width) {
  std::vector<std::uint32_t> wanted;
  for (const auto& curve : evidence.curves()) {
    if (std::popcount(curve.bundle) <= width) wanted.push_back(curve.bundle);
  }
  std::sort(wanted.begin(), wanted.end(), [](std::uint32_t a, std::uint32_t b) {
    const int many = std::popcount(a), few = std::popcount(b);
    return many != few ? many > few : a < b;
  });
  std::vector<std::uint32_t> masks;
  for (const std::uint32_t bundle : wanted) {
    if (std::none_of(masks.begin(), masks.end(), [&](std::uint32_t m) { return holds(m, bundle); }))
      masks.push_back(bundle);
  }
  for (const auto& curve : evidence.curves()) {
    if (std::popcount(curve.bundle) <= width) continue;
    const bool has = std::any_of(masks.begin(), masks.end(),
                                 [&](std::uint32_t m) { return std::popcount(m) == width && holds(curve.bundle, m); });
    if (!has) masks.push_back(first_items(curve.bundle, width));
  }
  std::sort(masks.begin(), masks.end());
  return masks;
}

}  // namespace

// The widest groups whose tables together have at most kMostTableEntries entries at the full box.
std::optional<Groups> BundleBoxes::groups_for(const BundleModel& evidence) {
  const auto levels = static_cast<double>(evidence.domain(0));
  // Wider groups give tighter bounds and larger tables: m^3 or m^2 entries each. 1 is left to the search by values.
  for (const int width : {3, 2}) {
    const auto masks = group_masks(evidence, width);
    double entries = 0;
    for (const std::uint32_t mask : masks) entries += std::pow(levels, std::popcount(mask));
    if (entries > kMostTableEntries) continue;
    Groups groups;
    for (std::uint32_t mask : masks) {
      groups.emplace_back();
      for (; mask != 0; mask &= mask - 1) groups.back().push_back(static_cast<std::size_t>(std::countr_zero(mask)));
    }
    return groups;
  }
  return std::nullopt;
}

BundleBoxes::BundleBoxes(BundleModel& evidence, Groups groups) : EvidenceBoxes(evidence), groups_(std::move(groups)) {
  for (const auto& group : groups_) {
    masks_.push_back(0);
    for (const std::size_t c : group) masks_.back() |= std::uint32_t{1} << c;
  }
  for (const auto& curve : evidence.curves()) {
    holders_.emplace_back();
    for (std::uint32_t g = 0; g < masks_.size(); ++g) {
      if (holds(masks_[g], curve.bundle)) holders_.back().push_back(g);
    }
  }
}

void BundleBoxes::add_curve(const BoxLists& box, std::size_t group, std::uint32_t bundle, std::span<const double> loss,
                            double share, double* table) const {
  // Walks the rows of the table: `at` counts the places of all members but the last, which runs along the row. Items of
  // the group outside the bundle do not add to the price.
  const auto& members = groups_[group];
  const std::size_t k = members.size(), last = members[k - 1];
  const bool runs = (bundle >> last & 1U) != 0;
  std::vector<std::size_t> at(k - 1, 0);
  while (true) {
    std::size_t sum = 0;
    for (std::size_t j = 0; j + 1 < k; ++j) {
      if ((bundle >> members[j] & 1U) != 0) sum += static_cast<std::size_t>(box[members[j]][at[j]]) + 1;
    }
    const auto& list = box[last];
    if (runs) {
      for (std::size_t d = 0; d < list.size(); ++d) {
        const std::size_t price = sum + static_cast<std::size_t>(list[d]) + 1;
        if (price >= loss.size()) break;  // too expensive, and so are all that follow
        table[d] += share * loss[price];
      }
    } else if (sum < loss.size()) {
      for (std::size_t d = 0; d < list.size(); ++d) table[d] += share * loss[sum];
    }
    table += list.size();
    // Counts on: j ends as the number of the digit that did not turn over, 0 where all did.
    std::size_t j = k - 1;
    while (j > 0 && ++at[j - 1] == box[members[j - 1]].size()) at[--j] = 0;
    if (j == 0) return;
  }
}

std::size_t BundleBoxes::longest_within(const BoxLists& box, std::uint32_t bundle) const {
  // Some group is within the bundle (group_masks), so `best` is always replaced.
  std::size_t best = 0;
  double most = -1;
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    if (!holds(bundle, masks_[g])) continue;
    double entries = 1;
    for (const std::size_t c : groups_[g]) entries *= static_cast<double>(box[c].size());
    if (entries <= most) continue;
    most = entries;
    best = g;
  }
  return best;
}

// least_[p] for p = 0..m; beyond m nothing sells and the loss is 0.
void BundleBoxes::take_least(std::span<const double> loss, std::size_t lowest, std::size_t highest) {
  const std::size_t size = loss.size();
  least_.assign(size, 0.0);
  for (std::size_t p = 0; p < size; ++p) {
    const std::size_t from = p + lowest, to = p + highest;
    // All sums from..to, a piece of the curve; those of m + 1 and more have the loss 0.
    double least = to >= size ? 0.0 : loss[to];
    for (std::size_t sum = from; sum < std::min(to, size); ++sum) least = std::min(least, loss[sum]);
    least_[p] = least;
  }
}

void BundleBoxes::fill(const BoxLists& box, std::span<const std::uint32_t> parts, BoxTables& into) {
  for (const std::uint32_t part : parts) {
    const auto& curve = evidence_.curves()[part];
    const auto& holders = holders_[part];
    for (const std::uint32_t g : holders)
      add_curve(box, g, curve.bundle, curve.loss, 1 / static_cast<double>(holders.size()),
                into.exact.data() + into.layout.tables[g]);
    if (!holders.empty()) continue;
    const std::size_t g = longest_within(box, curve.bundle);
    std::size_t lowest = 0, highest = 0;
    for (std::uint32_t left = curve.bundle & ~masks_[g]; left != 0; left &= left - 1) {
      const auto& list = box[static_cast<std::size_t>(std::countr_zero(left))];
      lowest += static_cast<std::size_t>(list.front()) + 1;
      highest += static_cast<std::size_t>(list.back()) + 1;
    }
    take_least(curve.loss, lowest, highest);
    const bool resolved = lowest == highest;
    if (!resolved) into.open.push_back(part);
    add_curve(box, g, masks_[g], least_, 1.0, (resolved ? into.exact : into.loose).data() + into.layout.tables[g]);
  }
}

bool BundleBoxes::is_leaf(const BoxLists& box, std::size_t open) const {
  const double points = points_in(box);
  return points == 1 || (points <= leaf_points && points * static_cast<double>(open) <= leaf_work);
}

void BundleBoxes::tabulate(const BoxLists& box, std::span<const std::uint32_t> open, std::span<double> grid) {
  if (open.empty()) return;
  std::vector<std::size_t> at(box.size(), 0);
  for (double& total : grid) {
    for (const std::uint32_t part : open) {
      const auto& curve = evidence_.curves()[part];
      std::size_t price = 0;
      for (std::uint32_t left = curve.bundle; left != 0; left &= left - 1) {
        const auto c = static_cast<std::size_t>(std::countr_zero(left));
        price += static_cast<std::size_t>(box[c][at[c]]) + 1;
      }
      if (price < curve.loss.size()) total += curve.loss[price];
    }
    // The next assignment, the last item fastest, as the grid is laid out.
    for (std::size_t c = box.size(); c-- > 0;) {
      if (++at[c] < box[c].size()) break;
      at[c] = 0;
    }
  }
}

}  // namespace hannan::detail

// Trees of depth 2 as numbers: with R cuts and S = 2 R + 2 stumps a tree is (root * S + left) * S + right.
//
// Stumps: 0 says 1, 1 says 0; then per cut the one that says 1 where it holds and the one that says 0. Without a cut
// that parts the points there is one root, with all of them on its right.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>

#include "hannan/problems/classification/classifier_rule.hpp"
#include "hannan/problems/classification/feature_cuts.hpp"

namespace hannan::detail {

class TreeCodes {
 public:
  // The cuts outlive it.
  explicit TreeCodes(const FeatureCuts& cuts)
      : cuts_(cuts), roots_(std::max<std::uint64_t>(cuts.all().size(), 1)), stumps_(2 + 2 * cuts.all().size()) {}

  std::uint64_t roots() const { return roots_; }
  std::uint64_t size() const { return roots_ * stumps_ * stumps_; }
  double count() const {
    return static_cast<double>(roots_) * static_cast<double>(stumps_) * static_cast<double>(stumps_);
  }

  bool says(std::uint64_t tree, std::size_t point) const {
    return stump_says(right_of(tree / (stumps_ * stumps_), point) ? tree % stumps_ : tree / stumps_ % stumps_, point);
  }
  bool right_of(std::uint64_t root, std::size_t point) const {
    return cuts_.all().empty() || cuts_.holds(cuts_.all()[root], point);
  }

  TreeRule describe(std::uint64_t tree) const {
    return {.root = describe_root(tree / (stumps_ * stumps_)),
            .left = describe_stump(tree / stumps_ % stumps_),
            .right = describe_stump(tree % stumps_)};
  }
  // Without cuts the root holds everywhere: any number from the first on, or a category that all have.
  CutRule describe_root(std::uint64_t root) const {
    return cuts_.describe(cuts_.all().empty() ? Cut{0, 0} : cuts_.all()[root]);
  }

  // A node of any depth: where its cut parts nothing any root with equal sides is the same rule.
  struct Node {
    std::uint64_t root = 0, left = 0, right = 0;
  };
  std::optional<Node> find_node(const CutRule& root, std::optional<std::uint64_t> left,
                                std::optional<std::uint64_t> right) const {
    const auto cut = cuts_.find(root);
    if (!cut || !left || !right) return std::nullopt;
    switch (cuts_.extent(*cut)) {
      case FeatureCuts::Holds::kEverywhere:
        return Node{0, *right, *right};
      case FeatureCuts::Holds::kNowhere:
        return Node{0, *left, *left};
      case FeatureCuts::Holds::kSomewhere:
        break;
    }
    return Node{cuts_.index_of(*cut), *left, *right};
  }
  std::optional<std::uint64_t> find(const TreeRule& tree) const {
    const auto node = find_node(tree.root, find_stump(tree.left), find_stump(tree.right));
    if (!node) return std::nullopt;
    return (node->root * stumps_ + node->left) * stumps_ + node->right;
  }

 private:
  bool stump_says(std::uint64_t stump, std::size_t point) const {
    const bool one = stump % 2 == 0;
    return stump < 2 ? one : cuts_.holds(cuts_.all()[stump / 2 - 1], point) == one;
  }
  StumpRule describe_stump(std::uint64_t stump) const {
    const int says = stump % 2 == 0 ? 1 : 0;
    return stump < 2 ? cuts_.describe_constant(says) : StumpRule{cuts_.describe(cuts_.all()[stump / 2 - 1]), says};
  }
  std::optional<std::uint64_t> find_stump(const StumpRule& stump) const {
    const auto cut = cuts_.find(stump.cut);
    if (!cut) return std::nullopt;
    const bool one = stump.says == 1;
    switch (cuts_.extent(*cut)) {
      case FeatureCuts::Holds::kEverywhere:
        return one ? 0 : 1;
      case FeatureCuts::Holds::kNowhere:
        return one ? 1 : 0;
      case FeatureCuts::Holds::kSomewhere:
        break;
    }
    return 2 + 2 * cuts_.index_of(*cut) + (one ? 0 : 1);
  }

  const FeatureCuts& cuts_;
  std::uint64_t roots_, stumps_;
};

}  // namespace hannan::detail

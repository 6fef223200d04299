// How a classifier is written down: numbers and places, no text.
//
//   ListedRule     its place in the list of the class
//   ThresholdRule  1 where x >= cut
//   StumpRule      `says` where a cut of one feature holds, the opposite elsewhere
//   BoxRule        1 where low <= (x, y) <= high
//   HalfplaneRule  1 where normal . (x, y) >= offset
//   TreeRule       `right` where the root's cut holds, `left` elsewhere: stumps
//   DeepTreeRule   the same with trees on either side
//   VoteRule       the vote of the first so many of the problem's weighted stumps
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <variant>

namespace hannan::detail {

// Numbers: x_f >= cut. Categories: x_f is this category; none: it never holds.
struct CutRule {
  std::uint32_t feature = 0;
  double cut = 0;
  std::optional<std::uint32_t> category;
};

struct ListedRule {
  std::uint64_t place = 0;
};
struct ThresholdRule {
  double cut = 0;
};
struct StumpRule {
  CutRule cut;
  int says = 1;  // 0 or 1
};
struct WeightedStumpRule {
  StumpRule stump;
  double weight = 0;
};
struct BoxRule {
  std::array<double, 2> low{}, high{};
};
struct HalfplaneRule {
  std::array<double, 2> normal{};
  double offset = 0;
};
struct TreeRule {
  CutRule root;
  StumpRule left, right;
};
struct DeepTreeRule {
  CutRule root;
  TreeRule left, right;
};
struct VoteRule {
  std::uint64_t stumps = 0;
};

using ClassifierRule =
    std::variant<ListedRule, ThresholdRule, StumpRule, BoxRule, HalfplaneRule, TreeRule, DeepTreeRule, VoteRule>;

}  // namespace hannan::detail

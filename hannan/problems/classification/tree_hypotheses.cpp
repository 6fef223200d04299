// Depth-2 trees: a root cut, and where it holds (right) and where it does not (left) a stump each, which may
// be a constant.
//
// With R cuts and S = 2 R + 2 stumps a rule is (root, left, right), K <= R S^2. Not listed, they are searched
// by sums over pairs of values (pair_sums.hpp), or root by root where that is less (root_sums.hpp). Without a
// cut that parts the points there is one root, with all of them on its right.
#include <algorithm>
#include <optional>

#include "hannan/problems/classification/coded_hypotheses.hpp"
#include "hannan/problems/classification/column_sums.hpp"
#include "hannan/problems/classification/feature_cuts.hpp"
#include "hannan/problems/classification/pair_sums.hpp"
#include "hannan/problems/classification/root_sums.hpp"
#include "hannan/problems/classification/tree_search.hpp"

namespace hannan {

using namespace hannan::detail;

namespace {

constexpr double kMostPairs = 4e6;     // numbers in a history: 32 MB
constexpr double kMostPouring = 1e8;   // points x features^2: a tenth of a second for fresh noise
constexpr double kMostRootWork = 1e8;  // roots x points x features: below a second a call

bool pairs_fit(const ColumnSums& columns) {
  const auto m = static_cast<double>(columns.points()), d = static_cast<double>(columns.features());
  return PairTable::cells(columns) <= kMostPairs && m * d * d <= kMostPouring;
}

bool roots_fit(const FeatureCuts& cuts) {
  return static_cast<double>(cuts.all().size()) * static_cast<double>(cuts.points()) *
             static_cast<double>(cuts.features()) <=
         kMostRootWork;
}

class TreeClass final : public CodedHypotheses {
 public:
  TreeClass(const PointTable& points, TreeSearch search)
      : CodedHypotheses(points.points()), cuts_(points), columns_(cuts_) {
    roots_ = std::max<std::uint64_t>(cuts_.all().size(), 1);
    stumps_ = 2 + 2 * cuts_.all().size();
    if (search == TreeSearch::kPairs || (search == TreeSearch::kByCost && pairs_fit(columns_)))
      pairs_.emplace(columns_, cuts_.ranks());
  }
  TreeClass(const TreeClass&) = delete;  // the table of pairs looks at the columns
  TreeClass& operator=(const TreeClass&) = delete;

  std::size_t sums() const override { return pairs_ && !walk() ? pairs_->size() : 0; }
  void add_point(std::size_t point, double gain, std::span<double> sums) const override {
    pairs_->add_point(point, gain, sums);
  }
  void add_points(std::span<const double> gain, std::span<double> sums) const override {
    pairs_->add_points(gain, sums);
  }

  Answer<std::uint64_t> search(const Errors& errors, std::size_t keep) const override {
    const TreeQuestion question{.cuts = cuts_, .columns = columns_, .constant = errors.constant, .keep = keep};
    if (pairs_) {
      PairSums sums(question, *pairs_, errors);
      return best_trees(question, sums);
    }
    RootSums sums(question, errors.gain);
    return best_trees(question, sums);
  }

 protected:
  double rules() const override {
    return static_cast<double>(roots_) * static_cast<double>(stumps_) * static_cast<double>(stumps_);
  }
  std::optional<std::uint64_t> next(std::uint64_t rule) const override {
    return rule + 1 < roots_ * stumps_ * stumps_ ? std::optional(rule + 1) : std::nullopt;
  }
  bool is_rule(std::uint64_t code) const override { return code < roots_ * stumps_ * stumps_; }
  bool rule_says(std::uint64_t rule, std::size_t point) const override {
    const std::uint64_t root = rule / (stumps_ * stumps_);
    const bool right = cuts_.all().empty() || cuts_.holds(cuts_.all()[root], point);
    return stump_says(right ? rule % stumps_ : rule / stumps_ % stumps_, point);
  }

  ClassifierRule describe_rule(std::uint64_t rule) const override {
    // Without cuts the root holds everywhere: any number from the first on, or a category that all have.
    return TreeRule{.root = cuts_.describe(cuts_.all().empty() ? Cut{0, 0} : cuts_.all()[rule / (stumps_ * stumps_)]),
                    .left = describe_stump(rule / stumps_ % stumps_),
                    .right = describe_stump(rule % stumps_)};
  }

  std::optional<std::uint64_t> find_rule(const ClassifierRule& written) const override {
    const auto* tree = std::get_if<TreeRule>(&written);
    if (!tree) return std::nullopt;
    const auto cut = cuts_.find(tree->root);
    auto left = find_stump(tree->left), right = find_stump(tree->right);
    if (!cut || !left || !right) return std::nullopt;
    std::uint64_t root = 0;
    switch (cuts_.extent(*cut)) {
      case FeatureCuts::Holds::kEverywhere:  // a cut that parts nothing: any root with equal sides is the same rule
        left = right;
        break;
      case FeatureCuts::Holds::kNowhere:
        right = left;
        break;
      case FeatureCuts::Holds::kSomewhere:
        root = cuts_.index_of(*cut);
    }
    return (root * stumps_ + *left) * stumps_ + *right;
  }

 private:
  // Stumps: 0 says 1, 1 says 0; then per cut the one that says 1 where it holds and the one that says 0.
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

  FeatureCuts cuts_;
  ColumnSums columns_;
  std::optional<PairTable> pairs_;
  std::uint64_t roots_ = 1, stumps_ = 2;
};

}  // namespace

HypothesesPtr tree_hypotheses(const PointTable& points, Listing listing, TreeSearch search) {
  const auto trees = std::make_shared<TreeClass>(points, search);
  if (listing == Listing::kWhereFew) trees->list();
  return trees;
}

bool trees_fit(const PointTable& points) {
  const FeatureCuts cuts(points);
  return pairs_fit(ColumnSums(cuts)) || roots_fit(cuts);
}

}  // namespace hannan

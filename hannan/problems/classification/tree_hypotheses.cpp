// Depth-2 trees: a root cut, and where it holds (right) and where it does not (left) a stump each, which may
// be a constant.
//
// With R cuts and S = 2 R + 2 stumps there are K <= R S^2 (tree_codes.hpp). Not listed, they are searched
// by sums over pairs of values (pair_sums.hpp), or root by root where that is less (root_sums.hpp).
#include <optional>

#include "hannan/problems/classification/coded_hypotheses.hpp"
#include "hannan/problems/classification/column_sums.hpp"
#include "hannan/problems/classification/feature_cuts.hpp"
#include "hannan/problems/classification/pair_sums.hpp"
#include "hannan/problems/classification/root_sums.hpp"
#include "hannan/problems/classification/tree_codes.hpp"
#include "hannan/problems/classification/tree_search.hpp"

namespace hannan::detail {
namespace {

constexpr double kMostPairs = 4e6;     // numbers in a history: 32 MB
constexpr double kMostPouring = 1e8;   // points x features^2: a tenth of a second for fresh noise
constexpr double kMostRootWork = 1e8;  // roots x points x features: below a second a call

// All three are chosen: memory of a history, and time of a call.
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
      : CodedHypotheses(points.points()), cuts_(points), columns_(cuts_), codes_(cuts_) {
    if (search == TreeSearch::kPairs || (search == TreeSearch::kByCost && pairs_fit(columns_)))
      pairs_.emplace(columns_, cuts_.ranks());
  }
  TreeClass(const TreeClass&) = delete;  // the table of pairs looks at the columns
  TreeClass& operator=(const TreeClass&) = delete;

  // Sums over pairs are kept only where the search uses them: listed trees are walked through instead.
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
  double rules() const override { return codes_.count(); }
  std::optional<std::uint64_t> next(std::uint64_t rule) const override {
    return rule + 1 < codes_.size() ? std::optional(rule + 1) : std::nullopt;
  }
  bool is_rule(std::uint64_t code) const override { return code < codes_.size(); }
  bool rule_says(std::uint64_t rule, std::size_t point) const override { return codes_.says(rule, point); }
  ClassifierRule describe_rule(std::uint64_t rule) const override { return codes_.describe(rule); }
  std::optional<std::uint64_t> find_rule(const ClassifierRule& written) const override {
    const auto* tree = std::get_if<TreeRule>(&written);
    return tree ? codes_.find(*tree) : std::nullopt;
  }

 private:
  FeatureCuts cuts_;
  ColumnSums columns_;
  TreeCodes codes_;
  std::optional<PairTable> pairs_;
};

}  // namespace
HypothesesPtr tree_hypotheses(const PointTable& points, Listing listing, TreeSearch search) {
  using namespace detail;
  const auto trees = std::make_shared<TreeClass>(points, search);
  if (listing == Listing::kWhereFew) trees->list();
  return trees;
}

// One of the two ways of searching must be affordable.
bool trees_fit(const PointTable& points) {
  using namespace detail;
  const FeatureCuts cuts(points);
  return pairs_fit(ColumnSums(cuts)) || roots_fit(cuts);
}

}  // namespace hannan::detail

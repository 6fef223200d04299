// Depth-3 trees: a root cut, and where it holds (right) and where it does not (left) a tree of depth 2.
//
// With R cuts and T trees of depth 2 a rule is (root * T + left) * T + right (tree_codes.hpp), K <= R T^2: codes fit
// into 63 bits up to 343 cuts. Not listed, they are searched (deep_tree_search.hpp).
#include <optional>

#include "hannan/problems/classification/coded_hypotheses.hpp"
#include "hannan/problems/classification/deep_tree_search.hpp"
#include "hannan/problems/classification/tree_codes.hpp"

namespace hannan::detail {
namespace {

// A code is a 64-bit number whose top bit stays free; 4e6: chosen, the memory of a call.
constexpr double kMostDeepCodes = 0x1p63;
constexpr double kMostDeepPairs = 4e6;  // numbers in a call: 32 MB, twice

double deep_rules(const TreeCodes& codes) { return static_cast<double>(codes.roots()) * codes.count() * codes.count(); }

class DeepTreeClass final : public CodedHypotheses {
 public:
  DeepTreeClass(const PointTable& points, double work)
      : CodedHypotheses(points.points()),
        cuts_(points),
        columns_(cuts_),
        codes_(cuts_),
        pairs_(columns_, cuts_.ranks()),
        trees_(codes_.size()),
        work_(work) {}
  DeepTreeClass(const DeepTreeClass&) = delete;  // the table of pairs looks at the columns
  DeepTreeClass& operator=(const DeepTreeClass&) = delete;

  // Keeps no sums between calls: sums() is 0, and a call pours all points.
  Answer<std::uint64_t> search(const Errors& errors, std::size_t keep) const override {
    return best_deep_trees({.cuts = cuts_,
                            .pairs = pairs_,
                            .gain = errors.gain,
                            .constant = errors.constant,
                            .keep = keep,
                            .work = work_});
  }

 protected:
  double rules() const override { return deep_rules(codes_); }
  std::optional<std::uint64_t> next(std::uint64_t rule) const override {
    return is_rule(rule + 1) ? std::optional(rule + 1) : std::nullopt;
  }
  bool is_rule(std::uint64_t code) const override { return code < codes_.roots() * trees_ * trees_; }
  bool rule_says(std::uint64_t rule, std::size_t point) const override {
    const bool right = codes_.right_of(rule / trees_ / trees_, point);
    return codes_.says(right ? rule % trees_ : rule / trees_ % trees_, point);
  }
  ClassifierRule describe_rule(std::uint64_t rule) const override {
    return DeepTreeRule{.root = codes_.describe_root(rule / trees_ / trees_),
                        .left = codes_.describe(rule / trees_ % trees_),
                        .right = codes_.describe(rule % trees_)};
  }
  std::optional<std::uint64_t> find_rule(const ClassifierRule& written) const override {
    const auto* tree = std::get_if<DeepTreeRule>(&written);
    if (!tree) return std::nullopt;
    const auto node = codes_.find_node(tree->root, codes_.find(tree->left), codes_.find(tree->right));
    if (!node) return std::nullopt;
    return (node->root * trees_ + node->left) * trees_ + node->right;
  }

 private:
  FeatureCuts cuts_;
  ColumnSums columns_;
  TreeCodes codes_;
  PairTable pairs_;
  std::uint64_t trees_;  // of depth 2
  double work_;
};

}  // namespace
HypothesesPtr deep_tree_hypotheses(const PointTable& points, Listing listing, double work) {
  using namespace detail;
  const auto trees = std::make_shared<DeepTreeClass>(points, work);
  constexpr double kMostListing = 2e6;  // a search is fast, and most of the rules are equal to others
  if (listing == Listing::kWhereFew) trees->list(kMostListing);
  return trees;
}

// Codes below 2^63, a table of pairs that fits the memory, and work enough for one root at least.
bool deep_trees_fit(const PointTable& points) {
  using namespace detail;
  const FeatureCuts cuts(points);
  const ColumnSums columns(cuts);
  return deep_rules(TreeCodes(cuts)) < kMostDeepCodes && PairTable::cells(columns) <= kMostDeepPairs &&
         steps_of_a_root(columns) <= kDeepTreeWork;
}

}  // namespace hannan::detail

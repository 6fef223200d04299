// Trees of depth 3 by opening roots (deep_tree_search.hpp). of_root_[r] = least error of the trees under root r,
// infinite while r is not opened. right_ holds the sums over pairs of the points on the right of the root that was
// opened last; the left is all_ - right_, expressed as data = all_, noise = right_, scale = -1. Where no cut parts the
// points there is one root, with every point on its right.
#include "hannan/problems/classification/deep_tree_search.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "hannan/core/interruption.hpp"
#include "hannan/core/sum.hpp"
#include "hannan/core/tolerance.hpp"
#include "hannan/problems/classification/tree_codes.hpp"

namespace hannan::detail {
namespace {

class DeepTreeChoice {
 public:
  explicit DeepTreeChoice(const DeepTreeQuestion& question)
      : q_(question),
        cuts_(question.cuts.all()),
        trees_(TreeCodes(question.cuts).size()),
        all_(question.pairs.size(), 0.0),
        right_(all_.size(), 0.0),
        of_root_(std::max<std::size_t>(cuts_.size(), 1), std::numeric_limits<double>::infinity()) {
    q_.pairs.add_points(q_.gain, all_);
    if (cuts_.empty()) {
      open(0);
      of_root_[0] = least_of_sides();
    } else if (exact()) {
      for (std::size_t f = 0; f < q_.cuts.features(); ++f) sweep(f);
    } else {
      open_promising();
    }
  }

  // Exact where all roots were opened. Otherwise the choice is the best of the opened ones and the floor is what no
  // classifier of any kind goes below; the answer says so by value and floor.
  Answer<std::uint64_t> answer() {
    Answer<std::uint64_t> answer;
    const double least = q_.constant + *std::min_element(of_root_.begin(), of_root_.end());
    choose(answer, least + tie_window(least));
    answer.floor = std::min(exact() ? least : nothing_is_below(), answer.value);
    answer.rest = answer.floor;
    if (q_.keep > 0) answer.pool.push_back({answer.action, answer.value});
    if (q_.keep > 0 && exact()) fill_pool(answer, std::min(q_.keep, kMostDeepShown));
    return answer;
  }

 private:
  // Decided by a count of steps and not by time, so the same evidence gives the same answer on every machine.
  bool exact() const { return deep_tree_steps(q_.pairs.columns(), cuts_.size()) <= q_.work; }

  // The two sides of the root whose right is in right_.
  TreeQuestion side(std::size_t keep) const {
    return {.cuts = q_.cuts, .columns = q_.pairs.columns(), .constant = 0, .keep = keep};
  }
  Hypotheses::Errors on_the_right() const {
    return {.gain = {}, .data = right_, .noise = {}, .scale = 0, .buffer = {}};
  }
  Hypotheses::Errors on_the_left() const {
    return {.gain = {}, .data = all_, .noise = right_, .scale = -1, .buffer = {}};
  }
  // Calls use(question, sums) for one of the sides.
  template <class Use>
  auto with(const Hypotheses::Errors& errors, std::size_t keep, Use&& use) const {
    const TreeQuestion question = side(keep);
    PairSums sums(question, q_.pairs, errors);
    return use(question, sums);
  }
  double least_of_sides() const { return with(on_the_left(), 0, least_tree) + with(on_the_right(), 0, least_tree); }

  // Without cuts all points are on the right.
  void open(std::size_t root) {
    interruption_point();
    std::fill(right_.begin(), right_.end(), 0.0);
    for (std::size_t i = 0; i < q_.gain.size(); ++i) {
      if (cuts_.empty() || q_.cuts.holds(cuts_[root], i)) q_.pairs.add_point(i, q_.gain[i], right_);
    }
  }

  // All roots of a feature, the greatest value first. A category holds alone, a number with all above it.
  void sweep(std::size_t f) {
    const FeatureRanks& ranks = q_.cuts.ranks();
    const auto& order = ranks.order[f];
    const bool single = q_.cuts.categorical(f);
    if (ranks.distinct(f) < 2) return;
    std::fill(right_.begin(), right_.end(), 0.0);
    // Invariant: points order[next..] are in right_. Each is added once a feature, which makes a sweep O(m d^2) in all.
    std::size_t next = order.size();  // points from here on are on the right
    for (int rank = ranks.distinct(f); rank-- > (single ? 0 : 1);) {
      if (single) std::fill(right_.begin(), right_.end(), 0.0);
      while (next > 0 && ranks.rank[f][static_cast<std::size_t>(order[next - 1])] == rank) {
        const auto point = static_cast<std::size_t>(order[--next]);
        q_.pairs.add_point(point, q_.gain[point], right_);
      }
      interruption_point();
      of_root_[q_.cuts.index_of({static_cast<std::uint32_t>(f), rank})] = least_of_sides();
    }
  }

  // As many roots as the work allows, those of the best trees of depth 2 first.
  void open_promising() {
    std::vector<double> shallow(cuts_.size());
    const Hypotheses::Errors everywhere{.gain = {}, .data = all_, .noise = {}, .scale = 0, .buffer = {}};
    with(everywhere, 0, [&](const TreeQuestion&, PairSums& sums) { sums.least_of_roots(shallow); });
    const double count = std::floor(q_.work / steps_of_a_root(q_.pairs.columns()));
    const auto most = static_cast<std::size_t>(std::clamp(count, 1.0, static_cast<double>(cuts_.size())));
    for (const auto& root : least_of(shallow, most)) {
      open(root.action);
      of_root_[root.action] = least_of_sides();
    }
  }

  // The error of a classifier that is right wherever that helps: a floor for every class.
  double nothing_is_below() const {
    Sum sum(q_.constant);
    for (const double gain : q_.gain) sum.add(std::min(gain, 0.0));
    return sum.value();
  }

  std::uint64_t code(std::uint64_t root, std::uint64_t left, std::uint64_t right) const {
    return (root * trees_ + left) * trees_ + right;
  }

  // The smallest code within the limit: the first root, then the smallest left that some right completes.
  void choose(Answer<std::uint64_t>& answer, double limit) {
    std::size_t root = 0;
    // limit is at least the least of of_root_, so the search ends within the array.
    while (q_.constant + of_root_[root] > limit) ++root;
    open(root);
    const double right_least = with(on_the_right(), 0, least_tree);
    const auto left = with(on_the_left(), 0, [&](const TreeQuestion& question, TreeSums& sums) {
      return first_tree_within(question, sums, limit - q_.constant - right_least);
    });
    const auto right = with(on_the_right(), 0, [&](const TreeQuestion& question, TreeSums& sums) {
      return first_tree_within(question, sums, limit - q_.constant - left.value);
    });
    answer.action = code(root, left.action, right.action);
    answer.value = q_.constant + left.value + right.value;
  }

  // The best trees of a side by value, `count` of them or all.
  Ranking best_of(const Hypotheses::Errors& errors, std::size_t count) const {
    Ranking best = with(errors, count, best_trees).pool;
    std::sort(best.begin(), best.end(), ranked_before);
    return best;
  }

  // As for depth 2 (tree_search.hpp): the k best lie under the k best roots, and there among the pairs of the i-th best
  // left and the j-th best right with (i+1)(j+1) <= k+1.
  void fill_pool(Answer<std::uint64_t>& answer, std::size_t keep) {
    const Ranking roots = least_of(of_root_, keep + 1);
    const std::size_t opened = std::min(keep, roots.size());
    Ranking found;
    for (std::size_t r = 0; r < opened; ++r) {
      open(roots[r].action);
      const Ranking lefts = best_of(on_the_left(), keep + 1), rights = best_of(on_the_right(), keep + 1);
      for (std::size_t i = 0; i < lefts.size(); ++i) {
        for (std::size_t j = 0; j < rights.size() && (i + 1) * (j + 1) <= keep + 1; ++j) {
          found.push_back({code(roots[r].action, lefts[i].action, rights[j].action),
                           q_.constant + lefts[i].value + rights[j].value});
        }
      }
    }
    std::erase_if(found, [&](const auto& tree) { return tree.action == answer.action; });
    std::sort(found.begin(), found.end(), ranked_before);
    for (std::size_t i = 0; i + 1 < keep && i < found.size(); ++i) answer.pool.push_back(found[i]);
    // found has the choice taken out: keep - 1 of them are shown, and found[keep - 1] is the first that is not.
    answer.rest = found.size() + 1 > keep ? found[keep - 1].value : std::numeric_limits<double>::infinity();
    if (roots.size() > opened) answer.rest = std::min(answer.rest, q_.constant + roots[opened].value);
  }

  const DeepTreeQuestion& q_;
  const std::vector<Cut>& cuts_;
  std::uint64_t trees_;        // of depth 2
  std::vector<double> all_;    // sums over pairs of values of all points
  std::vector<double> right_;  // and of those on the right of the root at hand
  std::vector<double> of_root_;
};

}  // namespace

Answer<std::uint64_t> best_deep_trees(const DeepTreeQuestion& question) { return DeepTreeChoice(question).answer(); }

// Pouring the points into pairs, and reading the table for both sides.
double steps_of_a_root(const ColumnSums& columns) {
  const auto m = static_cast<double>(columns.points()), d = static_cast<double>(columns.features());
  return m * d * d / 2 + 2 * PairTable::cells(columns);
}

// A sweep pours every point once a feature; every cut then reads two tables.
double deep_tree_steps(const ColumnSums& columns, std::size_t cuts) {
  const auto m = static_cast<double>(columns.points()), d = static_cast<double>(columns.features());
  return m * d * d * d / 2 + 2 * static_cast<double>(cuts) * PairTable::cells(columns);
}

}  // namespace hannan::detail

// The best trees of depth 2 from sums (tree_search.hpp). Codes are (root * S + left) * S + right with S = 2 + 2 cuts
// stumps. of_root_[r] = constant + least error under root r; a root is weighed in full only where its stumps are
// needed. Cost: what TreeSums takes for least_of_roots, and O(bins + cuts) for each root that is weighed.
#include "hannan/problems/classification/tree_search.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

#include "hannan/core/interruption.hpp"
#include "hannan/core/tolerance.hpp"

namespace hannan::detail {

bool ranked_before(const Ranked<std::uint64_t>& a, const Ranked<std::uint64_t>& b) {
  return a.value != b.value ? a.value < b.value : a.action < b.action;
}

// The `count` least values with their places, equal ones by place.
Ranking least_of(std::span<const double> values, std::size_t count) {
  Ranking all(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) all[i] = {i, values[i]};
  count = std::min(count, all.size());
  std::partial_sort(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(count), all.end(), ranked_before);
  all.resize(count);
  return all;
}

namespace {

class TreeChoice {
 public:
  TreeChoice(const TreeQuestion& question, TreeSums& sums)
      : q_(question), sums_(sums), cuts_(question.cuts.all()), stumps_(2 + 2 * cuts_.size()) {
    of_root_.resize(std::max<std::size_t>(cuts_.size(), 1));
    if (cuts_.empty()) {
      weigh(0);
      of_root_[0] = errors_.least();
    } else {
      sums_.least_of_roots(of_root_);
    }
    for (double& value : of_root_) value += q_.constant;
  }

  double least() const { return *std::min_element(of_root_.begin(), of_root_.end()); }

  // The tree of least error is a root with its best left and best right stump, which are chosen apart: of_root_ has the
  // sum of both leasts.
  Answer<std::uint64_t> answer() {
    Answer<std::uint64_t> answer;
    answer.floor = least();
    const auto chosen = choose(answer.floor + tie_window(answer.floor));
    answer.action = chosen.action;
    answer.value = chosen.value;
    answer.floor = std::min(answer.floor, answer.value);
    answer.rest = answer.floor;
    if (q_.keep > 0) fill_pool(answer, std::min(q_.keep, kMostShown));
    return answer;
  }

  // The smallest code within the limit: the first root, the smallest left that some right completes, then
  // the smallest such right. Sums in another order may differ by rounding, so the limit admits the least.
  Ranked<std::uint64_t> choose(double limit) {
    limit = std::max(limit, least());
    std::size_t root = 0, left = 0, right = 0;
    while (of_root_[root] > limit) ++root;
    weigh(root);
    const double right_least = *std::min_element(errors_.rights.begin(), errors_.rights.end());
    limit = std::max(limit, q_.constant + *std::min_element(errors_.lefts.begin(), errors_.lefts.end()) + right_least);
    while (q_.constant + errors_.lefts[left] + right_least > limit) ++left;
    while (q_.constant + errors_.lefts[left] + errors_.rights[right] > limit) ++right;
    return {code(root, left, right), q_.constant + errors_.lefts[left] + errors_.rights[right]};
  }

 private:
  void weigh(std::size_t root) { weigh_stumps(q_, sums_, cuts_.empty() ? nullptr : &cuts_[root], errors_); }
  std::uint64_t code(std::uint64_t root, std::uint64_t left, std::uint64_t right) const {
    return (root * stumps_ + left) * stumps_ + right;
  }

  // The `keep` best trees lie under the `keep` best roots: every root in front of another has a tree that is no worse.
  void fill_pool(Answer<std::uint64_t>& answer, std::size_t keep) {
    // The (keep + 1)-th root is not opened: its least error bounds all trees under the roots left out.
    const Ranking roots = least_of(of_root_, keep + 1);
    const std::size_t opened = std::min(keep, roots.size());
    Ranking found;
    for (std::size_t r = 0; r < opened; ++r) {
      interruption_point();
      weigh(roots[r].action);
      const Ranking lefts = least_of(errors_.lefts, keep + 1), rights = least_of(errors_.rights, keep + 1);
      for (std::size_t i = 0; i < lefts.size(); ++i) {
        // Pairs (i', j') with i' <= i and j' <= j are no worse: there are (i+1)(j+1) of them, so beyond keep + 1 none
        // is needed.
        for (std::size_t j = 0; j < rights.size() && (i + 1) * (j + 1) <= keep + 1; ++j) {
          found.push_back({code(roots[r].action, lefts[i].action, rights[j].action),
                           q_.constant + lefts[i].value + rights[j].value});
        }
      }
    }
    std::erase_if(found, [&](const auto& tree) { return tree.action == answer.action; });
    const std::size_t shown = std::min(keep, found.size());
    std::partial_sort(found.begin(), found.begin() + static_cast<std::ptrdiff_t>(shown), found.end(), ranked_before);
    answer.pool.push_back({answer.action, answer.value});
    for (std::size_t i = 0; i + 1 < keep && i < found.size(); ++i) answer.pool.push_back(found[i]);
    // Outside are the next one found, what was not looked at behind it, and the roots never opened.
    answer.rest = found.size() + 1 > keep ? found[keep - 1].value : std::numeric_limits<double>::infinity();
    if (roots.size() > opened) answer.rest = std::min(answer.rest, roots[opened].value);
  }

  const TreeQuestion& q_;
  TreeSums& sums_;
  const std::vector<Cut>& cuts_;
  std::uint64_t stumps_;
  std::vector<double> of_root_;
  StumpErrors errors_;
};

}  // namespace

double StumpErrors::least() const {
  return *std::min_element(lefts.begin(), lefts.end()) + *std::min_element(rights.begin(), rights.end());
}

// Errors of all stumps on both sides of a root, the root excluded: entry 0 says 1 everywhere on its side and has the
// side's total, entry 1 says 0 everywhere and has none, then for each cut the stump that says 1 where it holds and the
// one that says 1 elsewhere.
void weigh_stumps(const TreeQuestion& question, TreeSums& sums, const Cut* root, StumpErrors& out) {
  const ColumnSums& columns = question.columns;
  const auto& cuts = question.cuts.all();
  std::vector<double> all(sums.marginal().begin(), sums.marginal().end()), right(columns.bins());
  sums.joint(root, right);
  // Every feature has every point in one of its bins.
  const auto sum_of_first = [&](const std::vector<double>& of) {
    return std::accumulate(of.begin(), of.begin() + static_cast<std::ptrdiff_t>(columns.first_of(1)), 0.0);
  };
  const double total_right = sum_of_first(right), total_left = sum_of_first(all) - total_right;
  columns.cumulate(all);
  columns.cumulate(right);
  out.lefts.resize(2 + 2 * cuts.size());
  out.rights.resize(2 + 2 * cuts.size());
  out.lefts[0] = total_left;
  out.rights[0] = total_right;
  out.lefts[1] = out.rights[1] = 0;
  for (std::size_t i = 0; i < cuts.size(); ++i) {
    const std::size_t bin = columns.bin_of(cuts[i]);
    // Where the cut holds, over all points less those on the right: the points on the left.
    const double held_left = all[bin] - right[bin];
    out.lefts[2 + 2 * i] = held_left;
    out.lefts[3 + 2 * i] = total_left - held_left;
    out.rights[2 + 2 * i] = right[bin];
    out.rights[3 + 2 * i] = total_right - right[bin];
  }
}

Answer<std::uint64_t> best_trees(const TreeQuestion& question, TreeSums& sums) {
  return TreeChoice(question, sums).answer();
}

Ranked<std::uint64_t> first_tree_within(const TreeQuestion& question, TreeSums& sums, double limit) {
  return TreeChoice(question, sums).choose(limit);
}

double least_tree(const TreeQuestion& question, TreeSums& sums) { return TreeChoice(question, sums).least(); }

}  // namespace hannan::detail

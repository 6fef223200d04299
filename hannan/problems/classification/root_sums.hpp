// Trees root by root: for every root the gains on its right are summed anew, O(roots x points x features) a
// call. For few points of many values, where sums over pairs of values would be more than the points.
#pragma once

#include <span>
#include <vector>

#include "hannan/core/interruption.hpp"
#include "hannan/problems/classification/tree_search.hpp"

namespace hannan::detail {

class RootSums final : public TreeSums {
 public:
  RootSums(const TreeQuestion& question, std::span<const double> gain)
      : q_(question), gain_(gain), marginal_(q_.columns.bins(), 0.0) {
    q_.columns.add_points(gain_, marginal_);
  }

  std::span<const double> marginal() const override { return marginal_; }
  void joint(const Cut* root, std::span<double> out) override {
    std::fill(out.begin(), out.end(), 0.0);
    for (std::size_t i = 0; i < gain_.size(); ++i) {
      if (!root || q_.cuts.holds(*root, i)) q_.columns.add_point(i, gain_[i], out);
    }
  }
  void least_of_roots(std::span<double> out) override {
    StumpErrors errors;
    for (std::size_t root = 0; root < out.size(); ++root) {
      interruption_point();
      weigh_stumps(q_, *this, &q_.cuts.all()[root], errors);
      out[root] = errors.least();
    }
  }

 private:
  const TreeQuestion& q_;
  std::span<const double> gain_;
  std::vector<double> marginal_;
};

}  // namespace hannan::detail

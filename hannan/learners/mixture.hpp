// What the Hedge family shares: one total per action, weights exp(-eta * total) normalised, the
// expected loss of the mixture and its mix loss -(1/eta) ln sum_k w_k exp(-eta loss_k).
//
// eta = infinity is uniform weight on the leaders, whose mix loss is the increase of L*. Every
// action is listed: exact references for problems that can be. Cost O(K) a round.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "hannan/core/archive.hpp"

namespace hannan::detail {

class Mixture {
 public:
  explicit Mixture(std::size_t size) : totals_(size, 0.0), weights_(size, 0.0), losses_(size, 0.0) {}

  void set_rate(double eta);  // fills the weights for the round
  std::span<const double> weights() const { return weights_; }
  std::size_t sample(double u) const;    // the action at quantile u of the weights
  double best() const { return best_; }  // L*

  // The losses of the round, one per action, to be filled before charge().
  std::span<double> losses() { return losses_; }
  struct Charge {
    double expected;
    double mix;
  };
  Charge charge();  // adds the losses and says what the mixture paid

  void archive(Archive& a);

 private:
  std::vector<double> totals_;
  std::vector<double> weights_;
  std::vector<double> losses_;
  double best_ = 0;
  double eta_ = 0;
  double spread_ = 1;  // sum of exp(-eta (L_k - L*)) behind the weights
};

}  // namespace hannan::detail

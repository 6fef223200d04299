// The weights of AdaNormalHedge (Luo and Schapire 2015): experts, some of them asleep, no rate, no horizon.
//
//   Phi(R, C) = exp(max(R, 0)^2 / (3 C)), Phi(., 0) = 1
//   weight of k awake ~ Phi(R_k + 1, C_k + 1) - Phi(R_k - 1, C_k + 1); all 0: uniform over the awake
//   after the round, with h the mean loss: r_k = h - loss_k of the awake, R_k += r_k, C_k += |r_k|
// Losses in [0,1]. Then R_k <= sqrt(3 C_k ln(B K)) for every k, B = 1 + 3/(2K) sum over k and rounds of
// |r_k| / (C_k before + 1) (docs/theory.md, sleeping experts). Cost O(K) a round.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "hannan/core/archive.hpp"

namespace hannan::detail {

class NormalWeights {
 public:
  explicit NormalWeights(std::size_t size)
      : regrets_(size, 0.0), sizes_(size, 0.0), weights_(size, 0.0), exponents_(size, 0.0) {}

  // Fills the weights of the awake, 1 in `awake`; empty: all are. At least one is awake.
  void set_awake(std::span<const double> awake);
  std::span<const double> weights() const { return weights_; }
  // The mean loss; NaN stands for asleep.
  double charge(std::span<const double> losses);

  std::span<const double> regrets() const { return regrets_; }  // R
  std::span<const double> sizes() const { return sizes_; }      // C
  double limit(std::size_t k) const;                            // of R_k, with the B of the run
  double closed_limit(std::size_t k) const;                     // with an upper limit of B by the sizes alone
  void archive(Archive& a);

 private:
  double root(std::size_t k, double potential) const;

  std::vector<double> regrets_;
  std::vector<double> sizes_;
  double grown_ = 0;  // sum of |r| / (C before + 1)
  std::vector<double> weights_, exponents_;
};

}  // namespace hannan::detail

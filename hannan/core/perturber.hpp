// Pours a round's noise into a history: the noise side of the evidence.
//
// With one draw for all rounds it pours once. What it holds is a function of the round, so nothing
// of it is ever saved.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "hannan/core/draw.hpp"
#include "hannan/core/perturbation.hpp"

namespace hannan {

template <class P>
class Perturber {
 public:
  Perturber(std::shared_ptr<const AnyOracle<P>> oracle, std::shared_ptr<const Perturbation<P>> matrix, Draw draw)
      : oracle_(std::move(oracle)), matrix_(std::move(matrix)), draw_(std::move(draw)), noise_(oracle_->empty()),
        alpha_(matrix_->columns()) {}

  // The noise of this round, t = 1, 2, ...
  const AnyHistory<P>& at(std::uint64_t round) {
    const std::uint64_t wanted = draw_.freshness == Freshness::kOnce ? 1 : round;
    if (wanted != poured_) {
      draw_.fill(wanted, alpha_);
      pour(alpha_);
      poured_ = wanted;
    }
    return *noise_;
  }

  // Noise handed in, for Monte Carlo: forgets the round's.
  const AnyHistory<P>& with(std::span<const double> alpha) {
    pour(alpha);
    poured_ = 0;
    return *noise_;
  }

  const Perturbation<P>& matrix() const { return *matrix_; }

 private:
  void pour(std::span<const double> alpha) {
    noise_->clear();
    if (oracle_->takes_tables()) {
      matrix_->pour(alpha, *noise_);
    } else {
      matrix_->pour_data(alpha, *noise_, oracle_->takes_negative_weights() ? Weights::kAnySign : Weights::kNonNegative);
    }
  }

  std::shared_ptr<const AnyOracle<P>> oracle_;
  std::shared_ptr<const Perturbation<P>> matrix_;
  Draw draw_;
  std::unique_ptr<AnyHistory<P>> noise_;
  std::vector<double> alpha_;
  std::uint64_t poured_ = 0;  // the round whose noise is held; 0: none
};

}  // namespace hannan

// A round's noise, the noise side of the evidence: poured into a history when somebody searches,
// tabulated when somebody asks about single actions, neither before.
//
// With one draw for all rounds that happens once. What is held is a function of the round, so nothing
// of it is ever saved.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "hannan/core/draw.hpp"
#include "hannan/core/perturbation.hpp"

namespace hannan {

template <class P>
class RoundNoise {
 public:
  RoundNoise(std::shared_ptr<const AnyOracle<P>> oracle, std::shared_ptr<const Perturbation<P>> matrix)
      : oracle_(std::move(oracle)),
        matrix_(std::move(matrix)),
        history_(oracle_->empty()),
        alpha_(matrix_->columns()) {}

  // Equal numbers are equal draws; 0 is like no other.
  std::uint64_t draw() const { return draw_; }
  const AnyHistory<P>& history() const {
    if (!poured_) pour();
    return *history_;
  }
  const NoiseTable& table() const {
    if (!tabled_) matrix_->project(alpha_, table_);
    tabled_ = true;
    return table_;
  }
  double of(const typename P::Action& x) const {
    table();
    return matrix_->noise(x, table_);
  }
  bool quick() const { return matrix_->quick(); }

  // fill(alpha) may refuse: then there is no draw.
  template <class Fill>
  void renew(std::uint64_t draw, Fill&& fill) {
    draw_ = 0;
    poured_ = tabled_ = false;
    fill(std::span<double>(alpha_));
    draw_ = draw;
  }

 private:
  void pour() const {
    history_->clear();
    if (oracle_->takes_tables()) {
      matrix_->pour(alpha_, *history_);
    } else {
      matrix_->pour_data(alpha_, *history_,
                         oracle_->takes_negative_weights() ? Weights::kAnySign : Weights::kNonNegative);
    }
    poured_ = true;
  }

  std::shared_ptr<const AnyOracle<P>> oracle_;
  std::shared_ptr<const Perturbation<P>> matrix_;
  std::unique_ptr<AnyHistory<P>> history_;
  std::vector<double> alpha_;
  std::uint64_t draw_ = 0;
  mutable NoiseTable table_;
  mutable bool poured_ = false, tabled_ = false;
};

template <class P>
class Perturber {
 public:
  Perturber(std::shared_ptr<const AnyOracle<P>> oracle, std::shared_ptr<const Perturbation<P>> matrix, Draw draw)
      : matrix_(matrix), draw_(std::move(draw)), noise_(std::move(oracle), std::move(matrix)) {}

  // The noise of this round, t = 1, 2, ...
  const RoundNoise<P>& at(std::uint64_t round) {
    const std::uint64_t wanted = draw_.freshness == Freshness::kOnce ? 1 : round;
    if (wanted != noise_.draw()) noise_.renew(wanted, [&](std::span<double> into) { draw_.fill(wanted, into); });
    return noise_;
  }

  // Noise handed in, for Monte Carlo: forgets the round's.
  const RoundNoise<P>& with(std::span<const double> alpha) {
    noise_.renew(0, [&](std::span<double> into) { std::copy(alpha.begin(), alpha.end(), into.begin()); });
    return noise_;
  }

  const Perturbation<P>& matrix() const { return *matrix_; }

 private:
  std::shared_ptr<const Perturbation<P>> matrix_;
  Draw draw_;
  RoundNoise<P> noise_;
};

}  // namespace hannan

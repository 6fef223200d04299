// A round's noise, the noise side of the evidence: poured into a history when a search needs it, tabulated when single
// actions are asked about, neither before.
//
// With one draw for all rounds that happens once. What is held is a function of the round, so nothing
// of it is ever saved.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "hannan/core/noise.hpp"
#include "hannan/game/game.hpp"
#include "hannan/game/pool.hpp"

namespace hannan::detail {

// Adds sum_j alpha_j * column_j in the way that the oracle takes: as tables, or as weighted outcomes. Throws
// kUnavailable where the perturbation knows no data sets that would do: noise is never left out.
void pour_noise(const GameOracle& oracle, const GameMatrix& matrix, std::span<const double> alpha, GameHistory& into);

// The same, asked before any noise is drawn: plus and, unless the draws have one sign, minus every column.
void expect_pourable(const GameOracle& oracle, const GameMatrix& matrix, DrawSigns signs);

class RoundNoise final : public AskedNoise {
 public:
  RoundNoise(std::shared_ptr<const GameOracle> oracle, std::shared_ptr<const GameMatrix> matrix)
      : oracle_(std::move(oracle)),
        matrix_(std::move(matrix)),
        history_(oracle_->empty()),
        alpha_(matrix_->columns()),
        row_(matrix_->columns()) {}

  std::uint64_t draw() const override { return draw_; }
  std::uint64_t owner() const { return owner_; }
  const GameHistory& history() const {
    if (!poured_) pour();
    return *history_;
  }
  const NoiseTable& table() const override {
    if (!tabled_) matrix_->project(alpha_, table_);
    tabled_ = true;
    return table_;
  }
  double of(const AnyAction& x) const override {
    table();
    return matrix_->noise(x, table_);
  }
  // <row(x), alpha>: the noise of one action with no constant dropped. O(columns).
  double exact(const AnyAction& x) const { return matrix_->exact(x, alpha_, row_); }
  // history() at one action: exact(x) and whatever constant pouring dropped.
  double poured(const AnyAction& x) const;
  bool quick() const override { return matrix_->quick(); }

  // fill(alpha) may refuse: then there is no draw.
  template <class Fill>
  void renew(std::uint64_t owner, std::uint64_t draw, Fill&& fill) {
    draw_ = 0;
    poured_ = tabled_ = false;
    fill(std::span<double>(alpha_));
    owner_ = owner;
    draw_ = draw;
  }

 private:
  void pour() const;

  std::shared_ptr<const GameOracle> oracle_;
  std::shared_ptr<const GameMatrix> matrix_;
  std::unique_ptr<GameHistory> history_;
  std::vector<double> alpha_;
  mutable std::vector<double> row_;  // scratch of exact
  std::uint64_t owner_ = 0;
  std::uint64_t draw_ = 0;
  mutable NoiseTable table_;
  mutable bool poured_ = false, tabled_ = false;
};

class Perturber {
 public:
  // Throws kUnavailable where the oracle cannot take this noise.
  Perturber(const std::shared_ptr<const GameOracle>& oracle, const std::shared_ptr<const GameMatrix>& matrix, Draw draw)
      : matrix_(matrix), draw_(std::move(draw)), noise_(std::make_shared<RoundNoise>(oracle, matrix)) {
    expect_pourable(*oracle, *matrix, draw_.signs);
  }

  // A buffer that several perturbers of one oracle and matrix share, each with a number of its own: what one has
  // drawn is drawn again if another was asked in between. Saves memory where thousands of learners take turns.
  struct Shared {
    std::shared_ptr<RoundNoise> noise;
    std::uint64_t owner = 0;
  };
  Perturber(Shared shared, const std::shared_ptr<const GameMatrix>& matrix, Draw draw)
      : matrix_(matrix), draw_(std::move(draw)), noise_(std::move(shared.noise)), owner_(shared.owner) {}

  // The noise of this round, t = 1, 2, ...
  const RoundNoise& at(std::uint64_t round) {
    const std::uint64_t wanted = draw_.freshness == Freshness::kOnce ? 1 : round;
    if (wanted != noise_->draw() || owner_ != noise_->owner())
      noise_->renew(owner_, wanted, [&](std::span<double> into) { draw_.fill(wanted, into); });
    return *noise_;
  }

  // Noise handed in, for Monte Carlo: forgets the round's.
  const RoundNoise& with(std::span<const double> alpha) {
    noise_->renew(owner_, 0, [&](std::span<double> into) { std::copy(alpha.begin(), alpha.end(), into.begin()); });
    return *noise_;
  }

  const GameMatrix& matrix() const { return *matrix_; }

 private:
  std::shared_ptr<const GameMatrix> matrix_;
  Draw draw_;
  std::shared_ptr<RoundNoise> noise_;
  std::uint64_t owner_ = 0;
};

}  // namespace hannan::detail

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

#include "hannan/core/draw.hpp"
#include "hannan/core/error.hpp"
#include "hannan/core/perturbation.hpp"

namespace hannan {

// Adds sum_j alpha_j * column_j in the way that the oracle takes: as tables, or as weighted outcomes. Throws
// kUnavailable where the perturbation knows no data sets that would do: noise is never left out.
template <class P>
void pour_noise(const AnyOracle<P>& oracle, const Perturbation<P>& matrix, std::span<const double> alpha,
                AnyHistory<P>& into) {
  if (oracle.takes_tables() && oracle.takes_negative_weights()) return matrix.pour(alpha, into);
  const Weights weights = oracle.takes_negative_weights() ? Weights::kAnySign : Weights::kNonNegative;
  if (matrix.pour_data(alpha, into, weights)) return;
  throw Error(
      Code::kUnavailable,
      "oracle \"" + oracle.name() + "\" takes " +
          (weights == Weights::kAnySign ? "weighted outcomes" : "non-negative weights") + " only, and perturbation \"" +
          matrix.name() +
          "\" knows no such data sets for this noise; use an oracle that takes negative weights (kSigned), or a "
          "perturbation with data sets for both signs",
      "oracle");
}

// The same, asked before any noise is drawn: plus and, unless the draws have one sign, minus every column.
template <class P>
void expect_pourable(const AnyOracle<P>& oracle, const Perturbation<P>& matrix, DrawSigns signs) {
  if (oracle.takes_tables() && oracle.takes_negative_weights()) return;
  const auto history = oracle.empty();
  for (const double sign : {1.0, -1.0}) {
    if (sign < 0 && signs == DrawSigns::kNonNegative) continue;
    pour_noise(oracle, matrix, std::vector<double>(matrix.columns(), sign), *history);
  }
}

// What is poured, at one action.
template <class P>
class ActionTotal final : public AnyHistory<P> {
 public:
  ActionTotal(const P& problem, const typename P::Action& action) : problem_(problem), action_(action) {}
  void add(const typename P::Outcome& y, double weight) override { total_ += weight * problem_.loss(action_, y); }
  void add_table(std::size_t, std::span<const double>) override { tables_ = true; }
  void scale(double factor) override { total_ *= factor; }
  void clear() override { total_ = 0; }
  void archive(Archive&) override {}

  double total() const { return total_; }  // of the outcomes
  bool tables() const { return tables_; }  // there were tables, which are not in the total

 private:
  const P& problem_;
  const typename P::Action& action_;
  double total_ = 0;
  bool tables_ = false;
};

template <class P>
class RoundNoise {
 public:
  RoundNoise(std::shared_ptr<const AnyOracle<P>> oracle, std::shared_ptr<const Perturbation<P>> matrix)
      : oracle_(std::move(oracle)),
        matrix_(std::move(matrix)),
        history_(oracle_->empty()),
        alpha_(matrix_->columns()),
        row_(matrix_->columns()) {}

  // Of one owner equal numbers are equal draws; 0 is like no other.
  std::uint64_t draw() const { return draw_; }
  std::uint64_t owner() const { return owner_; }
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
  // <row(x), alpha>: the noise of one action with no constant dropped. O(columns).
  double exact(const typename P::Action& x) const { return matrix_->exact(x, alpha_, row_); }
  // history() at one action: exact(x) and whatever constant pouring dropped.
  double poured(const typename P::Action& x) const {
    ActionTotal<P> total(oracle_->problem(), x);
    pour_noise(*oracle_, *matrix_, alpha_, total);
    return total.tables() ? of(x) : total.total();
  }
  bool quick() const { return matrix_->quick(); }

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
  void pour() const {
    history_->clear();
    pour_noise(*oracle_, *matrix_, alpha_, *history_);
    poured_ = true;
  }

  std::shared_ptr<const AnyOracle<P>> oracle_;
  std::shared_ptr<const Perturbation<P>> matrix_;
  std::unique_ptr<AnyHistory<P>> history_;
  std::vector<double> alpha_;
  mutable std::vector<double> row_;  // scratch of exact
  std::uint64_t owner_ = 0;
  std::uint64_t draw_ = 0;
  mutable NoiseTable table_;
  mutable bool poured_ = false, tabled_ = false;
};

template <class P>
class Perturber {
 public:
  // Throws kUnavailable where the oracle cannot take this noise.
  Perturber(const std::shared_ptr<const AnyOracle<P>>& oracle, const std::shared_ptr<const Perturbation<P>>& matrix,
            Draw draw)
      : matrix_(matrix), draw_(std::move(draw)), noise_(std::make_shared<RoundNoise<P>>(oracle, matrix)) {
    expect_pourable(*oracle, *matrix, draw_.signs);
  }

  // A buffer that several perturbers of one oracle and matrix share, each with a number of its own: what one has
  // drawn is drawn again if another was asked in between. Saves memory where thousands of learners take turns.
  struct Shared {
    std::shared_ptr<RoundNoise<P>> noise;
    std::uint64_t owner = 0;
  };
  Perturber(Shared shared, const std::shared_ptr<const Perturbation<P>>& matrix, Draw draw)
      : matrix_(matrix), draw_(std::move(draw)), noise_(std::move(shared.noise)), owner_(shared.owner) {}

  // The noise of this round, t = 1, 2, ...
  const RoundNoise<P>& at(std::uint64_t round) {
    const std::uint64_t wanted = draw_.freshness == Freshness::kOnce ? 1 : round;
    if (wanted != noise_->draw() || owner_ != noise_->owner())
      noise_->renew(owner_, wanted, [&](std::span<double> into) { draw_.fill(wanted, into); });
    return *noise_;
  }

  // Noise handed in, for Monte Carlo: forgets the round's.
  const RoundNoise<P>& with(std::span<const double> alpha) {
    noise_->renew(owner_, 0, [&](std::span<double> into) { std::copy(alpha.begin(), alpha.end(), into.begin()); });
    return *noise_;
  }

  const Perturbation<P>& matrix() const { return *matrix_; }

 private:
  std::shared_ptr<const Perturbation<P>> matrix_;
  Draw draw_;
  std::shared_ptr<RoundNoise<P>> noise_;
  std::uint64_t owner_ = 0;
};

}  // namespace hannan

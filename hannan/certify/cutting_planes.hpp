// Exact gamma where the actions cannot be listed: cutting planes whose separation is one oracle call.
//
// For an action k and an outcome y, gamma(k,y) = min ||s||_1 subject to one inequality per rival j,
//
//     <Gamma_k - Gamma_j, s> >= f(k,y) - f(j,y)      (theory key cutting_planes).
//
// Only the rivals met so far are in the programme (hedge_program.hpp), so its value is a lower bound. The
// inequality that its s breaks most is that of the rival with the least f(j,y) - <Gamma_j, s>: the best
// action on the outcome y with noise -s, one call of the oracle that learners use. If not even that one is
// broken, s serves against all rivals and the lower bound is gamma(k,y); otherwise the rival joins.
//
// An oracle that proves only a floor may have missed a broken inequality: the value stays a lower bound,
// and no upper one is claimed. Rivals stay for the next outcome of the same action, which is skipped where an
// s found before serves it: its value is then not above the maximum so far. Cost per pair: a call
// and a few simplex pivots per rival that joins, about as many as there are columns; memory O(rivals N).
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "hannan/certify/hedge_program.hpp"
#include "hannan/core/perturbation.hpp"

namespace hannan::detail {

// An inequality counts as broken when missed by more than this, per unit of the programme's own slack: twice
// what HedgeProgram lets pass, so that what it has accepted is never asked for again.
inline constexpr double kSeparated = 2e-7;
// Calls for one pair; beyond, its value is left as a lower bound. Finite ends come after a few N calls.
inline constexpr std::uint64_t kMostCutCalls = 20'000;

template <class P>
struct CutPair {
  typename P::Action action;
  std::size_t outcome;  // place in the list of outcomes
};

template <class P>
struct CutRival {
  typename P::Action action;
  double weight;
};

// As GammaWitness, with the actions themselves.
template <class P>
struct CutWitness {
  typename P::Action action;
  std::size_t outcome;
  std::vector<double> s;
  std::vector<CutRival<P>> rivals;
};

template <class P>
struct CutResult {
  double low = 0;   // the largest gamma(k,y) proven from below
  double high = 0;  // proven from above, for the pairs asked; +infinity where an oracle left a gap
  std::optional<CutWitness<P>> witness;
  std::uint64_t calls = 0;
  std::uint64_t cuts = 0;
};

template <class P>
class CuttingPlanes {
 public:
  using Action = typename P::Action;
  using Outcome = typename P::Outcome;
  struct Parts {
    std::shared_ptr<const P> problem;
    std::shared_ptr<const AnyOracle<P>> oracle;  // one that serves() the matrix
    std::shared_ptr<const Perturbation<P>> matrix;
    HedgeSign sign = HedgeSign::kMixed;
  };

  explicit CuttingPlanes(Parts parts) : parts_(std::move(parts)), noise_(parts_.oracle->empty()) {}

  // Noise of any sign can be poured into this oracle.
  static bool serves(const AnyOracle<P>& oracle, const Perturbation<P>& matrix) {
    if (!oracle.takes_negative_weights()) return false;
    return oracle.takes_tables() ||
           matrix.pour_data(std::vector<double>(matrix.columns(), 1.0), *oracle.empty(), Weights::kAnySign);
  }

  // The maximum over the pairs. Pairs of one action should stand together: they share its rivals.
  // Invariant: low <= true maximum <= high over the pairs asked, where high is infinite once an oracle left a gap.
  CutResult<P> gamma(std::span<const CutPair<P>> pairs, std::span<const Outcome> outcomes, const Watch& watch = {}) {
    CutResult<P> result;
    for (std::size_t i = 0; i < pairs.size() && result.low < kNoBound; ++i) {
      if (watch) watch(i, pairs.size());
      if (i == 0 || pairs[i].action != pairs[i - 1].action) stand_at(pairs[i].action);
      price(pairs[i].outcome, outcomes[pairs[i].outcome], result);
    }
    return result;
  }

 private:
  struct Met {
    Action action;
    std::vector<double> row;
  };

  void stand_at(const Action& x) {
    own_ = {x, row_of(x)};
    rivals_.clear();
    program_.reset();
    served_.clear();
    scale_ = 1;
  }

  std::vector<double> row_of(const Action& x) const {
    std::vector<double> row(parts_.matrix->columns());
    parts_.matrix->row(x, row);
    return row;
  }

  // Differences within rounding are none, here as in the full programme.
  double need(const Action& rival, const Outcome& y) const {
    const double difference = parts_.problem->loss(own_.action, y) - parts_.problem->loss(rival, y);
    return std::abs(difference) <= kSameEntry ? 0 : difference;
  }

  std::vector<double> difference(const Met& rival) const {
    std::vector<double> d(own_.row.size());
    for (std::size_t i = 0; i < d.size(); ++i) {
      d[i] = own_.row[i] - rival.row[i];
      if (std::abs(d[i]) <= kSameEntry) d[i] = 0;
    }
    return d;
  }

  // The rival that s serves worst on y.
  struct Worst {
    Met rival;
    std::vector<double> d;  // difference to it
    double need;
    double missed;  // by how much s misses it
    double allowed;
    double gap;  // what the oracle may have overlooked

    bool served() const { return missed <= allowed; }
  };

  Worst worst_rival(const AnyHistory<P>& data, const Outcome& y, const HedgeVector& hedge) {
    const auto answer = parts_.oracle->best({data, pour(hedge.s), 1.0}, 0);
    Worst worst{.rival = {answer.action, row_of(answer.action)},
                .d = {},
                .need = need(answer.action, y),
                .missed = 0,
                .allowed = kSeparated * (1 + hedge.norm * scale_),
                .gap = answer.unproven()};
    worst.d = difference(worst.rival);
    worst.missed = worst.need;
    for (std::size_t i = 0; i < worst.d.size(); ++i) worst.missed -= worst.d[i] * hedge.s[i];
    return worst;
  }

  void price(std::size_t place, const Outcome& y, CutResult<P>& into) {
    const auto data = parts_.oracle->empty();
    data->add(y, 1.0);
    std::vector<double> needs;
    for (const Met& rival : rivals_) needs.push_back(need(rival.action, y));
    // An s of an earlier outcome that serves here too keeps this pair below the maximum so far; the rival
    // that it does not serve is a cut like any other.
    for (std::size_t i = 0; i < served_.size(); ++i) {
      ++into.calls;
      Worst worst = worst_rival(*data, y, served_[i]);
      if (worst.served() && worst.gap <= worst.allowed) {
        std::rotate(served_.begin(), served_.begin() + static_cast<std::ptrdiff_t>(i),
                    served_.begin() + static_cast<std::ptrdiff_t>(i) + 1);
        return;
      }
      if (!worst.served() && !known(worst.rival.action) && !join(std::move(worst), needs, into))
        return record_twin(place, into);
    }
    // Each turn either ends or adds a rival that was not in the programme, so turns are at most the number of actions;
    // the limit keeps them far below that.
    for (std::uint64_t calls = 0;; ++calls) {
      const HedgeVector hedge = program_
                                    ? program_->cheapest(needs)
                                    : HedgeVector{.norm = 0, .s = std::vector<double>(own_.row.size()), .proof = {}};
      if (hedge.norm == kNoBound || calls == kMostCutCalls) return record(place, hedge, kNoBound, into);
      ++into.calls;
      Worst worst = worst_rival(*data, y, hedge);
      if (worst.served() || known(worst.rival.action)) {
        return record(place, hedge, worst.gap <= worst.allowed ? hedge.norm : kNoBound, into);
      }
      if (!join(std::move(worst), needs, into)) return record_twin(place, into);
    }
  }

  bool known(const Action& x) const {
    return std::any_of(rivals_.begin(), rivals_.end(), [&](const Met& rival) { return rival.action == x; });
  }

  // False if it has the row of the action itself: then no s tells the two apart.
  bool join(Worst worst, std::vector<double>& needs, CutResult<P>& into) {
    ++into.cuts;
    rivals_.push_back(std::move(worst.rival));
    if (std::all_of(worst.d.begin(), worst.d.end(), [](double entry) { return entry == 0; })) return false;
    needs.push_back(worst.need);
    if (program_) {
      program_->add_rival(worst.d);
    } else {
      program_.emplace(std::vector<std::vector<double>>{worst.d}, GammaQuery{.sign = parts_.sign});
    }
    for (const double entry : worst.d) scale_ = std::max(scale_, std::abs(entry));
    return true;
  }

  const AnyHistory<P>& pour(std::span<const double> s) {
    std::vector<double> alpha(s.begin(), s.end());
    for (double& entry : alpha) entry = -entry;
    noise_->clear();
    if (parts_.oracle->takes_tables()) {
      parts_.matrix->pour(alpha, *noise_);
    } else {
      parts_.matrix->pour_data(alpha, *noise_, Weights::kAnySign);
    }
    return *noise_;
  }

  void record(std::size_t place, const HedgeVector& hedge, double high, CutResult<P>& into) {
    into.high = std::max(into.high, high);
    if (high < kNoBound && high > 0) {
      served_.insert(served_.begin(), hedge);
      if (served_.size() > kMostServed) served_.pop_back();
    }
    if (hedge.norm <= into.low) return;
    into.low = hedge.norm;
    into.witness = {own_.action, place, hedge.s, {}};
    for (std::size_t h = 0; h < hedge.proof.size(); ++h) {
      if (hedge.proof[h] > kSameEntry) into.witness->rivals.push_back({rivals_[h].action, hedge.proof[h]});
    }
  }

  // The last rival has the same row and a smaller loss. Nothing else follows: gamma is infinite.
  void record_twin(std::size_t place, CutResult<P>& into) const {
    into.low = into.high = kNoBound;
    into.witness = {own_.action, place, {}, {{rivals_.back().action, 1.0}}};
  }

  static constexpr std::size_t kMostServed = 3;  // each costs a call when tried

  Parts parts_;
  std::unique_ptr<AnyHistory<P>> noise_;
  Met own_;
  std::vector<Met> rivals_;
  std::optional<HedgeProgram> program_;  // from the first rival on
  std::vector<HedgeVector> served_;      // found for earlier outcomes of this action, none above the maximum so far
  double scale_ = 1;                     // largest |difference|, at least 1
};

}  // namespace hannan::detail

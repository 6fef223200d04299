// `finite-game`: a table of K actions by d outcomes, losses or rewards, in [0,1] or of unknown range.
//
// Perturbations: outcomes (one column per outcome, divided by its range where that is not known, gamma = 1; or the
// user's own data sets, nothing claimed), bits, one-hot, thermometer, and dense where a matrix is given. In reward form
// a column's data set makes weighted rewards, and the hedge vector changes its sign.
#pragma once

#include <cmath>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "hannan/core/oracle.hpp"
#include "hannan/core/perturbation.hpp"
#include "hannan/core/rows.hpp"
#include "hannan/perturbations/coded_columns.hpp"

namespace hannan::detail {

class FiniteGame {
 public:
  using Action = std::uint64_t;
  using Outcome = std::uint64_t;  // a column of the table

  struct Parts {
    std::vector<std::vector<double>> table;  // K rows of d, as given
    Form form = Form::kLoss;
    LossRange range = LossRange::kUnitInterval;
    std::vector<Dataset<Outcome>> columns;    // of the outcomes perturbation; empty: one per outcome
    std::vector<std::vector<double>> matrix;  // K rows for dense, or none
  };
  // Throws kOutOfRange where a table is empty or ragged or has an entry outside [0,1], or a column no such outcome.
  explicit FiniteGame(Parts parts);

  const Parts& parts() const { return parts_; }

  double loss(Action x, Outcome y) const { return losses_[y * size_ + x]; }
  double least_loss(Outcome y) const { return least_[y]; }
  LossRange loss_range() const { return parts_.range; }
  LossSpread spread(Outcome y) const { return {least_[y], most_[y]}; }
  double ln_size() const { return std::log(static_cast<double>(size_)); }
  std::uint64_t size() const { return size_; }
  std::uint64_t outcome_count() const { return outcome_count_; }
  Action action(std::uint64_t k) const { return k; }
  void accumulate(Outcome y, double weight, std::span<double> totals) const {
    const double* column = losses_.data() + y * size_;
    for (std::size_t k = 0; k < totals.size(); ++k) totals[k] += weight * column[k];
  }
  std::size_t coordinates() const { return 1; }
  std::size_t domain(std::size_t) const { return size_; }
  std::size_t position(Action x, std::size_t) const { return x; }
  std::vector<Outcome> outcomes() const;  // all of them: Y is small

  // In units of the problem, as rows of a table, and made up.
  Form form() const { return parts_.form; }
  double normaliser() const { return 1; }
  double raw(Action x, Outcome y) const { return parts_.table[x][y]; }
  std::size_t row_width() const { return 1; }
  Interval row_range() const { return {0, static_cast<double>(outcome_count_ - 1)}; }
  void outcome_from_row(std::span<const double> row, Outcome& y) const { y = index_in_row(row[0], outcome_count_); }

  static std::vector<std::shared_ptr<const Perturbation<FiniteGame>>> perturbations(
      std::shared_ptr<const FiniteGame> p);
  static std::vector<std::shared_ptr<const AnyOracle<FiniteGame>>> oracles(std::shared_ptr<const FiniteGame> p);

 private:
  Parts parts_;
  std::uint64_t size_;
  std::uint64_t outcome_count_;
  std::vector<double> least_;   // of every outcome
  std::vector<double> most_;    // likewise
  std::vector<double> losses_;  // outcome by outcome, so that adding one reads memory in order
};

}  // namespace hannan::detail

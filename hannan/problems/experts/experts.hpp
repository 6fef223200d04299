// `experts`: K explicit experts; the outcome of a round is the list of their K losses, in [0,1] or of unknown range.
//
// Perturbations: bits (gamma = N), one-hot (gamma = 1), thermometer (gamma = 2, or 1 for two
// experts) and, where a matrix is given, dense (nothing claimed). Every column is an outcome itself,
// rescaled to [0,1], so data sets exist for both signs.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "hannan/core/interval.hpp"
#include "hannan/core/oracle.hpp"
#include "hannan/core/perturbation.hpp"
#include "hannan/perturbations/coded_columns.hpp"

namespace hannan {

class Experts {
 public:
  using Action = std::uint64_t;         // the expert's index
  using Outcome = std::vector<double>;  // one loss per expert
  static constexpr std::uint64_t kMaxSize = 10'000'000;
  // Data and noise of a learner keep a sum, a carry and a term each; a round's losses come on top.
  static constexpr std::uint64_t kBytesEach = 80;

  // Throws kOutOfRange where the size is out of range or the matrix has not one row of one length per expert.
  explicit Experts(std::uint64_t size, std::vector<std::vector<double>> matrix = {},
                   LossRange range = LossRange::kUnitInterval);

  double loss(Action x, const Outcome& y) const { return y[x]; }
  double least_loss(const Outcome& y) const { return *std::min_element(y.begin(), y.end()); }
  LossRange loss_range() const { return range_; }
  LossSpread spread(const Outcome& y) const {
    const auto [least, most] = std::minmax_element(y.begin(), y.end());
    return {*least, *most};
  }
  double ln_size() const { return std::log(static_cast<double>(size_)); }
  std::uint64_t size() const { return size_; }
  const std::vector<std::vector<double>>& matrix() const { return matrix_; }
  Action action(std::uint64_t k) const { return k; }
  std::span<const double> losses(const Outcome& y) const { return y; }
  void accumulate(const Outcome& y, double weight, std::span<double> totals) const {
    for (std::size_t k = 0; k < totals.size(); ++k) totals[k] += weight * y[k];
  }
  std::size_t coordinates() const { return 1; }
  std::size_t domain(std::size_t) const { return size_; }
  std::size_t position(Action x, std::size_t) const { return x; }

  // In units of the problem, as rows of a table, and made up.
  Form form() const { return Form::kLoss; }
  double normaliser() const { return 1; }
  double raw(Action x, const Outcome& y) const { return loss(x, y); }
  std::size_t row_width() const { return size_; }
  Interval row_range() const { return range_ == LossRange::kUnitInterval ? kUnit : kAnyLoss; }
  void outcome_from_row(std::span<const double> row, Outcome& y) const { y.assign(row.begin(), row.end()); }

  static std::vector<std::shared_ptr<const Perturbation<Experts>>> perturbations(std::shared_ptr<const Experts> p);
  static std::vector<std::shared_ptr<const AnyOracle<Experts>>> oracles(std::shared_ptr<const Experts> p);

 private:
  std::uint64_t size_;
  LossRange range_;
  std::vector<std::vector<double>> matrix_;  // K rows, or none
};

}  // namespace hannan

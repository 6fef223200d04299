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
#include <string_view>
#include <vector>

#include "hannan/core/interval.hpp"
#include "hannan/core/oracle.hpp"
#include "hannan/core/perturbation.hpp"
#include "hannan/core/rows.hpp"
#include "hannan/game/elements.hpp"
#include "hannan/perturbations/coded_columns.hpp"

namespace hannan::detail {

class Experts {
 public:
  using Action = std::uint64_t;         // the expert's index
  using Outcome = std::vector<double>;  // one loss per expert
  static constexpr std::uint64_t kMaxSize = 10'000'000;
  // Data and noise of a learner keep a sum, a carry and a term each; a round's losses come on top.
  static constexpr std::uint64_t kBytesEach = 80;

  // A loss that is missing: an error, the worst of its row (1 where losses are in [0,1]), or an expert that sleeps and
  // is a NaN in the outcome (docs/theory.md, sleeping experts).
  enum class Missing { kRefuse, kWorst, kSleep };

  // Throws kOutOfRange where the size is out of range or the matrix has not one row of one length per expert.
  explicit Experts(std::uint64_t size, std::vector<std::vector<double>> matrix = {},
                   LossRange range = LossRange::kUnitInterval, Missing missing = Missing::kRefuse);

  double loss(Action x, const Outcome& y) const { return y[x]; }
  double least_loss(const Outcome& y) const { return *std::min_element(y.begin(), y.end()); }
  LossRange loss_range() const { return range_; }
  LossSpread spread(const Outcome& y) const;  // of those awake
  Missing missing() const { return missing_; }
  bool sleeps() const { return missing_ == Missing::kSleep; }
  // Each expert is one: who sees the loss of its own alone plays a bandit.
  std::optional<Elements> elements() const {
    if (range_ != LossRange::kUnitInterval || sleeps() || size_ > Elements::kMost) return std::nullopt;
    return Elements{.count = size_, .longest = 1, .noise = "one-hot"};
  }
  double ln_size() const { return std::log(static_cast<double>(size_)); }
  std::uint64_t size() const { return size_; }
  const std::vector<std::vector<double>>& matrix() const { return matrix_; }
  Action action(std::uint64_t k) const { return k; }
  std::span<const double> losses(const Outcome& y) const {
    if (sleeps()) refuse_total();
    return y;
  }
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
  void outcome_from_row(std::span<const double> row, Outcome& y) const {
    y.assign(row.begin(), row.end());
    if (missing_ == Missing::kWorst) fill_worst(y);
  }
  RowGaps row_gaps() const { return missing_ == Missing::kRefuse ? RowGaps::kRefused : RowGaps::kAllowed; }
  std::string_view row_gap_hint() const;
  // Puts the worst loss in the place of those that are missing.
  void fill_worst(Outcome& y) const;

  static std::vector<std::shared_ptr<const Perturbation<Experts>>> perturbations(std::shared_ptr<const Experts> p);
  static std::vector<std::shared_ptr<const AnyOracle<Experts>>> oracles(std::shared_ptr<const Experts> p);

 private:
  [[noreturn]] static void refuse_total();  // experts that sleep have no totals to compare

  std::uint64_t size_;
  LossRange range_;
  Missing missing_;
  std::vector<std::vector<double>> matrix_;  // K rows, or none
};

}  // namespace hannan::detail

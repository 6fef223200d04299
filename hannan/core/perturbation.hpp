// A perturbation matrix: a row per action, N columns, each column implementable by a few weighted
// outcomes, so that noise alpha can be poured into a history: sum_j alpha_j * column_j.
//
// Whoever writes one states gamma only where a proof gives it: bounds are computed from it. alpha has columns() numbers
// everywhere. A matrix may keep a buffer: it is for one thread at a time.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "hannan/core/oracle.hpp"
#include "hannan/core/problem.hpp"

namespace hannan {

// One draw of noise prepared for questions about single actions: whatever the perturbation wants to keep of it, and a
// range that no action's noise leaves.
struct NoiseTable {
  std::vector<double> values;  // for the matrix that filled it alone
  double least = 0;            // no action has less noise
  double most = 0;             // nor more
};

// The sign that a feasible hedge vector s can always take (one-sided noise needs it: docs/theory.md, one_sided): none
// of them (kMixed), kNonNegative or kNonPositive.
enum class HedgeSign { kMixed, kNonNegative, kNonPositive };

// One coordinate of a separable perturbation over the full product of its domains; M has an exact
// formula for each kind but kOther.
struct CoordinateShape {
  // Rows are all of {0,1}^n (kBits), 1^k 0^(n-k) (kPrefix), unit vectors (kIdentity), or anything (kOther).
  enum class Kind { kBits, kPrefix, kIdentity, kOther };
  Kind kind;           // of its columns
  std::size_t values;  // that the coordinate may have
};

// Which weights of outcomes are wanted: of any sign (kAnySign), or kNonNegative.
enum class Weights { kAnySign, kNonNegative };

// What is known of a matrix whatever its problem.
class MatrixFacts {
 public:
  virtual ~MatrixFacts() = default;
  virtual const std::string& name() const = 0;      // as in the program
  virtual std::size_t columns() const = 0;          // N
  virtual std::optional<double> gamma() const = 0;  // claimed by construction; nothing claimed: none
  virtual HedgeSign hedge_sign() const = 0;         // what one-sided noise may count on
  virtual bool unit_entries() const = 0;            // every entry in [0,1]
  // Empty unless the matrix is a sum over coordinates and the actions are their full product.
  virtual std::vector<CoordinateShape> shape() const { return {}; }
  // The norm of a vector s with <row(k) - row(j), s> >= 1 for all j of another row than k, whatever k (docs/theory.md,
  // single out); none where no such vector is known.
  virtual std::optional<double> single_out() const { return std::nullopt; }

  // A data set that is asked for: which column, from 0, plus (1) or minus (-1), with which weights.
  struct ColumnRequest {
    std::size_t column;
    int sign = 1;                         // or -1
    Weights weights = Weights::kAnySign;  // of its outcomes
  };
  virtual bool has_data(ColumnRequest request) const = 0;  // is there such a data set?
};

// The matrix of a problem P.
template <class P>
class Perturbation : public MatrixFacts {
 public:
  // The entries of an action, one a column. Requires out.size() == columns().
  virtual void row(const typename P::Action& x, std::span<double> out) const = 0;
  // <row(x), alpha>, added column by column: the noise of one action with no constant dropped. `entries` is a buffer
  // for the row.
  virtual double exact(const typename P::Action& x, std::span<const double> alpha, std::span<double> entries) const {
    row(x, entries);
    double sum = 0;
    for (std::size_t j = 0; j < alpha.size(); ++j) sum += entries[j] * alpha[j];
    return sum;
  }

  // Adds sum_j alpha_j * column_j, up to one constant for all actions. alpha may have any sign.
  virtual void pour(std::span<const double> alpha, AnyHistory<P>& into) const = 0;
  // The same through data sets only, for oracles without tables; non-negative ones if asked.
  // False where they do not exist.
  virtual bool pour_data(std::span<const double> alpha, AnyHistory<P>& into, Weights weights) const = 0;

  // The same noise asked for action by action, up to a constant for all of them: for the few of a pool.
  // By default through the row, with entries in [0,1].
  virtual void project(std::span<const double> alpha, NoiseTable& into) const {
    into.values.assign(alpha.begin(), alpha.end());
    into.values.resize(2 * alpha.size());  // the second half holds a row
    into.least = into.most = 0;
    for (const double a : alpha) (a < 0 ? into.least : into.most) += a;
  }
  // Of one action, from such a table.
  virtual double noise(const typename P::Action& x, NoiseTable& table) const {
    const std::size_t n = table.values.size() / 2;
    const std::span<double> entries(table.values.data() + n, n);
    row(x, entries);
    double sum = 0;
    for (std::size_t j = 0; j < n; ++j) sum += table.values[j] * entries[j];
    return sum;
  }
  virtual bool quick() const { return columns() <= 64; }  // is noise(x) much cheaper than a search?

  // Weighted outcomes with sum of weight * loss (reward, in reward problems) = sign * column + constant.
  virtual std::optional<Dataset<typename P::Outcome>> data(ColumnRequest request) const = 0;
  bool has_data(ColumnRequest request) const override { return data(request).has_value(); }
};

}  // namespace hannan

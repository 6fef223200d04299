// A perturbation matrix: a row per action, N columns, each column implementable by a few weighted
// outcomes, so that noise alpha can be poured into a history: sum_j alpha_j * column_j.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "hannan/core/noise_table.hpp"
#include "hannan/core/oracle.hpp"
#include "hannan/core/problem.hpp"

namespace hannan {

// The sign that a feasible hedge vector s can always take (one-sided noise needs it: docs/theory.md, one_sided).
enum class HedgeSign { kMixed, kNonNegative, kNonPositive };

// One coordinate of a separable perturbation over the full product of its domains; M has an exact
// formula for each kind but kOther.
struct CoordinateShape {
  enum class Kind { kBits, kPrefix, kIdentity, kOther };
  Kind kind;
  std::size_t values;
};

enum class Weights { kAnySign, kNonNegative };

// What is known of a matrix whatever its problem.
class MatrixFacts {
 public:
  virtual ~MatrixFacts() = default;
  virtual const std::string& name() const = 0;
  virtual std::size_t columns() const = 0;
  virtual std::optional<double> gamma() const = 0;  // claimed by construction; nothing claimed: none
  virtual HedgeSign hedge_sign() const = 0;
  virtual bool unit_entries() const = 0;  // every entry in [0,1]
  // Empty unless the matrix is a sum over coordinates and the actions are their full product.
  virtual std::vector<CoordinateShape> shape() const { return {}; }
  // The norm of a vector s with <row(k) - row(j), s> >= 1 for all j of another row than k, whatever k (docs/theory.md,
  // single out); none where no such vector is known.
  virtual std::optional<double> single_out() const { return std::nullopt; }

  struct ColumnRequest {
    std::size_t column;
    int sign = 1;
    Weights weights = Weights::kAnySign;
  };
  virtual bool has_data(ColumnRequest request) const = 0;  // is there such a data set?
};

template <class P>
class Perturbation : public MatrixFacts {
 public:
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

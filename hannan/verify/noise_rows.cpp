// Layout: entries starts_[k] (without its top bit) up to starts_[k+1] of columns_ and changes_ belong to action k. With
// the top bit set they are the row itself, without it the difference to row k-1; row 0 is always whole. Offsets are
// below kMostKept < 2^31, so the top bit is free.
#include "hannan/verify/noise_rows.hpp"

#include <utility>

namespace hannan::detail {
namespace {

// a - b, if that is a double.
// The error term of Knuth's two-sum; 0 means that nothing was rounded, so that sums of differences give the row back
// exactly.
bool exact_difference(double a, double b, double& difference) {
  difference = a - b;
  const double taken = difference - a;
  return (a - (difference - taken)) - (b + taken) == 0;
}

}  // namespace

bool NoiseRows::fill_from_code(const ActionTable& actions, std::size_t columns, const Row& row,
                               CoordinateShape::Kind kind) {
  const std::size_t size = actions.size();
  const bool unit = kind == CoordinateShape::Kind::kIdentity, prefix = kind == CoordinateShape::Kind::kPrefix;
  if (!(unit && columns == size) && !(prefix && columns + 1 == size)) return false;
  std::vector<double> found(columns);
  // Four rows are looked at, not all: a shape is stated by the perturbation itself, and this finds a wrong order of
  // actions or columns.
  for (const std::size_t k : {std::size_t{0}, size / 3, size / 2, size - 1}) {
    row(actions.action(k), found);
    for (std::size_t j = 0; j < columns; ++j) {
      if (found[j] != ((unit ? j == k : j < k) ? 1.0 : 0.0)) return false;
    }
  }
  // Unit vector k has its one entry in column k. Row k of a thermometer differs from row k-1 in column k-1; row 0 is
  // empty. So columns are below `columns` in both: k < size = columns, k - 1 < size - 1 = columns.
  for (std::size_t k = 0; k < size; ++k) {
    starts_.push_back(static_cast<std::uint32_t>(columns_.size()) | (unit || k == 0 ? kWhole : 0U));
    if (prefix && k == 0) continue;
    columns_.push_back(static_cast<std::uint32_t>(unit ? k : k - 1));
    changes_.push_back(1.0);
  }
  starts_.push_back(static_cast<std::uint32_t>(columns_.size()));
  return true;
}

NoiseRows::NoiseRows(const ActionTable& actions, std::size_t columns, const Row& row,
                     std::span<const CoordinateShape> shape) {
  const std::size_t size = actions.size();
  if (shape.size() == 1 && fill_from_code(actions, columns, row, shape[0].kind)) return;
  if (static_cast<double>(size) * static_cast<double>(columns) > kMostEntries) return;
  std::vector<double> before(columns, 0.0), now(columns);
  starts_.reserve(size + 1);
  bool fits = true;
  actions.each([&](const AnyAction& x) {
    if (!fits) return;
    row(x, now);
    const std::size_t start = columns_.size();
    std::size_t whole = 0;
    bool exact = !starts_.empty();
    for (std::size_t j = 0; j < columns; ++j) {
      whole += now[j] != 0 ? 1U : 0U;
      if (!exact || now[j] == before[j]) continue;
      double change = 0;
      exact = exact_difference(now[j], before[j], change);
      columns_.push_back(static_cast<std::uint32_t>(j));
      changes_.push_back(change);
    }
    // Differences are kept where they are shorter than the row; a row that equals the one before has none.
    const bool by_change = exact && (columns_.size() - start < whole || columns_.size() == start);
    if (!by_change) {
      columns_.resize(start);
      changes_.resize(start);
      for (std::size_t j = 0; j < columns; ++j) {
        if (now[j] == 0) continue;
        columns_.push_back(static_cast<std::uint32_t>(j));
        changes_.push_back(now[j]);
      }
    }
    starts_.push_back(static_cast<std::uint32_t>(start) | (by_change ? 0U : kWhole));
    std::swap(before, now);
    fits = columns_.size() <= kMostKept;
  });
  if (fits) {
    starts_.push_back(static_cast<std::uint32_t>(columns_.size()));
  } else {
    *this = {};
  }
}

void NoiseRows::products(std::span<const double> alpha, std::span<double> out) const {
  // `at` runs over all entries once: at the head of the loop it is starts_[k]. sum + lost is the exact product but for
  // the second-order rounding of `lost`, also over long runs of differences.
  double sum = 0, lost = 0;
  std::uint32_t at = 0;
  for (std::size_t k = 0; k < out.size(); ++k) {
    if ((starts_[k] & kWhole) != 0) sum = lost = 0;
    for (const std::uint32_t end = starts_[k + 1] & ~kWhole; at < end; ++at) {
      const double term = changes_[at] * alpha[columns_[at]];
      const double next = sum + term;
      const double taken = next - sum;
      lost += (sum - (next - taken)) + (term - taken);
      sum = next;
    }
    out[k] = sum + lost;
  }
}

}  // namespace hannan::detail

// The codes of one coordinate. Each table is made in O(D) and in one fixed order of additions: adding column by column
// (add_row) and reading the table may round differently, so a caller uses one of them throughout. The norms of
// single_out are those of docs/theory.md, single out.
#include "hannan/perturbations/coded_columns.hpp"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cstdint>
#include <utility>

namespace hannan {
namespace {

using Kind = CoordinateShape::Kind;

// Position d in binary, the highest bit first: ceil(log2 D) columns.
class BitsCode final : public CoordinateCode {
 public:
  explicit BitsCode(std::size_t values) : values_(values), columns_(values <= 1 ? 0 : std::bit_width(values - 1)) {}
  std::size_t values() const override { return values_; }
  std::size_t columns() const override { return columns_; }
  double entry(std::size_t position, std::size_t column) const override {
    return static_cast<double>((position >> (columns_ - 1 - column)) & 1U);
  }
  double add_row(std::size_t position, std::span<const double> alpha, double sum) const override {
    // By masks: which bits are set cannot be foreseen, and a branch on each would cost more than all the sums.
    for (std::size_t column = 0; column < columns_; ++column) {
      // All ones if the bit is set: the noise itself, else +0.0.
      const std::uint64_t mask = -(std::uint64_t{position >> (columns_ - 1 - column)} & 1U);
      sum += std::bit_cast<double>(std::bit_cast<std::uint64_t>(alpha[column]) & mask);
    }
    return sum;
  }
  void table(std::span<const double> alpha, std::span<double> out) const override {
    // Doubling: the entries with bit b set are those without it, plus that bit's noise.
    out[0] = 0;
    for (std::size_t bit = 0; bit < columns_; ++bit) {
      const double noise = alpha[columns_ - 1 - bit];
      const std::size_t half = std::size_t{1} << bit;
      // half < values_ because 2^(columns - 1) < values_ <= 2^columns; entries beyond the last value are left out.
      const std::size_t end = std::min(half, values_ - half);
      for (std::size_t d = 0; d < end; ++d) out[half + d] = out[d] + noise;
    }
  }
  // M = N/2 holds for all bit vectors: only when every one of them is a value.
  CoordinateShape shape() const override {
    return {std::has_single_bit(values_) ? Kind::kBits : Kind::kOther, values_};
  }
  // +1 on the ones, -1 on the zeros.
  std::optional<double> single_out() const override { return static_cast<double>(columns()); }

 private:
  std::size_t values_;
  std::size_t columns_;
};

// Column j is 1 from position j + 1 on: D - 1 columns, and neighbours differ in one.
class ThermometerCode final : public CoordinateCode {
 public:
  explicit ThermometerCode(std::size_t values) : values_(values) {}
  std::size_t values() const override { return values_; }
  std::size_t columns() const override { return values_ - 1; }
  double entry(std::size_t position, std::size_t column) const override { return position >= column + 1 ? 1 : 0; }
  double add_row(std::size_t position, std::span<const double> alpha, double sum) const override {
    for (std::size_t column = 0; column < position; ++column) sum += alpha[column];
    return sum;
  }
  void table(std::span<const double> alpha, std::span<double> out) const override {
    out[0] = 0;
    for (std::size_t d = 1; d < values_; ++d) out[d] = out[d - 1] + alpha[d - 1];
  }
  CoordinateShape shape() const override { return {Kind::kPrefix, values_}; }
  // +1 on the last one, -1 on the first zero.
  std::optional<double> single_out() const override { return values_ > 2 ? 2.0 : values_ > 1 ? 1.0 : 0.0; }

 private:
  std::size_t values_;
};

// A column for each position; none where there is one position only.
class OneHotCode final : public CoordinateCode {
 public:
  explicit OneHotCode(std::size_t values) : values_(values) {}
  std::size_t values() const override { return values_; }
  std::size_t columns() const override { return values_ <= 1 ? 0 : values_; }
  double entry(std::size_t position, std::size_t column) const override { return position == column ? 1 : 0; }
  double add_row(std::size_t position, std::span<const double> alpha, double sum) const override {
    return alpha.empty() ? sum : sum + alpha[position];
  }
  void table(std::span<const double> alpha, std::span<double> out) const override {
    if (values_ <= 1) {
      out[0] = 0;
    } else {
      for (std::size_t d = 0; d < values_; ++d) out[d] = alpha[d];
    }
  }
  CoordinateShape shape() const override { return {Kind::kIdentity, values_}; }
  std::optional<double> single_out() const override { return values_ > 1 ? 1.0 : 0.0; }

 private:
  std::size_t values_;
};

// Any rows that a user gives. Nothing is claimed about them.
class MatrixCode final : public CoordinateCode {
 public:
  explicit MatrixCode(std::vector<std::vector<double>> rows) : rows_(std::move(rows)) {}
  std::size_t values() const override { return rows_.size(); }
  std::size_t columns() const override { return rows_.empty() ? 0 : rows_[0].size(); }
  double entry(std::size_t position, std::size_t column) const override { return rows_[position][column]; }
  void table(std::span<const double> alpha, std::span<double> out) const override {
    // Row by row, so that equal rows get bitwise equal noise.
    for (std::size_t d = 0; d < rows_.size(); ++d) {
      double sum = 0;
      for (std::size_t j = 0; j < alpha.size(); ++j) sum += rows_[d][j] * alpha[j];
      out[d] = sum;
    }
  }
  CoordinateShape shape() const override { return {Kind::kOther, rows_.size()}; }
  bool unit_entries() const override {
    for (const auto& row : rows_) {
      for (const double entry : row) {
        if (!(entry >= 0 && entry <= 1)) return false;
      }
    }
    return true;
  }

 private:
  std::vector<std::vector<double>> rows_;
};

}  // namespace

CodePtr bits_code(std::size_t values) { return std::make_shared<BitsCode>(values); }
CodePtr thermometer_code(std::size_t values) { return std::make_shared<ThermometerCode>(values); }
CodePtr one_hot_code(std::size_t values) { return std::make_shared<OneHotCode>(values); }
CodePtr matrix_code(std::vector<std::vector<double>> rows) { return std::make_shared<MatrixCode>(std::move(rows)); }

// Names are checked by the callers, which write them themselves.
CodePtr named_code(std::string_view name, std::size_t values) {
  if (name == "bits") return bits_code(values);
  if (name == "thermometer") return thermometer_code(values);
  assert(name == "one-hot");
  return one_hot_code(values);
}

}  // namespace hannan

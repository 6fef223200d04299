// A perturbation that is a sum over coordinates, one code each: <row(x), alpha> = sum_c g_c(x_c).
//
// Poured as one table per coordinate: exact for any sign, no fake data, O(sum of domains). Where an
// oracle takes no tables, the problem's data sets for its columns are poured instead.
//
// A code of a coordinate with D values says which columns it has, and the table they make of noise:
//
//   bits         ceil(log2 D) columns, the bits of the position, most significant first
//   thermometer  D-1 columns, column t = [position >= t], t = 1..D-1
//   one-hot      D columns, column t = [position == t]
//   matrix       any D x n matrix given outright (dense, direct)
//
// A coordinate with one value has no column. table(alpha)[d] = sum_j alpha_j * entry(d, j); it costs O(D) for the three
// codes, whatever the number of columns. Codes may be shared between threads; a CodedColumns has a buffer and is for
// one thread at a time.
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "hannan/core/perturbation.hpp"
#include "hannan/core/problem.hpp"

namespace hannan {

// The code of one coordinate.
class CoordinateCode {
 public:
  virtual ~CoordinateCode() = default;
  // D, how many columns, and the entry of a position from 0 in a column from 0.
  virtual std::size_t values() const = 0;
  virtual std::size_t columns() const = 0;
  virtual double entry(std::size_t position, std::size_t column) const = 0;
  // sum + <entries(position), alpha>, added column by column.
  virtual double add_row(std::size_t position, std::span<const double> alpha, double sum) const {
    for (std::size_t column = 0; column < alpha.size(); ++column) sum += entry(position, column) * alpha[column];
    return sum;
  }
  // out[d] = sum_j alpha_j * entry(d, j). Requires out.size() == values().
  virtual void table(std::span<const double> alpha, std::span<double> out) const = 0;
  // Its rows, for the exact size of the noise.
  virtual CoordinateShape shape() const = 0;
  virtual bool unit_entries() const { return true; }  // every entry in [0,1]
  // The norm of a vector s with <entries(d) - entries(e), s> >= 1 for all e != d, whatever d; none where none is known.
  virtual std::optional<double> single_out() const { return std::nullopt; }
};

// Codes do not change and are shared.
using CodePtr = std::shared_ptr<const CoordinateCode>;

// The codes above, for a coordinate with so many values (at least 1); of a matrix, a row a value, all of one length.
CodePtr bits_code(std::size_t values);
CodePtr thermometer_code(std::size_t values);
CodePtr one_hot_code(std::size_t values);
CodePtr matrix_code(std::vector<std::vector<double>> rows);

// One of the three by its name: "bits", "thermometer", "one-hot".
CodePtr named_code(std::string_view name, std::size_t values);

namespace detail {

// Catches the tables that a matrix pours, coordinate behind coordinate.
template <Coordinated P>
class TableCatcher final : public AnyHistory<P> {
 public:
  TableCatcher(const P& problem, NoiseTable& into) : problem_(problem), into_(into) {
    std::size_t size = 0;
    for (std::size_t c = 0; c < problem.coordinates(); ++c) size += problem.domain(c);
    into_.values.assign(size, 0.0);
  }
  void add(const typename P::Outcome&, double) override {}  // matrices of tables pour nothing else
  void add_table(std::size_t coordinate, std::span<const double> values) override {
    std::size_t start = 0;
    for (std::size_t c = 0; c < coordinate; ++c) start += problem_.domain(c);
    for (std::size_t d = 0; d < values.size(); ++d) into_.values[start + d] += values[d];
  }
  void scale(double factor) override {
    for (double& value : into_.values) value *= factor;
  }
  void clear() override {}
  void archive(Archive&) override {}

 private:
  const P& problem_;
  NoiseTable& into_;
};

// The least and the most of any action: sums of the extremes of each table, attained where actions are a full product
// and bounds elsewhere.
template <Coordinated P>
void project_tables(const P& problem, const Perturbation<P>& matrix, std::span<const double> alpha, NoiseTable& into) {
  TableCatcher<P> catcher(problem, into);
  matrix.pour(alpha, catcher);
  into.least = into.most = 0;
  auto at = into.values.begin();
  for (std::size_t c = 0; c < problem.coordinates(); ++c) {
    const auto end = at + static_cast<std::ptrdiff_t>(problem.domain(c));
    const auto [least, most] = std::minmax_element(at, end);
    into.least += *least;
    into.most += *most;
    at = end;
  }
}

template <Coordinated P>
double noise_from_tables(const P& problem, const typename P::Action& x, const NoiseTable& table) {
  double sum = 0;
  std::size_t start = 0;
  for (std::size_t c = 0; c < problem.coordinates(); ++c) {
    sum += table.values[start + problem.position(x, c)];
    start += problem.domain(c);
  }
  return sum;
}

}  // namespace detail

// Does every combination of coordinate values occur (kFullProduct), or not (kRestricted)? If so M adds up over the
// coordinates.
enum class Actions { kFullProduct, kRestricted };

template <Coordinated P>  // a matrix whose columns are a code of each coordinate
class CodedColumns final : public Perturbation<P> {
 public:
  // A data set that is asked for, and a function that makes it; none where there is none.
  using Request = typename Perturbation<P>::ColumnRequest;
  using DataRule = std::function<std::optional<Dataset<typename P::Outcome>>(Request)>;
  // What it is made of; gamma is taken as it is stated.
  struct Parts {
    std::string name;                          // "bits", say
    std::shared_ptr<const P> problem;          // whose coordinates these are
    std::vector<CodePtr> codes;                // one per coordinate
    std::optional<double> gamma;               // none: nothing is claimed
    HedgeSign hedge_sign = HedgeSign::kMixed;  // kMixed is always right
    Actions actions = Actions::kFullProduct;   // kRestricted: M has no closed form
    Form form = Form::kLoss;                   // of the problem
    DataRule data;                             // empty: no data set is known
  };
  explicit CodedColumns(Parts parts) : parts_(std::move(parts)) {
    std::size_t longest = 0;
    for (const auto& code : parts_.codes) {
      starts_.push_back(starts_.back() + code->columns());
      longest = std::max(longest, code->values());
    }
    table_.resize(longest);
  }

  const std::string& name() const override { return parts_.name; }
  std::size_t columns() const override { return starts_.back(); }
  std::optional<double> gamma() const override { return parts_.gamma; }
  HedgeSign hedge_sign() const override { return parts_.hedge_sign; }
  bool unit_entries() const override {
    return std::all_of(parts_.codes.begin(), parts_.codes.end(), [](const CodePtr& c) { return c->unit_entries(); });
  }

  // Columns are numbered coordinate after coordinate: those of c are [starts_[c], starts_[c + 1]).
  void row(const typename P::Action& x, std::span<double> out) const override {
    std::size_t j = 0;
    for (std::size_t c = 0; c < parts_.codes.size(); ++c) {
      const std::size_t at = parts_.problem->position(x, c);
      for (std::size_t i = 0; i < parts_.codes[c]->columns(); ++i) out[j++] = parts_.codes[c]->entry(at, i);
    }
  }

  double exact(const typename P::Action& x, std::span<const double> alpha, std::span<double>) const override {
    double sum = 0;
    for (std::size_t c = 0; c < parts_.codes.size(); ++c)
      sum = parts_.codes[c]->add_row(parts_.problem->position(x, c), own(alpha, c), sum);
    return sum;
  }

  void pour(std::span<const double> alpha, AnyHistory<P>& into) const override {
    for (std::size_t c = 0; c < parts_.codes.size(); ++c) {
      const auto noise = own(alpha, c);
      if (noise.empty()) continue;
      const std::span<double> table(table_.data(), parts_.codes[c]->values());
      parts_.codes[c]->table(noise, table);
      into.add_table(c, table);
    }
  }

  bool pour_data(std::span<const double> alpha, AnyHistory<P>& into, Weights weights) const override {
    for (std::size_t j = 0; j < alpha.size(); ++j) {
      if (alpha[j] == 0) continue;
      // Losses must add up to +alpha_j * column; rewards make the column with the other sign.
      const int want = (alpha[j] > 0) == (parts_.form == Form::kLoss) ? 1 : -1;
      const int sign = weights == Weights::kNonNegative ? want : 1;
      const auto set = data({.column = j, .sign = sign, .weights = weights});
      if (!set) return false;
      const double factor = (sign == want ? 1 : -1) * std::abs(alpha[j]);
      for (const auto& [weight, outcome] : *set) into.add(outcome, factor * weight);
    }
    return true;
  }

  void project(std::span<const double> alpha, NoiseTable& into) const override {
    detail::project_tables(*parts_.problem, *this, alpha, into);
  }
  double noise(const typename P::Action& x, NoiseTable& table) const override {
    return detail::noise_from_tables(*parts_.problem, x, table);
  }
  bool quick() const override { return true; }

  std::optional<Dataset<typename P::Outcome>> data(Request request) const override {
    return parts_.data ? parts_.data(request) : std::nullopt;
  }

  // A vector that singles an action out is one of each coordinate's codes side by side, so norms add up.
  std::optional<double> single_out() const override {
    double sum = 0;
    for (const auto& code : parts_.codes) {
      const auto norm = code->single_out();
      if (!norm) return std::nullopt;
      sum += *norm;
    }
    return sum;
  }

  std::vector<CoordinateShape> shape() const override {
    std::vector<CoordinateShape> shapes;
    if (parts_.actions == Actions::kRestricted) return shapes;
    for (const auto& code : parts_.codes) shapes.push_back(code->shape());
    return shapes;
  }

 private:
  // What belongs to the columns of one coordinate.
  std::span<const double> own(std::span<const double> alpha, std::size_t c) const {
    return alpha.subspan(starts_[c], starts_[c + 1] - starts_[c]);
  }

  Parts parts_;
  std::vector<std::size_t> starts_ = {0};  // the first column of each coordinate, and how many there are
  mutable std::vector<double> table_;      // scratch of pour
};

}  // namespace hannan

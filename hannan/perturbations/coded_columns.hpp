// A perturbation that is a sum over coordinates, one code each: <row(x), alpha> = sum_c g_c(x_c).
//
// Poured as one table per coordinate: exact for any sign, no fake data, O(sum of domains). Where an
// oracle takes no tables, the problem's data sets for its columns are poured instead.
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "hannan/core/perturbation.hpp"
#include "hannan/perturbations/coordinate_code.hpp"
#include "hannan/perturbations/table_noise.hpp"

namespace hannan {

// Does every combination of coordinate values occur? Then M adds up over the coordinates.
enum class Actions { kFullProduct, kRestricted };

template <Coordinated P>  // a matrix whose columns are a code of each coordinate
class CodedColumns final : public Perturbation<P> {
 public:
  using Request = typename Perturbation<P>::ColumnRequest;
  using DataRule = std::function<std::optional<Dataset<typename P::Outcome>>(Request)>;
  struct Parts {
    std::string name;
    std::shared_ptr<const P> problem;
    std::vector<CodePtr> codes;  // one per coordinate
    std::optional<double> gamma;
    HedgeSign hedge_sign = HedgeSign::kMixed;
    Actions actions = Actions::kFullProduct;
    Form form = Form::kLoss;
    DataRule data;  // empty: no data set is known
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
    project_tables(*parts_.problem, *this, alpha, into);
  }
  double noise(const typename P::Action& x, NoiseTable& table) const override {
    return noise_from_tables(*parts_.problem, x, table);
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

// Columns that are data sets outright: Gamma_j(x) = sum over S_j of weight * f(x,y) (or * r(x,y)).
//
// With one outcome per column and all of a small outcome set as columns, gamma = 1: the hedge
// vector of (x, y) is the unit vector of y. Poured as weighted outcomes, one history entry each. Cost of pouring: one
// add() for each outcome of each column; of a row: one loss() each. For any number of threads.
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "hannan/core/perturbation.hpp"

namespace hannan {

// The matrix of these data sets.
template <class P>
class OutcomeColumns final : public Perturbation<P> {
 public:
  // A data set that is asked for.
  using Request = typename Perturbation<P>::ColumnRequest;
  // What it is made of; gamma is taken as it is stated.
  struct Parts {
    std::string name = "outcomes";                      // as in reports
    std::shared_ptr<const P> problem;                   // whose outcomes these are
    std::vector<Dataset<typename P::Outcome>> columns;  // the data set of each
    Form form = Form::kLoss;                            // of the problem
    std::optional<double> gamma;                        // none: nothing is claimed
    HedgeSign hedge_sign = HedgeSign::kMixed;           // kMixed is always right
    // Data sets of non-negative weights for minus a column, where the problem knows them.
    std::function<std::optional<Dataset<typename P::Outcome>>(std::size_t column)> negative;
  };
  explicit OutcomeColumns(Parts parts) : parts_(std::move(parts)) {}

  const std::string& name() const override { return parts_.name; }
  std::size_t columns() const override { return parts_.columns.size(); }
  std::optional<double> gamma() const override { return parts_.gamma; }
  HedgeSign hedge_sign() const override { return parts_.hedge_sign; }
  bool unit_entries() const override {  // weights that are a sub-distribution keep them there
    if (has_unknown_range(*parts_.problem)) return false;
    for (const auto& column : parts_.columns) {
      double sum = 0;
      for (const auto& point : column) {
        if (point.weight < 0) return false;
        sum += point.weight;
      }
      if (sum > 1) return false;
    }
    return true;
  }

  void row(const typename P::Action& x, std::span<double> out) const override {
    const double most = has_unknown_range(*parts_.problem) ? 0.0 : 1.0;  // the reward of a loss of 0
    for (std::size_t j = 0; j < out.size(); ++j) {
      out[j] = 0;
      for (const auto& [weight, outcome] : parts_.columns[j]) {
        const double loss = parts_.problem->loss(x, outcome);
        out[j] += weight * (parts_.form == Form::kLoss ? loss : most - loss);
      }
    }
  }

  void pour(std::span<const double> alpha, AnyHistory<P>& into) const override {
    const double sign = parts_.form == Form::kLoss ? 1 : -1;
    for (std::size_t j = 0; j < alpha.size(); ++j) {
      for (const auto& [weight, outcome] : parts_.columns[j]) into.add(outcome, sign * alpha[j] * weight);
    }
  }

  bool pour_data(std::span<const double> alpha, AnyHistory<P>& into, Weights weights) const override {
    if (weights == Weights::kAnySign) {
      pour(alpha, into);
      return true;
    }
    for (std::size_t j = 0; j < alpha.size(); ++j) {
      if (alpha[j] == 0) continue;
      const int sign = (alpha[j] > 0) == (parts_.form == Form::kLoss) ? 1 : -1;
      const auto set = data({.column = j, .sign = sign, .weights = weights});
      if (!set) return false;
      for (const auto& [weight, outcome] : *set) into.add(outcome, std::abs(alpha[j]) * weight);
    }
    return true;
  }

  // No column leaves [sum of its negative weights, sum of its positive ones].
  void project(std::span<const double> alpha, NoiseTable& into) const override {
    Perturbation<P>::project(alpha, into);
    into.least = into.most = 0;
    for (std::size_t j = 0; j < alpha.size(); ++j) {
      double low = 0, high = 0;
      for (const auto& point : parts_.columns[j]) (point.weight < 0 ? low : high) += point.weight;
      into.least += std::min(alpha[j] * low, alpha[j] * high);
      into.most += std::max(alpha[j] * low, alpha[j] * high);
    }
  }

  std::optional<Dataset<typename P::Outcome>> data(Request request) const override {
    Dataset<typename P::Outcome> set = parts_.columns[request.column];
    bool nonnegative = true;
    for (auto& point : set) {
      point.weight *= request.sign;
      nonnegative = nonnegative && point.weight >= 0;
    }
    if (request.weights == Weights::kAnySign || nonnegative) return set;
    return request.sign < 0 && parts_.negative ? parts_.negative(request.column) : std::nullopt;
  }

 private:
  Parts parts_;
};

}  // namespace hannan

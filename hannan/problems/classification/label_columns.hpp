// The `outcomes` perturbation of classification: column j is the loss at (point j, label 1), gamma = 1.
//
// Label 1 at point j makes plus the column and label 0 minus it up to a constant, both with weight 1, so an
// oracle of non-negative weights serves. Nothing is stored: with as many columns as points, tens of thousands
// of them cost nothing to make.
#pragma once

#include <cmath>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "hannan/core/perturbation.hpp"
#include "hannan/problems/classification/classification.hpp"

namespace hannan::detail {

class LabelColumns final : public Perturbation<Classification> {
 public:
  explicit LabelColumns(std::shared_ptr<const Classification> problem) : problem_(std::move(problem)) {}

  const std::string& name() const override { return name_; }
  std::size_t columns() const override { return problem_->points(); }
  std::optional<double> gamma() const override { return problem_->ln_size() > 0 ? 1.0 : 0.0; }
  HedgeSign hedge_sign() const override { return HedgeSign::kMixed; }
  bool unit_entries() const override { return true; }

  void row(const std::uint64_t& x, std::span<double> out) const override {
    for (std::uint32_t j = 0; j < out.size(); ++j) out[j] = problem_->loss(x, {j, 1});
  }
  void pour(std::span<const double> alpha, AnyHistory<Classification>& into) const override {
    for (std::uint32_t j = 0; j < alpha.size(); ++j) into.add({j, 1}, alpha[j]);
  }
  bool pour_data(std::span<const double> alpha, AnyHistory<Classification>& into, Weights weights) const override {
    if (weights == Weights::kAnySign) {
      pour(alpha, into);
    } else {
      for (std::uint32_t j = 0; j < alpha.size(); ++j) into.add({j, alpha[j] > 0 ? 1u : 0u}, std::abs(alpha[j]));
    }
    return true;
  }
  std::optional<Dataset<LabelledPoint>> data(ColumnRequest request) const override {
    const auto point = static_cast<std::uint32_t>(request.column);
    if (request.weights == Weights::kAnySign)
      return Dataset<LabelledPoint>{{static_cast<double>(request.sign), {point, 1}}};
    return Dataset<LabelledPoint>{{1.0, {point, request.sign > 0 ? 1u : 0u}}};
  }

 private:
  std::string name_ = "outcomes";
  std::shared_ptr<const Classification> problem_;
};

}  // namespace hannan::detail

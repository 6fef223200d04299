// The codes that serve any problem whose actions are one plain list of K, with what each claims.
//
//   bits         gamma = N = ceil(log2 K)  the hedge vector is +1 or -1 in every column
//   one-hot      gamma = 1                 the unit vector of the action
//   thermometer  gamma = 2 (1 if K = 2)    +1 on the action's last one, -1 on the next column
//   dense        nothing claimed           the user's matrix
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "hannan/perturbations/coded_columns.hpp"

namespace hannan::detail {

template <class P>
struct ExplicitColumns {
  std::shared_ptr<const P> problem;
  std::vector<std::vector<double>> matrix;  // K rows for dense, or none
  Form form = Form::kLoss;
  // Builds the data rule of a code, where the problem has one.
  std::function<typename CodedColumns<P>::DataRule(CodePtr)> data;
};

template <class P>
std::vector<std::shared_ptr<const Perturbation<P>>> explicit_columns(const ExplicitColumns<P>& from) {
  const std::size_t size = from.problem->size();
  std::vector<std::shared_ptr<const Perturbation<P>>> all;
  const auto add = [&](const char* name, CodePtr code, std::optional<double> gamma, HedgeSign sign) {
    all.push_back(std::make_shared<CodedColumns<P>>(
        typename CodedColumns<P>::Parts{.name = name,
                                        .problem = from.problem,
                                        .codes = {code},
                                        .gamma = gamma,
                                        .hedge_sign = sign,
                                        .actions = Actions::kFullProduct,
                                        .form = from.form,
                                        .data = from.data ? from.data(code) : nullptr}));
  };
  const auto bits = bits_code(size);
  add("bits", bits, static_cast<double>(bits->columns()), HedgeSign::kMixed);
  add("one-hot", one_hot_code(size), size > 1 ? 1.0 : 0.0, HedgeSign::kNonNegative);
  add("thermometer", thermometer_code(size), size > 2 ? 2.0 : size > 1 ? 1.0 : 0.0, HedgeSign::kMixed);
  if (!from.matrix.empty()) add("dense", matrix_code(from.matrix), std::nullopt, HedgeSign::kMixed);
  return all;
}

}  // namespace hannan::detail

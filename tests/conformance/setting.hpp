// What the properties of a problem type share: its instances, their actions, and evidence by definition.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "hannan/core/oracle.hpp"
#include "hannan/core/perturbation.hpp"
#include "hannan/noise/laplace.hpp"
#include "tests/conformance/instances.hpp"
#include "tests/conformance/sampled.hpp"

namespace hannan::detail::conformance {

// Sums of a few dozen terms of order one: rounding is near 1e-14, true differences are grid steps.
inline constexpr double kRounding = 1e-9;

template <class P>
struct Setting {
  Instance instance;
  std::shared_ptr<const P> problem;
  std::vector<typename P::Action> actions;  // all of them, in order

  typename P::Outcome outcome(std::uint64_t i) const { return sampled_outcome(*problem, random_of(i)); }
  std::vector<typename P::Outcome> outcomes(std::uint64_t count) const {
    std::vector<typename P::Outcome> some;
    for (std::uint64_t i = 0; i < count; ++i) some.push_back(outcome(i));
    return some;
  }
  // Sum of weight * loss, straight from the definition.
  std::vector<double> sums(const Dataset<typename P::Outcome>& data) const {
    std::vector<double> all(actions.size(), 0.0);
    for (const auto& [weight, y] : data) {
      for (std::size_t k = 0; k < actions.size(); ++k) all[k] += weight * problem->loss(actions[k], y);
    }
    return all;
  }
  // <row(x), alpha> of every action.
  std::vector<double> tilts(const Perturbation<P>& matrix, const std::vector<double>& alpha) const {
    std::vector<double> all(actions.size(), 0.0), row(matrix.columns());
    for (std::size_t k = 0; k < actions.size(); ++k) {
      matrix.row(actions[k], row);
      for (std::size_t j = 0; j < row.size(); ++j) all[k] += alpha[j] * row[j];
    }
    return all;
  }
};

template <class P>
std::vector<typename P::Action> all_actions(const P& problem) {
  if constexpr (requires { problem.first_actions(1); }) {
    return problem.first_actions(1'000'000);
  } else {
    std::vector<typename P::Action> all;
    for (std::uint64_t k = 0; k < problem.size(); ++k) all.push_back(problem.action(k));
    return all;
  }
}

template <class P>
std::vector<Setting<P>> settings() {
  std::vector<Setting<P>> all;
  for (const Instance& instance : instances_of(Codec<P>::kKind)) {
    const Json params = params_of(instance);
    Fields fields(params, "params");
    auto problem = Codec<P>::parse(fields);
    fields.done();
    all.push_back({instance, problem, all_actions(*problem)});
  }
  if (all.empty()) ADD_FAILURE() << Codec<P>::kKind << ": " << kAddOne;
  return all;
}

// Runs the property on every instance and says which one failed.
template <class P, class Property>
void on_every_instance(Property property) {
  for (const auto& setting : settings<P>()) {
    SCOPED_TRACE(std::string(Codec<P>::kKind) + " " + std::string(setting.instance.params));
    property(setting);
    if (::testing::Test::HasFatalFailure()) return;
  }
}

// A few outcomes with small whole weights (ties are then common), of both signs where allowed.
enum class Signs { kNonNegative, kBoth };
template <class P>
Dataset<typename P::Outcome> random_data(const Setting<P>& setting, std::uint64_t i, Signs signs) {
  const KeyedRandom coins(Key{.seed = 21}, Purpose::kTest, i);
  Dataset<typename P::Outcome> data;
  const std::uint64_t size = coins.below(0, 7);
  for (std::uint64_t j = 0; j < size; ++j) {
    const double weight = static_cast<double>(coins.below(2 * j + 1, 3)) + (coins.below(1000 + j, 4) ? 0.0 : 0.5);
    data.push_back(
        {signs == Signs::kBoth && coins.below(2 * j + 2, 2) ? -weight : weight, setting.outcome(10 * i + j)});
  }
  return data;
}

inline std::vector<double> random_alpha(std::size_t columns, std::uint64_t i) {
  std::vector<double> alpha(columns);
  Laplace{}.draw(KeyedRandom(Key{.seed = 22}, Purpose::kTest, i), alpha, {});
  return alpha;
}

// The smallest action among those within the tie window of the least value.
inline std::size_t first_of_the_best(const std::vector<double>& values) {
  const double least = *std::min_element(values.begin(), values.end());
  std::size_t k = 0;
  while (values[k] > least + tie_window(least)) ++k;
  return k;
}

// Largest minus smallest difference: zero when a and b agree up to one constant.
inline double disagreement(const std::vector<double>& a, const std::vector<double>& b) {
  double low = a[0] - b[0], high = low;
  for (std::size_t k = 1; k < a.size(); ++k) {
    low = std::min(low, a[k] - b[k]);
    high = std::max(high, a[k] - b[k]);
  }
  return high - low;
}

}  // namespace hannan::detail::conformance

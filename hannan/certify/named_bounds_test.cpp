#include "hannan/certify/named_bounds.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <set>
#include <string>
#include <vector>

#include "hannan/certify/bounds.hpp"
#include "hannan/core/error.hpp"

namespace hannan::detail {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

double value(std::string_view name, const std::vector<double>& values) {
  const NamedBound* bound = find_bound(name);
  EXPECT_NE(bound, nullptr) << name;
  return bound == nullptr ? NAN : evaluate_bound(*bound, values);
}

// Code and place of the error, "none" if there is none.
std::string refusal(std::string_view name, const std::vector<double>& values) {
  try {
    value(name, values);
  } catch (const Error& error) {
    return code_name(error.code()) + " " + error.at();
  }
  return "none";
}

TEST(NamedBounds, ServeEveryNameOnceWithItsParameters) {
  std::set<std::string_view> names;
  for (const NamedBound& bound : named_bounds()) {
    EXPECT_TRUE(names.insert(bound.name).second) << bound.name;
    const std::vector<double> ones(bound.params.size(), 1);
    EXPECT_TRUE(std::isfinite(evaluate_bound(bound, ones))) << bound.name;
  }
  EXPECT_EQ(names.size(), 20u);
  EXPECT_EQ(find_bound("thm2"), nullptr);
  EXPECT_EQ(find_bound("trajectory"), nullptr);
}

TEST(NamedBounds, ReadTheirParametersInTheStatedOrder) {
  const auto expect = [](std::string_view name, std::vector<std::string_view> params, const std::vector<double>& values,
                         double expected) {
    SCOPED_TRACE(name);
    const NamedBound* bound = find_bound(name);
    ASSERT_NE(bound, nullptr);
    EXPECT_EQ(bound->params, params);
    EXPECT_NEAR(evaluate_bound(*bound, values), expected, 1e-9 * std::max(1.0, std::abs(expected)));
  };
  // Reference values, all from sets of pairwise different parameters where the formula allows it.
  expect("thm1_paper", {"K", "N", "gamma", "c", "best"}, {1024, 10, 10, 2, 5000}, 7598.128391245514);
  expect("lower_paper", {"K", "N", "gamma", "c", "best"}, {1000, 10, 1, 0.5, 2500}, -3947.4740904001005);
  expect("thm1_simple", {"M", "gamma", "c", "best"}, {3.4, 1, 0.5, 2500}, 1120.203979604079);
  expect("thm1_tight", {"M", "gamma", "c", "best"}, {3.4, 1, 0.5, 2500}, 459.14078739265346);
  expect("lower_tight", {"M", "gamma", "c", "best"}, {3.4, 1, 0.5, 2500}, -333.2679932013596);
  expect("ada", {"M", "gamma", "best"}, {3, 6, 10000}, 1346);
  // 5.64 sqrt(2 * 6 * 4) + 64 * 6 + 7 with L* + 1 = 4.
  expect("flipflop", {"M", "gamma", "best", "leader_regret"}, {3, 2, 3, 1e9}, 5.64 * std::sqrt(48.0) + 64 * 6 + 7);
  expect("off_estimate", {"K", "N", "gamma", "best"}, {64, 6, 6, 10000}, 7683.756027599621);
  expect("off_tau_paper", {"K", "N", "gamma"}, {65, 64, 1}, 104.46158731465876);
  expect("off_tau_exact", {"K", "N", "gamma"}, {65, 64, 1}, 41.46150896544498);
  expect("lp_paper", {"K", "N", "gamma_p", "c", "best", "p"}, {64, 8, std::sqrt(8.0), 1, 100, 2}, 1640.0925080394484);
  // N = 4, p = 2: C = 2c = 1 and phi = 4: 4 * 3 * sqrt(8) + 3 * 4 * 3.
  expect("lp_simple", {"N", "gamma_p", "c", "best", "p"}, {4, 3, 0.5, 8, 2}, 24 * std::sqrt(2.0) + 36);
  expect("one_sided", {"N", "gamma", "c", "best"}, {6, 6, 1, 0}, 36 * std::exp(1.0));
  expect("emax_paper", {"K", "N"}, {65, 64}, 23.11539682866469);
  expect("emax_centred", {"K", "N"}, {1000, 200}, 52.565217697569324);
  expect("emax_bits", {"N"}, {3}, 1.5);
  expect("emax_prefix", {"m"}, {64}, 8.079805889931952);
  expect("emax_identity", {"K"}, {65}, 4.066128338530439);
  expect("emax_lp_paper", {"K", "N", "p"}, {64, 8, kInfinity}, 155.26496844542774);
  expect("emax_lp_simple", {"N", "p"}, {8, 2}, 11.313708498984761);
}

TEST(NamedBounds, RefuseParametersOutsideTheirRange) {
  EXPECT_EQ(refusal("thm1_simple", {1, 1, 1, 0}), "none");
  EXPECT_EQ(refusal("thm1_simple", {1, 0, 1, 0}), "none");
  EXPECT_EQ(refusal("thm1_simple", {-1, 1, 1, 0}), "H105 params.M");
  EXPECT_EQ(refusal("thm1_simple", {1, -0.5, 1, 0}), "H105 params.gamma");
  EXPECT_EQ(refusal("thm1_simple", {1, 1, 0, 0}), "H105 params.c");
  EXPECT_EQ(refusal("thm1_simple", {1, 1, 1, kInfinity}), "H105 params.best");
  EXPECT_EQ(refusal("thm1_simple", {1, 1, NAN, 0}), "H105 params.c");
  EXPECT_EQ(refusal("emax_identity", {1e30}), "none");
  EXPECT_EQ(refusal("emax_identity", {0}), "H105 params.K");
  EXPECT_EQ(refusal("emax_identity", {2.5}), "H105 params.K");
  EXPECT_EQ(refusal("emax_prefix", {-1}), "H105 params.m");
  EXPECT_EQ(refusal("emax_lp_simple", {2, kInfinity}), "none");
  EXPECT_EQ(refusal("emax_lp_simple", {2, 0.5}), "H105 params.p");
  EXPECT_EQ(refusal("emax_lp_simple", {2, NAN}), "H105 params.p");
}

TEST(NamedTrajectory, GivesTheListAfterEachRound) {
  EXPECT_EQ(trajectory_params().size(), 3u);
  const std::vector<double> path = {0.5, 1, 1, 2};
  EXPECT_EQ(evaluate_trajectory(std::vector<double>{1, 2, 1}, path),
            bounds::trajectory({.M = 1, .gamma = 2, .c = 1}, path));
  EXPECT_TRUE(evaluate_trajectory(std::vector<double>{1, 2, 1}, {}).empty());
}

TEST(NamedTrajectory, RefusesAPathThatFallsAndSaysWhere) {
  const std::vector<double> scalars = {1, 2, 1};
  try {
    evaluate_trajectory(scalars, std::vector<double>{0.5, 1, 0.75});
    FAIL() << "a falling path was accepted";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Code::kOutOfRange);
    EXPECT_EQ(error.at(), "params.best[2]");
    EXPECT_EQ(error.message(), "found 0.75, expected at least 1, the value before it");
  }
  EXPECT_THROW(evaluate_trajectory(scalars, std::vector<double>{-0.5}), Error);
  EXPECT_THROW(evaluate_trajectory(std::vector<double>{1, 2, 0}, std::vector<double>{0.5}), Error);
}

}  // namespace
}  // namespace hannan::detail

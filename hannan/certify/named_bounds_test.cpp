#include "hannan/certify/named_bounds.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <set>
#include <string>
#include <vector>

#include "hannan/certify/bounds.hpp"
#include "hannan/certify/run_bounds.hpp"
#include "hannan/core/error.hpp"

namespace hannan::detail {
namespace named_bounds_test {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

BoundValue value(std::string_view name, const std::vector<double>& numbers, const std::vector<double>& list = {}) {
  const NamedBound* bound = find_bound(name);
  EXPECT_NE(bound, nullptr) << name;
  return bound == nullptr ? NAN : evaluate_bound(*bound, numbers, list);
}

// Code and place of the error, "none" if there is none.
std::string refusal(std::string_view name, const std::vector<double>& numbers, const std::vector<double>& list = {}) {
  try {
    value(name, numbers, list);
  } catch (const Error& error) {
    return code_name(error.code()) + " " + error.at();
  }
  return "none";
}

TEST(NamedBounds, ServeEveryNameOnceWithItsParameters) {
  std::set<std::string_view> names;
  for (const NamedBound& bound : named_bounds()) {
    SCOPED_TRACE(bound.name);
    EXPECT_TRUE(names.insert(bound.name).second);
    std::vector<double> numbers;
    for (const std::string_view param : bound.params) {
      numbers.push_back(param == "discount" || param == "delta" ? 0.5 : 1);
    }
    const std::vector<double> list(bound.list.empty() ? 0 : 3, 1);
    const BoundValue found = evaluate_bound(bound, numbers, list);
    const bool each_round = std::holds_alternative<std::vector<double>>(found);
    const auto all = each_round ? std::get<std::vector<double>>(found) : std::vector<double>{std::get<double>(found)};
    EXPECT_EQ(all.size(), each_round ? list.size() : 1);
    for (const double one : all) EXPECT_TRUE(std::isfinite(one));
  }
  EXPECT_EQ(names.size(), 22u + 18u + 4u + 2u + 7u);
  EXPECT_EQ(find_bound("thm2"), nullptr);
}

TEST(NamedBounds, SayWhatTheyTake) {
  EXPECT_EQ(params_text(*find_bound("ada")), "M gamma best");
  EXPECT_EQ(params_text(*find_bound("trajectory")), "M gamma c best[]");
  EXPECT_EQ(params_text(*find_bound("ada2_range")), "M gamma ranges[]");
}

TEST(NamedBounds, ReadTheirParametersInTheStatedOrder) {
  const auto expect = [](std::string_view name, std::vector<std::string_view> params, const std::vector<double>& values,
                         double expected) {
    SCOPED_TRACE(name);
    const NamedBound* bound = find_bound(name);
    ASSERT_NE(bound, nullptr);
    EXPECT_EQ(bound->params, params);
    EXPECT_EQ(bound->list, "");
    EXPECT_NEAR(std::get<double>(evaluate_bound(*bound, values)), expected, 1e-9 * std::max(1.0, std::abs(expected)));
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
  expect("off_tau_tight", {"M", "gamma", "c"}, {3, 6, 1}, 2.4729768379373525);
  // Second part. By hand where the comment says so.
  expect("tight2", {"M", "gamma", "c", "best"}, {4, 1, 1.5, 10}, 18.901013501646066);
  expect("simple2", {"M", "gamma", "c", "best"}, {2, 0.5, 0.3, 1000}, 343.02802704413153);
  expect("one_sided2", {"N", "gamma", "c", "best"}, {3, 6, 1, 1000}, 347.0520678424318);  // tight2 at M = N
  // N = 4, p = 2: C = 2c = 1 and phi = 4: 1.17 * 3 * sqrt(8) + 1.6 * 4 * 3.
  expect("lp_simple2", {"N", "gamma_p", "c", "best", "p"}, {4, 3, 0.5, 8, 2}, 7.02 * std::sqrt(2.0) + 19.2);
  expect("ada2", {"M", "gamma", "best"}, {2, 0.5, 1000}, 69.24555320336759);
  // 5.64 sqrt(6 * 4) + 32 * 6 + 6.64 with L* + 1 = 4.
  expect("flipflop2", {"M", "gamma", "best", "leader_regret"}, {3, 2, 3, 1e9}, 5.64 * std::sqrt(24.0) + 192 + 6.64);
  // gamma M b = 12, L + b = 5: 5.64 sqrt(60) + 384 + 13.28; the other branch 5.64 * 7 + 7.46.
  expect("flipflop2_range", {"M", "gamma", "best", "leader_regret", "range"}, {3, 2, 3, 1e9, 2},
         5.64 * std::sqrt(60.0) + 384 + 13.28);
  expect("flipflop2_range", {"M", "gamma", "best", "leader_regret", "range"}, {3, 2, 3, 7, 2}, 5.64 * 7 + 7.46);
  expect("discounted", {"M", "gamma", "discount", "rounds"}, {0.5, 1, 0.9, 100}, 5.244428421470767);
  expect("tracking", {"M", "gamma", "discount", "rounds", "switches"}, {0.5, 1, 0.99, 100, 3}, 320.9299373432597);
  // 2 sqrt(2 * 6 * 3 * 4) + 8 * 6 * 3 + 4 * 5 + 2.
  expect("delayed", {"M", "gamma", "best", "missing", "open"}, {3, 2, 4, 2, 5}, 24 + 144 + 22);
  // 2 sqrt(2 * 6 * (10 + 2)) + 4 * 5 + 2.
  expect("delayed_total", {"M", "gamma", "rounds", "missing", "open"}, {3, 2, 10, 2, 5}, 24 + 22);
  // ge = 2 + 2 * 0.5 = 3, q = 10 * 0.1 = 1: 2 (sqrt(9 * 4) + 18 + 3) + 1.
  expect("inexact_ada", {"M", "gamma", "best", "sigma", "tol", "rounds"}, {3, 2, 3, 5, 0.1, 10}, 55);
  expect("sum_upper", {"S", "delta"}, {3, 0.04}, 11.036877558142795);
  // Least at j = 0, where -ln w_0 = ln 3: (3 + ln 75)/(1 - 1/e) = 11.58.
  expect("sum_upper_range", {"S", "b", "delta"}, {3, 1, 0.04}, (3 + std::log(75.0)) / (1 - std::exp(-1.0)));
  // 5 + sqrt(7 (2 + 1/9) (2 ln 25 + ln 19)).
  expect("moves_upper", {"W", "Q", "delta", "rho2", "M"}, {5, 2, 0.04, 7, 3},
         5 + std::sqrt(7 * 19.0 / 9 * (2 * std::log(25.0) + std::log(19.0))));
  // a = 4 ln 2 2 3, b0 = 2 (4/3 ln 2 + 2).
  const double a = 24 * std::log(2.0), b0 = 8.0 / 3 * std::log(2.0) + 4;
  expect("mix", {"B", "k", "levels"}, {7, 2, 3}, b0 + a / 2 + std::sqrt(a * a / 4 + a * (7 + b0)));
  // Without mixing: 2 sqrt(2 2 3 5 7) + 5 (48 + 2) + 11, and 5.64 sqrt(2 2 3 5 12) + 5 (384 + 7) + 11.
  std::vector<std::string_view> names{"kind", "n", "k", "levels", "gamma", "M", "best", "wait"};
  expect("segments", names, {0, 5, 0, 0, 2, 3, 7, 11}, 2 * std::sqrt(420.0) + 250 + 11);
  expect("segments", names, {1, 5, 0, 0, 2, 3, 7, 11}, 5.64 * std::sqrt(720.0) + 5 * 391 + 11);
  // Two orders of columns: ln 3 in place of ln 2; one order is the plain form.
  const double a3 = 4 * std::log(3.0) * 6, b3 = 2 * (4.0 / 3 * std::log(3.0) + 2);
  const double mixed = b3 + a3 / 2 + std::sqrt(a3 * a3 / 4 + a3 * (7 + b3));
  expect("mix_orders", {"B", "k", "levels", "J"}, {7, 2, 3, 2}, mixed);
  expect("mix_orders", {"B", "k", "levels", "J"}, {7, 2, 3, 1}, b0 + a / 2 + std::sqrt(a * a / 4 + a * (7 + b0)));
  names.emplace_back("J");
  // ada with gamma M = 0: the learners of one leaf cost 2; best 5, and 2 + 5 is what is mixed.
  expect("segments_orders", names, {0, 1, 2, 3, 0, 3, 5, 0, 2}, 2 + mixed);
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

TEST(NamedBounds, RefuseParametersOfTheSecondPartOutsideTheirRange) {
  EXPECT_EQ(refusal("discounted", {1, 1, 1, 10}), "none");
  EXPECT_EQ(refusal("discounted", {1, 1, 1e-300, 0}), "none");
  EXPECT_EQ(refusal("discounted", {1, 1, 0, 10}), "H105 params.discount");
  EXPECT_EQ(refusal("discounted", {1, 1, 1.5, 10}), "H105 params.discount");
  EXPECT_EQ(refusal("discounted", {1, 1, NAN, 10}), "H105 params.discount");
  EXPECT_EQ(refusal("discounted", {1, 1, 0.5, -1}), "H105 params.rounds");
  EXPECT_EQ(refusal("tracking", {1, 1, 1, 10, 0}), "H105 params.discount");
  EXPECT_EQ(refusal("tracking", {1, 1, 0.5, 10, -1}), "H105 params.switches");
  EXPECT_EQ(refusal("delayed", {1, 1, 1, -1, 0}), "H105 params.missing");
  EXPECT_EQ(refusal("delayed", {1, 1, 1, 0, -1}), "H105 params.open");
  EXPECT_EQ(refusal("inexact_ada", {1, 1, 1, -1, 0, 1}), "H105 params.sigma");
  EXPECT_EQ(refusal("inexact_ada", {1, 1, 1, 0, -1, 1}), "H105 params.tol");
  EXPECT_EQ(refusal("flipflop2_range", {1, 1, 1, 1, -1}), "H105 params.range");
  EXPECT_EQ(refusal("sum_upper", {0, 1e-300}), "none");
  EXPECT_EQ(refusal("sum_upper", {0, 0}), "H105 params.delta");
  EXPECT_EQ(refusal("sum_upper", {0, 1}), "H105 params.delta");
  EXPECT_EQ(refusal("sum_upper", {0, NAN}), "H105 params.delta");
  EXPECT_EQ(refusal("sum_upper", {-1, 0.5}), "H105 params.S");
  EXPECT_EQ(refusal("sum_upper", {1e10, 0.5}), "H105 params.S");  // the series would take minutes
  EXPECT_EQ(refusal("sum_upper_range", {1e10, 1, 0.5}), "none");
  EXPECT_EQ(refusal("sum_upper_range", {1, -1, 0.5}), "H105 params.b");
  EXPECT_EQ(refusal("moves_upper", {0, 0, 0.5, 1, 0}), "H105 params.M");  // it divides by M
  EXPECT_EQ(refusal("moves_upper", {-1, 0, 0.5, 1, 1}), "H105 params.W");
}

TEST(NamedLists, GiveANumberARoundOrOneForAll) {
  const std::vector<double> path = {0.5, 1, 1, 2};
  EXPECT_EQ(value("trajectory", {1, 2, 1}, path), BoundValue(bounds::trajectory({.M = 1, .gamma = 2, .c = 1}, path)));
  EXPECT_EQ(value("trajectory2", {1, 2, 1}, path), BoundValue(bounds::trajectory2({.M = 1, .gamma = 2, .c = 1}, path)));
  EXPECT_EQ(value("inexact_gftpl", {1, 2, 1, 3, 0.25}, path),
            BoundValue(bounds::inexact_gftpl({.M = 1, .gamma = 2, .c = 1}, {.sigma = 3, .tol = 0.25}, path)));
  EXPECT_EQ(value("trajectory", {1, 2, 1}), BoundValue(std::vector<double>{}));
  // 2 sqrt(2 * 3 * (9 + 16)) + 2 * 4; ranges may fall.
  EXPECT_NEAR(std::get<double>(value("ada2_range", {3, 2}, {4, 3})), 10 * std::sqrt(6.0) + 8, 1e-12);
  EXPECT_EQ(value("ada2_range", {3, 2}), BoundValue(0.0));
}

TEST(NamedLists, RefuseEntriesOutsideTheirRange) {
  EXPECT_EQ(refusal("trajectory", {1, 2, 1}, {-0.5}), "H105 params.best[0]");
  EXPECT_EQ(refusal("trajectory", {1, 2, 1}, {0, kInfinity}), "H105 params.best[1]");
  EXPECT_EQ(refusal("trajectory2", {1, 2, 0}, {0.5}), "H105 params.c");
  EXPECT_EQ(refusal("trajectory2", {1, 2, 1}, {0.5, 1, 0.75}), "H105 params.best[2]");
  EXPECT_EQ(refusal("inexact_gftpl", {1, 2, 1, 1, 1}, {0.5, 0.25}), "H105 params.best[1]");
  EXPECT_EQ(refusal("inexact_gftpl", {1, 0, 1e12, 1, 1}, {0.5}), "H105 params.tol");  // e^(10^12)
  EXPECT_EQ(refusal("ada2_range", {1, 1}, {1, -1}), "H105 params.ranges[1]");
  EXPECT_EQ(refusal("ada2_range", {1, 1}, {NAN}), "H105 params.ranges[0]");
}

TEST(NamedLists, SayWhichValueOfAPathFalls) {
  try {
    value("trajectory", {1, 2, 1}, {0.5, 1, 0.75});
    FAIL() << "a falling path was accepted";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Code::kOutOfRange);
    EXPECT_EQ(error.at(), "params.best[2]");
    EXPECT_EQ(error.message(), "found 0.75, expected at least 1, the value before it");
  }
}

}  // namespace named_bounds_test
}  // namespace hannan::detail

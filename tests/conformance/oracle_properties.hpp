// What every oracle keeps: it agrees with enumeration, and pool, rest and floor are true.
#pragma once

#include <limits>

#include "tests/conformance/setting.hpp"

namespace hannan::detail::conformance {

template <class P>
class OracleConformance : public ::testing::Test {
 public:
  using Data = Dataset<typename P::Outcome>;
  using Any = std::shared_ptr<const AnyOracle<P>>;

  static Signs signs_of(const AnyOracle<P>& oracle) {
    return oracle.takes_negative_weights() ? Signs::kBoth : Signs::kNonNegative;
  }

  static std::unique_ptr<AnyHistory<P>> history(const AnyOracle<P>& oracle, const Data& data) {
    auto held = oracle.empty();
    for (const auto& [weight, y] : data) held->add(y, weight);
    return held;
  }

  // Everything an answer claims, against the value of every action. Values may be off by one constant
  // where noise was poured, so `constant` is what the answer adds to ours.
  static void judge(const Setting<P>& s, const Answer<typename P::Action>& answer, const std::vector<double>& values,
                    std::size_t keep, double constant) {
    const std::size_t chosen = first_of_the_best(values);
    const double least = *std::min_element(values.begin(), values.end()) + constant;
    ASSERT_TRUE(answer.proven()) << "left unproven " << answer.unproven();
    ASSERT_EQ(answer.action, s.actions[chosen]);
    ASSERT_NEAR(answer.value, values[chosen] + constant, kRounding);
    ASSERT_LE(answer.floor, least + kRounding);
    if (keep == 0) return;

    std::vector<bool> pooled(s.actions.size(), false);
    ASSERT_EQ(answer.pool.size(), std::min(keep, s.actions.size()));
    ASSERT_EQ(answer.pool[0].action, answer.action);
    for (std::size_t i = 0; i < answer.pool.size(); ++i) {
      const auto at = std::lower_bound(s.actions.begin(), s.actions.end(), answer.pool[i].action);
      ASSERT_TRUE(at != s.actions.end() && *at == answer.pool[i].action);
      const auto k = static_cast<std::size_t>(at - s.actions.begin());
      ASSERT_FALSE(pooled[k]) << "an action stands in the pool twice";
      pooled[k] = true;
      ASSERT_NEAR(answer.pool[i].value, values[k] + constant, kRounding);
      if (i > 1) {
        ASSERT_LE(answer.pool[i - 1].value, answer.pool[i].value + kRounding) << "the best come first";
      }
    }
    double outside = std::numeric_limits<double>::infinity();
    for (std::size_t k = 0; k < values.size(); ++k) {
      if (!pooled[k]) outside = std::min(outside, values[k] + constant);
    }
    ASSERT_LE(answer.rest, outside + kRounding);
    if (!std::isfinite(outside)) {
      ASSERT_EQ(answer.rest, std::numeric_limits<double>::infinity());
    }
    for (const auto& ranked : answer.pool) {  // the pool holds the best: no action outside beats a member
      ASSERT_GE(outside, ranked.value - kRounding);
    }
  }
};
TYPED_TEST_SUITE_P(OracleConformance);

TYPED_TEST_P(OracleConformance, AgreesWithEnumerationOnRandomDataOfAllowedSigns) {
  using Suite = OracleConformance<TypeParam>;
  on_every_instance<TypeParam>([](const auto& s) {
    for (const auto& oracle : TypeParam::oracles(s.problem)) {
      SCOPED_TRACE(oracle->name());
      const auto nothing = oracle->empty();
      for (std::uint64_t i = 0; i < 150; ++i) {
        SCOPED_TRACE("data set " + std::to_string(i));
        const auto data = random_data(s, i, Suite::signs_of(*oracle));
        const auto held = Suite::history(*oracle, data);
        const std::size_t keep = i % 4 == 3 ? s.actions.size() + 1 : i % 4 * 2;
        Suite::judge(s, oracle->best({*held, *nothing, 0.0}, keep), s.sums(data), keep, 0.0);
        if (::testing::Test::HasFatalFailure()) return;
      }
    }
  });
}

TYPED_TEST_P(OracleConformance, AgreesWithEnumerationUnderNoiseOfEveryPerturbation) {
  using Suite = OracleConformance<TypeParam>;
  on_every_instance<TypeParam>([](const auto& s) {
    for (const auto& oracle : TypeParam::oracles(s.problem)) {
      for (const auto& matrix : TypeParam::perturbations(s.problem)) {
        SCOPED_TRACE(oracle->name() + " under " + matrix->name());
        for (std::uint64_t i = 0; i < 60; ++i) {
          const auto data = random_data(s, i, Suite::signs_of(*oracle));
          const auto held = Suite::history(*oracle, data);
          const auto alpha = random_alpha(matrix->columns(), i);
          const double scale = 0.25 * static_cast<double>(i % 7);
          auto noise = oracle->empty();
          if (oracle->takes_tables()) {
            matrix->pour(alpha, *noise);
          } else if (!matrix->pour_data(alpha, *noise,
                                        oracle->takes_negative_weights() ? Weights::kAnySign : Weights::kNonNegative)) {
            continue;  // no such data sets: the learner refuses this pair
          }
          auto values = s.sums(data);
          const auto tilts = s.tilts(*matrix, alpha);
          for (std::size_t k = 0; k < values.size(); ++k) values[k] += scale * tilts[k];
          const std::size_t keep = i % 3 * 3;
          const auto answer = oracle->best({*held, *noise, scale}, keep);
          // The constant is measured at the choice; every other claim must then fit it.
          const auto at = std::lower_bound(s.actions.begin(), s.actions.end(), answer.action);
          ASSERT_TRUE(at != s.actions.end() && *at == answer.action);
          const double constant = answer.value - values[static_cast<std::size_t>(at - s.actions.begin())];
          Suite::judge(s, answer, values, keep, constant);
          if (::testing::Test::HasFatalFailure()) return;
        }
      }
    }
  });
}

TYPED_TEST_P(OracleConformance, OrderAndMergingOfOutcomesDoNotMatter) {
  using Suite = OracleConformance<TypeParam>;
  on_every_instance<TypeParam>([](const auto& s) {
    for (const auto& oracle : TypeParam::oracles(s.problem)) {
      SCOPED_TRACE(oracle->name());
      const auto nothing = oracle->empty();
      for (std::uint64_t i = 0; i < 40; ++i) {
        auto data = random_data(s, i, Suite::signs_of(*oracle));
        for (std::uint64_t j = 0; j < 3; ++j) data.push_back({1.0, s.outcome(j)});
        typename Suite::Data apart(data.rbegin(), data.rend());  // backwards, every weight in two parts
        const std::size_t size = apart.size();
        for (std::size_t j = 0; j < size; ++j) {
          apart[j].weight /= 2;
          apart.push_back(apart[j]);
        }
        const auto one = Suite::history(*oracle, data), other = Suite::history(*oracle, apart);
        const auto a = oracle->best({*one, *nothing, 0.0}, 4), b = oracle->best({*other, *nothing, 0.0}, 4);
        ASSERT_EQ(a.action, b.action);
        ASSERT_NEAR(a.value, b.value, kRounding);
        ASSERT_EQ(a.pool.size(), b.pool.size());
        for (std::size_t j = 0; j < a.pool.size(); ++j) ASSERT_NEAR(a.pool[j].value, b.pool[j].value, kRounding);
      }
    }
  });
}

// As a learner with a discount uses it: scaled, added to, searched, scaled again.
TYPED_TEST_P(OracleConformance, ScaledHistoryIsThatOfScaledWeights) {
  using Suite = OracleConformance<TypeParam>;
  on_every_instance<TypeParam>([](const auto& s) {
    for (const auto& oracle : TypeParam::oracles(s.problem)) {
      SCOPED_TRACE(oracle->name());
      ASSERT_TRUE(oracle->scales());
      const auto nothing = oracle->empty();
      for (std::uint64_t i = 0; i < 20; ++i) {
        SCOPED_TRACE("data set " + std::to_string(i));
        const double factor = i % 3 == 0 ? 0.5 : i % 3 == 1 ? 0.9 : 3.0;
        auto data = random_data(s, i, Suite::signs_of(*oracle));
        const auto held = Suite::history(*oracle, data);
        for (std::uint64_t j = 0; j < 3; ++j) {
          held->scale(factor);
          for (auto& point : data) point.weight *= factor;
          held->add(s.outcome(i + j), 1.0);
          data.push_back({1.0, s.outcome(i + j)});
          Suite::judge(s, oracle->best({*held, *nothing, 0.0}, 3), s.sums(data), 3, 0.0);
          if (::testing::Test::HasFatalFailure()) return;
        }
      }
      if (!oracle->takes_tables()) continue;
      for (const auto& matrix : TypeParam::perturbations(s.problem)) {
        SCOPED_TRACE(matrix->name());
        const auto alpha = random_alpha(matrix->columns(), 3);
        const auto twice = oracle->empty(), noise = oracle->empty();
        matrix->pour(alpha, *noise);
        matrix->pour(alpha, *twice);
        twice->scale(2.0);
        const auto data = Suite::history(*oracle, random_data(s, 4, Suite::signs_of(*oracle)));
        const auto one = oracle->best({*data, *twice, 0.5}, 1), other = oracle->best({*data, *noise, 1.0}, 1);
        ASSERT_EQ(one.action, other.action);
        ASSERT_NEAR(one.value, other.value, kRounding);
      }
    }
  });
}

TYPED_TEST_P(OracleConformance, ClearedHistoryIsAnEmptyOne) {
  using Suite = OracleConformance<TypeParam>;
  on_every_instance<TypeParam>([](const auto& s) {
    for (const auto& oracle : TypeParam::oracles(s.problem)) {
      const auto nothing = oracle->empty();
      const auto held = Suite::history(*oracle, random_data(s, 5, Suite::signs_of(*oracle)));
      held->add(s.outcome(0), 3.0);
      for (const auto& matrix : TypeParam::perturbations(s.problem)) {
        if (oracle->takes_tables()) matrix->pour(random_alpha(matrix->columns(), 1), *held);
      }
      held->clear();
      const auto answer = oracle->best({*held, *nothing, 0.0}, 1);
      EXPECT_EQ(answer.action, s.actions[0]);
      EXPECT_EQ(answer.value, 0.0);
    }
  });
}

REGISTER_TYPED_TEST_SUITE_P(OracleConformance, AgreesWithEnumerationOnRandomDataOfAllowedSigns,
                            AgreesWithEnumerationUnderNoiseOfEveryPerturbation, OrderAndMergingOfOutcomesDoNotMatter,
                            ScaledHistoryIsThatOfScaledWeights, ClearedHistoryIsAnEmptyOne);

}  // namespace hannan::detail::conformance

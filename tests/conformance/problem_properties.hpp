// What every problem keeps: losses in their range, actions in order, and JSON that comes back as it went out.
#pragma once

#include <span>

#include "hannan/core/error.hpp"
#include "hannan/core/rows.hpp"
#include "hannan/io/fields.hpp"
#include "tests/conformance/setting.hpp"

namespace hannan::detail::conformance {

template <class P>
class ProblemConformance : public ::testing::Test {};
TYPED_TEST_SUITE_P(ProblemConformance);

// [0,1], or what the problem says of the outcome.
TYPED_TEST_P(ProblemConformance, LossesLieInTheirRange) {
  on_every_instance<TypeParam>([](const auto& s) {
    const bool unit = !has_unknown_range(*s.problem);
    for (const auto& y : s.outcomes(200)) {
      const LossSpread spread = loss_spread(*s.problem, y);
      for (const auto& x : s.actions) {
        const double loss = s.problem->loss(x, y);
        // A quotient may round by one unit in the last place beyond the end.
        const double rounding = 1e-12 * std::max(1.0, std::abs(loss));
        ASSERT_TRUE(loss >= spread.least - rounding && loss <= spread.most + rounding)
            << loss << " on " << dump(Codec<TypeParam>::outcome_json(*s.problem, y));
        ASSERT_TRUE(!unit || (loss >= -1e-12 && loss <= 1 + 1e-12))
            << loss << " on " << dump(Codec<TypeParam>::outcome_json(*s.problem, y));
      }
    }
  });
}

TYPED_TEST_P(ProblemConformance, NoActionIsBelowTheLeastLossAndPreparingChangesNothing) {
  on_every_instance<TypeParam>([](const auto& s) {
    for (const auto& y : s.outcomes(200)) {
      const double least = least_loss(*s.problem, y);
      for (const auto& x : s.actions) {
        ASSERT_GE(s.problem->loss(x, y), least - 1e-12) << dump(Codec<TypeParam>::outcome_json(*s.problem, y));
        if constexpr (Preparing<TypeParam>) {
          ASSERT_EQ(s.problem->loss_prepared(x, s.problem->prepare(y)), s.problem->loss(x, y));
        }
      }
    }
  });
}

TYPED_TEST_P(ProblemConformance, ActionsAreListedOnceInOrderAndCounted) {
  on_every_instance<TypeParam>([](const auto& s) {
    ASSERT_FALSE(s.actions.empty());
    for (std::size_t k = 1; k < s.actions.size(); ++k) ASSERT_LT(s.actions[k - 1], s.actions[k]);
    EXPECT_NEAR(s.problem->ln_size(), std::log(static_cast<double>(s.actions.size())), 1e-9);
    if constexpr (Enumerable<TypeParam>) {
      ASSERT_EQ(s.problem->size(), s.actions.size());
      for (std::size_t k = 0; k < s.actions.size(); ++k) ASSERT_EQ(s.problem->action(k), s.actions[k]);
    }
    if constexpr (requires { s.problem->action_count(); }) {
      EXPECT_EQ(s.problem->action_count(), static_cast<double>(s.actions.size()));
      EXPECT_EQ(s.problem->first_actions(2).size(), std::min<std::size_t>(2, s.actions.size()));
    }
  });
}

TYPED_TEST_P(ProblemConformance, AccumulatingEqualsAddingLossByLoss) {
  on_every_instance<TypeParam>([](const auto& s) {
    if constexpr (Accumulating<TypeParam>) {
      std::vector<double> totals(s.actions.size(), 0.0);
      Dataset<typename TypeParam::Outcome> data;
      for (std::uint64_t i = 0; i < 50; ++i) {
        const double weight = static_cast<double>(i % 5) - 1.5;
        data.push_back({weight, s.outcome(i)});
        s.problem->accumulate(data.back().outcome, weight, std::span<double>(totals));
      }
      const auto wanted = s.sums(data);
      for (std::size_t k = 0; k < totals.size(); ++k) ASSERT_NEAR(totals[k], wanted[k], kRounding);
    }
  });
}

TYPED_TEST_P(ProblemConformance, JsonOfActionsOutcomesAndParamsComesBackTheSame) {
  on_every_instance<TypeParam>([](const auto& s) {
    const auto again = [](const Json& json) { return parse_json(dump(json)); };  // through text
    for (const auto& x : s.actions)
      ASSERT_EQ(
          Codec<TypeParam>::parse_action(*s.problem, again(Codec<TypeParam>::action_json(*s.problem, x)), "action"), x);
    for (const auto& y : s.outcomes(100)) {
      const Json json = Codec<TypeParam>::outcome_json(*s.problem, y);
      const auto back = Codec<TypeParam>::parse_outcome(*s.problem, again(json), "outcome");
      ASSERT_TRUE(back == y) << dump(json);
      ASSERT_EQ(dump(Codec<TypeParam>::outcome_json(*s.problem, back)), dump(json));
    }
    const Json params = Codec<TypeParam>::params(*s.problem);
    Fields fields(params, "params");
    const auto rebuilt = Codec<TypeParam>::parse(fields);
    fields.done();
    EXPECT_EQ(dump(Codec<TypeParam>::params(*rebuilt)), dump(params));
    EXPECT_EQ(all_actions(*rebuilt), s.actions);
    for (const auto& y : s.outcomes(20)) {
      for (const auto& x : s.actions) ASSERT_EQ(rebuilt->loss(x, y), s.problem->loss(x, y));
    }
  });
}

TYPED_TEST_P(ProblemConformance, ARowOfNumbersIsTheSameOutcomeAsItsJson) {
  on_every_instance<TypeParam>([](const auto& s) {
    for (std::uint64_t i = 0; i < 100; ++i) {
      const Json json = outcome_of(s.instance, i);
      std::vector<double> row;
      if (json.is_number()) row.push_back(json.as_number());
      for (std::size_t j = 0; json.is_array() && j < json.size(); ++j) {
        if (json[j].is_number()) row.push_back(json[j].as_number());
      }
      // Nested outcomes and those with more numbers than a row are not rows.
      if (row_width(*s.problem) == 0 || row.size() != row_width(*s.problem)) continue;
      typename TypeParam::Outcome y{};
      outcome_from_row(*s.problem, row, y);
      ASSERT_TRUE(y == Codec<TypeParam>::parse_outcome(*s.problem, json, "outcome")) << dump(json);
    }
  });
}

TYPED_TEST_P(ProblemConformance, RefusesWhatIsNoActionAndNoOutcome) {
  on_every_instance<TypeParam>([](const auto& s) {
    for (const char* text : {"null", "true", "\"no\"", "-1", "1e300", "[[[]]]", "{\"no\":1}", "[2,2,2,2,2,2,2,2,2]"}) {
      EXPECT_THROW(Codec<TypeParam>::parse_action(*s.problem, parse_json(text), "action"), Error) << text;
      EXPECT_THROW(Codec<TypeParam>::parse_outcome(*s.problem, parse_json(text), "outcome"), Error) << text;
    }
  });
}

REGISTER_TYPED_TEST_SUITE_P(ProblemConformance, LossesLieInTheirRange,
                            NoActionIsBelowTheLeastLossAndPreparingChangesNothing,
                            ActionsAreListedOnceInOrderAndCounted, AccumulatingEqualsAddingLossByLoss,
                            JsonOfActionsOutcomesAndParamsComesBackTheSame, ARowOfNumbersIsTheSameOutcomeAsItsJson,
                            RefusesWhatIsNoActionAndNoOutcome);

}  // namespace hannan::detail::conformance

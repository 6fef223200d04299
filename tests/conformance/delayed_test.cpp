// `ada` with `delayed` on every problem of the registry: where nothing is late it is `ada`, a run saved at any step
// goes on as if it had not been, a refusal changes nothing, and a damaged state is refused or plays on.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "hannan/core/error.hpp"
#include "hannan/runtime/any_problem.hpp"
#include "hannan/runtime/registry.hpp"
#include "hannan/runtime/turns.hpp"
#include "tests/conformance/damaged.hpp"
#include "tests/conformance/instances.hpp"

namespace hannan::detail::conformance {
namespace delayed_test {

// t > 0: act of round t; -t: its outcome. Late, out of order, in batches and in time.
const std::vector<int> kEvents{1,  -1, 2, 3,  -3, 4,  -2, 5,  6,  7,   8,   -8,
                               -6, -7, 9, -9, -4, 10, -5, 11, 12, -12, -11, -10};
constexpr std::size_t kMiddle = 14;  // rounds 4 to 8 are open then, and 6 to 8 have their outcomes

const std::vector<const char*> kLateSettings{R"({"seed":7})", R"({"seed":7,"pool":3,"track":"powers"})",
                                             R"({"seed":7,"draw":"once","track":"end"})"};

std::unique_ptr<DelayedLearner> late_learner(const AnyProblem& problem, const char* settings) {
  return problem.learner<DelayedLearner>("ada", parse_json(settings).set("delayed", true));
}

std::string number_or_none(const std::optional<double>& value) { return value ? number_text(*value) : "-"; }

std::string play_event(DelayedLearner& learner, const Instance& instance, int event) {
  const auto round = static_cast<std::uint64_t>(std::abs(event));
  if (event > 0) return number_text(*learner.act(round).multiplier) + " " + dump(learner.action(round));
  AnyOutcome y;
  learner.game().read_outcome(outcome_of(instance, round), "outcome", y);
  const Round& view = learner.observe(round, y);
  std::string text = number_text(view.loss) + " " + std::to_string(view.settled) + " " +
                     number_text(view.stability.value[0]) + " " + number_text(view.total) + " " +
                     number_or_none(view.best) + " " + number_or_none(view.regret) + " " +
                     std::to_string(view.oracle_calls) + ":";
  for (const double gap : view.gaps) text += " " + number_text(gap);
  return text;
}

class DelayedConformance : public ::testing::TestWithParam<std::string> {
 protected:
  template <class Property>
  void on_every_setting(Property property) {
    for (const Instance& instance : instances_of(GetParam())) {
      const auto problem = make_problem(GetParam(), params_of(instance), "params");
      for (const char* settings : kLateSettings) {
        SCOPED_TRACE(std::string(instance.params) + " " + settings);
        if (problem->game().loss_range() == LossRange::kUnknown) {  // delayed outcomes need losses in [0,1]
          EXPECT_THROW(late_learner(*problem, settings), Error);
          continue;
        }
        property(*problem, instance, settings);
        if (HasFatalFailure()) return;
      }
    }
  }
};

TEST_P(DelayedConformance, IsAdaWhereNothingIsLate) {
  on_every_setting([](const AnyProblem& problem, const Instance& instance, const char* settings) {
    const auto late = late_learner(problem, settings);
    const auto ada = problem.learner("ada", parse_json(settings));
    AnyOutcome y;
    for (std::uint64_t t = 1; t <= 24; ++t) {
      ASSERT_EQ(late->act(t).multiplier, ada->act().multiplier);
      ASSERT_EQ(dump(late->action(t)), dump(ada->action()));
      late->game().read_outcome(outcome_of(instance, t), "outcome", y);
      const Round& found = late->observe(t, y);
      const Round& wanted = ada->observe(y);
      ASSERT_EQ(found.loss, wanted.loss);
      ASSERT_EQ(found.gaps.size(), 1U);
      ASSERT_EQ(found.gaps[0], std::min(1.0, *wanted.gap));
      ASSERT_EQ(found.stability.value[0], wanted.stability.value[0]);
      ASSERT_EQ(found.total, wanted.total);
      ASSERT_EQ(found.best, wanted.best);
      ASSERT_EQ(found.regret, wanted.regret);
      ASSERT_EQ(found.oracle_calls, wanted.oracle_calls);
    }
    const Json found = late->report(), wanted = ada->report();
    for (const char* name : {"rounds", "total", "best", "floor", "oracle_gap", "search_nodes", "best_action"})
      ASSERT_EQ(dump(found.at(name)), dump(wanted.at(name))) << name;
    ASSERT_EQ(found.at("measured").is_number(), wanted.at("measured").is_number());
    if (found.at("measured").is_number()) {
      ASSERT_NEAR(found.at("measured").as_number(), wanted.at("measured").as_number(), 1e-9);
    }
  });
}

TEST_P(DelayedConformance, SavedAtAnyStepItGoesOnAsIfItHadNotBeen) {
  on_every_setting([](const AnyProblem& problem, const Instance& instance, const char* settings) {
    const auto whole = late_learner(problem, settings);
    auto resumed = late_learner(problem, settings);
    for (const int event : kEvents) {
      const std::string text = dump(whole->save());
      ASSERT_EQ(dump(resumed->save()), text);
      resumed = load_learner<DelayedLearner>(parse_json(text));
      whole->report();
      ASSERT_EQ(play_event(*whole, instance, event), play_event(*resumed, instance, event)) << event;
    }
    ASSERT_EQ(dump(whole->save()), dump(resumed->save()));
    ASSERT_EQ(dump(whole->report()), dump(resumed->report()));
    ASSERT_EQ(whole->report().at("rounds").as_number(), 12);
  });
}

TEST_P(DelayedConformance, RefusalChangesNothing) {
  on_every_setting([](const AnyProblem& problem, const Instance& instance, const char* settings) {
    const auto learner = late_learner(problem, settings);
    for (std::size_t i = 0; i < kMiddle; ++i) play_event(*learner, instance, kEvents[i]);
    const std::string before = dump(learner->save());
    for (const int event : {3, 10, -1, -2, -8, -9}) EXPECT_THROW(play_event(*learner, instance, event), Error) << event;
    ASSERT_EQ(dump(learner->save()), before);
    // Who plays in turn is told before the first round.
    const Json params = parse_json(settings).set("delayed", true);
    EXPECT_THROW(problem.learner("ada", params), Error);
    EXPECT_THROW(load_learner(parse_json(before)), Error);
  });
}

TEST_P(DelayedConformance, DamagedStateIsRefusedOrPlaysOn) {
  const Instance instance = instances_of(GetParam()).front();
  const auto problem = make_problem(GetParam(), params_of(instance), "params");
  if (problem->game().loss_range() == LossRange::kUnknown) {
    EXPECT_THROW(late_learner(*problem, R"({"seed":5,"M":1})"), Error);
    return;
  }
  for (const char* settings : {R"({"seed":5,"M":1})", R"({"seed":5,"M":1,"pool":3})"}) {
    const auto learner = late_learner(*problem, settings);
    for (std::size_t i = 0; i < kMiddle; ++i) play_event(*learner, instance, kEvents[i]);
    const Json state = without_digest(learner->save());
    // At most some 400 damages, spread evenly.
    std::size_t refused = 0, count = 0, tried = 0;
    damage_all(state.at("state"), "state", [&](const Json&, const std::string&) { ++count; });
    const std::size_t stride = 1 + count / 400;
    damage_all(state.at("state"), "state", [&](const Json& damaged, const std::string& where) {
      if (tried++ % stride != 0) return;
      SCOPED_TRACE(where);
      Json whole = state;
      whole.set("state", damaged);
      std::unique_ptr<DelayedLearner> loaded;
      try {
        loaded = load_learner<DelayedLearner>(whole);
      } catch (const Error& e) {
        ++refused;
        EXPECT_EQ(e.code(), Code::kBadState) << e.what();
        return;
      }
      dump(loaded->report());
      for (std::size_t i = kMiddle; i < kEvents.size(); ++i) {
        try {
          play_event(*loaded, instance, kEvents[i]);
        } catch (const Error& e) {  // which rounds are open may be among what was changed
          EXPECT_EQ(e.code(), Code::kOutOfRange) << e.what();
        }
      }
      dump(loaded->report());
      dump(loaded->save());
    });
    EXPECT_GT(refused, 100U);
  }
}

std::vector<std::string> all_kinds() {
  std::vector<std::string> names;
  for (const auto& kind : problem_kinds()) names.emplace_back(kind.name);
  return names;
}

std::string name_of(const ::testing::TestParamInfo<std::string>& info) {
  std::string name = info.param;
  for (char& letter : name) letter = letter == '-' ? '_' : letter;
  return name;
}

INSTANTIATE_TEST_SUITE_P(Registry, DelayedConformance, ::testing::ValuesIn(all_kinds()), name_of);

}  // namespace delayed_test
}  // namespace hannan::detail::conformance

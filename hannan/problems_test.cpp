// The built-in problems as users of C++ have them: by name, with texts or rows of numbers.
#include "hannan/problems.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "hannan/hannan.hpp"
#include "hannan/problems/experts/experts.hpp"
#include "hannan/runtime/registry.hpp"

namespace hannan::detail {
namespace problems_test {

// "code place" of the error, or "none".
std::string fault_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const Error& e) {
    return code_name(e.code()) + " " + e.at();
  }
  return "none";
}

TEST(BuiltInProblems, AreMadeByTheNamesOfTheRegistryWithTheParametersOfItsInstances) {
  std::size_t made = 0;
  for (const auto& kind : problem_kinds()) {
    for (const std::string_view params : kind.instances.tested) {
      const auto game = built_in(kind.name, params);
      EXPECT_EQ(game->kind(), kind.name);
      ASSERT_FALSE(game->oracles().empty());
      const auto first = game->first_actions(1);
      ASSERT_EQ(first.size(), 1u);
      EXPECT_EQ(action_of(*game, action_text(*game, first[0])), first[0]);
      ++made;
    }
  }
  EXPECT_GE(made, built_in_names().size());
}

TEST(BuiltInProblems, RefuseBadInputWithItsPlace) {
  EXPECT_EQ(fault_of([] { built_in("experts-of-mine"); }), "H106 kind");
  EXPECT_EQ(fault_of([] { built_in("experts", "{"); }), "H101 line 1, column 2");
  EXPECT_EQ(fault_of([] { built_in("experts", R"({"experts":0})"); }), "H105 params.experts");
  const auto game = built_in("experts", R"({"experts":3})");
  EXPECT_EQ(fault_of([&] { outcome_of(*game, std::vector<double>{0, 1}); }), "H203 outcome");
  EXPECT_EQ(fault_of([&] { outcome_of(*game, "[0, 1, 2]"); }), "H105 outcome[2]");
  EXPECT_EQ(fault_of([&] { outcome_of(*game, "[0, 1, 1]"); }), "none");
  const Game& own = *erased(std::make_shared<const Experts>(2));
  EXPECT_EQ(fault_of([&] { action_text(own, AnyAction::of(Experts::Action{1})); }), "H108 problem");
  EXPECT_EQ(fault_of([&] { action_numbers(own, AnyAction::of(Experts::Action{1})); }), "H108 action");
  EXPECT_EQ(fault_of([&] { outcome_of(own, std::vector<double>{0, 1}); }), "H108 outcome");
}

// The same decisions and the same account as of the typed problem: both are the same learner.
TEST(BuiltInProblems, ArePlayedAsTypedProblemsAre) {
  const auto typed = std::make_shared<const Experts>(3);
  const auto game = built_in("experts", R"({"experts":3})");
  const Key key{.seed = 5};
  const Setting<Experts> typed_setting{typed, Experts::oracles(typed).front(), Experts::perturbations(typed).front(),
                                       seeded(Noise{}, key)};
  const Setting<Game> game_setting{game, game->oracles().front(), game->perturbations().front(), seeded(Noise{}, key)};
  const Draw draws = seeded(Noise{}, key, Purpose::kNoiseSize);
  const double size = noise_size(typed_setting, draws).value;
  EXPECT_EQ(noise_size(game_setting, draws).value, size);
  hannan::Learner<Experts> one(typed_setting, flipflop({.noise_size = size}));
  hannan::Learner<Game> other(game_setting, flipflop({.noise_size = size}));
  for (std::uint64_t t = 1; t <= 200; ++t) {
    const KeyedRandom chance(key, Purpose::kStream, t);
    const std::vector<double> losses = {chance.uniform(0), chance.uniform(1), 0.9 * chance.uniform(2)};
    EXPECT_EQ(action_numbers(*game, other.act()), std::vector<int>{static_cast<int>(one.act())});
    EXPECT_EQ(one.observe(losses), other.observe(outcome_of(*game, losses)));
  }
  EXPECT_EQ(one.rounds(), 200u);
  EXPECT_EQ(one.oracle_calls(), other.oracle_calls());
  EXPECT_EQ(one.total(), other.total());
  EXPECT_EQ(*one.regret(), *other.regret());
  EXPECT_EQ(*one.leader_regret(), *other.leader_regret());
  EXPECT_EQ(action_text(*game, other.best_action()), std::to_string(one.best_action()));
  hannan::Learner<Game> moved = std::move(other);
  EXPECT_EQ(moved.rounds(), 200u);
}

}  // namespace problems_test
}  // namespace hannan::detail

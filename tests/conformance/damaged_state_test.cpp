// A damaged saved state is refused with kBadState, or gives a learner that plays on: never a crash, an action that
// does not exist, or a number that is none.
//
// Every field of the states of every problem and every learner is changed in several ways, one at a time: numbers
// become negative, fractional, huge and infinite, lists lose, repeat and gain elements, fields are left out. The
// digest is dropped first, as in a state of version 0.2; with it every such change is refused.
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "hannan/core/error.hpp"
#include "hannan/learners/learner_params.hpp"
#include "hannan/runtime/any_problem.hpp"
#include "hannan/runtime/registry.hpp"
#include "hannan/runtime/state_digest.hpp"
#include "hannan/runtime/turns.hpp"
#include "tests/conformance/damaged.hpp"
#include "tests/conformance/instances.hpp"

namespace hannan::detail::conformance {
namespace damaged_state_test {

// One setting per history, pool and learner state there is.
const std::vector<std::pair<const char*, const char*>> kSettings{
    {"flipflop", "{}"},
    {"flipflop", R"({"pool":3})"},
    {"gftpl", R"({"gamma":1,"draw":"once","pool":3})"},
    {"off", R"({"gamma":1,"estimator":"trajectory","M":1})"},
    {"off", R"({"gamma":1,"estimator":"realised","feed":"next","pool":2})"},
    {"ada", R"({"track":"powers","M":1})"},
    {"flipflop-hedge", "{}"},
    {"adahedge", "{}"},
    {"fpl", "{}"},
};

class DamagedState : public ::testing::TestWithParam<std::string> {
 protected:
  static std::unique_ptr<PlainLearner> played(const Instance& instance, const char* kind, const char* params,
                                              const std::string& oracle) {
    const auto problem = make_problem(GetParam(), params_of(instance), "params");
    try {
      Json said = parse_json(params);
      if (!oracle.empty()) said.set("oracle", oracle);
      if (takes(kind, "credit_draws")) said.set("credit_draws", 1);  // there are 10^5 reports to make
      auto learner = problem->learner(kind, said.set("seed", 5));
      for (std::uint64_t t = 0; t < 5; ++t) learner->observe(outcome_of(instance, t), "outcome");
      return learner;
    } catch (const Error& e) {
      EXPECT_EQ(e.code(), Code::kUnavailable) << e.what();  // not every learner goes with every problem
      return nullptr;
    }
  }

  static void play_on(PlainLearner& learner, const Instance& instance) {
    dump(learner.report());
    for (std::uint64_t t = 5; t < 6; ++t) {
      learner.act();
      dump(learner.action());
      learner.observe(outcome_of(instance, t), "outcome");
    }
    dump(learner.report());
    dump(learner.save());
  }

  // Every oracle with the default learner, every learner with the default oracle.
  template <class Property>
  void on_states(Property property) {
    ASSERT_FALSE(instances_of(GetParam()).empty()) << GetParam() << ": " << kAddOne;
    std::size_t taken = 0;
    for (const Instance& instance : instances_of(GetParam())) {
      if (++taken > 2) break;
      const Json about = make_problem(GetParam(), params_of(instance), "params")->describe();
      std::vector<std::string> oracles{""};
      for (const Json& name : about.at("oracles").as_array()) oracles.push_back(name.as_string());
      for (const std::string& oracle : oracles) {
        for (const auto& [kind, params] : kSettings) {
          if (!oracle.empty() && (std::string(kind) != "flipflop" || std::string(params) == "{}")) continue;
          SCOPED_TRACE(std::string(instance.params) + " " + kind + " " + params + " " + oracle);
          const auto learner = played(instance, kind, params, oracle);
          if (learner) property(*learner, instance);
          if (HasFatalFailure()) return;
        }
      }
    }
  }
};

TEST_P(DamagedState, IsRefusedOrPlaysOn) {
  std::uint64_t refused = 0, accepted = 0;
  on_states([&](PlainLearner& learner, const Instance& instance) {
    const Json state = without_digest(learner.save());
    load_learner(state);
    learner.report();
    const auto size = learner.known_noise_size();  // measured once, not for every damage
    // At most some 250 damages of one state, spread evenly: there are hundreds of states.
    std::size_t count = 0, tried = 0;
    damage_all(state.at("state"), "state", [&](const Json&, const std::string&) { ++count; });
    const std::size_t stride = 1 + count / 250;
    damage_all(state.at("state"), "state", [&](const Json& damaged, const std::string& where) {
      if (tried++ % stride != 0) return;
      SCOPED_TRACE(where);
      Json whole = state;
      whole.set("state", damaged);
      std::unique_ptr<PlainLearner> read;
      try {
        read = load_learner(whole);
      } catch (const Error& e) {
        ++refused;
        EXPECT_EQ(e.code(), Code::kBadState) << e.what();
        EXPECT_TRUE(e.at().starts_with("state")) << e.what();
        return;
      }
      ++accepted;
      if (size) read->take_noise_size(*size);
      EXPECT_NO_THROW(play_on(*read, instance));
    });
  });
  EXPECT_GT(refused, 100u);
  EXPECT_GT(accepted, 0u);
}

TEST_P(DamagedState, WithADigestEveryChangeIsRefused) {
  on_states([&](PlainLearner& learner, const Instance&) {
    const Json state = learner.save();
    const auto expect_refused = [&](const Json& damaged, const std::string& where) {
      try {
        load_learner(damaged);
        ADD_FAILURE() << where << " was changed and read";
      } catch (const Error& e) {
        EXPECT_EQ(e.code(), Code::kBadState) << e.what();
      }
    };
    for (const char* part : {"problem", "learner", "state"}) {
      int budget = 40;
      damage_all(state.at(part), part, [&](const Json& damaged, const std::string& where) {
        if (--budget < 0) return;
        Json whole = state;
        expect_refused(whole.set(part, damaged), where);
      });
    }
    Json whole = state;
    expect_refused(whole.set("data", "0"), "data");
    EXPECT_NO_THROW(load_learner(sealed(whole)));
  });
}

std::vector<std::string> kinds() {
  std::vector<std::string> names;
  for (const auto& kind : problem_kinds()) names.emplace_back(kind.name);
  return names;
}

std::string test_name(const ::testing::TestParamInfo<std::string>& info) {
  std::string name = info.param;
  for (char& letter : name) letter = letter == '-' ? '_' : letter;
  return name;
}

INSTANTIATE_TEST_SUITE_P(Registry, DamagedState, ::testing::ValuesIn(kinds()), test_name);

}  // namespace damaged_state_test
}  // namespace hannan::detail::conformance

// A round allocates nothing once the room is there, wherever the history is finite: every operator new is counted.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "bench/instances.hpp"
#include "hannan/runtime/any_problem.hpp"
#include "tests/allocation/counting_new.hpp"

namespace hannan {
namespace {

// Allocations of the last 200 of 400 rounds. Turning JSON into an outcome has its own, counted apart.
std::uint64_t count(const AnyProblem& problem, AnyLearner& learner, const std::vector<Json>& outcomes) {
  std::uint64_t learners = 0;
  for (std::size_t t = 0; t < outcomes.size(); ++t) {
    const std::uint64_t start = allocations();
    problem.check_outcome(outcomes[t], "outcome");
    const std::uint64_t parsed = allocations();
    learner.act();
    learner.observe(outcomes[t], "outcome");
    if (t >= outcomes.size() / 2) learners += (allocations() - parsed) - (parsed - start);
  }
  return learners;
}

class Rounds : public ::testing::TestWithParam<const char*> {};

TEST_P(Rounds, AllocateNothingOnceTheRoomIsThere) {
  const auto problem = bench::instance(GetParam(), bench::InstanceSize::kFlat);
  const auto outcomes = bench::deck(*problem, {.count = 400});
  for (const char* learner :
       {R"(leader {})", R"(gftpl {"draw":"fresh"})", R"(gftpl {"draw":"once"})", R"(ada {"draw":"fresh"})",
        R"(ada {"draw":"once"})", R"(flipflop {"draw":"fresh"})", R"(flipflop {"draw":"once"})"}) {
    const std::string text = learner;
    const auto space = text.find(' ');
    const auto face = problem->learner(text.substr(0, space), parse_json(text.substr(space)));
    EXPECT_EQ(count(*problem, *face, outcomes), 0U) << learner;
  }
}

INSTANTIATE_TEST_SUITE_P(Finite, Rounds,
                         ::testing::Values("experts", "finite-game", "vcg-reserves", "multi-unit", "security-game",
                                           "threshold-bidding", "routing", "classification"),
                         [](const auto& at) {
                           std::string name = at.param;
                           for (char& c : name) c = c == '-' ? '_' : c;
                           return name;
                         });

}  // namespace
}  // namespace hannan

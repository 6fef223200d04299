// A round allocates nothing once its buffers have grown, wherever the history is finite: every operator new is counted.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "bench/instances.hpp"
#include "hannan/runtime/any_problem.hpp"
#include "hannan/runtime/turns.hpp"
#include "tests/allocation/counting_new.hpp"

namespace hannan::detail {
namespace rounds_test {

// Allocations of the last 200 of 400 rounds. Turning JSON into an outcome has its own, which do not count.
std::uint64_t count(PlainLearner& learner, const std::vector<Json>& outcomes) {
  std::uint64_t learners = 0;
  AnyOutcome outcome;
  for (std::size_t t = 0; t < outcomes.size(); ++t) {
    learner.game().read_outcome(outcomes[t], "outcome", outcome);
    const std::uint64_t read = allocations();
    learner.act();
    learner.observe(outcome);
    if (t >= outcomes.size() / 2) learners += allocations() - read;
  }
  return learners;
}

// Rows are read without allocating, so that a run from a table allocates nothing at all.
TEST(Rows, AreReadIntoABufferThatIsUsedAgain) {
  const auto problem = bench::instance("vcg-reserves", bench::InstanceSize::kFlat);
  std::vector<double> row(problem->row_width(), 0.5);
  AnyOutcome outcome;
  problem->game().read_row(row, outcome);
  const std::uint64_t start = allocations();
  for (int t = 0; t < 10; ++t) problem->game().read_row(row, outcome);
  EXPECT_EQ(allocations(), start);
}

class Rounds : public ::testing::TestWithParam<const char*> {};

TEST_P(Rounds, AllocateNothingOnceTheirBuffersHaveGrown) {
  const auto problem = bench::instance(GetParam(), bench::InstanceSize::kFlat);
  const auto outcomes = bench::deck(*problem, {.count = 400});
  for (const char* learner :
       {R"(leader {})", R"(gftpl {"draw":"fresh"})", R"(gftpl {"draw":"once"})", R"(ada {"draw":"fresh"})",
        R"(ada {"draw":"once"})", R"(flipflop {"draw":"fresh"})", R"(flipflop {"draw":"once"})"}) {
    const std::string text = learner;
    const auto space = text.find(' ');
    const auto made = problem->learner(text.substr(0, space), parse_json(text.substr(space)));
    EXPECT_EQ(count(*made, outcomes), 0U) << learner;
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

}  // namespace rounds_test
}  // namespace hannan::detail

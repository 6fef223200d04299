// Searches can be left where they ask (core/interruption.hpp): every oracle of every instance is left at its first, its
// middle and its last point, and answers afterwards on the same history as if nothing had been.
#include <gtest/gtest.h>

#include <functional>
#include <limits>
#include <set>
#include <string>
#include <vector>

#include "hannan/core/error.hpp"
#include "hannan/core/interruption.hpp"
#include "hannan/runtime/best_answer.hpp"
#include "hannan/runtime/registry.hpp"
#include "tests/conformance/instances.hpp"

namespace hannan::detail::conformance {
namespace left_search_test {

struct Left {};

// How often a call asks whether to go on; it is left at the point of this number, from 1 on.
template <class Call>
std::uint64_t points_of(const Call& call, std::uint64_t leave_at) {
  std::uint64_t points = 0;
  const std::function<void()> question = [&] {
    if (++points == leave_at) throw Left();
  };
  const Interruption scope(question);
  call();
  return points;
}

class LeftSearch : public ::testing::TestWithParam<std::string> {};

TEST_P(LeftSearch, AnswersLaterAsIfItHadNotBeenLeft) {
  constexpr std::uint64_t kNever = std::numeric_limits<std::uint64_t>::max();
  for (const Instance& instance : instances_of(GetParam())) {
    const auto problem = make_problem(GetParam(), params_of(instance), "params");
    for (const auto& oracle : problem->game().oracles()) {
      SCOPED_TRACE(std::string(instance.params) + " " + oracle->name());
      const auto history = oracle->empty(), nothing = oracle->empty();
      AnyOutcome y;
      for (std::uint64_t i = 0; i < 12; ++i) {
        problem->game().read_outcome(outcome_of(instance, i), "outcome", y);
        history->add(y, 1.0);
      }
      const auto ask = [&] {
        const auto answer = oracle->best({*history, *nothing, 0.0}, 3);
        return dump(problem->game().action_json(answer.action)) + " " + number_text(answer.value);
      };
      const std::string expected = ask();
      const std::uint64_t points = points_of(ask, kNever);
      for (const std::uint64_t at : std::set<std::uint64_t>{1, (points + 1) / 2, points}) {
        if (points == 0) continue;
        // Another number of points may be left to a search that was begun before: it has a warm start.
        try {
          points_of(ask, at);
        } catch (const Left&) {
          EXPECT_EQ(ask(), expected) << "left at " << at << " of " << points;
        }
      }
    }
  }
}

std::vector<std::string> kinds() {
  std::vector<std::string> all;
  for (const auto& row : problem_kinds()) all.emplace_back(row.name);
  return all;
}

INSTANTIATE_TEST_SUITE_P(EveryProblem, LeftSearch, ::testing::ValuesIn(kinds()), [](const auto& at) {
  std::string name = at.param;
  for (char& c : name) c = c == '-' ? '_' : c;
  return name;
});

// Of every way to search one question that takes several steps: one of the problem's oracles asks at least so often,
// and is left when it is told to.
struct Family {
  const char* name;
  const char* kind;
  std::string params;
  std::uint64_t least;
};

// A class over so many points, too large to be listed.
std::string classifiers(const std::string& hypotheses, int points, int features) {
  std::string list;
  for (int i = 0; i < points; ++i) {
    list += (i > 0 ? ",[" : "[") + std::to_string(i * 37 % 101);
    for (int f = 1; f < features; ++f) list += "," + std::to_string(i * (19 + 12 * f) % 97);
    list += "]";
  }
  return R"({"points":[)" + list + R"(],"hypotheses":")" + hypotheses + R"("})";
}

void PrintTo(const Family& family, std::ostream* out) { *out << family.name; }

class LeftFamily : public ::testing::TestWithParam<Family> {};

TEST_P(LeftFamily, IsLeftAtThePointAtWhichItIsToldTo) {
  const Family& family = GetParam();
  const auto problem = make_problem(family.kind, parse_json(family.params), "params");
  const Instance instance{family.kind, family.params};
  std::string asked_by;  // by oracle, for the message
  for (const auto& oracle : problem->game().oracles()) {
    const auto history = oracle->empty(), nothing = oracle->empty();
    AnyOutcome y;
    for (std::uint64_t i = 0; i < 30; ++i) {
      problem->game().read_outcome(outcome_of(instance, i), "outcome", y);
      history->add(y, 1.0);
    }
    std::uint64_t asked = 0;
    const std::function<void()> question = [&] {
      if (++asked == family.least) throw Left();
    };
    const Interruption scope(question);
    try {
      oracle->best({*history, *nothing, 0.0}, 3);
    } catch (const Left&) {
      EXPECT_EQ(asked, family.least);
      return;
    }
    asked_by += oracle->name() + " " + std::to_string(asked) + ", ";
  }
  FAIL() << "asked too seldom: " << asked_by;
}

INSTANTIATE_TEST_SUITE_P(
    EveryFamily, LeftFamily,
    ::testing::Values(
        Family{"boxes", "vcg-reserves", R"({"bidders":4,"levels":16,"units":2})", 10},
        Family{"branching", "level-auction", R"({"bidders":3,"levels":8,"thresholds":2})", 10},
        Family{"chain", "multi-unit", R"({"bidders":4,"units":16,"range":"bundles"})", 4},
        Family{"chain_with_a_budget", "first-price-bidding",
               R"({"grids":[[0,1,2,4],[0,2,3],[0,1,5]],"mode":"absolute","budget":4})", 3},
        Family{
            "paths", "routing",
            R"({"edges":[[0,1],[1,2],[0,3],[1,4],[2,5],[3,4],[4,5],[3,6],[4,7],[5,8],[6,7],[7,8]],"source":0,"target":8})",
            2},
        Family{"shallow_trees", "classification", classifiers("trees2", 60, 3), 3},
        Family{"deep_trees", "classification", classifiers("trees3", 40, 3), 10},
        Family{"rectangles", "classification", classifiers("rectangles", 60, 2), 10},
        Family{"listed_classifiers", "classification",
               R"({"points":[[0,0],[1,0],[2,0],[0,1],[1,1],[1,1]],"hypotheses":"halfplanes"})", 1}),
    [](const auto& at) { return std::string(at.param.name); });

}  // namespace left_search_test
}  // namespace hannan::detail::conformance

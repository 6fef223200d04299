// What a portfolio keeps on every problem of the registry, with the strategies that suit the problem and with rules and
// tied learners where there are some: the same seed gives the same run, a saved run goes on as if it had not been
// saved, a refusal changes nothing, no statement about the path is broken, and the record verifies.
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "hannan/core/error.hpp"
#include "hannan/game/rivals.hpp"
#include "hannan/play/record_writer.hpp"
#include "hannan/runtime/any_problem.hpp"
#include "hannan/runtime/registry.hpp"
#include "hannan/verify/verifier.hpp"
#include "tests/conformance/instances.hpp"

namespace hannan::detail::conformance {
namespace portfolio_test {

constexpr std::uint64_t kRounds = 20;

class PortfolioConformance : public ::testing::TestWithParam<std::string> {
 protected:
  template <class Property>
  void on_every_portfolio(Property property) {
    for (const Instance& instance : instances_of(GetParam())) {
      const auto problem = make_problem(GetParam(), params_of(instance), "params");
      if (problem->game().sleeps()) continue;
      const Json first = problem->game().action_json(problem->game().first_actions(1).front());
      for (Json params : {Json::object({{"today", first}}),
                          Json::object({{"today", first}, {"warm", 6}, {"largest", nullptr}, {"hard", 2}})}) {
        params.set("seed", 7).set("risk", 2);
        SCOPED_TRACE(std::string(instance.params) + " " + dump(params));
        property(*problem, params, instance);
        if (HasFatalFailure()) return;
      }
    }
  }
};

const Round& played(PortfolioLearner& learner, const Json& outcome) {
  const AnyOutcome& y = learner.read(outcome, "outcome");
  if (learner.rehearses()) return learner.rehearse({}, y);
  learner.act();
  return learner.observe(y);
}

TEST_P(PortfolioConformance, ASavedRunGoesOnAsIfItHadNotBeenSavedAndNoStatementIsBroken) {
  on_every_portfolio([](const AnyProblem& problem, const Json& params, const Instance& instance) {
    const auto whole = problem.learner<PortfolioLearner>("portfolio", params);
    auto resumed = problem.learner<PortfolioLearner>("portfolio", params);
    for (std::uint64_t t = 0; t < kRounds; ++t) {
      const Json y = outcome_of(instance, t);
      ASSERT_EQ(record_line(played(*whole, y)), record_line(played(*resumed, y))) << t;
      resumed = load_learner<PortfolioLearner>(parse_json(dump(resumed->save())));
      ASSERT_EQ(dump(resumed->save()), dump(whole->save()));
    }
    const Json report = whole->report();
    ASSERT_EQ(dump(report), dump(resumed->report()));
    for (const Json& bound : report.at("certificate").at("bounds").as_array()) {
      ASSERT_FALSE(bound.at("holds").is_bool() && !bound.at("holds").as_bool()) << dump(bound);
    }
  });
}

TEST_P(PortfolioConformance, ARefusedOutcomeChangesNothing) {
  on_every_portfolio([](const AnyProblem& problem, const Json& params, const Instance& instance) {
    const auto learner = problem.learner<PortfolioLearner>("portfolio", params);
    for (std::uint64_t t = 0; t < 8; ++t) played(*learner, outcome_of(instance, t));
    const std::string before = dump(learner->save());
    for (const char* text : {"null", "\"no\"", "[[7]]", "{}"})
      EXPECT_THROW(played(*learner, parse_json(text)), Error) << text;
    ASSERT_EQ(dump(learner->save()), before);
  });
}

TEST_P(PortfolioConformance, ItsRecordVerifies) {
  on_every_portfolio([](const AnyProblem& problem, const Json& params, const Instance& instance) {
    std::vector<std::string> lines;
    RecordWriter writer([&](std::string_view text) { lines.emplace_back(text.substr(0, text.size() - 1)); });
    const auto learner = problem.learner<PortfolioLearner>("portfolio", params);
    writer.begin(problem, *learner);
    for (std::uint64_t t = 0; t < kRounds; ++t) writer.round(played(*learner, outcome_of(instance, t)));
    writer.end(*learner);
    std::size_t next = 0;
    const LineSource source = [&](std::string& line) {
      if (next == lines.size()) return false;
      line = lines[next++];
      return true;
    };
    try {
      ASSERT_EQ(verify_record(source, "run.jsonl").rounds, kRounds);
    } catch (const Error& e) {
      FAIL() << e.what();
    }
  });
}

std::vector<std::string> kinds() {
  std::vector<std::string> names;
  for (const auto& row : problem_kinds()) names.emplace_back(row.name);
  return names;
}
std::string test_name(const ::testing::TestParamInfo<std::string>& info) {
  std::string name = info.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}
INSTANTIATE_TEST_SUITE_P(EveryProblem, PortfolioConformance, ::testing::ValuesIn(kinds()), test_name);

}  // namespace portfolio_test
}  // namespace hannan::detail::conformance

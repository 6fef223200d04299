#include "hannan/experiment/experiment.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "hannan/core/error.hpp"
#include "hannan/experiment/experiment_summary.hpp"
#include "hannan/experiment/results.hpp"
#include "tests/temporary_folder.hpp"

namespace hannan::detail {
namespace experiment_test {

constexpr const char* kPlan = R"(
seeds = 3
[small]
seeds = 2
rounds = 50
[[streams]]
name = "a"
kind = "iid"
experts = 4
rounds = 100
small = { experts = 3 }
[[streams]]
name = "b"
kind = "killer"
rounds = 20
[[learners]]
name = "leader"
kind = "leader"
[[learners]]
name = "gftpl"
kind = "gftpl"
set = { c = [1, 2], draw = ["once", "fresh"] }
[[tables]]
title = "all"
[[tables]]
title = "some"
seeds = 5
streams = ["b"]
learners = ["gftpl"]
)";

TEST(ExperimentPlan, SpreadsListsOfSettingsAndKnowsThemByTheirName) {
  const auto plan = read_plan(parse_toml(kPlan, "p"), PlanSize::kFull);
  ASSERT_EQ(plan.learners.size(), 5U);
  EXPECT_EQ(plan.learners[1].name, "gftpl c=1 draw=once");
  EXPECT_EQ(plan.learners[4].name, "gftpl c=2 draw=fresh");
  EXPECT_EQ(plan.tables[1].learners, (std::vector<std::size_t>{1, 2, 3, 4}));
}

TEST(ExperimentPlan, IsCutDownByItsSmallKeys) {
  const auto plan = read_plan(parse_toml(kPlan, "p"), PlanSize::kSmall);
  EXPECT_EQ(plan.streams[0].spec.rounds, 50U);
  EXPECT_EQ(plan.streams[0].experts, 3U);
  EXPECT_EQ(plan.streams[1].spec.rounds, 20U);
  EXPECT_EQ(plan.tables[1].seeds, 2U);
  EXPECT_EQ(read_plan(parse_toml(kPlan, "p"), PlanSize::kFull).streams[0].experts, 4U);
}

TEST(ExperimentCells, PlayACellOfSeveralTablesOnceWithTheMostRuns) {
  const auto plan = read_plan(parse_toml(kPlan, "p"), PlanSize::kFull);
  const ExperimentCells cells(plan);
  EXPECT_EQ(cells.cells().size(), 10U);
  // Stream a: 5 learners of 3 runs; b: the leader 3, the four others 5.
  EXPECT_EQ(cells.tasks().size(), 15U + 3U + 20U);
  EXPECT_EQ(cells.cells()[cells.cell(0, 1, 4)].runs, 5U);
}

TEST(ExperimentCells, GiveEveryTaskItsOwnKeyThatDependsOnTheSeed) {
  const auto plan = read_plan(parse_toml(kPlan, "p"), PlanSize::kFull);
  const auto other = read_plan(parse_toml("seed = 1\n" + std::string(kPlan), "p"), PlanSize::kFull);
  const ExperimentCells cells(plan), others(other);
  std::vector<std::string> keys;
  for (const auto& task : cells.tasks()) keys.push_back(task.key);
  for (const auto& task : others.tasks()) keys.push_back(task.key);
  std::sort(keys.begin(), keys.end());
  EXPECT_EQ(std::unique(keys.begin(), keys.end()), keys.end());
}

// Losses alternate between two experts: in 20 rounds the best fixed one loses 10, and every second switch saves one.
constexpr const char* kTracking = R"(
[[streams]]
name = "b"
kind = "killer"
rounds = 20
[[learners]]
name = "leader"
kind = "leader"
[[learners]]
name = "ada"
kind = "ada"
[[tables]]
title = "few"
switches = [0, 3]
[[tables]]
title = "none"
[[tables]]
title = "many"
learners = ["ada"]
switches = [3, 19]
)";

TEST(ExperimentCells, MeasureRegretAgainstTheBestSequencesOfTheirTables) {
  const auto plan = read_plan(parse_toml(kTracking, "p"), PlanSize::kFull);
  EXPECT_EQ(plan.tables[0].show.back(), Measure::kTracking);
  const ExperimentCells cells(plan);
  EXPECT_EQ(cells.cells()[cells.cell(0, 0, 0)].switches, (std::vector<std::uint64_t>{0, 3}));
  EXPECT_EQ(cells.cells()[cells.cell(0, 0, 1)].switches, (std::vector<std::uint64_t>{0, 3, 19}));
  const TemporaryFolder folder;
  FinishedTasks finished(folder.path() + "/finished", 0);
  const auto results = play_experiment(cells, finished, {.stop = {}, .progress = {}});
  ASSERT_TRUE(results);
  for (const auto& table : plan.tables) {
    for (const auto& summary : summarise(cells, table, *results)) {
      ASSERT_EQ(summary.tracked.size(), table.switches.size());
      for (const auto& [switches, best, regret] : summary.tracked) {
        const double most = switches == 19 ? 0.0 : summary.best, least = switches == 0 ? summary.best : 0.0;
        EXPECT_LE(best, most + 1e-12) << switches;
        EXPECT_GE(best, least - 1e-12) << switches;
        EXPECT_NEAR(regret.mean, summary.total - best, 1e-12);
      }
    }
  }
  const std::string csv = results_csv(cells, *results);
  EXPECT_NE(csv.find(",gap,tracking_0,tracking_3,tracking_19\n"), std::string::npos) << csv;
  // A line of the table that asks for no switches has empty cells.
  EXPECT_NE(csv.find("2,experts,b,leader,"), std::string::npos);
  const std::size_t at = csv.find("2,experts,b,leader,");
  EXPECT_TRUE(csv.substr(at, csv.find('\n', at) - at).ends_with(",,,")) << csv;
}

TEST(ExperimentPlan, RefusesSwitchesThatMeanNothing) {
  const auto code = [](const std::string& from, const std::string& to) {
    std::string text = kTracking;
    text.replace(text.find(from), from.size(), to);
    try {
      const auto plan = read_plan(parse_toml(text, "p"), PlanSize::kFull);
      const ExperimentCells cells(plan);
    } catch (const Error& e) {
      return e.code();
    }
    return Code::kInternal;  // nothing was wrong
  };
  EXPECT_EQ(code("[0, 3]", "[]"), Code::kOutOfRange);
  EXPECT_EQ(code("[0, 3]", "[3, 3]"), Code::kOutOfRange);
  EXPECT_EQ(code("[0, 3]", "[-1]"), Code::kOutOfRange);
  EXPECT_EQ(code("switches = [0, 3]", "show = [\"tracking\"]"), Code::kMissingField);
  // 2 actions, 20 rounds, 10^5 lists of totals: 4e6, and 2e10 with 10^5 rounds.
  EXPECT_EQ(code("[0, 3]", "[99999]"), Code::kInternal);
  EXPECT_EQ(code("rounds = 20\n", "rounds = 100000\n"), Code::kInternal);
  EXPECT_EQ(code(kTracking, R"(
[[streams]]
kind = "killer"
rounds = 100000
[[learners]]
kind = "leader"
[[tables]]
switches = [99999]
)"),
            Code::kUnavailable);
}

TEST(ExperimentSummary, HasTheTextbookMomentsAndQuantiles) {
  // 1, 2, 3, 6: mean 3, squares 4+1+0+9 = 14, error sqrt(14/3/4).
  const auto [mean, error] = mean_and_error(std::vector<double>{1, 2, 3, 6});
  EXPECT_EQ(mean, 3);
  EXPECT_DOUBLE_EQ(error, std::sqrt(14.0 / 12));
  EXPECT_EQ(mean_and_error(std::vector<double>{5}).error, 0);
  EXPECT_EQ(quantile({6, 1, 3, 2}, 0.5), 2.5);    // between the second and the third
  EXPECT_EQ(quantile({6, 1, 3, 2}, 0.75), 3.75);  // place 2.25: 3 + 0.25 (6-3)
  EXPECT_EQ(quantile({6, 1, 3, 2}, 1), 6);
  EXPECT_EQ(quantile({4}, 0.05), 4);
}

TEST(Experiment, ComparesLearnersRunByRun) {
  // On the killer the leader loses every round but half of the first; against itself the difference is none,
  // against a copy of it under another name it is 0 with error 0.
  const auto plan = read_plan(
      parse_toml(
          "seeds = 3\n[[streams]]\nkind = \"killer\"\nrounds = 11\n[[learners]]\nname = \"x\"\nkind = \"leader\"\n"
          "[[learners]]\nname = \"y\"\nkind = \"leader\"\n[[tables]]\nbaseline = \"x\"\n",
          "p"),
      PlanSize::kFull);
  const ExperimentCells cells(plan);
  const TemporaryFolder folder;
  FinishedTasks finished(folder.path(), 0);
  const auto results = play_experiment(cells, finished, {.threads = 2, .stop = {}, .progress = {}});
  ASSERT_TRUE(results);
  const auto summaries = summarise(cells, plan.tables[0], *results);
  ASSERT_EQ(summaries.size(), 2U);
  EXPECT_FALSE(summaries[0].difference);
  ASSERT_TRUE(summaries[1].difference);
  EXPECT_EQ(summaries[1].difference->mean, 0);
  EXPECT_EQ(summaries[1].difference->error, 0);
  // Losses 0.5 + 10; expert 0 loses 0.5 + 5, expert 1 loses 5.
  EXPECT_EQ(summaries[0].total, 10.5);
  EXPECT_EQ(summaries[0].best, 5);
  EXPECT_EQ(summaries[0].path.size(), 5U);  // after 1, 2, 4, 8 and 11 rounds
}

TEST(Experiment, GivesNothingWhereItIsStopped) {
  const auto plan =
      read_plan(parse_toml("[[streams]]\nkind = \"killer\"\n[[learners]]\nkind = \"leader\"\n", "p"), PlanSize::kFull);
  const ExperimentCells cells(plan);
  const TemporaryFolder folder;
  FinishedTasks finished(folder.path(), 0);
  EXPECT_FALSE(play_experiment(cells, finished, {.stop = [] { return true; }, .progress = {}}));
}

}  // namespace experiment_test
}  // namespace hannan::detail

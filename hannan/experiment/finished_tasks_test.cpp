#include "hannan/experiment/finished_tasks.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <limits>

#include "hannan/core/error.hpp"
#include "tests/temporary_folder.hpp"

namespace hannan::detail {
namespace finished_tasks_test {

SimulatedRun some_run() {
  return {.total = 1.0 / 3,
          .best = 0.1,
          .regret = 1.0 / 3 - 0.1,
          .bound = std::numeric_limits<double>::infinity(),
          .printed = 0.3,
          .corrected = 1e9 / 7,
          .run = 0.1,
          .limit = 2.0 / 3,
          .covered = false,
          .within = true,
          .holds = false,
          .oracle_calls = 7,
          .search_nodes = 11,
          .gap = 1e-300,
          .path = {-1.5, 0.1 + 0.2}};
}

void expect_equal(const SimulatedRun& a, const SimulatedRun& b) {
  EXPECT_EQ(a.total, b.total);
  EXPECT_EQ(a.best, b.best);
  EXPECT_EQ(a.regret, b.regret);
  EXPECT_EQ(a.bound, b.bound);
  EXPECT_EQ(a.printed, b.printed);
  EXPECT_EQ(a.corrected, b.corrected);
  EXPECT_EQ(a.run, b.run);
  EXPECT_EQ(a.limit, b.limit);
  EXPECT_EQ(a.covered, b.covered);
  EXPECT_EQ(a.within, b.within);
  EXPECT_EQ(a.holds, b.holds);
  EXPECT_EQ(a.oracle_calls, b.oracle_calls);
  EXPECT_EQ(a.search_nodes, b.search_nodes);
  EXPECT_EQ(a.gap, b.gap);
  EXPECT_EQ(a.path, b.path);
}

TEST(FinishedLine, ReadsBackAsTheSameDoubles) {
  const auto found = parse_finished_line(finished_line("abc", some_run()));
  ASSERT_TRUE(found);
  EXPECT_EQ(found->key, "abc");
  expect_equal(found->run, some_run());
}

TEST(FinishedLine, CountsForNothingWithAnyByteMissingOrChanged) {
  const std::string line = finished_line("abc", some_run());
  for (std::size_t i = 0; i < line.size(); ++i) {
    std::string changed = line;
    changed[i] = changed[i] == '1' ? '2' : '1';
    EXPECT_FALSE(parse_finished_line(changed)) << changed;
    EXPECT_FALSE(parse_finished_line(line.substr(0, i)));
  }
  EXPECT_FALSE(parse_finished_line(line + " "));
}

class FinishedTasksFolder : public ::testing::Test {
 protected:
  const TemporaryFolder temporary_;
  const std::string& folder_ = temporary_.path();
};

TEST_F(FinishedTasksFolder, ShowsEveryRankWhatTheOthersHaveWritten) {
  FinishedTasks zero(folder_, 0), one(folder_, 1);
  zero.add("a", some_run());
  EXPECT_TRUE(zero.has("a"));
  EXPECT_FALSE(one.has("a"));
  one.refresh();
  ASSERT_TRUE(one.find("a"));
  expect_equal(*one.find("a"), some_run());
  EXPECT_FALSE(one.find("b"));
}

TEST_F(FinishedTasksFolder, OutlivesItsProcessAndALineThatWasCutShort) {
  {
    FinishedTasks(folder_, 0).add("a", some_run());
  }
  std::ofstream(folder_ + "/0.jsonl", std::ios::app) << finished_line("b", some_run()).substr(0, 40);
  FinishedTasks again(folder_, 0);
  EXPECT_TRUE(again.has("a"));
  EXPECT_FALSE(again.has("b"));
  again.add("c", some_run());
  FinishedTasks other(folder_, 1);
  EXPECT_TRUE(other.has("c"));
}

TEST_F(FinishedTasksFolder, RefusesASecondProcessOfTheSameRank) {
  const FinishedTasks first(folder_, 0);
  EXPECT_THROW(FinishedTasks(folder_, 0), Error);
}

}  // namespace finished_tasks_test
}  // namespace hannan::detail

#include "hannan/report/experiment_tables.hpp"

#include <gtest/gtest.h>

#include "hannan/core/error.hpp"
#include "hannan/report/experiment_files.hpp"

namespace hannan::detail {
namespace experiment_tables_test {

// Two learners on one stream; a bound for the second alone.
Json results(const std::string& show) {
  return parse_json(R"({"plan":"small","about":"","seed":7,"tasks":4,"tables":[{"title":"One","about":"","seeds":2,
    "show":[")" + show +
                    R"("],"figure":["b"],"baseline":"a","cells":[
    {"problem":"p","stream":"s","learner":"a","rounds":3,"runs":2,"regret":{"mean":2,"error":0.5},
     "quantiles":{"0.05":1.5,"0.5":2,"0.95":2.5},"difference":null,"best":10,"bound":null,"beyond_bound":0,
     "calls_a_round":1,"path":[1,2,2]},
    {"problem":"p","stream":"s","learner":"b","rounds":3,"runs":2,"regret":{"mean":1,"error":0},
     "quantiles":{"0.05":1,"0.5":1,"0.95":1},"difference":{"mean":-1,"error":0.5},"best":10,"bound":4,"beyond_bound":1,
     "calls_a_round":2,"path":[1,1,1]}]}]})");
}

TEST(ExperimentTables, ShowRegretThenEveryCell) {
  // The ratio of b is 1 / 4; a has no bound, so it has a dash.
  EXPECT_EQ(tables_markdown(read_results(results("regret"))),
            "# small\n\n## One\n\nSeed 7, runs 2.\n\n### Regret\n\n"
            "| learner | s |\n|---|---:|\n| mean L* | 10.0 |\n| a | 2.0 ± 0.5 |\n| b | 1.0 |\n\n### Details\n\n"
            "| stream | learner | runs | regret | 5% | median | 95% | bound | ratio | beyond | calls/round | less a |\n"
            "|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|\n"
            "| s | a | 2 | 2.0 ± 0.5 | 1.5 | 2.0 | 2.5 | - | - | 0 | 1.000 | - |\n"
            "| s | b | 2 | 1.0 | 1.0 | 1.0 | 1.0 | 4.0 | 0.250 | 1 | 2.000 | -1.0 ± 0.5 |\n");
}

TEST(ExperimentTables, ShowRegretAgainstTheBestSequences) {
  Json read = results("tracking");
  std::string text = dump(read);
  const std::string tracking = R"("total":12,"tracking":[{"switches":1,"best":8,"regret":{"mean":4,"error":0.5}},)"
                               R"({"switches":4,"best":6.5,"regret":{"mean":5.5,"error":0}}],"path":)";
  for (std::size_t at = text.find("\"path\":"); at != std::string::npos; at = text.find("\"path\":", at + 300))
    text.replace(at, 7, tracking);
  const auto tables = tables_of(read_results(parse_json(text)).tables.front());
  ASSERT_EQ(tables.size(), 2U);
  EXPECT_EQ(tables[0].title, "Tracking regret");
  EXPECT_EQ(tables[0].header, (PageRow{"stream", "learner", "loss", "regret", "best, 1 switch", "regret, 1 switch",
                                       "best, 4 switches", "regret, 4 switches"}));
  EXPECT_EQ(tables[0].rows[0], (PageRow{"s", "a", "12.0", "2.0 ± 0.5", "8.0", "4.0 ± 0.5", "6.5", "5.5"}));
}

TEST(ExperimentTables, SayUnavailableForAMeasureTheyDoNotKnow) {
  const auto tables = tables_of(read_results(results("new-measure")).tables.front());
  ASSERT_EQ(tables.size(), 2U);
  EXPECT_EQ(tables[0].title, "new-measure");
  EXPECT_EQ(tables[0].rows, std::vector<PageRow>{{"unavailable"}});
}

TEST(ExperimentFiles, DrawTheLearnersOfTheFigureAlone) {
  const auto files = experiment_files(results("regret"));
  ASSERT_GE(files.size(), 2U);
  EXPECT_EQ(files[0].name, "tables.md");
  EXPECT_EQ(files[1].name, "figure-1-1.svg");
  EXPECT_NE(files[1].content.find(">b</text>"), std::string::npos);
  EXPECT_EQ(files[1].content.find(">a</text>"), std::string::npos);
}

TEST(ExperimentResults, NameTheFieldThatIsMissing) {
  Json broken =
      parse_json(R"({"plan":"x","about":"","seed":0,"tasks":1,"tables":[{"title":"t","seeds":1,"baseline":null,
    "cells":[{"problem":"p","stream":"s","regret":{"mean":1,"error":0}}]}]})");
  try {
    read_results(broken);
    FAIL() << "a cell without a learner was read";
  } catch (const Error& e) {
    EXPECT_EQ(e.code(), Code::kMissingField);
    EXPECT_EQ(e.at(), "tables[0].cells[0].learner");
  }
}

}  // namespace experiment_tables_test
}  // namespace hannan::detail

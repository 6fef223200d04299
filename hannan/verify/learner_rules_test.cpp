#include "hannan/verify/learner_rules.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "hannan/learners/learner_params.hpp"
#include "tests/recorded_run.hpp"

namespace hannan::detail {
namespace learner_rules_test {

TEST(LearnerRules, HaveARowForEveryLearnerOfTheProgram) {
  std::set<std::string_view> names;
  for (const LearnerKind& kind : learner_kinds()) {
    const auto rule = find_rule(kind.name);
    ASSERT_TRUE(rule) << kind.name << ": add a line to hannan/verify/rules/all.hpp and its file";
    EXPECT_EQ(rule->facts().name, kind.name);
    names.insert(kind.name);
  }
  for (const RuleRow& row : learner_rules())
    EXPECT_TRUE(names.count(row.facts->name)) << row.facts->name << " does not exist";
  EXPECT_EQ(names.size(), learner_rules().size());
}

TEST(LearnerRules, SayThatALearnerWithoutARowCannotBeChecked) {
  const Lines lines = record({"", "experts", R"({"experts":4})", "leader", "{}"});
  const auto e = refusal(edited(lines, 1, "\"kind\":\"leader\"", "\"kind\":\"unheard-of\""));
  ASSERT_TRUE(e);
  EXPECT_EQ(e->code(), Code::kUnavailable) << e->what();
  EXPECT_EQ(e->at(), "run.jsonl:1");
  EXPECT_NE(e->message().find("unheard-of"), std::string::npos) << e->message();
}

}  // namespace learner_rules_test
}  // namespace hannan::detail

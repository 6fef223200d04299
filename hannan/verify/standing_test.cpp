// What a verification says: what was checked in words that are true of the learner, and what is on trust.
#include "hannan/verify/standing.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "tests/recorded_run.hpp"

namespace hannan::detail {
namespace standing_test {

Played on_experts(const std::string& learner, const std::string& params = "{}") {
  return {.name = learner,
          .problem = "experts",
          .problem_params = R"({"experts":4})",
          .learner = learner,
          .params = params,
          .rounds = 20};
}

bool says(const std::vector<std::string>& lines, const std::string& text) {
  return std::ranges::any_of(lines, [&](const std::string& line) { return line.find(text) != std::string::npos; });
}

Verification verify_within(const Lines& lines, const VerifyLimits& limits) {
  std::size_t next = 0;
  return verify_record(
      [&](std::string& line) {
        if (next == lines.size()) return false;
        line = lines[next++];
        return true;
      },
      "run.jsonl", limits);
}

TEST(Standing, HasNoWordsOfNoiseForALearnerWithoutNoise) {
  for (const char* learner : {"leader", "hedge", "adahedge", "adanormalhedge"}) {
    const Verification found = verify(record(on_experts(learner)));
    EXPECT_FALSE(says(found.checked, "noise")) << learner;
    EXPECT_TRUE(found.trusted.empty()) << learner;
    EXPECT_EQ(verdict_of(found), "verifies");
  }
}

TEST(Standing, SaysThatARateWasCheckedWhereThereIsOne) {
  for (const char* learner : {"gftpl", "hedge", "adahedge", "flipflop-hedge", "fpl"})
    EXPECT_TRUE(says(verify(record(on_experts(learner))).checked, "the rate of every round")) << learner;
  for (const char* learner : {"leader", "adanormalhedge"})
    EXPECT_FALSE(says(verify(record(on_experts(learner))).checked, "rate")) << learner;
  for (const char* learner : {"ada", "flipflop"})
    EXPECT_TRUE(says(verify(record(on_experts(learner))).checked, "the noise multiplier of every round")) << learner;
}

TEST(Standing, SaysInWhichRoundsTheBestWasAddedUp) {
  EXPECT_TRUE(
      says(verify(record(on_experts("leader"))).checked, "L* from the totals of all 4 actions, in every round"));
  EXPECT_TRUE(says(verify(record(on_experts("leader", R"({"track":"end"})"))).checked,
                   "L* from the totals of all 4 actions, at the end"));
}

// Exact searches in every round leave nothing of the leader's choices on trust; without work for them, most are.
TEST(Standing, NamesTheChoicesThatNoSearchWasMadeFor) {
  const Played paths{
      .name = "leader",
      .problem = "routing",
      .problem_params = R"({"edges":[["s","a"],["a","t"],["s","b"],["b","t"]],"source":"s","target":"t"})",
      .learner = "leader",
      .params = "{}",
      .rounds = 20};
  const Lines lines = record(paths);
  const Verification searched = verify_within(lines, {.always = 0, .most = 1});
  EXPECT_TRUE(searched.trusted.empty()) << searched.trusted.front();
  EXPECT_TRUE(says(searched.checked, "every choice, against a new search that proved its answer"));
  const Verification sampled = verify_within(lines, {.always = 0, .most = 1, .search_work = 0});
  EXPECT_TRUE(says(sampled.trusted, "choices, for which no search was made"));
  EXPECT_TRUE(says(sampled.trusted, "values of L*"));
  EXPECT_TRUE(sampled.choices_on_trust);
  EXPECT_EQ(verdict_of(sampled), "is consistent, choices on trust");
}

// Without listed actions the certificates of the run are not derived again, but they lie within limits.
TEST(Standing, RefusesCertificatesOutsideTheirLimitsWhereActionsAreNotListed) {
  const Lines lines = record(on_experts("ada", R"({"seed":3})"));
  const VerifyLimits searched{.always = 0, .most = 1};
  const Verification found = verify_within(lines, searched);
  EXPECT_TRUE(says(found.trusted, "the certificate \"run\", which lies from "));
  EXPECT_TRUE(says(found.trusted, "the certificate \"limit\", which lies from "));
  for (const char* name : {"run", "exact", "limit"}) {
    for (const double value : {-1.0, 1e6}) {
      if (std::string(name) == "exact" && value < 0) continue;  // nothing is said of how low it is
      Json end = parse_json(lines.back()).at("end");
      Json certificate = end.at("certificate");
      Json bounds = Json::array();
      for (Json bound : certificate.at("bounds").as_array())
        bounds.push_back(bound.at("name").as_string() == name ? bound.set("value", value) : bound);
      end.set(name, value).set("certificate", certificate.set("bounds", bounds));
      Lines changed = lines;
      changed.back() = dump(Json::object({{"end", end}, {"digest", ""}}));
      EXPECT_THROW(verify_within(resealed(changed), searched), Error) << name << " " << value;
    }
  }
}

// A record whose oracle is said to be the user's own and to have answered with the best reply to each outcome.
Lines with_foresight(double gap) {
  Lines lines = record(on_experts("leader", R"({"track":"end"})"));
  Json header = parse_json(lines.front()), last = parse_json(lines.back());
  Json learner = header.at("learner"), end = last.at("end");
  Json params = learner.at("params");
  params.set("oracle", "external:mine");
  lines.front() = dump(header.set("learner", learner.set("params", params)));
  double total = 0;
  for (std::size_t t = 1; t + 1 < lines.size(); ++t) {
    Json line = parse_json(lines[t]);
    std::size_t best = 0;
    for (std::size_t k = 0; k < 4; ++k) {
      if (line.at("outcome")[k].as_number() < line.at("outcome")[best].as_number()) best = k;
    }
    const double loss = line.at("outcome")[best].as_number();
    total += loss;
    lines[t] = dump(line.set("action", best).set("loss", loss));
  }
  const double regret = total - end.at("best").as_number();
  Json raw = end.at("raw"), certificate = end.at("certificate");
  Json bounds = Json::array();
  for (Json bound : certificate.at("bounds").as_array()) bounds.push_back(bound.set("value", regret));
  certificate.set("bounds", bounds).set("assumptions", Json::object({{"oracle", "claimed floors"}}));
  end.set("params", params).set("total", total).set("regret", regret).set("oracle_gap", gap).set("run", regret);
  end.set("raw", raw.set("total", total)).set("certificate", certificate);
  lines.back() = dump(Json::object({{"end", end}, {"digest", ""}}));
  return resealed(lines);
}

TEST(Standing, BoundsAGapByWhatIsPossible) {
  const auto e = refusal(with_foresight(100'000));
  ASSERT_TRUE(e);
  EXPECT_NE(e->message().find("all calls together can be off by at most 190"), std::string::npos) << e->what();
}

TEST(Standing, PutsPerfectForesightOnTrustAndAddsTheBestUpItself) {
  const Lines lines = with_foresight(150);
  const auto e = refusal(lines);
  ASSERT_FALSE(e) << e->what();
  const Verification found = verify(lines);
  EXPECT_TRUE(found.choices_on_trust);
  EXPECT_EQ(verdict_of(found), "is consistent, choices on trust");
  EXPECT_TRUE(says(found.trusted, "of 20 choices, above the best by "));
  EXPECT_TRUE(says(found.trusted, "oracle_gap 150 of at most 190 that is possible"));
  EXPECT_FALSE(says(found.checked, "every choice under"));
}

}  // namespace standing_test
}  // namespace hannan::detail

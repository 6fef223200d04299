// The turn of a learner that sees the elements of its own action: what it takes and refuses, states, and the law of its
// copies.
#include "hannan/runtime/elements_learner.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "hannan/noise/laplace.hpp"
#include "hannan/runtime/pipe.hpp"
#include "hannan/runtime/registry.hpp"
#include "tests/recorded_run.hpp"

namespace hannan::detail {
namespace elements_learner_test {

constexpr const char* kRoads =
    R"({"op":"problem","as":"p","kind":"routing","params":{"edges":[[0,1],[0,2],[1,2],[1,3],[2,3]],"source":0,"target":3}})";

class Elements {
 public:
  explicit Elements(const std::string& params = "{}", const std::string& problem = kRoads,
                    const std::string& kind = "ada") {
    ask(problem);
    Json all = parse_json(params);
    all.set("feedback", "elements");
    made_ = ask(R"({"op":"learner","as":"l","in":"p","kind":")" + kind + R"(","params":)" + dump(all) + "}");
  }
  Json ask(const std::string& request) { return pipe_.answer(parse_json(request)); }
  Json act() { return ask(R"({"op":"act","in":"l"})"); }
  Json observe(const std::string& outcome) { return ask(R"({"op":"observe","in":"l","outcome":)" + outcome + "}"); }
  // The losses of the edges that were taken.
  Json see(int t) {
    const auto losses = losses_at(t, 5);
    Json seen = Json::array();
    for (const Json& edge : act().at("action").as_array())
      seen.push_back(losses[static_cast<std::size_t>(edge.as_number())]);
    return observe(R"({"seen":)" + dump(seen) + "}");
  }
  std::string state() { return dump(ask(R"({"op":"save","in":"l"})")); }
  const Json& made() const { return made_; }
  static std::string code(const Json& answer) {
    return answer.at("ok").as_bool() ? "" : answer.at("error").at("code").as_string();
  }

 private:
  Pipe pipe_;
  Json made_;
};

TEST(ElementsLearner, RefusesWhatItsActionDidNotShowAndChangesNothing) {
  Elements learner;
  learner.see(1);
  const std::size_t parts = learner.act().at("action").size();
  const std::string before = learner.state();
  std::string right = "0.5", wrong = "1.5";
  for (std::size_t i = 1; i < parts; ++i) right += ",0.5", wrong += ",0.5";
  const struct {
    std::string outcome;
    const char* code;
  } rows[] = {{"null", "H301"},
              {"[0.1,0.2,0.3,0.4,0.5]", "H301"},
              {R"({"seen":[)" + right + ",0.5]}", "H301"},
              {R"({"seen":[]})", "H301"},
              {R"({"seen":[)" + right + R"(],"others":[1]})", "H301"},
              {R"({"seen":[)" + wrong + "]}", "H205"}};
  for (const auto& row : rows) EXPECT_EQ(Elements::code(learner.observe(row.outcome)), row.code) << row.outcome;
  EXPECT_EQ(learner.state(), before);
  EXPECT_EQ(Elements::code(learner.observe(R"({"seen":[)" + right + "]}")), "");
}

TEST(ElementsLearner, RefusesWhatThereIsNoTheoremFor) {
  const std::string experts = R"({"op":"problem","as":"p","kind":"experts","params":{"experts":3}})";
  const struct {
    const char* params;
    const char* code;
    std::string problem = kRoads;
    std::string kind = "ada";
  } rows[] = {
      {R"({"cap":0.5})", "H105"},
      {R"({"cap":20000})", "H105"},
      {R"({"noise":"laplace"})", "H108"},
      {R"({"perturbation":"outcomes"})", "H108"},
      {R"({"draw":"fresh"})", "H108"},
      {R"({"gamma":1})", "H108"},
      {R"({"alpha":[1,1,1,1,1]})", "H108"},
      {R"({"by":["site"]})", "H108"},
      {R"({"delayed":true})", "H108"},
      {R"({"discount":0.9})", "H108"},
      {R"({"pool":4})", "H108"},
      {R"({"gap":"loss"})", "H108"},
      {R"({"share":0.5})", "H103"},
      {R"({"look":null})", "H103"},
      {"{}", "H108", kRoads, "flipflop"},
      {"{}", "H108", kRoads, "gftpl"},
      {"{}", "H108", R"({"op":"problem","as":"p","kind":"finite-game","params":{"losses":[[0,1],[1,0]]}})"},
      {"{}", "H108", R"({"op":"problem","as":"p","kind":"experts","params":{"experts":3,"range":"unknown"}})"},
      {"{}", "H108",
       R"({"op":"problem","as":"p","kind":"routing","params":{"edges":[[0,1],[1,0],[1,2]],"source":0,"target":2,"hops":5}})"},
      {"{}", "", experts},
      {"{}", ""}};
  for (const auto& row : rows) {
    Elements learner(row.params, row.problem, row.kind);
    EXPECT_EQ(Elements::code(learner.made()), row.code) << row.params << " " << row.kind << " " << row.problem;
  }
  Elements cap(R"({})", experts);
  EXPECT_EQ(Elements::code(cap.ask(R"({"op":"learner","as":"f","in":"p","kind":"ada","params":{"cap":16}})")), "H103");
}

TEST(ElementsLearner, OtherFeedbacksRefuseWhatAnActionShowed) {
  Elements of(R"({})", R"({"op":"problem","as":"p","kind":"experts","params":{"experts":2}})");
  of.ask(R"({"op":"learner","as":"full","in":"p","kind":"ada"})");
  of.ask(R"({"op":"learner","as":"looks","in":"p","kind":"ada","params":{"feedback":"looks","look":null,"share":1}})");
  of.ask(R"({"op":"act","in":"looks"})");
  for (const char* name : {"full", "looks"}) {
    const Json answer = of.ask(std::string(R"({"op":"observe","in":")") + name + R"(","outcome":{"seen":[0.5]}})");
    EXPECT_EQ(Elements::code(answer), "H301") << name;
  }
}

TEST(ElementsLearner, GoesOnFromASavedStateAsIfItHadNotBeenSaved) {
  Elements whole(R"({"seed":5})"), parts(R"({"seed":5})");
  const auto reload = [&] {
    const Json state = parts.ask(R"({"op":"save","in":"l"})").at("state");
    EXPECT_EQ(Elements::code(parts.ask(R"({"op":"load","as":"l","state":)" + dump(state) + "}")), "");
  };
  for (int t = 1; t <= 40; ++t) {
    EXPECT_EQ(dump(whole.act()), dump(parts.act()));
    reload();  // between the decision and its outcome
    EXPECT_EQ(dump(whole.see(t)), dump(parts.see(t)));
    reload();
  }
  EXPECT_EQ(dump(whole.ask(R"({"op":"report","in":"l"})")), dump(parts.ask(R"({"op":"report","in":"l"})")));
}

// Two experts without losses: each is chosen with chance 1/2 in every draw, so the copies of the one that was played
// have the mean (1 - (1/2)^G)/(1/2) with G = 16, 2 but for 3e-5, and a variance of 2. 20,000 rounds: the mean is off by
// more than 0.05, five standard deviations, less than once in a million.
TEST(ElementsLearner, CountsALossOnceForEveryDrawThatItTakesToMeetTheElementAgain) {
  const auto problem = make_problem("experts", parse_json(R"({"experts":2})"), "params");
  const auto learner = problem->learner<PartLearner>("ada", parse_json(R"({"feedback":"elements","seed":9})"));
  const std::vector<double> nothing{0.0};
  double copies = 0, draws = 0;
  constexpr int kRounds = 20'000;
  for (int t = 0; t < kRounds; ++t) {
    PartLearner::Seen seen;
    seen.parts = nothing;
    const Round& round = learner->observe(seen);
    copies += static_cast<double>(round.elements->copies[0]);
    draws += static_cast<double>(round.elements->draws);
  }
  EXPECT_NEAR(copies / kRounds, 2, 0.05);
  EXPECT_LE(draws / kRounds, 2 + 0.05);
}

// tests/vectors/partial/draws.json: the coins, and the noise of draws made again and of the ghost.
TEST(ElementsLearner, DrawsTheNumbersOfItsDescription) {
  const Key key{.seed = 7, .run = 3};
  EXPECT_EQ(KeyedRandom(key, Purpose::kLook, 1000).uniform(0), 0.8410626624879943);
  std::vector<double> alpha(5);
  draw_cut_laplace(KeyedRandom(key, Purpose::kResample, (1000ULL << 20) + 77), alpha);
  const std::vector<double> resampled{-0.10705260863454615, -0.319067703219289, 1.5695694589704265, 0.3203427436967306,
                                      1.143271987731623};
  for (std::size_t j = 0; j < alpha.size(); ++j) EXPECT_NEAR(alpha[j], resampled[j], 1e-12);
  draw_cut_laplace(KeyedRandom(key, Purpose::kGhost, 2), alpha);
  const std::vector<double> ghost{-1.216631330832635, 2.1639433920870874, 0.29119166993682066, -2.1378061741468635,
                                  3.908034395637154};
  for (std::size_t j = 0; j < alpha.size(); ++j) EXPECT_NEAR(alpha[j], ghost[j], 1e-12);
  const std::pair<double, double> cut[] = {{1e-9, -20.0301123009062},
                                           {0.25, -0.6931471805599326},
                                           {0.9, 1.6094379124340505},
                                           {0.9999999999990905, 27.025806129256424}};
  for (const auto& [u, value] : cut) EXPECT_NEAR(laplace_from_uniform(0.5 + (u - 0.5) * kCutOfLaplace), value, 1e-9);
}

}  // namespace elements_learner_test
}  // namespace hannan::detail

// The turn of a learner that looks: what it takes and refuses, and that looks at every round are full feedback.
#include "hannan/runtime/looks_learner.hpp"

#include <gtest/gtest.h>

#include <string>

#include "hannan/runtime/pipe.hpp"
#include "tests/recorded_run.hpp"

namespace hannan::detail {
namespace looks_learner_test {

class Looking {
 public:
  explicit Looking(const std::string& params, const std::string& kind = "ada", int experts = 4) {
    ask(R"({"op":"problem","as":"p","kind":"experts","params":{"experts":)" + std::to_string(experts) + "}}");
    made_ = ask(R"({"op":"learner","as":"l","in":"p","kind":")" + kind + R"(","params":)" + params + "}");
  }
  Json ask(const std::string& request) { return pipe_.answer(parse_json(request)); }
  Json act() { return ask(R"({"op":"act","in":"l"})"); }
  Json observe(const std::string& fields) { return ask(R"({"op":"observe","in":"l",)" + fields + "}"); }
  Json see(int t) { return observe(R"("outcome":)" + dump(Json(losses_at(t, 4)))); }
  const Json& made() const { return made_; }
  static std::string code(const Json& answer) {
    return answer.at("ok").as_bool() ? "" : answer.at("error").at("code").as_string();
  }

 private:
  Pipe pipe_;
  Json made_;
};

TEST(LooksLearner, PlaysAsWithFullFeedbackWhereEveryRoundIsALook) {
  for (const char* kind : {"ada", "flipflop"}) {
    Looking looking(R"({"feedback":"looks","look":null,"share":1,"seed":3})", kind);
    looking.ask(std::string(R"({"op":"learner","as":"f","in":"p","kind":")") + kind + R"(","params":{"seed":3}})");
    for (int t = 1; t <= 60; ++t) {
      const Json act = looking.act(), full = looking.ask(R"({"op":"act","in":"f"})");
      EXPECT_EQ(dump(act.at("action")), dump(full.at("action")));
      EXPECT_EQ(dump(act.at("multiplier")), dump(full.at("multiplier")));
      const Json seen = looking.see(t);
      const Json known = looking.ask(R"({"op":"observe","in":"f","outcome":)" + dump(Json(losses_at(t, 4))) + "}");
      for (const char* name : {"gap", "stability", "run", "oracle_calls"})
        EXPECT_EQ(dump(seen.at(name)), dump(known.at(name))) << kind << " " << name << " in round " << t;
      EXPECT_NEAR(seen.at("limit").as_number(), known.at("regret").as_number(), 1e-9);
      EXPECT_TRUE(seen.at("total").is_null() && seen.at("best").is_null() && seen.at("regret").is_null());
    }
  }
}

TEST(LooksLearner, LeavesNothingBehindInARoundWithoutALook) {
  Looking looking(R"({"feedback":"looks","look":2,"share":0.5,"coins":[0.9,0.1,0.9,0.1]})");
  EXPECT_FALSE(looking.act().at("look").as_bool());
  EXPECT_EQ(dump(looking.act().at("action")), dump(looking.act().at("choice")));
  const Json passed = looking.observe(R"("outcome":null,"raw":0.25)");
  EXPECT_EQ(passed.at("looks").as_number(), 0);
  EXPECT_TRUE(passed.at("weight").is_null());
  EXPECT_EQ(passed.at("gap").as_number(), 0);
  const Json act = looking.act();
  EXPECT_EQ(act.at("action").as_number(), 2);
  const Json seen = looking.see(2);
  EXPECT_EQ(seen.at("looks").as_number(), 1);
  EXPECT_EQ(seen.at("weight").as_number(), 2);
}

TEST(LooksLearner, RefusesWhatTheCoinDoesNotAllowAndChangesNothing) {
  Looking looking(R"({"feedback":"looks","look":null,"share":0.5,"coins":[0.9,0.1,0.1]})");
  const auto state = [&] { return dump(looking.ask(R"({"op":"save","in":"l"})")); };
  looking.act();
  const std::string before = state();
  EXPECT_EQ(Looking::code(looking.see(1)), "H301");
  EXPECT_EQ(Looking::code(looking.observe(R"("outcome":null,"lost":true)")), "H301");
  EXPECT_EQ(Looking::code(looking.observe(R"("outcome":null,"share":0.5,"look":false)")), "H103");
  EXPECT_EQ(Looking::code(looking.observe(R"("outcome":null,"round":1)")), "H103");
  EXPECT_EQ(state(), before);
  EXPECT_EQ(Looking::code(looking.observe(R"("outcome":null)")), "");
  EXPECT_EQ(Looking::code(looking.see(2)), "H301") << "the outcome of a look that was not asked for";
  looking.act();
  EXPECT_EQ(Looking::code(looking.observe(R"("outcome":null)")), "H301");
  EXPECT_EQ(Looking::code(looking.observe(R"("outcome":[0.1,0.2])")), "H301");
  EXPECT_EQ(Looking::code(looking.observe(R"("outcome":null,"lost":true)")), "");
  looking.act();
  EXPECT_EQ(Looking::code(looking.see(3)), "");
  EXPECT_EQ(Looking::code(looking.act()), "H402");
}

TEST(LooksLearner, RefusesParametersThatDoNotGoTogether) {
  const struct {
    const char* params;
    const char* code;
    const char* kind = "ada";
  } rows[] = {{R"({"feedback":"looks"})", "H102"},
              {R"({"feedback":"looks","look":9})", "H302"},
              {R"({"feedback":"looks","look":null,"share":0})", "H105"},
              {R"({"feedback":"looks","look":null,"share":1.5})", "H105"},
              {R"({"feedback":"looks","look":null,"cost":2})", "H105"},
              {R"({"feedback":"looks","look":null,"share":0.1,"cost":1})", "H103"},
              {R"({"feedback":"looks","look":null,"coins":[0.5,1]})", "H105"},
              {R"({"feedback":"looks","look":null,"delayed":true})", "H108"},
              {R"({"feedback":"looks","look":null,"discount":0.9})", "H108"},
              {R"({"feedback":"looks","look":null,"by":["site"]})", "H108"},
              {R"({"look":null})", "H103"},
              {R"({"feedback":"some"})", "H106"},
              {R"({"feedback":"looks","look":null})", "H108", "gftpl"},
              {R"({"feedback":"looks","look":null})", "H108", "hedge"}};
  for (const auto& row : rows) EXPECT_EQ(Looking::code(Looking(row.params, row.kind).made()), row.code) << row.params;
}

TEST(LooksLearner, TakesALogWithItsOwnCoinsAndManyRoundsInOneLine) {
  Looking looking(R"({"feedback":"looks","look":null,"share":"logged","against":[0,1]})");
  EXPECT_TRUE(looking.act().at("look").is_null());
  EXPECT_EQ(Looking::code(looking.observe(R"("outcome":null,"look":false)")), "H102");
  EXPECT_EQ(Looking::code(looking.observe(R"("outcome":null,"look":false,"share":0)")), "H105");
  EXPECT_EQ(Looking::code(looking.observe(R"("outcome":null,"look":false,"share":0.05,"rounds":1000)")), "");
  const Json seen = looking.observe(R"("look":true,"share":0.05,"outcome":[0.1,0.4,0.4,0.4])");
  EXPECT_EQ(seen.at("weight").as_number(), 20);
  const Json report = looking.ask(R"({"op":"report","in":"l"})");
  EXPECT_EQ(report.at("rounds").as_number(), 1001);
  EXPECT_EQ(report.at("warnings").size(), 1u) << "one look in 1,001 rounds of share 0.05";
  EXPECT_TRUE(report.at("limit").is_null());
}

TEST(LooksLearner, GoesOnFromASavedStateAsIfItHadNotBeenSaved) {
  for (const char* kind : {"ada", "flipflop", "leader"}) {
    Looking whole(R"({"feedback":"looks","look":1,"share":0.3,"seed":11})", kind);
    Looking parts(R"({"feedback":"looks","look":1,"share":0.3,"seed":11})", kind);
    const auto reload = [&] {
      const Json state = parts.ask(R"({"op":"save","in":"l"})").at("state");
      EXPECT_EQ(Looking::code(parts.ask(R"({"op":"load","as":"l","state":)" + dump(state) + "}")), "");
    };
    for (int t = 1; t <= 40; ++t) {
      const Json act = whole.act();
      EXPECT_EQ(dump(act), dump(parts.act()));
      reload();  // between the decision and its outcome
      const bool look = act.at("look").as_bool();
      const std::string outcome = look ? dump(Json(losses_at(t, 4))) : "null";
      EXPECT_EQ(dump(whole.observe(R"("outcome":)" + outcome)), dump(parts.observe(R"("outcome":)" + outcome)));
      reload();
    }
  }
}

}  // namespace looks_learner_test
}  // namespace hannan::detail

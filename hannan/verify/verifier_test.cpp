#include "hannan/verify/verifier.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "hannan/core/error.hpp"
#include "tests/recorded_run.hpp"

namespace hannan::detail {
namespace verifier_test {

const std::vector<Played>& runs() {
  static const std::string kFour = R"({"experts":4})";
  static const std::string kAlpha = R"("alpha":[[0.3,-1.2],[0.1,0.9],[-2,0.4],[1.1,0.2],[0.7,-0.6],[-0.5,1.5],)"
                                    R"([0.2,0.2],[-1,-0.1],[0.6,2.1],[-0.3,0.8],[1.7,-0.9],[0.4,0.05]])";
  static const std::string kMc = R"("mc":[[[1,-1],[0.5,2]],[[1,-1],[0.5,2]],[[1,-1],[0.5,2]],[[0.1,-1],[0.5,-2]],)"
                                 R"([[1,-1],[0.5,2]],[[1,-1],[0.5,2]],[[1,-1],[0.5,2]],[[0.1,-1],[0.5,-2]],)"
                                 R"([[1,-1],[0.5,2]],[[1,-1],[0.5,2]],[[1,-1],[0.5,2]],[[0.1,-1],[0.5,-2]]])";
  static const std::string kGame = R"({"rewards":[[0.1,0.7,0.4],[0.9,0.2,0.3],[0.35,0.45,0.85]]})";
  static const std::string kMoney = R"({"experts":4,"range":"unknown"})";
  static const std::string kAnyGame = R"({"rewards":[[-3.5,12.25,4],[9,-20,3],[3.5,4.5,18.5]],"range":"unknown"})";
  static const std::vector<Played> all{
      {"leader", "experts", kFour, "leader", "{}"},
      {"leader_at_powers", "experts", kFour, "leader", R"({"track":"powers"})"},
      {"leader_at_the_end", "experts", kFour, "leader", R"({"track":"end"})"},
      {"gftpl", "experts", kFour, "gftpl", "{}"},
      {"gftpl_once", "experts", kFour, "gftpl", R"({"draw":"once","c":2.5,"perturbation":"one-hot"})"},
      {"gftpl_lp", "experts", kFour, "gftpl", R"({"noise":"lp:2","c":0.5})", 6},
      {"gftpl_lp_inf", "experts", kFour, "gftpl", R"({"noise":"lp:inf","gamma":7,"c":3})", 6},
      {"gftpl_given", "experts", kFour, "gftpl", "{" + kAlpha + "}"},
      {"gftpl_certified", "experts", kFour, "gftpl", R"({"certificate":"run"})"},
      {"gftpl_dense", "experts", R"({"experts":4,"matrix":[[0],[0.5],[2],[1]]})", "gftpl",
       R"({"perturbation":"dense","gamma":3})", 6},
      {"gftpl_on_rewards", "finite-game", kGame, "gftpl", "{}", 6},
      {"gftpl_one_sided", "finite-game", kGame, "gftpl", R"({"noise":"exponential"})", 6},
      {"gftpl_centred", "finite-game", kGame, "gftpl", R"({"noise":"exponential-centred","track":"powers"})", 6},
      {"off_paper", "experts", kFour, "off", "{}"},
      {"off_paper_eager", "experts", kFour, "off", R"({"switch_a":0.005,"switch_b":60})"},
      {"off_tight", "experts", kFour, "off", R"({"estimator":"tight","perturbation":"one-hot","switch_a":0.1})"},
      {"off_tight_as_proven", "experts", kFour, "off", R"({"estimator":"tight","perturbation":"one-hot"})"},
      {"off_trajectory", "experts", kFour, "off", R"({"estimator":"trajectory","track":"end"})"},
      {"off_regret", "experts", kFour, "off", R"({"estimator":"regret",)" + kMc + "}"},
      {"off_reused", "experts", kFour, "off", R"({"estimator":"reused",)" + kMc + "}"},
      {"off_realised", "experts", kFour, "off", R"({"estimator":"realised"})"},
      {"off_realised_given", "experts", kFour, "off", R"({"estimator":"realised",)" + kAlpha + "}"},
      {"off_literal", "experts", kFour, "off", R"({"estimator":"realised","feed":"next"})"},
      {"ada", "experts", kFour, "ada", "{}"},
      {"ada_given", "experts", kFour, "ada", "{" + kAlpha + "}"},
      {"ada_by_losses", "experts", kFour, "ada", R"({"gap":"loss"})"},
      {"ada_with_last_pivot", "experts", kFour, "ada", R"({"pivot":"last","credit_draws":0,"track":"end"})"},
      {"ada_with_another_size", "experts", kFour, "ada", R"({"M":2,"delta":0.01,"rho2":9})"},
      {"ada_discounted", "experts", kFour, "ada", R"({"discount":0.9})"},
      {"ada_discounted_given", "experts", kFour, "ada", R"({"discount":0.5,)" + kAlpha + "}"},
      {"ada_with_a_half_life", "experts", kFour, "ada", R"({"half_life":3,"pivot":"last","track":"end"})"},
      {"ada_discounted_with_another_size", "experts", kFour, "ada", R"({"discount":0.8,"M":2,"track":"powers"})"},
      {"ada_discounted_on_rewards", "finite-game", kGame, "ada", R"({"discount":0.7})"},
      {"leader_of_any_range", "experts", kMoney, "leader", "{}", 12, false, 40, -13},
      {"ada_of_any_range", "experts", kMoney, "ada", "{}", 12, false, 40, -13},
      {"ada_of_any_range_given", "experts", kMoney, "ada", "{" + kAlpha + "}", 12, false, 5, -2},
      {"ada_of_any_range_with_last_pivot", "experts", kMoney, "ada", R"({"pivot":"last","M":2})", 12, false, 3, 100},
      {"ada_of_any_range_discounted", "experts", kMoney, "ada", R"({"discount":0.9})", 12, false, 40, -13},
      {"ada_of_any_range_on_rewards", "finite-game", kAnyGame, "ada", "{}"},
      {"flipflop_of_any_range", "experts", kMoney, "flipflop", "{}", 12, false, 40, -13},
      {"flipflop_of_any_range_and_phi", "experts", kMoney, "flipflop", R"({"phi":3,"M":2})", 12, false, 0.25, 1},
      {"flipflop_of_any_range_on_rewards", "finite-game", kAnyGame, "flipflop", R"({"track":"end"})"},
      {"flipflop", "experts", kFour, "flipflop", "{}"},
      {"flipflop_given", "experts", kFour, "flipflop", "{" + kAlpha + "}"},
      {"flipflop_by_losses", "experts", kFour, "flipflop", R"({"gap":"loss","phi":3})"},
      {"flipflop_untracked", "experts", kFour, "flipflop", R"({"track":"end"})"},
      {"hedge", "experts", kFour, "hedge", "{}"},
      {"hedge_fixed", "experts", kFour, "hedge", R"({"rate":"fixed","eta":0.4})"},
      {"hedge_small_loss", "experts", kFour, "hedge", R"({"rate":"small-loss"})"},
      {"adahedge", "experts", kFour, "adahedge", "{}"},
      {"flipflop_hedge", "experts", kFour, "flipflop-hedge", "{}"},
      {"fpl", "experts", kFour, "fpl", "{}"},
      {"fpl_given", "experts", kFour, "fpl", R"({"alpha":[0.3,0.8,2,0.1]})"},
      {"uniform_gftpl", "experts", kFour, "uniform-gftpl", R"({"rounds":12})"},
      {"uniform_gftpl_given", "experts", kFour, "uniform-gftpl", "{" + kAlpha + "}"},
      {"fake_data", "finite-game", kGame, "fake-data", R"({"epsilon":0.3})"},
  };
  return all;
}

class VerifierOf : public testing::TestWithParam<Played> {};

TEST_P(VerifierOf, AcceptsTheRecordAndAddsItUp) {
  const Lines lines = record(GetParam());
  const Verification v = verify(lines);
  const Json last = parse_json(lines.back());
  EXPECT_EQ(v.rounds, static_cast<std::uint64_t>(GetParam().rounds));
  EXPECT_NEAR(v.total, last.at("end").at("total").as_number(), 1e-12);
  EXPECT_NEAR(v.regret, last.at("end").at("regret").as_number(), 1e-12);
  EXPECT_GE(v.checked.size(), 3U);
}

// What a record cannot settle: the version that wrote it; what an outcome, a table or a matrix says of
// actions that neither play nor lead (a mixture with weight on all of them sees them all); and the
// number of fake outcomes. A sampled action is settled no further than having weight, but half of an
// action is none, so nudging it is always found out.
bool undetermined(const Played& run, const Json& line, const std::string& path) {
  const bool sees_all = run.learner == "hedge" || run.learner == "adahedge";
  if (path.starts_with(".outcome.") && !path.ends_with("removed") && !sees_all) {
    return run.learner == "flipflop-hedge" || path != ".outcome." + dump(line.at("action"));
  }
  return path == ".program" || path.starts_with(".problem.params.matrix.") ||
         (run.learner == "fake-data" &&
          (path.starts_with(".problem.params.rewards.") || path == ".end.certificate.assumptions.columns"));
}

TEST_P(VerifierOf, RejectsAnySingleAlteredFieldMostEvenUnderAFreshDigest) {
  expect_changes_refused(record(GetParam()), [](const Json& line, const std::string& path) {
    return undetermined(GetParam(), line, path);
  });
}

// Three hundred rounds (twelve where noise is given for no more), once with losses 0 and 1 and ties in
// nearly every round: nothing honest is rejected.
TEST_P(VerifierOf, AcceptsALongRunAndOneFullOfTies) {
  Played run = GetParam();
  const bool noise_for_twelve = run.params.find("[[") != std::string::npos;
  if (!noise_for_twelve) run.rounds = 300;
  for (const bool ties : {false, true}) {
    run.ties = ties;
    const auto e = refusal(record(run));
    EXPECT_FALSE(e) << e->what();
  }
}

INSTANTIATE_TEST_SUITE_P(Learners, VerifierOf, testing::ValuesIn(runs()),
                         [](const auto& instance) { return instance.param.name; });

Played run_named(const std::string& name) {
  for (const auto& run : runs()) {
    if (run.name == name) return run;
  }
  ADD_FAILURE() << "no run is named " << name;
  return {};
}

TEST(Verifier, SeesBothPartsOfASwitchingLearnerAtWork) {
  for (const char* name :
       {"off_paper_eager", "off_tight", "off_regret", "off_realised", "off_literal", "flipflop", "flipflop_hedge"}) {
    Played run = run_named(name);
    if (run.name != "off_regret") run.rounds = 100;
    std::vector<std::string> regimes;
    for (const auto& line : record(run)) {
      const Json json = parse_json(line);
      if (const Json* regime = json.find("regime")) regimes.push_back(regime->as_string());
    }
    std::sort(regimes.begin(), regimes.end());
    EXPECT_NE(regimes.front(), regimes.back()) << name << " never switches: its record proves little";
  }
}

// Losses of any unit and origin: the record of the same run times 2^k holds, and what is altered by a millionth does
// not.
TEST(Verifier, MeasuresLossesOfUnknownRangeInTheirOwnUnit) {
  for (const char* name :
       {"leader_of_any_range", "ada_of_any_range", "ada_of_any_range_discounted", "flipflop_of_any_range"}) {
    for (const int k : {-40, 0, 40}) {
      Played run = run_named(name);
      run.scale = std::ldexp(40.0, k);
      run.origin = std::ldexp(-13.0, k);
      run.rounds = 40;
      const Lines lines = record(run);
      const auto e = refusal(lines);
      ASSERT_FALSE(e) << name << " times 2^" << k << ": " << e->what();
      for (std::size_t t = 1; t + 1 < lines.size(); ++t) {
        const Json line = parse_json(lines[t]);
        for (const char* field : {"loss", "best", "multiplier", "stability", "gap"}) {
          const Json* found = line.find(field);
          if (!found || !found->is_number()) continue;
          Lines changed = lines;
          changed[t] = dump(Json(line).set(field, found->as_number() + std::ldexp(1e-4, k)));
          EXPECT_TRUE(refusal(resealed(changed))) << name << " times 2^" << k << ", round " << t << ", " << field;
        }
      }
      for (const char* field :
           {"total", "best", "floor", "regret", "leader_regret", "range", "run", "measured", "exact"}) {
        Json end = parse_json(lines.back()).at("end");
        if (!end.find(field) || !end.at(field).is_number()) continue;
        end.set(field, end.at(field).as_number() + std::ldexp(1e-4, k));
        Lines changed = lines;
        changed.back() = dump(Json::object({{"end", end}, {"digest", ""}}));
        EXPECT_TRUE(refusal(resealed(changed))) << name << " times 2^" << k << ", " << field;
      }
    }
  }
}

// A large origin costs digits, and an honest record of it must hold all the same.
TEST(Verifier, AcceptsLossesFarFromTheirOrigin) {
  for (const char* name : {"ada_of_any_range", "ada_of_any_range_discounted", "flipflop_of_any_range"}) {
    Played run = run_named(name);
    run.scale = 1;
    run.origin = -1e9;
    run.rounds = 300;
    const auto e = refusal(record(run));
    EXPECT_FALSE(e) << name << ": " << e->what();
  }
}

// A table too large to be listed: L* comes from searching the outcomes. 2^15 rows, so that M is exact.
Played large_game(const std::string& learner, const std::string& params) {
  Json rows = Json::array();
  for (int k = 0; k < 32'768; ++k) {
    rows.push_back(
        Json::array({Json(k * 37 % 101 % 5 / 4.0), Json(k * 53 % 103 % 5 / 4.0), Json(k * 71 % 107 % 5 / 4.0)}));
  }
  return {.name = learner,
          .problem = "finite-game",
          .problem_params = dump(Json::object({{"losses", rows}})),
          .learner = learner,
          .params = params,
          .rounds = 20};
}

TEST(Verifier, FollowsARunWhoseActionsCannotBeListed) {
  const std::vector<Played> large{large_game("leader", R"({"track":"end"})"),
                                  large_game("gftpl", R"({"perturbation":"bits"})"),
                                  large_game("flipflop", R"({"perturbation":"bits"})"),
                                  large_game("ada", R"({"perturbation":"bits","discount":0.9})"),
                                  large_game("off", R"({"perturbation":"bits","estimator":"realised"})")};
  for (const auto& run : large) {
    const Lines lines = record(run);
    const auto e = refusal(lines);
    EXPECT_FALSE(e) << run.name << " " << run.params << ": " << e->what();
    // L* and its action, nudged: found by searching the outcomes again.
    for (const char* field : {"best", "best_action"}) {
      Json end = parse_json(lines.back()).at("end");
      end.set(field, end.at(field).as_number() + 1);
      Lines changed = lines;
      changed.back() = dump(Json::object({{"end", end}, {"digest", ""}}));
      EXPECT_TRUE(refusal(resealed(changed))) << run.name << " " << field;
    }
  }
}

TEST(Verifier, TellsABrokenFileFromAFalseOne) {
  const Lines lines = record(run_named("gftpl"));
  EXPECT_EQ(code_of({}), Code::kEmpty);
  EXPECT_EQ(code_of({lines[0], "", lines[1]}), Code::kNotJson);
  EXPECT_EQ(code_of({"not json", lines[1]}), Code::kNotJson);
  EXPECT_EQ(code_of(Lines(lines.begin(), lines.end() - 1)), Code::kTruncated);
  EXPECT_EQ(code_of({lines[0]}), Code::kTruncated);
  Lines cut = lines;
  cut.back().resize(cut.back().size() / 2);
  EXPECT_EQ(code_of(cut), Code::kTruncated);
  Lines longer = lines;
  longer.push_back(lines[1]);
  EXPECT_EQ(code_of(longer), Code::kMalformed);
  EXPECT_EQ(code_of(edited(lines, 1, "\"record\":1", "\"record\":2")), Code::kMalformed);
  EXPECT_EQ(code_of(edited(lines, 4, "\"t\":3", "\"t\":3,\"extra\":1")), Code::kMalformed);
  EXPECT_EQ(code_of(edited(lines, 4, "\"t\":3", "\"t\":4")), Code::kRejected);
  Lines swapped = lines;
  std::swap(swapped[3], swapped[4]);
  EXPECT_EQ(code_of(swapped), Code::kRejected);
  // Not one value changes, only the bytes: the digest alone finds it.
  EXPECT_EQ(code_of(edited(lines, 4, "\"t\":3", "\"t\": 3")), Code::kRejected);
  EXPECT_EQ(code_of(edited(lines, lines.size(), "{\"end\":", "{\"end\": ")), Code::kRejected);
  EXPECT_EQ(code_of(edited(lines, lines.size(), "\"rounds\":12", "\"rounds\":12.0")), Code::kRejected);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    Lines converted = lines;
    converted[i] += '\r';
    EXPECT_EQ(code_of(converted), Code::kMalformed) << i;
  }
}

TEST(Verifier, ReadsNoRecordOfVersion02AndSaysWhatDoes) {
  const Lines lines = record(run_named("gftpl"));
  const std::string program = parse_json(lines[0]).at("program").as_string();
  const auto of = [&](const std::string& version) { return resealed(edited(lines, 1, program, "hannan " + version)); };
  for (const char* version : {"0.2.0", "0.2.7", "0.1.3"}) {
    const auto e = refusal(of(version));
    ASSERT_TRUE(e) << version;
    EXPECT_EQ(e->code(), Code::kUnavailable) << e->what();
    EXPECT_EQ(e->at(), "run.jsonl:1");
    EXPECT_NE(e->message().find("expected one of version 0.3 or later"), std::string::npos) << e->message();
  }
  EXPECT_FALSE(refusal(of("0.3.0")));
}

TEST(Verifier, SaysWhatWasFoundAndExpectedAndWhere) {
  const auto e = refusal(edited(record(run_named("gftpl")), 4, "\"loss\":0", "\"loss\":1"));
  ASSERT_TRUE(e);
  EXPECT_EQ(e->code(), Code::kRejected);
  EXPECT_EQ(e->at(), "run.jsonl:4");
  EXPECT_NE(e->message().find("\"loss\": found 1"), std::string::npos) << e->message();
  EXPECT_NE(e->message().find("expected 0"), std::string::npos) << e->message();
}

TEST(Verifier, RejectsABoundThatIsNotProvenForTheRun) {
  // gamma 1 where the code of four experts on two bits is proven for 2 only.
  // The run states no upper bound; one that is put in, and a record that does not say what is left out, are refused.
  const Lines small = record({"", "experts", R"({"experts":4})", "gftpl", R"({"gamma":1})"});
  EXPECT_FALSE(refusal(small));
  EXPECT_EQ(small.back().find("\"side\":\"upper\""), std::string::npos);
  EXPECT_NE(small.back().find("gamma is 1, below the 2 that is proven"), std::string::npos);
  const std::string bounds = "\"bounds\":[";
  for (const std::string name : {"thm1_paper", "simple2", "tight2", "trajectory2"}) {
    const std::string forged = R"({"name":")" + name + R"(","value":1000,"side":"upper","holds":null},)";
    EXPECT_EQ(code_of(resealed(edited(small, small.size(), bounds, bounds + forged))), Code::kRejected) << name;
  }
  EXPECT_EQ(code_of(resealed(edited(small, small.size(), "gamma is 1, below", "gamma is 1, above"))), Code::kRejected);
  // M = 2 where two fair bits under Laplace noise have exactly 1: a learner may play by it, a bound may not rest on it.
  const Lines other = record({"", "experts", R"({"experts":4})", "ada", R"({"M":2})"});
  EXPECT_FALSE(refusal(other));
  EXPECT_EQ(code_of(resealed(edited(other, other.size(), "\"M\":1,", "\"M\":2,"))), Code::kRejected);
  // A printed bound claimed for c > 1, where it is not proven.
  const Lines lines = record({"", "experts", R"({"experts":4})", "gftpl", R"({"c":2})"});
  EXPECT_FALSE(refusal(lines));
  EXPECT_EQ(code_of(resealed(edited(lines, lines.size(), "lower_paper", "thm1_paper"))), Code::kRejected);
}

TEST(Verifier, AcceptsARunOfNoRounds) {
  Played run = run_named("flipflop");
  run.rounds = 0;
  EXPECT_EQ(verify(record(run)).rounds, 0U);
}

}  // namespace verifier_test
}  // namespace hannan::detail

// Every learner with noise of its own, or a mixture: honest records hold, and a single other action, seed, run, rate,
// multiplier or stability does not, though nothing else of the record contradicts it.
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tests/recorded_run.hpp"

namespace hannan::detail {
namespace choice_mutation_test {

const std::string kGame = R"({"rewards":[[0.1,0.7,0.4],[0.9,0.2,0.3],[0.35,0.45,0.85]]})";
const std::string kPaths = R"({"edges":[["s","a"],["a","t"],["s","b"],["b","t"]],"source":"s","target":"t"})";
const std::string kReserves = R"({"bidders":4,"levels":3,"units":1,"rule":"eager"})";
const std::string kMatrix = R"({"experts":4,"matrix":[[0,0.3],[0.5,0.25],[2,0.1],[1,0.7]]})";

std::vector<Played> noisy_runs() {
  std::vector<Played> all;
  const auto add = [&](std::string problem, std::string problem_params, std::string learner, std::string params) {
    all.push_back({.name = "run" + std::to_string(all.size()) + "_" + learner,
                   .problem = std::move(problem),
                   .problem_params = std::move(problem_params),
                   .learner = std::move(learner),
                   .params = std::move(params),
                   .rounds = 24});
    // It plays without noise for long stretches.
    if (all.back().learner == "flipflop") all.back().rounds = 48;
    for (char& letter : all.back().name) letter = letter == '-' ? '_' : letter;
  };
  const std::string four = R"({"experts":4})";
  for (const char* learner : {"gftpl", "ada", "flipflop"}) {
    for (const char* matrix : {"bits", "one-hot", "thermometer"})
      add("experts", four, learner, std::string(R"({"seed":11,"perturbation":")") + matrix + "\"}");
    add("experts", four, learner, R"({"seed":11,"draw":"once"})");
    add("experts", four, learner, R"({"seed":4,"run":9,"noise":"lp:2"})");
    add("experts", four, learner, R"({"seed":4,"noise":"exponential-centred","perturbation":"one-hot"})");
    if (std::string(learner) != "flipflop") add("finite-game", kGame, learner, R"({"seed":6})");
    add("routing", kPaths, learner, R"({"seed":7})");
    add("vcg-reserves", kReserves, learner, R"({"seed":8,"oracle":"tabulate"})");
  }
  for (const char* discount : {"0.5", "0.9", "0.999"})
    add("experts", four, "ada", std::string(R"({"seed":11,"discount":)") + discount + "}");
  add("routing", kPaths, "ada", R"({"seed":7,"half_life":5})");
  const std::string money = R"({"experts":4,"range":"unknown"})";
  for (const char* learner : {"ada", "flipflop"}) {
    add("experts", money, learner, R"({"seed":12})");
    all.back().scale = 300;
    all.back().origin = -120;
    add("experts", money, learner, R"({"seed":13,"perturbation":"one-hot"})");
    all.back().scale = 0x1p-30;
  }
  add("experts", money, "ada", R"({"seed":14,"discount":0.8})");
  all.back().scale = 300;
  add("finite-game", R"({"losses":[[-10,70,40],[90,-20,30],[35,45,85]],"range":"unknown"})", "ada", R"({"seed":6})");
  add("experts", kMatrix, "gftpl", R"({"perturbation":"dense","gamma":3})");
  add("experts", kMatrix, "uniform-gftpl", R"({"perturbation":"dense","beta":4})");
  add("experts", four, "gftpl", R"({"seed":3,"noise":"exponential","perturbation":"one-hot"})");
  add("experts", four, "off", R"({"switch_a":0.005,"switch_b":60})");
  add("experts", four, "off", R"({"estimator":"realised"})");
  add("experts", four, "off", R"({"estimator":"regret","mc":5})");
  add("experts", four, "off", R"({"estimator":"reused","mc":3})");
  add("experts", four, "off", R"({"estimator":"realised","feed":"next"})");
  for (const auto& [problem, params] :
       {std::pair{"experts", four}, std::pair{"finite-game", kGame}, std::pair{"vcg-reserves", kReserves}}) {
    add(problem, params, "hedge", R"({"seed":5})");
    add(problem, params, "adahedge", "{}");
    add(problem, params, "flipflop-hedge", "{}");
    add(problem, params, "fpl", R"({"seed":2})");
    add(problem, params, "fpl", R"({"seed":2,"draw":"once"})");
    add(problem, params, "uniform-gftpl", R"({"rounds":24})");
  }
  add("finite-game", kGame, "fake-data", R"({"epsilon":0.3})");
  add("finite-game", kGame, "fake-data", R"({"epsilon":0.05,"seed":1})");
  return all;
}

std::optional<Error> refusal_within(const Lines& lines, const VerifyLimits& limits) {
  try {
    std::size_t next = 0;
    verify_record(
        [&](std::string& line) {
          if (next == lines.size()) return false;
          line = lines[next++];
          return true;
        },
        "run.jsonl", limits);
  } catch (const Error& e) {
    return e;
  }
  return std::nullopt;
}

// Nothing is listed; and listing ends after eight rounds or so.
const VerifyLimits kSearched{.always = 0, .most = 1};
const VerifyLimits kGivenUp{.always = 0, .work = 30};

bool lists_actions(const Played& run) { return run.learner.find("hedge") != std::string::npos || run.learner == "fpl"; }

Lines with_param(Lines lines, const char* name, const Json& value) {
  Json header = parse_json(lines.front()), last = parse_json(lines.back());
  Json learner = header.at("learner"), end = last.at("end");
  learner.set("params", Json(learner.at("params")).set(name, value));
  lines.front() = dump(header.set("learner", learner));
  lines.back() = dump(last.set("end", end.set("params", learner.at("params"))));
  return resealed(lines);
}

Lines with_value(Lines lines, std::size_t line, const char* field, const Json& value) {
  lines[line] = dump(parse_json(lines[line]).set(field, value));
  return resealed(lines);
}

class ChoiceOf : public testing::TestWithParam<Played> {};

TEST_P(ChoiceOf, HoldsInHonestRecordsHoweverItIsChecked) {
  for (const bool ties : {false, true}) {
    Played run = GetParam();
    run.ties = ties;
    const Lines lines = record(run);
    EXPECT_FALSE(refusal(lines)) << refusal(lines)->what();
    if (lists_actions(run)) continue;
    for (const VerifyLimits& limits : {kSearched, kGivenUp}) {
      const auto e = refusal_within(lines, limits);
      EXPECT_FALSE(e) << e->what();
    }
  }
}

TEST_P(ChoiceOf, IsRejectedWhereAnotherActionStandsInItsPlace) {
  const Played& run = GetParam();
  const auto problem = make_problem(run.problem, parse_json(run.problem_params), "params");
  const Json actions = problem->actions(100).at("actions");
  for (const bool ties : {false, true}) {
    Played played = run;
    played.ties = ties;
    const Lines lines = record(played);
    for (std::size_t t = 1; t + 1 < lines.size(); t += t < 8 ? 1 : 4) {
      const Json line = parse_json(lines[t]);
      for (const char* field : {"action", "after"}) {
        if (!line.find(field)) continue;
        for (std::size_t k = 0; k < actions.size(); k += 1 + actions.size() / 5) {
          if (actions[k] == line.at(field)) continue;
          const Lines changed = with_value(lines, t, field, actions[k]);
          const auto e = refusal(changed);
          ASSERT_TRUE(e) << "round " << t << ", " << field << " " << dump(actions[k]) << " for "
                         << dump(line.at(field));
          EXPECT_NE(e->message().find(std::string("field \"") + field + "\""), std::string::npos) << e->what();
          if (!lists_actions(run) && !ties) {
            EXPECT_TRUE(refusal_within(changed, kSearched)) << "round " << t << ", " << field;
          }
        }
      }
    }
  }
}

// A seed is as good as another only where it makes the same choices; the draws of certificates may still differ.
TEST_P(ChoiceOf, IsRejectedUnderAnotherSeedOrRunUnlessThatMakesTheSameChoices) {
  const Lines lines = record(GetParam());
  const Json params = parse_json(lines.front()).at("learner").at("params");
  int rejected = 0;
  for (const char* name : {"seed", "run"}) {
    for (const double step : {1.0, 2.0, 1000.0}) {
      const Json other(params.at(name).as_number() + step);
      Played again = GetParam();
      again.params = dump(parse_json(again.params).set(name, other));
      const Lines played = record(again);
      const bool same = std::equal(lines.begin() + 1, lines.end() - 1, played.begin() + 1, played.end() - 1);
      const auto e = refusal(with_param(lines, name, other));
      EXPECT_TRUE(e || same) << name << " " << dump(other);
      rejected += e ? 1 : 0;
    }
  }
  EXPECT_GE(rejected, 1);
}

TEST_P(ChoiceOf, IsRejectedWithAnotherRateMultiplierStabilityOrGap) {
  const Lines lines = record(GetParam());
  for (std::size_t t = 1; t + 1 < lines.size(); t += t < 8 ? 1 : 4) {
    const Json line = parse_json(lines[t]);
    for (const char* field : {"eta", "multiplier", "stability", "gap"}) {
      const Json* found = line.find(field);
      if (!found || !found->is_number()) continue;
      for (const double step : {1e-6, -1e-6}) {
        const Json changed(found->as_number() + step * std::max(1.0, found->as_number()));
        EXPECT_TRUE(refusal(with_value(lines, t, field, changed))) << "round " << t << ", " << field;
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Learners, ChoiceOf, testing::ValuesIn(noisy_runs()),
                         [](const auto& instance) { return instance.param.name; });

}  // namespace choice_mutation_test
}  // namespace hannan::detail

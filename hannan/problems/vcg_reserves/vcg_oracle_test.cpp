#include "hannan/problems/vcg_reserves/vcg_oracle.hpp"

#include <gtest/gtest.h>

#include "hannan/problems/vcg_reserves/vcg_reserves_codec.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "hannan/core/error.hpp"
#include "hannan/core/keyed_random.hpp"
#include "hannan/io/json_archive.hpp"
#include "hannan/oracles/tabulate_steps.hpp"
#include "tests/random_bids.hpp"

namespace hannan::detail {
namespace vcg_oracle_test {

using Action = VcgReserves::Action;
using Outcome = VcgReserves::Outcome;
using Rule = VcgReserves::Rule;

// One evidence in two forms: through an oracle, and as a list of (action, value).
struct Trial {
  std::shared_ptr<const VcgReserves> problem;
  std::vector<std::pair<Outcome, double>> data, noise;
  std::vector<std::vector<double>> tables;
  double scale = 0;

  Answer<Action> ask(const AnyOracle<VcgReserves>& oracle, std::size_t keep) const {
    const auto seen = oracle.empty(), fake = oracle.empty();
    for (const auto& [y, w] : data) seen->add(y, w);
    for (const auto& [y, w] : noise) fake->add(y, w);
    for (std::size_t c = 0; c < tables.size(); ++c) fake->add_table(c, tables[c]);
    return oracle.best({*seen, *fake, scale}, keep);
  }
  std::vector<Ranked<Action>> enumerate() const {
    std::vector<Ranked<Action>> all;
    for (std::uint64_t k = 0; k < problem->size(); ++k) {
      const Action x = problem->action(k);
      double value = 0;
      for (const auto& [y, w] : data) value += w * problem->loss(x, y);
      if (scale != 0) {
        for (const auto& [y, w] : noise) value += scale * w * problem->loss(x, y);
        for (std::size_t c = 0; c < tables.size(); ++c) value += scale * tables[c][problem->position(x, c)];
      }
      all.push_back({x, value});
    }
    return all;
  }
};

Trial draw_trial(std::uint64_t seed, Rule rule) {
  Dice dice(seed);
  Trial trial;
  trial.problem = draw_reserves(dice, rule);
  const auto weight = [&] {
    const int kind = dice.below(4);
    return kind == 0 ? -1.0 : kind == 1 ? 2 * dice.unit() - 1 : 1.0;
  };
  const int rounds = dice.below(12);
  for (int t = 0; t < rounds; ++t) trial.data.emplace_back(draw_bids(dice, *trial.problem), weight());
  if (dice.below(3) == 0) return trial;
  trial.scale = dice.below(2) ? 1.0 : 0.75;
  for (int t = dice.below(3); t > 0; --t) trial.noise.emplace_back(draw_bids(dice, *trial.problem), weight());
  const bool coarse = dice.below(2) == 0;  // quarters tie, reals do not
  for (std::size_t c = 0; c < trial.problem->coordinates(); ++c) {
    trial.tables.emplace_back(trial.problem->domain(c));
    for (double& v : trial.tables.back()) v = coarse ? dice.below(4) / 4.0 : dice.unit() * 2 - 1;
  }
  return trial;
}

// Everything an answer claims, held against the full list.
void expect_true(const Answer<Action>& answer, const std::vector<Ranked<Action>>& all, std::size_t keep) {
  double least = all[0].value;
  for (const auto& r : all) least = std::min(least, r.value);
  EXPECT_NEAR(answer.floor, least, 1e-9);
  EXPECT_TRUE(answer.proven());
  // `all` is in order, so the first within the window is the choice. The margin is for sums taken in
  // another order; values of the trials are equal or differ by far more.
  const auto choice =
      std::find_if(all.begin(), all.end(), [&](auto& r) { return r.value <= least + tie_window(least); });
  EXPECT_EQ(answer.action, choice->action);
  EXPECT_NEAR(answer.value, choice->value, 1e-10);
  ASSERT_EQ(answer.pool.size(), std::min(keep, all.size()));
  std::vector<double> values;
  for (const auto& r : all) values.push_back(r.value);
  std::sort(values.begin(), values.end());
  for (std::size_t i = 0; i < answer.pool.size(); ++i) EXPECT_NEAR(answer.pool[i].value, values[i], 2e-9);
  for (const auto& r : all) {
    const auto in = std::find_if(answer.pool.begin(), answer.pool.end(), [&](auto& q) { return q.action == r.action; });
    if (in == answer.pool.end()) {
      EXPECT_LE(answer.rest, r.value + 1e-10);
    } else {
      EXPECT_NEAR(in->value, r.value, 1e-10);
    }
  }
}

void check_all_oracles(Rule rule, const std::vector<std::string>& expected) {
  std::vector<std::string> met;
  for (std::uint64_t seed = 0; seed < 2500; ++seed) {
    const Trial trial = draw_trial(10'000 + seed, rule);
    const auto all = trial.enumerate();
    for (const auto& oracle : VcgReserves::oracles(trial.problem)) {
      if (std::find(met.begin(), met.end(), oracle->name()) == met.end()) met.push_back(oracle->name());
      for (std::size_t keep : {0, 1, 3, 20}) {
        SCOPED_TRACE("seed " + std::to_string(seed) + ", oracle " + oracle->name() + ", keep " + std::to_string(keep));
        expect_true(trial.ask(*oracle, keep), all, keep);
        if (testing::Test::HasFailure()) return;
      }
    }
  }
  std::sort(met.begin(), met.end());
  EXPECT_EQ(met, expected);
}

TEST(VcgOracles, EveryOracleOfTheEagerRuleAgreesWithEnumeration) {
  check_all_oracles(Rule::kEager, {"branch_bound", "separable", "tabulate"});
}

TEST(VcgOracles, EveryOracleOfTheLazyRuleAgreesWithEnumeration) {
  check_all_oracles(Rule::kLazy, {"separable", "tabulate"});
}

// The loss of a profile, rebuilt from its steps, at every action.
TEST(VcgOracles, StepsAddUpToTheLossOfEveryAction) {
  int tried = 0;
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    Dice dice(90'000 + seed);
    const auto p = draw_reserves(dice, seed % 4 ? Rule::kEager : Rule::kLazy);
    if (!p->has_few_steps()) continue;
    ++tried;
    const TabulateSteps<VcgReserves> oracle;
    auto history = oracle.empty(*p);
    const auto y = draw_bids(dice, *p);
    oracle.add(*p, history, y, -1.5);
    const auto totals = history.totals();
    ASSERT_EQ(totals.size(), p->size());
    for (std::size_t k = 0; k < totals.size(); ++k) EXPECT_NEAR(totals[k], -1.5 * p->loss(p->action(k), y), 1e-13);
  }
  EXPECT_GT(tried, 1000);
}

// Larger than the trials above, so that the search goes deep: 12^3 to 6^4 actions, 80 profiles, play and
// leader, against the table of all actions.
TEST(VcgOracles, SearchAgreesWithTheTableOnThousandsOfActions) {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    Dice dice(30'000 + seed);
    const int n = 3 + static_cast<int>(seed % 2);
    Trial trial;
    trial.problem = std::make_shared<VcgReserves>(
        VcgReserves::Parts{.bidders = n, .levels = n == 3 ? 12 : 6, .units = 1 + dice.below(n - 1)});
    for (int t = 0; t < 80; ++t)
      trial.data.emplace_back(draw_bids(dice, *trial.problem), seed % 5 == 0 ? dice.unit() - 0.3 : 1.0);
    if (seed % 3) {
      trial.scale = 3.0;
      for (int c = 0; c < n; ++c) {
        trial.tables.emplace_back(trial.problem->domain(0));
        for (double& v : trial.tables.back()) v = std::log(1 - dice.unit());
      }
    }
    const auto search = make_oracle("branch_bound", trial.problem, ReserveSearch{});
    const auto table = make_oracle("tabulate", trial.problem, Tabulate<VcgReserves>{});
    const auto found = trial.ask(*search, 10), listed = trial.ask(*table, 10);
    EXPECT_EQ(found.action, listed.action);
    EXPECT_TRUE(found.proven());
    for (std::size_t i = 0; i < 10; ++i) EXPECT_NEAR(found.pool[i].value, listed.pool[i].value, 1e-8);
    EXPECT_LE(found.rest, listed.rest + 1e-9);
    EXPECT_GE(found.rest, found.pool.back().value - 1e-8);
  }
}

TEST(VcgOracles, ChoosesOracleByTheNumberOfActions) {
  const auto first = [](VcgReserves::Parts parts) {
    return VcgReserves::oracles(std::make_shared<VcgReserves>(parts)).front()->name();
  };
  EXPECT_EQ(first({.bidders = 4, .levels = 44}), "tabulate");  // 3.7 10^6
  EXPECT_EQ(first({.bidders = 4, .levels = 45}), "branch_bound");
  EXPECT_EQ(first({.bidders = 4, .levels = 16, .units = 2}), "tabulate");  // 2^16
  EXPECT_EQ(first({.bidders = 4, .levels = 17, .units = 2}), "branch_bound");
  EXPECT_EQ(first({.bidders = 4, .levels = 17, .units = 4}), "separable");
  EXPECT_EQ(first({.bidders = 64, .levels = 4096, .rule = Rule::kLazy}), "separable");
}

// 2^48 actions, no data: everything ties and the smallest action is the answer, at once.
TEST(VcgOracles, AnswersAnEmptyHistoryWithoutSearching) {
  const auto p = std::make_shared<VcgReserves>(VcgReserves::Parts{.bidders = 8, .levels = 64});
  const ReserveSearch search{.nodes = 1};
  const auto nothing = search.empty(*p);
  const auto answer = search.best(*p, {nothing, nothing, 0.0}, 4);
  EXPECT_EQ(answer.action, Action(8, 1));
  EXPECT_TRUE(answer.proven());
  EXPECT_EQ(answer.pool.size(), 4U);
}

TEST(VcgOracles, SearchUnderALimitStaysHonest) {
  int stopped = 0;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    const Trial trial = draw_trial(50'000 + seed, Rule::kEager);
    const auto all = trial.enumerate();
    const auto answer = trial.ask(*make_oracle("short", trial.problem, ReserveSearch{.nodes = 1, .leaf_points = 1}), 2);
    stopped += !answer.proven();
    for (const auto& r : all) {
      EXPECT_LE(answer.floor, r.value + 1e-10);
      const bool in =
          std::any_of(answer.pool.begin(), answer.pool.end(), [&](auto& q) { return q.action == r.action; });
      if (!in) {
        EXPECT_LE(answer.rest, r.value + 1e-10);
      }
    }
  }
  EXPECT_GT(stopped, 0);
}

TEST(VcgOracles, AskingTwiceGivesTheSameAnswerUnderALimit) {
  Dice dice(77);
  const auto p = std::make_shared<VcgReserves>(VcgReserves::Parts{.bidders = 5, .levels = 8});
  const ReserveSearch search{.nodes = 3, .leaf_points = 50};
  auto data = search.empty(*p);
  const auto noise = search.empty(*p);
  for (int t = 0; t < 60; ++t) {
    search.add(*p, data, draw_bids(dice, *p), 1.0);
    const auto once = search.best(*p, {data, noise, 0.0}, 2);
    const auto twice = search.best(*p, {data, noise, 0.0}, 2);
    EXPECT_EQ(once.action, twice.action);
    EXPECT_EQ(once.floor, twice.floor);
    EXPECT_EQ(once.rest, twice.rest);
  }
}

// Saved in the middle of a game whose searches are cut short, so that hints matter.
TEST(VcgOracles, ASavedSearchGoesOnAsIfNothingHadHappened) {
  Dice dice(78);
  const auto p = std::make_shared<VcgReserves>(VcgReserves::Parts{.bidders = 5, .levels = 8});
  const ReserveSearch search{.nodes = 3, .leaf_points = 50};
  auto data = search.empty(*p), noise = search.empty(*p);
  std::vector<double> table(8);
  for (double& v : table) v = dice.unit();
  search.add_table(*p, noise, 2, table);
  for (int t = 0; t < 40; ++t) {
    search.add(*p, data, draw_bids(dice, *p), 1.0);
    search.best(*p, {data, noise, 0.0}, 3);
    search.best(*p, {data, noise, 2.0}, 3);
    JsonWriter writer;
    data.archive(writer);
    auto restored = search.empty(*p);
    const Json state = writer.take();
    JsonReader reader(state, "state");
    restored.archive(reader);
    const auto y = draw_bids(dice, *p);
    search.add(*p, data, y, 1.0);
    search.add(*p, restored, y, 1.0);
    for (double scale : {0.0, 2.0}) {
      const auto on = search.best(*p, {data, noise, scale}, 3), again = search.best(*p, {restored, noise, scale}, 3);
      EXPECT_EQ(on.action, again.action);
      EXPECT_EQ(on.value, again.value);
      EXPECT_EQ(on.floor, again.floor);
      EXPECT_EQ(on.rest, again.rest);
    }
  }
}

// Outcome after outcome, of either sign, with pools of changing size: the search that goes on from the last one gives
// what enumeration gives, and the same choice as one that begins anew.
TEST(VcgOracles, GoingOnFromTheLastSearchChangesNoAnswer) {
  std::uint64_t nodes_warm = 0, nodes_cold = 0;
  for (std::uint64_t seed = 0; seed < 24; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Dice dice(700'000 + seed);
    const int n = 3 + dice.below(2);
    Trial trial;
    trial.problem = std::make_shared<VcgReserves>(
        VcgReserves::Parts{.bidders = n, .levels = n == 3 ? 8 : 5, .units = dice.below(3) ? 1 : 1 + dice.below(n - 1)});
    const auto& p = *trial.problem;
    const ReserveSearch warm{.leaf_points = 10}, cold{.leaf_points = 10, .warm = false};
    auto data = warm.empty(p), plain = cold.empty(p);
    const auto nothing = warm.empty(p);
    for (int t = 0; t < 30; ++t) {
      const double weight = seed % 4 == 0 && dice.below(4) == 0 ? -0.5 : 1.0;
      const auto y = draw_bids(dice, p);
      trial.data.emplace_back(y, weight);
      warm.add(p, data, y, weight);
      cold.add(p, plain, y, weight);
      if (dice.below(3) == 0) continue;
      for (int again = dice.below(3); again >= 0; --again) {
        const auto keep = static_cast<std::size_t>(dice.below(5));
        const auto answer = warm.best(p, {data, nothing, 0.0}, keep), other = cold.best(p, {plain, nothing, 0.0}, keep);
        expect_true(answer, trial.enumerate(), keep);
        EXPECT_EQ(answer.action, other.action);
        EXPECT_EQ(answer.value, other.value);
        nodes_warm += answer.nodes;
        nodes_cold += other.nodes;
      }
      if (HasFailure()) return;
    }
  }
  EXPECT_LT(nodes_warm, nodes_cold);
}

// Under a limit the search gets on from outcome to outcome, and what it claims stays true.
TEST(VcgOracles, GoingOnUnderALimitStaysHonest) {
  int stopped = 0, ahead = 0;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Dice dice(800'000 + seed);
    Trial trial;
    trial.problem = std::make_shared<VcgReserves>(VcgReserves::Parts{.bidders = 4, .levels = 5});
    const auto& p = *trial.problem;
    const ReserveSearch warm{.nodes = 1, .leaf_points = 1}, cold{.nodes = 1, .leaf_points = 1, .warm = false};
    auto data = warm.empty(p), plain = cold.empty(p);
    const auto nothing = warm.empty(p);
    for (int t = 0; t < 40; ++t) {
      const auto y = draw_bids(dice, p);
      trial.data.emplace_back(y, 1.0);
      warm.add(p, data, y, 1.0);
      cold.add(p, plain, y, 1.0);
      const auto answer = warm.best(p, {data, nothing, 0.0}, 2);
      const auto other = cold.best(p, {plain, nothing, 0.0}, 2);
      stopped += !answer.proven();
      ahead += answer.floor > other.floor + 1e-9;
      for (const auto& r : trial.enumerate()) {
        EXPECT_LE(answer.floor, r.value + 1e-10);
        const bool in =
            std::any_of(answer.pool.begin(), answer.pool.end(), [&](auto& q) { return q.action == r.action; });
        EXPECT_TRUE(in || answer.rest <= r.value + 1e-10);
      }
      if (HasFailure()) return;
    }
  }
  EXPECT_GT(stopped, 20);
  EXPECT_GT(ahead, 20);
}

TEST(VcgOracles, RefusesASavedFrontierThatIsNone) {
  Dice dice(79);
  const VcgReserves p({.bidders = 4, .levels = 6});
  const ReserveSearch search{.leaf_points = 10};
  auto history = search.empty(p);
  for (int t = 0; t < 30; ++t) search.add(p, history, draw_bids(dice, p), 1.0);
  search.best(p, {history, history, 0.0}, 2);
  JsonWriter writer;
  history.archive(writer);
  const std::string state = dump(writer.take());
  const auto read = [&](const std::string& text) {
    auto target = search.empty(p);
    const Json json = parse_json(text);
    JsonReader reader(json, "state");
    target.archive(reader);
  };
  read(state);
  const std::size_t at = state.find("\"runs\":[");
  ASSERT_NE(at, std::string::npos);
  for (const char* runs : {"\"runs\":[0,", "\"runs\":[9,", "\"runs\":[1,5,2,"}) {
    std::string bad = state;
    bad.replace(at, 8, runs);
    EXPECT_THROW(read(bad), Error) << runs;
  }
}

TEST(VcgOracles, RefusesASavedHistoryOfAnotherShape) {
  const VcgReserves small({.bidders = 2, .levels = 3}), wide({.bidders = 2, .levels = 4}),
      long_one({.bidders = 3, .levels = 3});
  const ReserveSearch search;
  for (const VcgReserves* other : {&wide, &long_one}) {
    auto history = search.empty(small);
    search.add(small, history, {0.5, 0.5}, 1.0);
    JsonWriter writer;
    history.archive(writer);
    const Json state = writer.take();
    auto target = search.empty(*other);
    JsonReader reader(state, "state");
    EXPECT_THROW(target.archive(reader), Error);
  }
}

}  // namespace vcg_oracle_test
}  // namespace hannan::detail

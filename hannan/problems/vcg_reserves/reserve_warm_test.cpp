// Searches of eager reserves that go on from the last one with the same noise.
#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "hannan/game/game_of.hpp"
#include "hannan/game/seen_outcomes.hpp"
#include "hannan/io/json_archive.hpp"
#include "hannan/problems/vcg_reserves/vcg_oracle.hpp"
#include "tests/random_bids.hpp"

namespace hannan::detail {
namespace reserve_warm_test {

constexpr int kRounds = 12;

struct Game {
  VcgReserves problem{{.bidders = 4, .levels = 6}};
  ReserveSearch search{.leaf_points = 10};
  ReserveSearch::History data = search.empty(problem), noise = search.empty(problem);

  void draw_noise(Dice& dice) {
    noise.clear();
    for (std::size_t c = 0; c < problem.coordinates(); ++c) {
      std::vector<double> table(problem.domain(c));
      for (double& v : table) v = 2 * dice.unit() - 1;
      search.add_table(problem, noise, c, table);
    }
  }
  Answer<VcgReserves::Action> ask(const ReserveSearch& by, double scale, std::size_t keep = 0) const {
    return by.best(problem, {data, noise, scale}, keep);
  }
  // Least of loss + scale * noise over all actions.
  double least(const std::vector<VcgReserves::Outcome>& seen, double scale) const {
    double least = kInfinity;
    for (std::uint64_t k = 0; k < problem.size(); ++k) {
      const auto x = problem.action(k);
      double value = 0;
      for (const auto& y : seen) value += problem.loss(x, y);
      for (std::size_t c = 0; c < problem.coordinates(); ++c) value += scale * noise.tables[c][problem.position(x, c)];
      least = std::min(least, value);
    }
    return least;
  }
};

// The same questions to a search that goes on from its last one and to one that starts anew each time.
class WarmAndCold {
 public:
  explicit WarmAndCold(std::uint64_t seed) : dice(seed), cold_(game.search) { cold_.warm = false; }

  Dice dice;
  Game game;
  std::uint64_t warm_nodes = 0, cold_nodes = 0;

  void see_bids() {
    seen_.push_back(draw_bids(dice, game.problem));
    game.search.add(game.problem, game.data, seen_.back(), 1.0);
  }
  void expect_same(double scale, std::size_t keep = 0) {
    const auto answer = game.ask(game.search, scale, keep), other = game.ask(cold_, scale, keep);
    EXPECT_TRUE(answer.proven());
    EXPECT_NEAR(answer.value, game.least(seen_, scale), 1e-9);
    EXPECT_EQ(answer.action, other.action);
    EXPECT_EQ(answer.value, other.value);
    ASSERT_EQ(answer.pool.size(), other.pool.size());
    for (std::size_t k = 0; k < answer.pool.size(); ++k) EXPECT_NEAR(answer.pool[k].value, other.pool[k].value, 1e-9);
    warm_nodes += answer.nodes;
    cold_nodes += other.nodes;
  }

 private:
  ReserveSearch cold_;
  std::vector<VcgReserves::Outcome> seen_;
};

// Two searches a round under one noise, as AdaFPL makes them, with a draw and a scale of its own for every round or
// the same for a few rounds.
TEST(ReserveWarmSearch, UnderTheNoiseOfTheLastSearchChangesNoAnswer) {
  std::uint64_t warm = 0, cold = 0;
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    WarmAndCold both(910'000 + seed);
    double scale = 0.5;
    for (int t = 0; t < 5 * kRounds; ++t) both.see_bids();
    for (int t = 0; t < kRounds && !HasFailure(); ++t) {
      if (t == 0 || seed % 3 != 0) both.game.draw_noise(both.dice);
      if (seed % 2 == 0) scale = 0.25 + 0.5 * both.dice.unit();
      for (const bool after : {false, true}) {
        if (after) both.see_bids();
        for (const std::size_t keep : {0, 3}) both.expect_same(scale, keep);
      }
    }
    warm += both.warm_nodes;
    cold += both.cold_nodes;
  }
  EXPECT_LT(warm, cold);
}

// One draw for all rounds whose scale changes by little, up and down: still no answer changes, and most boxes stay
// shut.
TEST(ReserveWarmSearch, UnderAChangedScaleChangesNoAnswer) {
  std::uint64_t warm = 0, cold = 0;
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    WarmAndCold both(930'000 + seed);
    both.game.draw_noise(both.dice);
    double scale = 0.5;
    for (int t = 0; t < 8 * kRounds && !HasFailure(); ++t) {
      if (t < 5 * kRounds || both.dice.below(3) > 0) both.see_bids();
      if (t < 5 * kRounds) continue;
      scale *= 1 + 0.02 * (both.dice.unit() - 0.5);
      both.expect_same(scale);
    }
    warm += both.warm_nodes;
    cold += both.cold_nodes;
  }
  EXPECT_LT(warm, cold);
}

// A learner saved after it decided asks the same question again when it goes on: under a limit, too, the answers and
// the nodes are those of a learner that was not.
TEST(ReserveWarmSearch, ASavedSearchUnderNoiseRepeatsItsAnswersAndNodes) {
  Dice dice(920'000);
  Game game;
  game.search.nodes = 6;
  for (int t = 0; t < 40; ++t) {
    if (t % 4 == 0) game.draw_noise(dice);  // for a while one draw for all rounds
    const double scale = 0.5 + 0.01 * t;
    const auto decided = game.ask(game.search, scale);
    JsonWriter writer;
    game.data.archive(writer);
    const Json state = writer.take();
    JsonReader reader(state, "state");
    Game restored;
    restored.search = game.search;
    restored.noise = game.noise;
    restored.data.archive(reader);
    const auto again = restored.ask(restored.search, scale);
    EXPECT_EQ(decided.action, again.action);
    EXPECT_EQ(decided.floor, again.floor);
    EXPECT_EQ(decided.nodes, again.nodes);
    const auto y = draw_bids(dice, game.problem);
    for (Game* each : {&game, &restored}) each->search.add(each->problem, each->data, y, 1.0);
    const auto after = game.ask(game.search, scale), other = restored.ask(restored.search, scale);
    EXPECT_EQ(after.action, other.action);
    EXPECT_EQ(after.floor, other.floor);
    EXPECT_EQ(after.nodes, other.nodes);
  }
}

// A leader that was searched for before a save, for a report say, and is asked for again after it, counts the nodes of
// the search that found it, and the searches to come are those of a history that was not saved.
TEST(ReserveWarmSearch, ALeaderFoundAgainAfterASaveCountsItsNodes) {
  const auto problem = std::make_shared<const VcgReserves>(VcgReserves::Parts{.bidders = 4, .levels = 6});
  const ReserveSearch search{.nodes = 20, .leaf_points = 10};
  const auto oracle = erased<VcgReserves>(erased(problem), make_oracle("boxes", problem, search));
  std::uint64_t nodes = 0;
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Dice dice(940'000 + seed);
    SeenOutcomes stayed(oracle), saved(oracle);
    for (int t = 0; t < 60; ++t) {
      for (int saves = dice.below(4); saves > 0; --saves) {
        if (dice.below(2) == 0) saved.leader();
        JsonWriter writer;
        saved.archive(writer);
        const Json state = writer.take();
        saved = SeenOutcomes(oracle);
        JsonReader reader(state, "state");
        saved.archive(reader);
      }
      EXPECT_EQ(saved.leader().nodes, stayed.leader().nodes) << "round " << t;
      EXPECT_EQ(saved.leader().action.get<VcgReserves::Action>(), stayed.leader().action.get<VcgReserves::Action>());
      EXPECT_EQ(saved.leader().floor, stayed.leader().floor);
      nodes += stayed.leader().nodes;
      const auto y = draw_bids(dice, *problem);
      for (SeenOutcomes* each : {&stayed, &saved}) each->add(AnyOutcome::of(y));
    }
  }
  EXPECT_GT(nodes, 0u);
}

}  // namespace reserve_warm_test
}  // namespace hannan::detail

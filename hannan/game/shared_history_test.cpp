#include "hannan/game/shared_history.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "hannan/game/game_of.hpp"
#include "hannan/game/seen_outcomes.hpp"
#include "hannan/oracles/tabulate.hpp"
#include "hannan/problems/experts/experts.hpp"

namespace hannan::detail {
namespace shared_history_test {

// The table of all totals, counting what is asked of it.
struct CountingTable : Tabulate<Experts> {
  std::shared_ptr<int> adds = std::make_shared<int>(0), searches = std::make_shared<int>(0);
  void add(const Experts& p, History& h, const Experts::Outcome& y, double weight) const {
    ++*adds;
    Tabulate<Experts>::add(p, h, y, weight);
  }
  Answer<Experts::Action> best(const Experts& p, Evidence<History> e, std::size_t keep) const {
    return Tabulate<Experts>::best(p, e, keep);
  }
  void choose(const Experts& p, Evidence<History> e, Answer<Experts::Action>& answer) const {
    ++*searches;
    Tabulate<Experts>::choose(p, e, answer);
  }
};

template <class Table>
std::shared_ptr<const GameOracle> erased_oracle(std::uint64_t experts, const Table& table) {
  const auto problem = std::make_shared<const Experts>(experts);
  return erased<Experts>(erased(problem), make_oracle("tabulate", problem, table));
}

std::uint64_t leader(const SeenOutcomes& seen) { return seen.leader().action.get<std::uint64_t>(); }

TEST(SharedHistory, IsAddedToAndSearchedOnceForAllWhoShareIt) {
  const CountingTable table;
  const auto oracle = erased_oracle(3, table);
  SeenOutcomes one(oracle), two(oracle);
  two.share(one);
  const std::vector<std::vector<double>> outcomes{{0.5, 0.25, 1}, {0, 1, 1}, {1, 0, 0}};
  const std::vector<std::uint64_t> leaders{0, 1, 0, 1};  // ties go to the first: 1.5, 1.25 and 2 at the end
  for (std::size_t t = 0; t < outcomes.size(); ++t) {
    EXPECT_EQ(leader(one), leaders[t]);
    one.add(AnyOutcome::of(outcomes[t]));
    EXPECT_EQ(leader(one), leaders[t + 1]);
    EXPECT_EQ(leader(two), leaders[t]);  // it has not been told yet
    two.add(AnyOutcome::of(outcomes[t]));
    EXPECT_EQ(leader(two), leaders[t + 1]);
  }
  EXPECT_EQ(*table.adds, 3);
  EXPECT_EQ(*table.searches, 4);
}

TEST(SharedHistory, IsNotSharedWithOneWhoHasSeenSomething) {
  const auto oracle = erased_oracle(2, Tabulate<Experts>{});
  SeenOutcomes one(oracle), two(oracle);
  one.add(AnyOutcome::of(std::vector<double>{1, 0}));
  two.share(one);
  EXPECT_EQ(leader(two), 0U);
  EXPECT_EQ(leader(one), 1U);
}

}  // namespace shared_history_test
}  // namespace hannan::detail

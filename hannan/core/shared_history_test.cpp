#include "hannan/core/shared_history.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "hannan/core/seen_outcomes.hpp"
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

TEST(SharedHistory, IsAddedToAndSearchedOnceForAllWhoShareIt) {
  const CountingTable table;
  const auto oracle = make_oracle("tabulate", std::make_shared<const Experts>(3), table);
  SeenOutcomes<Experts> one(oracle), two(oracle);
  two.share(one);
  const std::vector<std::vector<double>> outcomes{{0.5, 0.25, 1}, {0, 1, 1}, {1, 0, 0}};
  const std::vector<std::uint64_t> leaders{0, 1, 0, 1};  // ties go to the first: 1.5, 1.25 and 2 at the end
  for (std::size_t t = 0; t < outcomes.size(); ++t) {
    EXPECT_EQ(one.leader().action, leaders[t]);
    one.add(outcomes[t]);
    EXPECT_EQ(one.leader().action, leaders[t + 1]);
    EXPECT_EQ(two.leader().action, leaders[t]);  // it has not been told yet
    two.add(outcomes[t]);
    EXPECT_EQ(two.leader().action, leaders[t + 1]);
  }
  EXPECT_EQ(*table.adds, 3);
  EXPECT_EQ(*table.searches, 4);
}

TEST(SharedHistory, IsNotSharedWithOneWhoHasSeenSomething) {
  const auto oracle = make_oracle("tabulate", std::make_shared<const Experts>(2), Tabulate<Experts>{});
  SeenOutcomes<Experts> one(oracle), two(oracle);
  one.add({1, 0});
  two.share(one);
  EXPECT_EQ(two.leader().action, 0U);
  EXPECT_EQ(one.leader().action, 1U);
}

}  // namespace shared_history_test
}  // namespace hannan::detail

#include "hannan/oracles/warm_frontier.hpp"

#include <gtest/gtest.h>

namespace hannan::detail {
namespace warm_frontier_test {

// A search whose frontier is never of use: the whole grid takes 10 nodes, going on is ended by its limit.
class UselessFrontier {
 public:
  int tries = 0;

  // Two searches of a round: before its outcome and after it, under one draw.
  void play(int round, double draw) {
    const std::vector<std::vector<double>> tables{{draw, -draw}};
    const SearchRequest request{.keep = 1, .limits = {.nodes = 1000}, .hints = {}};
    const auto raise = [](Frontier&, int, double) {};
    const auto run = [&](std::uint64_t nodes, const FrontierUse& use) {
      SearchResult found;
      found.pool = {{{0}, 0.0}};
      found.floor = 0;
      use.to->add(BoxLists{{1}}, 1.0);
      tries += use.from != nullptr;
      found.finished = !use.from;
      found.nodes = use.from ? nodes : 10;
      return found;
    };
    EXPECT_TRUE(warm_.search_noisy({tables, 1.0}, request, raise, run).finished) << round;
    warm_.add(round, 1.0);
    EXPECT_TRUE(warm_.search_noisy({tables, 1.0}, request, raise, run).finished) << round;
  }

 private:
  WarmFrontier<int> warm_;
};

// After 1, 2, 4, 8, 8 ... rounds in between.
TEST(WarmFrontier, GoesOnLessAndLessOftenWhereThatIsOfNoUse) {
  UselessFrontier fresh;
  for (int t = 0; t < 45; ++t) fresh.play(t, 1.0 + t);  // a draw for every round
  EXPECT_EQ(fresh.tries, 7);
}

}  // namespace warm_frontier_test
}  // namespace hannan::detail

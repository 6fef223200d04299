#include "hannan/oracles/worker_team.hpp"

#include <gtest/gtest.h>

#include <atomic>

#include "hannan/oracles/search_threads.hpp"

namespace hannan::detail {
namespace worker_team_test {

TEST(WorkerTeam, DoesEveryTaskOfEveryBatchOnce) {
  for (const unsigned workers : {1U, 2U, 5U}) {
    std::vector<std::atomic<int>> done(40);
    std::atomic<std::size_t> highest = 0;
    WorkerTeam team(workers, [&](std::size_t worker, std::size_t task) {
      ++done[task];
      std::size_t before = highest;
      while (before < worker && !highest.compare_exchange_weak(before, worker)) {
      }
    });
    std::vector<int> expected(done.size(), 0);
    for (std::size_t batch = 0; batch < 200; ++batch) {
      const std::size_t tasks = batch % (done.size() + 1);
      team.run(tasks);
      for (std::size_t task = 0; task < tasks; ++task) ++expected[task];
      for (std::size_t task = 0; task < done.size(); ++task) ASSERT_EQ(done[task], expected[task]) << "batch " << batch;
    }
    EXPECT_LT(highest, workers);
  }
}

TEST(SearchThreads, BelongToAScopeOfOneThread) {
  EXPECT_EQ(SearchThreads::most(), 1U);
  {
    const SearchThreads outer(4);
    {
      const SearchThreads inner(2);
      EXPECT_EQ(SearchThreads::most(), 2U);
    }
    EXPECT_EQ(SearchThreads::most(), 4U);
    unsigned elsewhere = 0;
    std::jthread([&] { elsewhere = SearchThreads::most(); }).join();
    EXPECT_EQ(elsewhere, 1U);
  }
  EXPECT_EQ(SearchThreads::most(), 1U);
}

}  // namespace worker_team_test
}  // namespace hannan::detail

#include "service/workers.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <atomic>
#include <future>
#include <numeric>

#include "service/host_values.hpp"

namespace hannan::detail::service {
namespace workers_test {

using Hold = Workers::Hold;

void work_for(double seconds) {
  const double start = thread_seconds();
  while (thread_seconds() - start < seconds) continue;
}

TEST(Workers, RunTheJobsOfALaneInTheirOrderAndOneAtATime) {
  std::vector<int> seen;
  std::vector<int> expected(1000);
  std::iota(expected.begin(), expected.end(), 0);
  Workers workers(4);
  for (const int i : expected) workers.add("a", [&seen, i](const Hold&) { seen.push_back(i); });
  workers.finish();
  EXPECT_EQ(seen, expected);
}

TEST(Workers, RunAJobFirstWhereThatIsAskedFor) {
  std::vector<int> seen;
  std::promise<void> go;
  Workers workers(2);
  workers.add("a", [&](const Hold&) { go.get_future().wait(); });
  workers.add("a", [&](const Hold&) { seen.push_back(1); });
  workers.add("a", [&](const Hold&) { seen.push_back(2); }, Workers::Place::kFirst);
  go.set_value();
  workers.finish();
  EXPECT_EQ(seen, (std::vector<int>{2, 1}));
}

TEST(Workers, HoldALaneForAsLongAsItsJobWants) {
  Workers workers(2);
  Hold kept;
  std::promise<void> first;
  std::atomic<bool> second = false;
  workers.add("a", [&](const Hold& hold) {
    kept = hold;
    first.set_value();
  });
  workers.add("a", [&](const Hold&) { second = true; });
  first.get_future().wait();
  EXPECT_FALSE(workers.wait_until(std::chrono::steady_clock::now() + std::chrono::milliseconds(20)));
  EXPECT_FALSE(second);
  kept.reset();
  workers.finish();
  EXPECT_TRUE(second);
}

TEST(Workers, HoldSeveralLanesForAJobThatNeedsThemTogether) {
  Workers workers(3);
  std::atomic<int> inside = 0, most = 0, done = 0;
  const std::vector<std::set<std::string>> sets{{"a", "b"}, {"b", "c"}, {"c", "a"}, {"a"}, {"a", "b", "c"}};
  for (int i = 0; i < 500; ++i) {
    for (const auto& lanes : sets) {
      workers.add(lanes, [&](const Hold&) {
        const int now = ++inside;
        if (now > most) most = now;
        --inside;
        ++done;
      });
    }
  }
  workers.finish();
  EXPECT_EQ(done, 2500);
  EXPECT_LE(most, 2);  // {"a"} beside {"b", "c"} is the most that shares no lane
}

TEST(Workers, LetALaneThatUsedLittleGoBeforeOneThatUsedMuch) {
  std::vector<std::string> seen;
  std::promise<void> go;
  Workers workers(1);
  workers.add("heavy", [&](const Hold&) { work_for(0.005); });
  workers.add("other", [&](const Hold&) { go.get_future().wait(); });
  for (int i = 0; i < 3; ++i) workers.add("heavy", [&](const Hold&) { seen.push_back("heavy"); });
  for (int i = 0; i < 3; ++i) workers.add("light", [&](const Hold&) { seen.push_back("light"); });
  go.set_value();
  workers.finish();
  EXPECT_EQ(seen, (std::vector<std::string>{"light", "light", "light", "heavy", "heavy", "heavy"}));
}

TEST(Workers, DoShortJobsWhileMoreLongOnesRunThanThereAreThreads) {
  Workers workers(2);
  std::promise<void> go;
  const auto gone = go.get_future().share();
  for (const char* lane : {"a", "b", "c", "d", "e"}) workers.add(lane, [gone](const Hold&) { gone.wait(); });
  std::promise<void> short_done;
  workers.add("short", [&](const Hold&) { short_done.set_value(); });
  short_done.get_future().wait();  // for ever, where none is left for it
  const auto longest = workers.longest();
  ASSERT_TRUE(longest);
  EXPECT_GT(longest->seconds, 0);
  go.set_value();
  workers.finish();
  EXPECT_FALSE(workers.longest());
}

TEST(Workers, AJobThatRunsForLongHasALowerPriorityAndLaterOnesHaveNot) {
  Workers workers(1);
  const auto priority = [] { return ::getpriority(PRIO_PROCESS, static_cast<id_t>(::gettid())); };
  std::promise<int> during, after;
  workers.add("a", [&](const Workers::Hold&) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(10);
    const int before = priority();
    while (priority() == before && std::chrono::steady_clock::now() < end) std::this_thread::yield();
    during.set_value(priority() - before);
  });
  workers.add("a", [&](const Workers::Hold&) { after.set_value(priority()); });
  EXPECT_GT(during.get_future().get(), 0);
  EXPECT_EQ(after.get_future().get(), priority());
}

TEST(Workers, AJobThatSaysThatItIsLongHasALowerPriorityAtOnceAndLaterOnesHaveNot) {
  Workers workers(1);
  const auto priority = [] { return ::getpriority(PRIO_PROCESS, static_cast<id_t>(::gettid())); };
  std::promise<int> during, after;
  workers.add("a", [&](const Workers::Hold&) {
    workers.expect_long();
    workers.expect_long();  // as if it were said once
    during.set_value(priority());
  });
  workers.add("a", [&](const Workers::Hold&) { after.set_value(priority()); });
  EXPECT_GT(during.get_future().get(), priority());
  EXPECT_EQ(after.get_future().get(), priority());
}

}  // namespace workers_test
}  // namespace hannan::detail::service

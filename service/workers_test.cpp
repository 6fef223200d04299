#include "service/workers.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <atomic>
#include <future>
#include <mutex>
#include <numeric>
#include <set>
#include <thread>

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

int priority_here() { return ::getpriority(PRIO_PROCESS, static_cast<id_t>(::gettid())); }

TEST(Workers, AJobThatRunsForLongHasALowerPriorityAndLaterOnesHaveNot) {
  Workers workers(1);
  std::promise<int> before, during, after;
  workers.add("a", [&](const Workers::Hold&) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(10);
    const int usual = priority_here();
    before.set_value(usual);
    while (priority_here() == usual && std::chrono::steady_clock::now() < end) std::this_thread::yield();
    during.set_value(priority_here());
  });
  workers.add("a", [&](const Workers::Hold&) { after.set_value(priority_here()); });
  EXPECT_EQ(before.get_future().get(), priority_here());
  EXPECT_GT(during.get_future().get(), priority_here());
  EXPECT_EQ(after.get_future().get(), priority_here());
}

TEST(Workers, AJobThatSaysThatItIsLongHasALowerPriorityAtOnceAndLaterOnesHaveNot) {
  Workers workers(1);
  std::promise<int> during, after;
  workers.add("a", [&](const Workers::Hold&) {
    workers.expect_long();
    workers.expect_long();  // as if it were said once
    during.set_value(priority_here());
  });
  workers.add("a", [&](const Workers::Hold&) { after.set_value(priority_here()); });
  EXPECT_GT(during.get_future().get(), priority_here());
  EXPECT_EQ(after.get_future().get(), priority_here());
}

// A thread for each of them would be made and ended hundreds of times a second.
TEST(Workers, DoManyJobsThatAreKnownToBeLongOnFewThreads) {
  constexpr int kJobs = 200;
  std::mutex mutex;
  std::set<std::thread::id> threads;
  int usual = 0;
  Workers workers(1);
  for (int i = 0; i < kJobs; ++i) {
    workers.add(
        "a",
        [&, before = priority_here()](const Hold&) {
          const std::lock_guard lock(mutex);
          threads.insert(std::this_thread::get_id());
          usual += priority_here() <= before ? 1 : 0;
        },
        Workers::Place::kLast, Workers::Length::kLong);
  }
  workers.finish();
  EXPECT_EQ(usual, 0);
  EXPECT_LE(threads.size(), 4U);
}

TEST(Workers, TakeShortJobsOnThreadsThatWereNotLowered) {
  std::atomic<int> lowered = 0;
  Workers workers(2);
  const int before = priority_here();
  for (int i = 0; i < 200; ++i) {
    const auto length = i % 2 == 0 ? Workers::Length::kLong : Workers::Length::kShort;
    workers.add(
        std::to_string(i % 7),
        [&, length](const Hold&) {
          if (length == Workers::Length::kShort) lowered += priority_here() > before ? 1 : 0;
        },
        Workers::Place::kLast, length);
  }
  workers.finish();
  EXPECT_EQ(lowered, 0);
}

TEST(Workers, DoWhatFollowsAJobUntilNothingOfItIsLeft) {
  std::atomic<int> done = 0;
  Workers workers(2, [&](Workers::Thread thread) {
    EXPECT_EQ(thread, Workers::Thread::kUsual);
    return ++done % 3 == 0 ? Workers::Left::kNothing : Workers::Left::kSome;
  });
  workers.add("a", [](const Hold&) {});
  workers.finish();
  EXPECT_EQ(done, 3);
}

TEST(Workers, SayThatWhatFollowsALongJobIsDoneAtALowPriority) {
  std::atomic<int> lowered = 0;
  Workers workers(1, [&](Workers::Thread thread) {
    lowered += thread == Workers::Thread::kLowered ? 1 : 0;
    return Workers::Left::kNothing;
  });
  workers.add("a", [&](const Hold&) { workers.expect_long(); });
  workers.add("b", [](const Hold&) {});
  workers.finish();
  EXPECT_EQ(lowered, 1);
}

// The lanes are free only by what follows, which many threads do at the same time.
TEST(Workers, GoOnWithLanesThatAreFreeByWhatFollowsAJob) {
  constexpr int kLanes = 8, kJobs = 500;
  std::mutex mutex;
  std::vector<Hold> holds;
  std::atomic<int> done = 0;
  Workers workers(3, [&](Workers::Thread) {
    std::vector<Hold> some;
    {
      const std::lock_guard lock(mutex);
      some.swap(holds);
    }
    return some.empty() ? Workers::Left::kNothing : Workers::Left::kSome;
  });
  for (int i = 0; i < kLanes * kJobs; ++i) {
    workers.add(std::to_string(i % kLanes), [&](const Hold& hold) {
      ++done;
      const std::lock_guard lock(mutex);
      holds.push_back(hold);
    });
  }
  workers.finish();
  EXPECT_EQ(done, kLanes * kJobs);
}

TEST(Workers, LeaveOneCoreWithoutLongJobsWhichTakeTurnsOnTheOthers) {
  constexpr int kJobs = 4, kPoints = 300;
  Workers workers(3);
  std::atomic<int> busy = 0, most = 0, ended = 0, ended_before_all_began = 0, began = 0;
  for (int i = 0; i < kJobs; ++i) {
    workers.add(std::to_string(i), [&](const Hold&) {
      workers.expect_long();
      ++began;
      for (int point = 0; point < kPoints; ++point) {
        while (!workers.give_way()) continue;
        const int now = ++busy;
        int before = most;
        while (before < now && !most.compare_exchange_weak(before, now)) continue;
        work_for(0.0002);
        --busy;
      }
      ended_before_all_began += began < kJobs ? 1 : 0;
      ++ended;
    });
  }
  workers.finish();
  EXPECT_EQ(ended, kJobs);
  EXPECT_EQ(most, 2);
  EXPECT_EQ(ended_before_all_began, 0);
}

}  // namespace workers_test
}  // namespace hannan::detail::service

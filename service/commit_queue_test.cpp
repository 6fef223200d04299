#include "service/commit_queue.hpp"

#include <gtest/gtest.h>

#include <thread>

namespace hannan::detail::service {
namespace commit_queue_test {

using Queue = CommitQueue<int>;
using Taken = std::vector<int>;
using Size = Queue::Size;

TEST(CommitQueue, GivesAllWithFewRowsForOneCommitAndOneWithManyAtATime) {
  Queue queue;
  queue.add(1, 500, Size::kMany);
  queue.add(2, 1, Size::kFew);
  queue.add(3, 500, Size::kMany);
  queue.add(4, 1, Size::kFew);
  EXPECT_EQ(queue.take_few(), (Taken{2, 4}));
  EXPECT_EQ(queue.take_few(), Taken{});
  EXPECT_EQ(queue.take_many(), 1);
  EXPECT_EQ(queue.take_many(), 3);
  EXPECT_EQ(queue.take_many(), std::nullopt);
}

TEST(CommitQueue, ACommitHasItsRowsAtMostOrOnePieceOfWork) {
  Queue queue;
  queue.add(1, kCommitRows + 1, Size::kFew);
  queue.add(2, 1, Size::kFew);
  queue.add(3, kCommitRows - 1, Size::kFew);
  queue.add(4, 1, Size::kFew);
  EXPECT_EQ(queue.take_few(), Taken{1});
  EXPECT_EQ(queue.take_few(), (Taken{2, 3}));
  EXPECT_EQ(queue.take_few(), Taken{4});
}

TEST(CommitQueue, IsDoneWhenItHasEndedAndAllIsTaken) {
  Queue queue;
  queue.add(1, 1, Size::kFew);
  queue.add(2, 500, Size::kMany);
  EXPECT_FALSE(queue.is_done());
  queue.end();
  queue.take_few();
  EXPECT_FALSE(queue.is_done());
  queue.take_many();
  EXPECT_TRUE(queue.is_done());
}

TEST(CommitQueue, WaitsForManyRowsOrACallOrItsEnd) {
  constexpr auto kVeryLong = std::chrono::minutes(10);
  using Change = void (*)(Queue&);
  const Change changes[] = {[](Queue& queue) { queue.add(1, 500, Size::kMany); }, [](Queue& queue) { queue.wake(); },
                            [](Queue& queue) { queue.end(); }};
  for (const Change change : changes) {
    Queue queue;
    std::thread other([&] { change(queue); });
    queue.wait(kVeryLong);
    other.join();
  }
}

TEST(CommitQueue, WaitsAgainAfterACallAndForNothingThatItsAdderWrites) {
  Queue queue;
  queue.wake();
  queue.wait(std::chrono::minutes(10));
  queue.add(1, 1, Size::kFew);
  EXPECT_TRUE(queue.has_few());
  const auto start = std::chrono::steady_clock::now();
  queue.wait(std::chrono::milliseconds(20));
  EXPECT_GE(std::chrono::steady_clock::now() - start, std::chrono::milliseconds(20));
}

}  // namespace commit_queue_test
}  // namespace hannan::detail::service

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

TEST(CommitQueue, WaitsUntilSomethingIsAddedOrItEnds) {
  constexpr auto kVeryLong = std::chrono::minutes(10);
  for (const bool ends : {false, true}) {
    Queue queue;
    std::thread other([&] {
      if (ends) {
        queue.end();
      } else {
        queue.add(1, 1, Size::kFew);
      }
    });
    queue.wait(kVeryLong);
    other.join();
    EXPECT_EQ(queue.take_few().empty(), ends);
  }
}

}  // namespace commit_queue_test
}  // namespace hannan::detail::service

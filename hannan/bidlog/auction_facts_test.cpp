#include "hannan/bidlog/auction_facts.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace hannan::detail {
namespace auction_facts_test {

using Rows = std::vector<LoggedRow>;

TEST(PaidAsBid, IsTheBestBidWhereTheLogNamesNoWinner) {
  const Rows rows{{.bid = 7}, {.bid = 9}, {.bid = 4}};
  const PaidAsBid sale = paid_as_bid(rows, {});
  EXPECT_EQ(sale.paid, 9);
  EXPECT_EQ(sale.second, 7);
  const PaidAsBid two = paid_as_bid(rows, {.units = 2});
  EXPECT_EQ(two.paid, 16);
  EXPECT_EQ(two.second, 8);
  const PaidAsBid purchase = paid_as_bid(rows, {.direction = Direction::kReverse});
  EXPECT_EQ(purchase.paid, 4);
  EXPECT_EQ(purchase.second, 7);
}

// The one who won asked for more than the lowest: it is paid 9, at the second lowest price it would be 7.
TEST(PaidAsBid, IsTheBidOfTheRowThatWon) {
  const Rows rows{{.bid = 7, .won = 0}, {.bid = 9, .won = 1}, {.bid = 4, .won = 0}};
  const PaidAsBid found = paid_as_bid(rows, {.direction = Direction::kReverse});
  EXPECT_EQ(found.paid, 9);
  EXPECT_EQ(found.second, 7);
}

// 10 units: 6 at 5 and 4 of the 8 at 3 are sold, so that the row at 3 sets the price. Paid in cents.
TEST(PaidAsBid, OfUnitsHasThePriceOfTheFirstRowThatIsNotServed) {
  const Rows rows{{.bid = 3, .demand = 8, .won = 4, .paid = 1200},
                  {.bid = 5, .demand = 6, .won = 6, .paid = 3000},
                  {.bid = 2, .demand = 9, .won = 0, .paid = 0}};
  const PaidAsBid found = paid_as_bid(rows, {});
  EXPECT_EQ(found.paid, 4200);
  EXPECT_EQ(found.second, 3000);
  EXPECT_FALSE(found.alone);
}

TEST(PaidAsBid, OfOneAloneIsTheOpeningBidOrWhatWasPaid) {
  const Rows rows{{.bid = 8}};
  EXPECT_EQ(paid_as_bid(rows, {.opening = 5}).second, 5);
  EXPECT_EQ(paid_as_bid(rows, {.direction = Direction::kReverse}).second, 8);
  EXPECT_TRUE(paid_as_bid(rows, {}).alone);
}

TEST(LogSigns, AskWhetherALogIsAPurchase) {
  LogSigns signs;
  const LogSigns::Said unsaid{.payment = Payment::kUnsaid, .direction = Direction::kForward, .top_hidden = false};
  signs.add(Rows{{.bid = 3, .won = 1}, {.bid = 5, .won = 0}});
  signs.add(Rows{{.bid = 3, .won = 1}});  // alone: it says nothing
  EXPECT_EQ(signs.asks(unsaid).size(), 1U);
  EXPECT_TRUE(
      signs.asks({.payment = Payment::kPayAsBid, .direction = Direction::kReverse, .top_hidden = false}).empty());
  signs.add(Rows{{.bid = 3, .won = 0}, {.bid = 5, .won = 1}});  // half of them
  EXPECT_TRUE(signs.asks(unsaid).empty());
}

TEST(LogSigns, AskWhoPaysItsOwnBid) {
  LogSigns signs;
  const LogSigns::Said unsaid{.payment = Payment::kUnsaid, .direction = Direction::kForward, .top_hidden = false};
  signs.add(Rows{{.bid = 3, .paid = 5}, {.bid = 5, .paid = 5}});
  EXPECT_EQ(signs.asks(unsaid).size(), 1U);
  EXPECT_TRUE(signs.asks({.payment = Payment::kUnsaid, .direction = Direction::kForward, .top_hidden = true}).empty());
  signs.add(Rows{{.bid = 3, .paid = 3}, {.bid = 5, .paid = 3}});  // a second price
  EXPECT_TRUE(signs.asks(unsaid).empty());
}

}  // namespace auction_facts_test
}  // namespace hannan::detail

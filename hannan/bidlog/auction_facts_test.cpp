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

// The one who won asked for more than the lowest: it is paid 9. Bids of 7 and 4 were not accepted, and are no rivals.
TEST(PaidAsBid, IsTheBidOfTheRowThatWon) {
  const Rows rows{{.bid = 7, .won = 0}, {.bid = 9, .won = 1}, {.bid = 4, .won = 0}};
  const PaidAsBid found = paid_as_bid(rows, {.direction = Direction::kReverse});
  EXPECT_EQ(found.paid, 9);
  EXPECT_EQ(found.second, 9);
  EXPECT_TRUE(found.alone);
  EXPECT_TRUE(better_bid_lost(rows, Direction::kReverse));
  EXPECT_FALSE(better_bid_lost(rows, Direction::kForward));
}

// Firm a won with 50 and bid 55 too; 40 of b was not accepted; the rivals at or above 50 are 50 of c and 70 of b.
TEST(PaidAsBid, HasAsRivalTheBestOtherBidderAtOrBehindTheWinner) {
  const PayAsBidRule purchase{.direction = Direction::kReverse};
  Rows rows{{.bid = 50, .won = 1, .who = "a"},
            {.bid = 55, .won = 0, .who = "a"},
            {.bid = 40, .won = 0, .who = "b"},
            {.bid = 70, .won = 0, .who = "b"}};
  EXPECT_EQ(paid_as_bid(rows, purchase).second, 70);
  EXPECT_FALSE(paid_as_bid(rows, purchase).alone);
  rows.push_back({.bid = 50, .won = 0, .who = "c"});
  EXPECT_EQ(paid_as_bid(rows, purchase).second, 50);
  // Of a sale the other way round: 45 of b, not 48 of a or the 60 that lost.
  const Rows sale{{.bid = 50, .won = 1, .who = "a"},
                  {.bid = 48, .won = 0, .who = "a"},
                  {.bid = 60, .won = 0, .who = "b"},
                  {.bid = 45, .won = 0, .who = "b"}};
  EXPECT_EQ(paid_as_bid(sale, {}).second, 45);
  EXPECT_TRUE(better_bid_lost(sale, Direction::kForward));
}

// Two firms won one lot each: a at 50 is paid 60 of c, b at 65 the 80 of d. The other lot is no rival.
TEST(PaidAsBid, HasARivalForEachOfTwoWinners) {
  const Rows rows{{.bid = 50, .won = 1, .who = "a"},
                  {.bid = 65, .won = 1, .who = "b"},
                  {.bid = 60, .won = 0, .who = "c"},
                  {.bid = 80, .won = 0, .who = "d"}};
  EXPECT_EQ(paid_as_bid(rows, {.direction = Direction::kReverse}).second, 140);
}

// Without a word of who won, two units go to two bidders, though one of them made the two best bids.
TEST(PaidAsBid, LetsABidderWithoutAQuantityWinOnce) {
  const Rows rows{{.bid = 9, .who = "a"}, {.bid = 8, .who = "a"}, {.bid = 6, .who = "b"}, {.bid = 5, .who = "c"}};
  EXPECT_EQ(paid_as_bid(rows, {.units = 2}).paid, 15);
  EXPECT_EQ(paid_as_bid(rows, {}).second, 6);
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
  const LogSigns::Said unsaid;
  signs.add(Rows{{.bid = 3, .won = 1}, {.bid = 5, .won = 0}}, Direction::kForward);
  signs.add(Rows{{.bid = 3, .won = 1}}, Direction::kForward);  // alone: it says nothing
  EXPECT_EQ(signs.asks(unsaid).size(), 1U);
  EXPECT_TRUE(signs.asks({.payment = Payment::kPayAsBid, .direction = Direction::kReverse}).empty());
  signs.add(Rows{{.bid = 3, .won = 0}, {.bid = 5, .won = 1}}, Direction::kForward);  // half of them
  EXPECT_TRUE(signs.asks(unsaid).empty());
}

TEST(LogSigns, AskWhoPaysItsOwnBid) {
  LogSigns signs;
  const LogSigns::Said unsaid{.paid = 5, .rule = 5};
  signs.add(Rows{{.bid = 3, .paid = 5}, {.bid = 5, .paid = 5}}, Direction::kForward);
  EXPECT_EQ(signs.asks(unsaid).size(), 1U);
  EXPECT_TRUE(signs.asks({.top_hidden = true, .paid = 5, .rule = 5}).empty());
  signs.add(Rows{{.bid = 3, .paid = 3}, {.bid = 5, .paid = 3}}, Direction::kForward);  // a second price
  EXPECT_TRUE(signs.asks(unsaid).empty());
  // Neither the own bids nor the second prices.
  EXPECT_EQ(signs.asks({.paid = 7, .rule = 5}).size(), 1U);
  EXPECT_TRUE(signs.asks({.payment = Payment::kSecondPrice, .paid = 7, .rule = 5}).empty());
}

TEST(LogSigns, AskWhatWinnersPayUntilItIsSaid) {
  const LogSigns signs;
  const std::vector<std::string> columns{"winner", "price"};
  EXPECT_TRUE(signs.asks({}).empty());
  const std::vector<LogSigns::Said> open{{.won = true}, {.direction = Direction::kReverse}, {.columns = columns}};
  for (LogSigns::Said said : open) {
    ASSERT_EQ(signs.asks(said).size(), 1U);
    for (const char* flag : {"--payment pay-as-bid", "--payment second-price", "--paid"})
      EXPECT_NE(signs.asks(said)[0].find(flag), std::string::npos);
    for (const Payment payment : {Payment::kSecondPrice, Payment::kPayAsBid}) {
      said.payment = payment;
      EXPECT_TRUE(signs.asks(said).empty());
    }
  }
  EXPECT_NE(signs.asks({.columns = columns})[0].find("the columns \"winner\" and \"price\""), std::string::npos);
  EXPECT_TRUE(signs.asks({.won = true, .paid = 100, .rule = 100}).empty());
}

}  // namespace auction_facts_test
}  // namespace hannan::detail

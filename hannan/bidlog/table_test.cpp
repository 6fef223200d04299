#include "hannan/bidlog/table.hpp"

#include <gtest/gtest.h>

#include "hannan/bidlog/bid_quantile.hpp"
#include "hannan/core/error.hpp"

namespace hannan::detail {
namespace table_test {

std::vector<std::vector<double>> rows_of(LogTable& table) {
  std::vector<std::vector<double>> rows;
  std::vector<double> row;
  while (table.next(row)) rows.push_back(row);
  return rows;
}

LogTable table_of(const std::string& text, LogPlan plan) {
  return LogTable([&text] { return bytes_of_memory(text); }, "log", std::move(plan));
}

TEST(BidQuantile, OfOneIsTheMaximumAndOfLittleTheMinimum) {
  BidQuantile quantile;
  EXPECT_EQ(quantile.at(0.5), 0);
  for (const double bid : {3.0, 1.0, 2.0, 10.0}) quantile.add(bid);
  EXPECT_EQ(quantile.at(1), 10);
  EXPECT_EQ(quantile.at(0.001), 1);
  EXPECT_EQ(quantile.at(0.5), 2);   // the second of four
  EXPECT_EQ(quantile.at(0.51), 3);  // the third
}

// 1 and 1 + 1/10000 share a bucket, which is 1/8192 wide and answers with its largest; 1 + 1/4000 has its own.
TEST(BidQuantile, AnswersWithTheLargestBidOfABucket) {
  BidQuantile quantile;
  for (const double bid : {1.0, 1.0001, 1.00025}) quantile.add(bid);
  EXPECT_EQ(quantile.at(0.1), 1.0001);
  EXPECT_EQ(quantile.at(1), 1.00025);
}

TEST(LogTable, SingleAmountsStandAsTheyAre) {
  const std::string text = "day,demand\n1,12.5\n2,0\n3,300\n";
  const LogPlan plan{.columns = {.round = "none", .who = "", .bid = "demand"},
                     .shape = LogShape::kAmount,
                     .names = {"demand"},
                     .rest = Rest::kDrop,
                     .cap = 1.0};
  LogTable table = table_of(text, plan);
  EXPECT_EQ(rows_of(table), (std::vector<std::vector<double>>{{12.5}, {0}, {300}}));
  EXPECT_EQ(table.log().money(), nullptr);
}

TEST(SeenRounds, KnowsEveryNameAgainAfterGrowing) {
  SeenRounds seen;
  for (int i = 0; i < 5000; ++i) EXPECT_TRUE(seen.add("round " + std::to_string(i)));
  for (int i = 0; i < 5000; ++i) EXPECT_FALSE(seen.add("round " + std::to_string(i)));
  EXPECT_TRUE(seen.add(""));
  EXPECT_FALSE(seen.add(""));
}

// Round 1: ann's highest is 3, bob's 4. Round 2: cec alone. The cap halves 4 and clips 5.
TEST(LogTable, KeepsEachBiddersHighestBidAndClips) {
  const std::string text = "round,bidder,bid\n1,ann,2\n1,bob,4\n1,ann,3\n2,cec,5\n";
  LogTable table = table_of(text, {.count = 9, .cap = 4.0});
  EXPECT_EQ(table.names(), (std::vector<std::string>{"ann", "bob", "cec"}));
  EXPECT_EQ(rows_of(table), (std::vector<std::vector<double>>{{0.75, 1, 0}, {0, 0, 1}}));
  EXPECT_EQ(table.log().summary().at("bids").at("clipped").as_number(), 1);
  EXPECT_EQ(table.log().tally().superseded, 1);
}

// Two bidders of segment x share a slot by their highest, 3: the second highest bid, 2, is lost, and counted. Segments
// are counted by auctions, so x (2) comes before y (1) though y has as many bids.
TEST(LogTable, CountsTheSecondBidThatASharedSegmentHides) {
  const std::string text = "round,bidder,bid,kind\n1,a,3,x\n1,b,2,x\n1,c,1,y\n1,d,1,y\n2,a,4,x\n";
  LogTable table = table_of(text, {.columns = {.segment = "kind"}, .slots = Slots::kSegment, .cap = 4.0});
  EXPECT_EQ(table.names(), (std::vector<std::string>{"x", "y"}));
  EXPECT_EQ(rows_of(table), (std::vector<std::vector<double>>{{0.75, 0.25}, {1, 0}}));
  EXPECT_EQ(table.log().summary().at("bids").at("seconds_hidden").as_number(), 1);
  EXPECT_EQ(table.log().tally().superseded, 0);
  // Without the top bidder of round 1 its segment is still there, with 2; round 2 has no bidder left.
  LogTable topless =
      table_of(text, {.columns = {.segment = "kind"}, .slots = Slots::kSegment, .drop_top = 1, .cap = 4.0});
  EXPECT_EQ(rows_of(topless), (std::vector<std::vector<double>>{{0.5, 0.25}}));
}

// The bidder's own bid says that the item is for sale, not what it costs. In round 2 y was not for sale: 1.
TEST(LogTable, PricesAreTheHighestBidsOfTheOthersByItem) {
  const std::string text = "round,item,bidder,bid\n1,x,me,4\n1,x,a,1\n1,x,b,2\n1,y,me,3\n2,x,a,3\n";
  LogTable table = table_of(text, {.columns = {.item = "item"}, .shape = LogShape::kPrices, .cap = 4.0, .me = "me"});
  EXPECT_EQ(table.names(), (std::vector<std::string>{"x", "y"}));
  EXPECT_EQ(rows_of(table), (std::vector<std::vector<double>>{{0.5, 0}, {0.75, 1}}));
  EXPECT_EQ(table.log().summary().at("bids").at("left_out").as_number(), 2);  // one's own
  // Of the items without a slot the cheapest counts: x at 0.5 in round 1, and none in round 2 but x at 0.75.
  LogTable pooled =
      table_of(text, {.columns = {.item = "item"}, .shape = LogShape::kPrices, .names = {"y"}, .cap = 4.0, .me = "me"});
  EXPECT_EQ(rows_of(pooled), (std::vector<std::vector<double>>{{0, 0.5}, {1, 0.75}}));
}

// A plan with what was found is the same table in one pass.
TEST(LogTable, ReadsAgainWithoutLookingAhead) {
  const std::string text = "round,bidder,bid\n1,a,3\n1,b,2\n2,b,4\n2,c,1\n3,b,1\n";
  LogTable first = table_of(text, {.count = 1});
  EXPECT_FALSE(looks_ahead(first.log().settled()));
  LogTable second = table_of(text, first.log().settled());
  EXPECT_EQ(second.names(), first.names());
  EXPECT_EQ(rows_of(second), rows_of(first));
}

TEST(LogTable, RefusesDropsOrTakesARoundThatComesAgain) {
  const std::string text = "round,bidder,bid\n1,a,1\n2,a,2\n1,a,4\n";
  LogTable refusing = table_of(text, {.names = {"a"}, .rest = Rest::kDrop, .cap = 4.0});
  EXPECT_THROW(rows_of(refusing), Error);
  LogTable dropping = table_of(text, {.again = Again::kDrop, .cap = 4.0});
  EXPECT_EQ(rows_of(dropping), (std::vector<std::vector<double>>{{0.25}, {0.5}}));
  EXPECT_EQ(dropping.log().tally().used, 2);
  LogTable taking = table_of(text, {.again = Again::kNew, .cap = 4.0});
  EXPECT_EQ(rows_of(taking).size(), 3);
}

TEST(LogTable, SaysWhyNothingCouldBeUsed) {
  const std::string text = "round,bidder,bid\n1,a,x\n1,b,-1\n";
  std::vector<double> row;
  try {
    table_of(text, {.cap = 1.0}).next(row);
    FAIL();
  } catch (const Error& e) {
    EXPECT_EQ(e.code(), Code::kUnreadable);
    EXPECT_NE(e.message().find("1 of 2 cells of the column \"bid\" that cannot be read (log:2:5 \"x\")"),
              std::string::npos)
        << e.message();
  }
  LogTable table = table_of(text, {.columns = {.unreadable = LogColumns::Unreadable::kAccept}, .cap = 1.0});
  try {
    table.next(row);
    FAIL();
  } catch (const Error& e) {
    EXPECT_EQ(e.code(), Code::kEmpty);
    EXPECT_NE(e.message().find("1 whose bid is not a number (first at log:2:5)"), std::string::npos) << e.message();
    EXPECT_NE(e.message().find("1 with a negative bid (first at log:3:5)"), std::string::npos) << e.message();
  }
}

TEST(Utf8, DiffersFromOtherEncodings) {
  EXPECT_TRUE(is_utf8("plain"));
  EXPECT_TRUE(is_utf8("Zo\xC3\xAB"));
  EXPECT_FALSE(is_utf8("Zo\xEB"));
  EXPECT_FALSE(is_utf8("\xC3"));
  EXPECT_FALSE(is_utf8("\x80"));
}

}  // namespace table_test
}  // namespace hannan::detail

#include "hannan/bidlog/list.hpp"

#include <gtest/gtest.h>

#include "hannan/core/error.hpp"

namespace hannan::detail {
namespace list_test {

std::string lines_of(const std::string& text, LogPlan plan) {
  LogList list([&text] { return bytes_of_memory(text); }, "log", std::move(plan));
  std::string lines;
  Json outcome;
  while (list.next(outcome)) lines += dump(outcome) + "\n";
  return lines;
}

DemandCurve curve(std::vector<std::pair<double, double>> rows) {
  std::vector<LogBid> bids;
  for (const auto& [quantity, bid] : rows)
    bids.push_back({.item = {}, .who = {}, .segment = {}, .bid = bid, .quantity = quantity});
  return DemandCurve(std::move(bids));
}

// 2 units at 3 and 1 at 5, highest price first: 5, 8, 11, and no more after that.
TEST(DemandCurve, AddsUpTheMostExpensiveUnits) {
  const DemandCurve demand = curve({{2, 3}, {1, 5}});
  EXPECT_EQ(demand.worth(0), 0);
  EXPECT_EQ(demand.worth(1), 5);
  EXPECT_EQ(demand.worth(2.5), 9.5);
  EXPECT_EQ(demand.worth(9), 11);
  EXPECT_EQ(dump(demand.steps({.lot = 1, .cap = 11, .most = 2})), "[[1,0.45454545454545453],[2,0.7272727272727273]]");
  EXPECT_EQ(dump(demand.steps({.lot = 1, .cap = 8, .most = 9})), "[[1,0.625],[2,1]]");  // clipped: 11 / 8
  EXPECT_EQ(dump(demand.steps({.lot = 2, .cap = 16, .most = 9})),
            "[[1,0.5],[2,0.6875]]");  // the second lot is half full
  EXPECT_EQ(demand.beyond(1), 1);
  EXPECT_EQ(dump(curve({{2, 0}}).steps({.lot = 1, .cap = 1, .most = 2})), "[]");  // worth nothing: no step
}

// Round 1: ann asks for 1 unit at 4 and 2 more at 1, bob for 3 at 2. Round 2: bob alone.
TEST(LogList, ValuationsAreMarginalValuesAddedUp) {
  const std::string text = "round,bidder,bid,q\n1,ann,1,2\n1,bob,2,3\n1,ann,4,1\n2,bob,1,1\n";
  const LogPlan plan{.columns = {.quantity = "q"}, .shape = LogShape::kValuations, .cap = 8.0, .units = 4};
  EXPECT_EQ(
      lines_of(text, plan),
      "[[[1,0.25],[2,0.5],[3,0.75]],[[1,0.5],[2,0.625],[3,0.75]]]\n[[[1,0.125]],[]]\n");  // bob bids in more rounds
}

// The rest is one bidder that has the most expensive of their units first: 4, 2, 2, 2 of 10 asked for.
TEST(LogList, ThePooledRestSplitsItsUnitsBest) {
  const std::string text = "round,bidder,bid,q\n1,a,2,9\n1,b,4,1\n";
  LogPlan plan{.columns = {.quantity = "q"}, .shape = LogShape::kValuations, .names = {"z"}, .cap = 16.0, .units = 4};
  EXPECT_EQ(lines_of(text, plan), "[[],[[1,0.25],[2,0.375],[3,0.5],[4,0.625]]]\n");
  plan.rest = Rest::kDrop;
  EXPECT_EQ(lines_of(text, plan), "[[]]\n");
}

TEST(LogList, RefusesValuationsOfTooManySteps) {
  const std::string text = "round,bidder,bid,q\n1,a,2,1000000\n";
  const LogPlan plan{.columns = {.quantity = "q"}, .shape = LogShape::kValuations, .cap = 16.0, .units = 1000000};
  EXPECT_THROW(lines_of(text, plan), Error);
}

// ann would pay 3 + 1 for both, bob 2 for y; 8 becomes 1.
TEST(LogList, BuyersHaveBundlesOrAValueForEveryItem) {
  const std::string text = "round,bidder,item,bid\n1,ann,x,3\n1,bob,y,2\n1,ann,y,1\n2,cec,x,8\n";
  LogPlan plan{.columns = {.item = "item"}, .shape = LogShape::kBuyers, .cap = 8.0};
  EXPECT_EQ(lines_of(text, plan),
            "[{\"bundle\":[0,1],\"value\":0.5},{\"bundle\":[1],\"value\":0.25}]\n[{\"bundle\":[0],\"value\":1}]\n");
  plan.demand = Demand::kOneItem;
  EXPECT_EQ(lines_of(text, plan), "[[0.375,0.125],[0,0.25]]\n[[1,0]]\n");
}

// One unit: the two highest bids of a slot, and of the others, are kept. In round 2 a does not bid,
// b bids 0, and the log says no opening bid.
TEST(LogList, BidsInMoneyKeepWhatCanMatterAndTheOpeningBid) {
  const std::string text = "round,bidder,bid,o\n1,a,3,1.5\n1,b,2,1.5\n1,c,9,1.5\n1,d,7,1.5\n1,e,8,1.5\n2,b,0,\n";
  LogPlan plan{
      .columns = {.opening = "o"}, .shape = LogShape::kMoneyBids, .names = {"a", "b"}, .rest_slots = 0, .cap = 1.0};
  EXPECT_EQ(lines_of(text, plan), "{\"bids\":[3,2],\"others\":[9,8],\"opening\":1.5}\n{\"bids\":[null,0]}\n");
  plan.units = 2;
  EXPECT_EQ(lines_of(text, plan), "{\"bids\":[3,2],\"others\":[9,8,7],\"opening\":1.5}\n{\"bids\":[null,0]}\n");
  plan.rest = Rest::kDrop;
  EXPECT_EQ(lines_of(text, plan), "{\"bids\":[3,2],\"opening\":1.5}\n{\"bids\":[null,0]}\n");
}

// A buyer that bids on no item with a slot buys nothing; the quantile is one of what buyers would pay: 4.
TEST(LogList, BuyersOfOtherItemsAreLeftOutAndTheScaleIsThatOfBundles) {
  const std::string text = "round,bidder,item,bid\n1,ann,x,3\n1,ann,y,1\n1,bob,z,2\n";
  LogPlan plan{.columns = {.item = "item"}, .shape = LogShape::kBuyers, .names = {"x", "y"}, .rest = Rest::kDrop};
  EXPECT_EQ(lines_of(text, plan), "[{\"bundle\":[0,1],\"value\":1},{\"bundle\":[],\"value\":0}]\n");
}

}  // namespace list_test
}  // namespace hannan::detail

#include "hannan/bidlog/logged_money.hpp"

#include <gtest/gtest.h>

#include "hannan/bidlog/table.hpp"
#include "hannan/core/error.hpp"
#include "hannan/problems/unreserved_auction.hpp"

namespace hannan::detail {
namespace logged_money_test {

// Five auctions; x and y bid in more of them than a and b, so slots are named.
constexpr const char* kFive =
    "round,bidder,bid\n"
    "1,a,30\n1,x,28\n1,y,27\n"
    "2,x,9\n2,y,8\n2,b,2\n"
    "3,y,5\n"
    "4,a,12\n4,b,11\n"
    "5,x,500\n5,y,40\n5,z,39\n";

Json summary_of(const std::string& text, LogPlan plan) {
  LogTable table([&text] { return bytes_of_memory(text); }, "log", std::move(plan));
  std::vector<double> row;
  while (table.next(row)) {
  }
  return table.log().summary();
}

double number(const Json& json, const char* name) { return json.at(name).as_number(); }

// Stage j of the summary, from 0: dropped, pooled, clipped.
void expect_stage(const Json& summary, std::size_t j, double paid, double tops) {
  const Json& stage = summary.at("hidden").at("stages")[j];
  EXPECT_DOUBLE_EQ(number(stage, "paid"), paid) << j;
  EXPECT_DOUBLE_EQ(number(stage, "tops"), tops) << j;
}

TEST(RuleMoney, IsWhatTheWinnersPay) {
  const std::vector<double> bids{3, 9, 5, 7};
  EXPECT_EQ(rule_money(bids, 1, 0), 7);
  EXPECT_EQ(rule_money(bids, 2, 0), 10);   // two pay the third highest
  EXPECT_EQ(rule_money(bids, 4, 0), 0);    // no bid loses
  EXPECT_EQ(rule_money(bids, 1, 8), 8);    // one bid reaches the opening bid
  EXPECT_EQ(rule_money(bids, 3, 6), 12);   // two of three units are sold
  EXPECT_EQ(rule_money(bids, 1, 9), 9);    // a bid at the opening bid reaches it
  EXPECT_EQ(rule_money(bids, 1, 9.5), 0);  // not sold
  EXPECT_EQ(rule_money({}, 1, 4), 0);
}

// Second prices: 28 + 8 + 0 + 11 + 40 = 87; tops: 30 + 9 + 5 + 12 + 500 = 556. Two slots for the rest keep them all.
TEST(LoggedMoney, NothingIsHiddenWhereTheRestKeepsUnitsPlusOneBids) {
  const Json summary = summary_of(kFive, {.names = {"a", "b"}, .rest_slots = 2, .cap = 500.0});
  EXPECT_EQ(number(summary.at("as_logged"), "rule"), 87);
  for (std::size_t j = 0; j < 3; ++j) expect_stage(summary, j, 87, 556);
  EXPECT_EQ(number(summary.at("hidden"), "share"), 0);
  EXPECT_EQ(summary.at("hidden").at("action").as_string(), "ok");
}

// Auctions with one bidder go (5 of 556), and a cap of 100 takes 400 from the highest bid of the fifth.
TEST(LoggedMoney, DroppedAndClippedMoneyAddsUp) {
  const Json summary = summary_of(kFive, {.names = {"a", "b"}, .rest_slots = 2, .least = 2, .cap = 100.0});
  EXPECT_EQ(number(summary.at("as_logged"), "rule"), 87);
  expect_stage(summary, 0, 87, 551);
  expect_stage(summary, 1, 87, 551);
  expect_stage(summary, 2, 87, 151);
  EXPECT_DOUBLE_EQ(number(summary.at("hidden"), "share"), 405.0 / 556);
  EXPECT_EQ(summary.at("hidden").at("action").as_string(), "stop");
  EXPECT_THROW(refuse_hidden(summary.at("hidden"), "log"), Error);
}

// Two units: third highest bids 27 + 2 + 39, twice: 136. With one slot and two for the rest the third bid is lost in
// the second and the fifth auction: 54 is left.
TEST(LoggedMoney, TwoSlotsForTheRestAreTooFewForTwoUnits) {
  const Json summary = summary_of(kFive, {.names = {"a"}, .rest_slots = 2, .cap = 500.0, .units = 2});
  EXPECT_EQ(number(summary.at("as_logged"), "rule"), 136);
  expect_stage(summary, 0, 136, 643);
  expect_stage(summary, 1, 54, 643);
  EXPECT_DOUBLE_EQ(number(summary.at("hidden"), "share"), 41.0 / 68);
}

// One slot for the rest loses 27 of no price in round 1 (28 is there), 8 in round 2 but for b's 2, and 40 in round 5.
TEST(LoggedMoney, OnePooledSlotHidesSecondPrices) {
  const Json summary = summary_of(kFive, {.names = {"a", "b"}, .cap = 500.0});
  expect_stage(summary, 1, 28 + 2 + 0 + 11 + 0, 556);
  EXPECT_DOUBLE_EQ(number(summary.at("hidden"), "share"), 46.0 / 87);
}

// Left out: x and y and z, by --rest drop. What is left has no second bid but in round 4.
TEST(LoggedMoney, BidsWithoutASlotAndTopsAreDropped) {
  const Json summary = summary_of(kFive, {.names = {"a", "b"}, .rest = Rest::kDrop, .cap = 500.0});
  expect_stage(summary, 0, 11, 30 + 2 + 12);
  const Json topless = summary_of(kFive, {.names = {"a", "b"}, .rest_slots = 2, .drop_top = 1, .cap = 500.0});
  expect_stage(topless, 0, 27 + 2 + 39, 28 + 8 + 11 + 40);
  EXPECT_EQ(number(topless.at("as_logged"), "rule"), 87);
}

// Round 1 comes again with 6 and 4: dropped, but its money is in the log.
TEST(LoggedMoney, RoundsThatComeAgainAreHiddenWhereTheyAreDropped) {
  const std::string text = "round,bidder,bid\n1,a,3\n1,b,2\n2,a,5\n2,b,1\n1,a,6\n1,b,4\n1,a,5\n";
  const Json summary = summary_of(text, {.again = Again::kDrop, .cap = 6.0});
  EXPECT_EQ(number(summary.at("as_logged"), "rule"), 2 + 1 + 4);
  EXPECT_EQ(number(summary.at("as_logged"), "auctions"), 3);
  EXPECT_EQ(number(summary.at("auctions"), "read"), 2);
  EXPECT_EQ(number(summary.at("rows"), "superseded"), 0);
  expect_stage(summary, 0, 3, 8);
}

// Round 1: 7 is above the opening bid, so 10 is paid. Round 2: 3 does not reach it, so one bid is left, which pays 4.
// Round 3: not sold. The price of round 1 stands in its second row alone.
TEST(LoggedMoney, TheOpeningBidAndThePriceArePartOfIt) {
  const std::string text =
      "round,bidder,bid,open,price\n1,a,10,7,\n1,b,12,7,10.75\n2,a,9,4,4\n2,b,3,4,4\n3,a,1,2,\n4,a,8,x,\n4,b,5,,\n";
  LogPlan how{.columns = {.opening = "open", .paid = "price"}, .cap = 20.0};
  try {
    summary_of(text, how);
    FAIL();
  } catch (const Error& e) {
    EXPECT_EQ(code_name(e.code()), "H214");
    EXPECT_NE(e.message().find("1 of 6 cells of the column \"open\" that cannot be read (log:7:7 \"x\")"),
              std::string::npos)
        << e.message();
  }
  how.columns.unreadable = LogColumns::Unreadable::kAccept;
  const Json summary = summary_of(text, how);
  const Json& logged = summary.at("as_logged");
  EXPECT_EQ(number(logged, "rule"), 10 + 4 + 0 + 5);
  EXPECT_EQ(number(logged, "without_opening"), 10 + 3 + 0 + 5);
  EXPECT_EQ(number(logged, "openings"), 3);
  EXPECT_EQ(number(logged, "paid"), 14.75);
  EXPECT_EQ(number(logged, "rule_where_paid"), 14);
  EXPECT_EQ(number(summary.at("rows"), "baseline_not_a_number"), 1);
  const std::string text_of = as_logged_text(logged, "USD");
  EXPECT_EQ(text_of,
            "as logged: 19 USD in 4 auctions, the second highest bid or the opening bid\n"
            "  without the opening bids it would be 18 USD\n"
            "  paid: 15 USD in 2 auctions, where the bids say 14 USD\n");
}

// 1 % and 10 % are allowed, more is not.
TEST(HiddenMoney, WarnsAboveOnePercentAndStopsAboveTen) {
  const auto hidden = [](double share) { return Json::object({{"share", share}, {"stages", Json::array()}}); };
  EXPECT_EQ(hidden_text(hidden(0.01)), "");
  EXPECT_NE(hidden_text(hidden(0.011)), "");
  EXPECT_NO_THROW(refuse_hidden(hidden(0.1), "log"));
  try {
    refuse_hidden(hidden(0.11), "log");
    FAIL();
  } catch (const Error& e) {
    EXPECT_EQ(code_name(e.code()), "H210");
    EXPECT_EQ(exit_status(e.code()), 3);
  }
}

}  // namespace logged_money_test
}  // namespace hannan::detail

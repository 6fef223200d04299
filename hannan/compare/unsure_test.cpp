#include "hannan/compare/unsure.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "hannan/compare/judgement.hpp"
#include "hannan/runtime/registry.hpp"
#include "tests/no_doubts.hpp"

namespace hannan::detail {
namespace unsure_test {

// Shown top and second, four auctions. Reserve 15: 19 + 30 + 0 + 15, and 15 more if the one who showed 9 would pay it.
TEST(HiddenTop, EarnsBetweenNothingAndTheReserveAboveWhatIsShown) {
  const std::vector<ShownAuction> auctions{{20, 19}, {30, 30}, {9, 0}, {15, 14}};
  struct Case {
    double reserve, low, high;
  };
  for (const auto& [reserve, low, high] :
       {Case{0, 63, 63}, Case{9, 72, 72}, Case{15, 64, 79}, Case{20, 50, 90}, Case{31, 0, 124}}) {
    const Interval found = hidden_top_money(auctions, reserve);
    EXPECT_EQ(found.lo, low) << reserve;
    EXPECT_EQ(found.hi, high) << reserve;
  }
}

// The same auctions as outcomes of vcg-reserves with one reserve for all: the replay, and the outcome that earns most.
TEST(HiddenTop, IsWhatTheAuctionPaysOnTheTwoOutcomes) {
  const auto problem = make_problem("vcg-reserves", parse_json(R"({"bidders":1,"prices":[0,9,15,20,31]})"), "params");
  const MostOutcome most = most_of_hidden_top(*problem);
  const Game& game = problem->game();
  const std::vector<ShownAuction> auctions{{20, 19}, {30, 30}, {9, 0}, {15, 14}};
  const std::vector<double> reserves{0, 9, 15, 20, 31};
  for (std::size_t z = 0; z < reserves.size(); ++z) {
    const AnyAction action = game.parse_action(Json::array({Json(z)}), "action");
    double low = 0, high = 0;
    for (const auto& [top, second] : auctions) {
      AnyOutcome outcome;
      const Json bids = Json::object({{"bids", Json::array({Json(std::vector<double>{top, second})})}});
      game.read_outcome(bids, "outcome", outcome);
      low -= game.loss(action, outcome);
      high -= game.loss(action, most(outcome));
    }
    const Interval found = hidden_top_money(auctions, reserves[z]);
    EXPECT_EQ(high, found.hi) << z;
    // One who leaves may leave the second bid to win, which the limits of one reserve for all do not count.
    EXPECT_GE(low, found.lo) << z;
    EXPECT_LE(low, found.hi) << z;
  }
}

TEST(HiddenTop, LeavesNothingOpenOfBidsThatHaveNoReserve) {
  const auto problem = make_problem("vcg-reserves", parse_json(R"({"bidders":1,"prices":[0,5]})"), "params");
  AnyOutcome outcome;
  problem->game().read_outcome(parse_json(R"({"bids":[3],"others":[4]})"), "outcome", outcome);
  EXPECT_EQ(dump(problem->game().outcome_json(most_of_hidden_top(*problem)(outcome))), R"({"bids":[3],"others":[4]})");
  EXPECT_FALSE(most_of_hidden_top(*make_problem("experts", parse_json(R"({"experts":2})"), "params")));
}

// Bought 2 at 5 and 1 at 3, declined at 4: at 4 the two surely buy; the third may, the one who declined may not.
TEST(PostedPrices, AreSureOfThoseWhoBoughtAtLeastAtThem) {
  using Answer = PostedOffer::Answer;
  const std::vector<PostedOffer> offers{{5, 2, Answer::kBought}, {3, 1, Answer::kBought}, {4, 1, Answer::kDeclined}};
  struct Case {
    double price, low, high;
  };
  for (const auto& [price, low, high] : {Case{3, 9, 12}, Case{4, 8, 12}, Case{5, 10, 15}, Case{6, 0, 18}}) {
    const Interval found = posted_money(offers, price);
    EXPECT_EQ(found.lo, low) << price;
    EXPECT_EQ(found.hi, high) << price;
  }
}

TEST(Judgement, OfGainsThatAreKnownWithinLimitsKeepsOnlyByTheMost) {
  const std::vector<double> loss(80, -1.0), none(80, 0.0), gain(80, 1.0);
  EXPECT_EQ(judge(loss, {.doubts = sure(), .baseline = 1000, .most_gains = none}).advice, Recommendation::kKeep);
  EXPECT_EQ(judge(loss, {.doubts = sure(), .baseline = 1000, .most_gains = gain}).advice, Recommendation::kCannotTell);
  EXPECT_EQ(judge(gain, {.doubts = sure(), .baseline = 1000, .most_gains = gain}).advice, Recommendation::kDeploy);
  EXPECT_EQ(judge(loss, {.doubts = sure(), .baseline = 1000, .most_gains = gain}).most_gain, 80);
}

}  // namespace unsure_test
}  // namespace hannan::detail

#include "hannan/bidlog/posted_offers.hpp"

#include <gtest/gtest.h>

namespace hannan::detail {
namespace posted_offers_test {

using Offers = std::vector<LoggedOffer>;
const std::vector<std::string> kGoods{"tea", "jam"};

std::string doubt_of(const std::vector<Offers>& log, PostedDemand::Rounds rounds = PostedDemand::Rounds::kOffers) {
  PostedDemand demand;
  for (const Offers& round : log) demand.add(round);
  return demand.doubt(kGoods, rounds);
}

TEST(PostedDemand, HasLimitsWhereEveryOfferIsARowOfOneUnitOrNone) {
  EXPECT_EQ(doubt_of({{{0, 2, 1}}, {{0, 3, 0}}, {{0, 2, 0}}}), "");
  EXPECT_EQ(doubt_of({{{0, 2, 1}, {1, 5, 0}}, {{0, 3, 0}, {1, 4, 1}}}), "");
}

TEST(PostedDemand, SaysNothingOfAGoodWithOnePrice) {
  EXPECT_NE(doubt_of({{{0, 2, 1}}, {{0, 2, 0}}}).find("\"tea\" was offered at one price only, 2"), std::string::npos);
  EXPECT_NE(doubt_of({{{0, 2, 1}, {1, 5, 0}}, {{0, 3, 0}, {1, 5, 1}}}).find("\"jam\""), std::string::npos);
}

TEST(PostedDemand, SaysNothingWithoutRowsOfThoseWhoDidNotBuy) {
  EXPECT_NE(doubt_of({{{0, 2, 1}}, {{0, 3, 1}}}).find("purchases only"), std::string::npos);
  // A choice between goods declines one of them, and is a purchase all the same.
  const std::vector<Offers> choices{{{0, 2, 1}, {1, 5, 0}}, {{0, 3, 0}, {1, 4, 1}}};
  EXPECT_NE(doubt_of(choices, PostedDemand::Rounds::kChoice).find("purchases only"), std::string::npos);
}

TEST(PostedDemand, SaysNothingOfUnitsThatWereSoldTogether) {
  EXPECT_NE(doubt_of({{{0, 2, 7}}, {{0, 3, 0}}, {{0, 3, 1}}}).find("1 rows are several units"), std::string::npos);
}

TEST(PostedDemand, SaysNothingWhereABuyerMayTurnToAnotherGood) {
  const std::vector<Offers> choices{{{0, 2, 1}, {1, 5, 0}}, {{0, 3, 0}, {1, 4, 1}}, {{0, 3, 0}, {1, 5, 0}}};
  EXPECT_NE(doubt_of(choices, PostedDemand::Rounds::kChoice).find("turn to another"), std::string::npos);
}

}  // namespace posted_offers_test
}  // namespace hannan::detail

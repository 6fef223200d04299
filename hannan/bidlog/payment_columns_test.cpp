#include "hannan/bidlog/payment_columns.hpp"

#include <gtest/gtest.h>

namespace hannan::detail {
namespace payment_columns_test {

TEST(PaymentColumns, AreKnownByTheirNames) {
  for (const char* name :
       {"winner",      "Winner ID",   "is_won",         "won",         "price",        "Price",   "paid",
        "amount_paid", "winning_bid", "WinningBid",     "sold_price",  "soldPrice",    "hammer",  "Hammer price",
        "award",       "award_date",  "clearing.price", "final price", "closingprice", "payment", "sold"})
    EXPECT_TRUE(names_payment(name)) << name;
}

TEST(PaymentColumns, AreNotOtherPricesNorWordsThatOnlyLookAlike) {
  for (const char* name : {"reserve_price", "reserveprice", "opening.price.amount", "list price", "estimated price",
                           "bid_price", "ask price", "evaluated.price.currency", "window", "bidder", "bid", "amount",
                           "round", "status", "wine", "floor_price", "max price", "start price", "twin"})
    EXPECT_FALSE(names_payment(name)) << name;
}

TEST(PaymentColumns, AreKnownByCellsThatSayWhatBecameOfABid) {
  for (const char* cell : {"Awarded", "won", "LOST", "Not awarded", "winner", "sold"})
    EXPECT_TRUE(tells_winner(cell)) << cell;
  for (const char* cell : {"", "Evaluated", "1", "no", "wonderful", "Winner Bros. Ltd. of Wexford"})
    EXPECT_FALSE(tells_winner(cell)) << cell;
}

TEST(PaymentColumns, ThatAFlagNamesAreNotFound) {
  const std::vector<std::string> names{"round", "bidder", "bid", "price", "status", "note"};
  const auto found_with = [&](const LogColumns& columns) {
    PaymentColumns looked(names, columns);
    std::vector<std::string> found;
    const std::vector<std::string> first{"1", "a", "3", "4", "Evaluated", "won"},
        second{"1", "b", "4", "4", "Awarded", "won"};
    looked.look([&](std::size_t c) { return std::string_view(first[c]); }, found);
    looked.look([&](std::size_t c) { return std::string_view(second[c]); }, found);
    return found;
  };
  EXPECT_EQ(found_with({}), (std::vector<std::string>{"price", "note", "status"}));
  EXPECT_EQ(found_with({.bid = "price", .won = "status=Awarded"}), (std::vector<std::string>{"note"}));
  EXPECT_EQ(found_with({.paid = "price", .where = {{"status", "Awarded"}, {"note", "won"}}}),
            std::vector<std::string>{});
}

}  // namespace payment_columns_test
}  // namespace hannan::detail

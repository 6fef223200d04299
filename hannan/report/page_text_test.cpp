#include "hannan/report/page_text.hpp"

#include <gtest/gtest.h>

#include "hannan/report/page_words.hpp"

namespace hannan::detail {
namespace page_text_test {

TEST(PageText, WritesMoneyWithATrueMinusAndANoBreakSpace) {
  EXPECT_EQ(page_money(1643.4, "USD"), "1,643\u00a0USD");
  EXPECT_EQ(page_money(-44, ""), "\u221244");
  EXPECT_EQ(page_difference(1643, "USD"), "+1,643\u00a0USD");
  EXPECT_EQ(page_difference(-3.5, "EUR"), "\u22123.50\u00a0EUR");
  EXPECT_EQ(page_difference(0.001, "EUR"), "0\u00a0EUR");
  EXPECT_EQ(page_difference(0, ""), "0");
  EXPECT_EQ(page_percent(-0.008), "\u22120.8\u00a0%");
  EXPECT_EQ(page_price(1234.5, "USD"), "1,234.50\u00a0USD");
}

// Sums of 70.63 and 70.40 differ by 0.23: rounded on their own they would read 71 and 70.
TEST(PageText, GivesFiguresThatStandTogetherTheDigitsOfTheirDifference) {
  const auto form = [](std::vector<double> together, const std::string& currency) {
    return form_of(together, currency);
  };
  EXPECT_EQ(page_amount(70.63, form({70.63, 70.4, 0.23}, "USD")), "70.63\u00a0USD");
  EXPECT_EQ(page_amount(70.4, form({70.63, 70.4, 0.23}, "")), "70.40");
  EXPECT_EQ(page_amount(1643.4, form({1643.4, 1200, 443.4}, "USD")), "1,643\u00a0USD");
  EXPECT_EQ(page_amount(70.63, form({70.63, 70.4, 0.23}, "JPY")), "70.63\u00a0JPY");  // more than a yen has
  EXPECT_EQ(page_signed(-0.0041, form({3.1, 3.1041, -0.0041}, "")), "\u22120.0041");
  // Less than a hundredth of a percent is nothing.
  EXPECT_EQ(page_signed(0.001, form({5000, 5000.001, 0.001}, "EUR")), "0\u00a0EUR");
  EXPECT_EQ(page_amount(5000, form({5000, 5000, 0}, "EUR")), "5,000\u00a0EUR");
}

TEST(PageText, CountsInFullDigitsUpToAMillion) {
  EXPECT_EQ(page_count(3623), "3,623");
  EXPECT_EQ(page_count(999999), "999,999");
  EXPECT_EQ(page_count(1040000), "1.04\u00a0million");
}

// 2026-03-01 is day 20513 since 1970-01-01: 56 years of 365 days, 14 leap days, 31 + 28 days.
TEST(PageText, ReadsTimesAsLogsWriteThem) {
  const double day = 20513 * 86400.0;
  EXPECT_EQ(seconds_of("2026-03-01"), day);
  EXPECT_EQ(seconds_of("2026-03-01 06:30:05"), day + 6 * 3600 + 30 * 60 + 5);
  EXPECT_EQ(seconds_of("2026-03-01T06:30Z"), day + 6 * 3600 + 30 * 60);
  EXPECT_EQ(seconds_of("1772323200"), day);
  EXPECT_EQ(seconds_of("1772323200000"), day);
  // Numbers of rounds or days, and dates that do not exist.
  for (const char* text : {"", "17", "2.5", "2026-02-30", "2026-13-01", "01/03/2026", "2026-03-01 25:00", "soon"})
    EXPECT_FALSE(seconds_of(text)) << text;
}

TEST(PageText, ReadsDatesWithSlashesWhereOnePartCanOnlyBeADay) {
  const auto read = [](std::vector<std::string> texts) { return seconds_of(std::span<const std::string>(texts)); };
  const double april = *seconds_of("2003-04-05"), late = *seconds_of("2003-04-25");
  EXPECT_EQ(read({"4/5/2003", "4/25/2003 10:00"}), (std::vector<double>{april, late + 36000}));
  EXPECT_EQ(read({"5/4/2003", "25/4/2003"}), (std::vector<double>{april, late}));
  EXPECT_EQ(read({"2003-04-05", "2003-04-25"}), (std::vector<double>{april, late}));
  EXPECT_TRUE(read({"4/5/2003", "5/6/2003"}).empty());    // either
  EXPECT_TRUE(read({"13/4/2003", "4/13/2003"}).empty());  // neither
  EXPECT_TRUE(read({"4/25/2003", "soon"}).empty());
  EXPECT_TRUE(read({"4/25/2003", "2003-04-25"}).empty());
  EXPECT_TRUE(read({"4/25/03", "4/26/03"}).empty());
}

TEST(PageText, NamesDaysAndTheirYearOnce) {
  const double march = *seconds_of("2026-03-01"), may = *seconds_of("2026-05-31"), before = *seconds_of("2025-12-30");
  EXPECT_EQ(page_day(may), "31\u00a0May");
  EXPECT_EQ(page_days(march, may), "1 March to 31 May 2026");
  EXPECT_EQ(page_days(before, may), "30 December 2025 to 31 May 2026");
  EXPECT_EQ(page_days(march, march + 3600), "1 March 2026");
}

TEST(PageWords, AreThoseOfWhatIsDecided) {
  EXPECT_EQ(page_words("vcg-reserves", Json::object()).learned, "learned prices");
  EXPECT_EQ(page_words("vcg-reserves", Json::object()).rounds(1), "1 auction");
  EXPECT_EQ(page_words("vcg-reserves", parse_json(R"({"shares":[[1,0.5]]})")).learned, "learned ceilings");
  EXPECT_EQ(page_words("second-price-bidding", Json::object()).learned, "learned bids");
  EXPECT_EQ(page_words("experts", Json::object()).learned, "the learned choice");
  EXPECT_EQ(page_words("a new problem", Json::object()).rounds(2), "2 rounds");
}

TEST(PageWords, LeaveNamesOfTheUserAsTheyAre) {
  const PageWords words = page_words("vcg-reserves", Json::object());
  const auto named = [&](const char* name, const char* role) {
    return player_words({.name = name, .about = "", .role = role}, words);
  };
  EXPECT_EQ(named("monopoly price", "rival").name, "Best past price per buyer");
  EXPECT_EQ(named("today", "rival").name, "today");
  EXPECT_EQ(named("today", "rival").inside, "“today”");
  EXPECT_EQ(named("best fixed", "hindsight").inside, "best fixed prices");
}

TEST(PageWords, SpeakOfCeilingsAndSuppliersWhereThingsAreBought) {
  const PageWords words = page_words("vcg-reserves", parse_json(R"({"shares":[[1,0.5]]})"));
  const auto named = [&](const char* name, const char* role) {
    return player_words({.name = name, .about = "", .role = role}, words).name;
  };
  EXPECT_EQ(named("monopoly price", "rival"), "Best past ceiling per supplier");
  EXPECT_EQ(named("uniform, learned", "rival"), "One ceiling for all, learned");
  EXPECT_EQ(named("uniform, best", "hindsight"), "Best single ceiling");
}

TEST(PageText, CountsWholeMistakes) {
  EXPECT_EQ(page_amount(6.0, {}), "6");
  EXPECT_EQ(page_amount(1234.4, {}), "1,234");
  EXPECT_EQ(page_signed(6.4, {}), "+6");
  EXPECT_EQ(page_signed(-52.6, {}), "\u221253");
  EXPECT_EQ(page_signed(-0.2, {}), "0");
}

}  // namespace page_text_test
}  // namespace hannan::detail

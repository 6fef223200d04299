#include "service/dashboard_page.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace hannan::detail::service {
namespace dashboard_page_test {

TEST(DashboardPage, APolicyNamesTheHashThatABrowserComputes) {
  // Of nothing and of "abc", as FIPS 180-2 has it, in base 64.
  EXPECT_EQ(policy_hash(""), "sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=");
  EXPECT_EQ(policy_hash("abc"), "sha256-ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=");
}

TEST(DashboardPage, WhatStandsInARowIsTextAndNoMark) {
  std::vector<FirstRow> rows(1);
  rows[0].name = "@SCRIPT@<b>&\"'";
  rows[0].status = "quarantined";
  rows[0].why = "</table><script>";
  const auto page = dashboard_page(rows, TokenEntry::kNone);
  EXPECT_NE(page.html.find("@SCRIPT@&lt;b&gt;&amp;&quot;&#39;"), std::string::npos);
  EXPECT_NE(page.html.find("quarantined: &lt;/table&gt;&lt;script&gt;"), std::string::npos);
  EXPECT_EQ(page.html.find("@FIRST@"), std::string::npos);
}

TEST(DashboardPage, ARegretAgainstABestThatIsNotProvenIsARange) {
  std::vector<FirstRow> rows(2);
  rows[0].regret = Interval{2.5, 2.5};
  rows[1].regret = Interval{1.25, 4};
  const auto page = dashboard_page(rows, TokenEntry::kNone);
  EXPECT_NE(page.html.find("<td>2.50</td>"), std::string::npos);
  EXPECT_NE(page.html.find("<td>from 1.25 to 4.00, not proven</td>"), std::string::npos);
}

TEST(DashboardPage, WhereTokensAreOnItHasNoRows) {
  std::vector<FirstRow> rows(1);
  rows[0].name = "secret";
  EXPECT_EQ(dashboard_page(rows, TokenEntry::kNeeded).html.find("secret"), std::string::npos);
}

}  // namespace dashboard_page_test
}  // namespace hannan::detail::service

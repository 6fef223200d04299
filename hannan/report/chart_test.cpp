#include "hannan/report/chart.hpp"

#include <gtest/gtest.h>

namespace hannan::detail {
namespace chart_test {

Chart chart(const std::string& name) {
  return {.title = "regret, " + name,
          .x_name = "rounds",
          .y_name = "regret",
          .series = {{.name = name, .mark = '*', .points = {{1, 0}, {2, 1}, {4, 3}}}}};
}

TEST(Chart, NamesInAnSvgAreTextAndNotMarkup) {
  const std::string svg = draw_svg({chart("<b>&c")});
  EXPECT_EQ(svg.find("<b>"), std::string::npos);
  // The title of the plot, its tooltip and the legend.
  std::size_t found = 0;
  for (std::size_t at = svg.find("&lt;b&gt;&amp;c"); at != std::string::npos; at = svg.find("&lt;b&gt;&amp;c", at + 1))
    ++found;
  EXPECT_EQ(found, 3U);
}

TEST(Chart, TextHasTheAskedHeightAndTheEndsOfBothAxes) {
  const auto lines = draw_text(chart("leader"), 40, 12);
  ASSERT_EQ(lines.size(), 12U);
  EXPECT_EQ(lines[1].find("3 |"), 5U);  // the greatest value, right before the axis
  EXPECT_NE(lines[9].find("0 |*"), std::string::npos);
  EXPECT_NE(lines.back().find("rounds = 4"), std::string::npos);
}

}  // namespace chart_test
}  // namespace hannan::detail

#include "hannan/io/html_text.hpp"

#include <gtest/gtest.h>

namespace hannan::detail {
namespace html_text_test {

TEST(HtmlText, ReplacesTheFiveCharactersOfMarkupAndNothingElse) {
  EXPECT_EQ(html_text("&<>\"'"), "&amp;&lt;&gt;&quot;&#39;");
  EXPECT_EQ(html_text("<b title='a' id=\"b\">R&D</b>"),
            "&lt;b title=&#39;a&#39; id=&quot;b&quot;&gt;R&amp;D&lt;/b&gt;");
  EXPECT_EQ(html_text("&amp;"), "&amp;amp;");  // what is escaped already is text too
  EXPECT_EQ(html_text("ünï – 1,643 USD"), "ünï – 1,643 USD");
  EXPECT_EQ(html_text(""), "");
}

}  // namespace html_text_test
}  // namespace hannan::detail

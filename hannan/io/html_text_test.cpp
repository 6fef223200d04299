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

TEST(FilledPage, PutsTextsWhereTheirMarksAreAndLooksForNoneInThem) {
  EXPECT_EQ(filled_page("<b>@A@</b>@B@ @A@ @C@", {{"@A@", "@B@"}, {"@B@", "x@A@"}}), "<b>@B@</b>x@A@ @B@ @C@");
  EXPECT_EQ(filled_page("no mark", {{"@A@", "1"}}), "no mark");
  EXPECT_EQ(filled_page("@A@", {{"@A@", ""}}), "");
}

}  // namespace html_text_test
}  // namespace hannan::detail

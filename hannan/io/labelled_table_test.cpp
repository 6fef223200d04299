#include "hannan/io/labelled_table.hpp"

#include <gtest/gtest.h>

#include "hannan/core/error.hpp"

namespace hannan::detail {
namespace labelled_table_test {

using Rows = std::vector<std::vector<double>>;
using Labels = std::vector<std::uint32_t>;

LabelledTable csv(std::string_view text, const LabelledCsv& options = {.label = "class"}) {
  return read_labelled_csv(bytes_of_memory(text), "f", options);
}

LabelledTable libsvm(std::string_view text, const std::optional<std::string>& positive = {}) {
  return read_libsvm(bytes_of_memory(text), "f", positive);
}

template <class Read>
std::string fault(Read&& read) {
  try {
    read();
  } catch (const Error& e) {
    return code_name(e.code()) + " " + e.at() + ": " + e.message();
  }
  return "accepted";
}
std::string csv_fault(std::string_view text, const LabelledCsv& options = {.label = "class"}) {
  return fault([&] { csv(text, options); });
}
std::string libsvm_fault(std::string_view text) {
  return fault([&] { libsvm(text); });
}

TEST(LabelledCsv, ReadsNumbersCategoriesAndTheLabelWhereverItStands) {
  const auto t = csv("size,class,colour\n1.5,no,red\n-2,yes, blue \n3e2,no,?\n4,yes,\n");
  ASSERT_EQ(t.columns.size(), 2u);
  EXPECT_EQ(t.columns[0].name, "size");
  EXPECT_TRUE(t.columns[0].categories.empty());
  EXPECT_EQ(t.columns[1].categories,
            (std::vector<std::string>{"?", "blue", "red"}));  // by their text; empty is missing
  EXPECT_EQ(t.rows, (Rows{{1.5, 2}, {-2, 1}, {300, 0}, {4, 0}}));
  EXPECT_EQ(t.labels, (Labels{0, 1, 0, 1}));  // "yes" comes after "no"
}

TEST(LabelledCsv, ReadsWhatWasDecidedAsLabelsAndNotAsAColumn) {
  const LabelledCsv options{.label = "class", .decided = "ours"};
  const auto t = csv("x,ours,class\n1,no,yes\n2,yes,yes\n3,no,no\n", options);
  ASSERT_EQ(t.columns.size(), 1u);
  EXPECT_EQ(t.decisions, (Labels{0, 1, 0}));
  EXPECT_EQ(csv("x,ours,class\n1,1.0,1\n2,1,0\n", options).decisions, (Labels{1, 1}));  // numbers by their value
  EXPECT_TRUE(csv("x,class\n1,0\n2,1\n").decisions.empty());
  EXPECT_EQ(csv_fault("x,ours,class\n1,no,yes\n2,so,no\n", options),
            "H202 f:3:3: found the decision \"so\", expected one of the labels \"no\", \"yes\"");
  EXPECT_EQ(csv_fault("x,ours,class\n1,,yes\n2,no,no\n", options),
            "H202 f:2:3: found no decision, expected one in every row");
  EXPECT_EQ(csv_fault("x,class\n1,yes\n2,no\n", {.label = "class", .decided = "class"}).substr(0, 4), "H100");
}

TEST(LabelledCsv, TakesTheLargerNumberOrTheNamedLabelAsOne) {
  EXPECT_EQ(csv("x,class\n1,10\n1,9\n").labels, (Labels{1, 0}));  // as text 9 would be last
  EXPECT_EQ(csv("x,class\n1,10\n1,9\n", {.label = "class", .positive = "9"}).labels, (Labels{0, 1}));
  EXPECT_EQ(csv("x,class\n1,-1\n1,+1\n").labels, (Labels{0, 1}));
}

TEST(LabelledCsv, SkipsRowsGoesWithoutNamesAndLeavesColumnsOut) {
  const auto t = csv("2,2,bad,good\n1,a,7,0\n2,b,8,1\n",
                     {.label = "4", .drop = {"2"}, .skip = 1, .header = LabelledCsv::Header::kNone});
  EXPECT_EQ(t.rows, (Rows{{1, 7}, {2, 8}}));
  EXPECT_EQ(t.columns[1].name, "3");
}

// One word makes a column categorical; that is the rule, however it came there.
TEST(LabelledCsv, TakesAColumnWithAnyTextAsCategories) {
  const auto t = csv("x,class\n10,0\n1.2x,1\n9,1\n");
  EXPECT_EQ(t.columns[0].categories, (std::vector<std::string>{"1.2x", "10", "9"}));
  EXPECT_EQ(csv("x,class\n?,0\n?,1\n").columns[0].categories, (std::vector<std::string>{"?"}));
}

TEST(LabelledCsv, RefusesBadFilesEachWithItsPlace) {
  EXPECT_EQ(csv_fault(""), "H206 f: found no row of data, expected at least one");
  EXPECT_EQ(csv_fault("x,class\n"), "H206 f: found no row of data, expected at least one");
  EXPECT_EQ(csv_fault("class\n0\n1\n"), "H206 f: found no column beside the label, expected at least one");
  EXPECT_EQ(csv_fault("x,y\n0,1\n"), "H106 f:1: found no column \"class\" in the header, expected one of x, y");
  EXPECT_EQ(csv_fault("class,class\n0,1\n"),
            "H106 f:1: found two columns \"class\" in the header, expected one of class, class");
  EXPECT_EQ(csv_fault("x,class\n0,1\n", {.label = "class", .drop = {"z"}}),
            "H106 f:1: found no column \"z\" in the header, expected one of x, class");
  EXPECT_EQ(csv_fault("x,class\n0,1\n0\n"), "H203 f:3:2: found 1 columns, expected 2 as in line 1");
  EXPECT_EQ(csv_fault("x,class\n0,1\n0,1,2\n"), "H203 f:3:5: found 3 columns, expected 2 as in line 1");
  EXPECT_EQ(csv_fault("x,class\n0,1\n7,\n"), "H202 f:3:3: found no label, expected one in every row");
  EXPECT_EQ(csv_fault("x,class\n0,a\n1,b\n2,c\n"), "H202 f: found 3 labels, \"a\", \"b\", \"c\", expected exactly two");
  EXPECT_EQ(csv_fault("x,class\n0,a\n"), "H202 f: found 1 label, \"a\", expected exactly two");
  EXPECT_EQ(csv_fault("x,class\n0,a\n0,b\n", {.label = "class", .positive = "c"}),
            "H106 f: found positive \"c\", expected one of the labels \"a\", \"b\"");
  EXPECT_EQ(csv_fault("a,x,class\n1,10,0\n1,?,1\n1,2,1\n"),
            "H204 f:3:3: found a missing value in the numeric column \"x\", expected a number in every row; fill it "
            "in, or leave the column out with drop");
  EXPECT_EQ(csv_fault("x,class\n1,0\nnan,1\n").substr(0, 10), "H204 f:3:1");
  EXPECT_EQ(csv_fault("x,class\n\"1,0\n").substr(0, 4), "H202");
}

TEST(Libsvm, IsDenseAfterReading) {
  const auto t = libsvm("+1 1:0.5 3:-2 # a comment\n\n-1 2:1e3\r\n-1\n+1 3:4\n");
  EXPECT_EQ(t.rows, (Rows{{0.5, 0, -2}, {0, 1000, 0}, {0, 0, 0}, {0, 0, 4}}));
  EXPECT_EQ(t.labels, (Labels{1, 0, 0, 1}));
  EXPECT_EQ(t.columns.size(), 3u);
  EXPECT_EQ(libsvm("a 1:1\nb 1:2\n", "a").labels, (Labels{1, 0}));
}

TEST(Libsvm, RefusesBadFilesEachWithItsPlace) {
  EXPECT_EQ(libsvm_fault(""), "H206 f: found no row of data, expected at least one");
  EXPECT_EQ(libsvm_fault("1\n0\n"), "H206 f: found labels alone, expected at least one index:value");
  EXPECT_EQ(libsvm_fault("1 0:5\n"), "H202 f:1:3: found index 0, expected indices from 1 on");
  EXPECT_EQ(libsvm_fault("1 1:5\n0 3:1  2:5\n"), "H202 f:2:8: found index 2 after 3, expected ascending ones");
  EXPECT_EQ(libsvm_fault("1 2:5 2:6\n"), "H202 f:1:7: found index 2 after 2, expected ascending ones");
  EXPECT_EQ(libsvm_fault("1 x:5\n"), "H202 f:1:3: found \"x:5\", expected index:value");
  EXPECT_EQ(libsvm_fault("1 5\n"), "H202 f:1:3: found \"5\", expected index:value");
  EXPECT_EQ(libsvm_fault("1 -1:5\n"), "H202 f:1:3: found \"-1:5\", expected index:value");
  EXPECT_EQ(libsvm_fault("1:2 2:5\n"), "H202 f:1:1: found \"1:2\", expected a label first");
  EXPECT_EQ(libsvm_fault("1 1:abc\n").substr(0, 10), "H204 f:1:3");
  EXPECT_EQ(libsvm_fault("1 1:\n").substr(0, 10), "H204 f:1:3");
  EXPECT_EQ(libsvm_fault("1 99999999:1\n").substr(0, 10), "H208 f:1:3");
  EXPECT_EQ(libsvm_fault("0 1:1\n1 1:1\n2 1:1\n"), "H202 f: found 3 labels, \"0\", \"1\", \"2\", expected exactly two");
}

}  // namespace labelled_table_test
}  // namespace hannan::detail

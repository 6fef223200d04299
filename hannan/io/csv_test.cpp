#include "hannan/io/csv.hpp"

#include <gtest/gtest.h>

#include "hannan/core/error.hpp"
#include "hannan/io/number_table.hpp"

namespace hannan::detail {
namespace csv_test {

using Rows = std::vector<std::vector<std::string>>;
using Numbers = std::vector<std::vector<double>>;

// Hands out one byte at a time, so that every boundary between reads is met.
class Drip : public ByteSource {
 public:
  explicit Drip(std::string_view text) : text_(text) {}
  std::size_t read(char* to, std::size_t) override {
    if (text_.empty()) return 0;
    *to = text_.front();
    text_.remove_prefix(1);
    return 1;
  }

 private:
  std::string_view text_;
};

Rows cells_of(std::unique_ptr<ByteSource> source, CsvOptions options = {}) {
  CsvReader reader(std::move(source), "f", options);
  Rows rows;
  std::vector<std::string_view> cells;
  while (reader.next(cells)) rows.emplace_back(cells.begin(), cells.end());
  return rows;
}

Rows cells_of(std::string_view text) {
  Rows rows = cells_of(bytes_of_memory(text));
  EXPECT_EQ(cells_of(std::make_unique<Drip>(text)), rows);
  return rows;
}

Numbers numbers_of(std::string_view text, CsvOptions options = {}) {
  TableReader reader(bytes_of_memory(text), "f", options);
  Numbers rows;
  std::vector<double> row;
  while (reader.next(row)) rows.push_back(row);
  return rows;
}

// The code and the place: "H204 f:2:3".
std::string fault(std::string_view text, CsvOptions options = {}) {
  try {
    numbers_of(text, options);
  } catch (const Error& error) {
    return code_name(error.code()) + " " + error.at();
  }
  return "no error";
}

std::string complaint(std::string_view text, CsvOptions options = {}) {
  try {
    numbers_of(text, options);
  } catch (const Error& error) {
    return error.message();
  }
  return "no error";
}

TEST(CsvReader, SplitsLinesOfEveryEnding) {
  const Rows expected{{"a", "b"}, {"c", "d"}};
  EXPECT_EQ(cells_of("a,b\nc,d\n"), expected);
  EXPECT_EQ(cells_of("a,b\r\nc,d\r\n"), expected);
  EXPECT_EQ(cells_of("a,b\nc,d"), expected);
  EXPECT_EQ(cells_of("a,b\r\nc,d\r"), expected);
  EXPECT_EQ(cells_of("\xEF\xBB\xBF"
                     "a,b\n\n  \n\r\nc,d\n\n\n"),
            expected);
}

TEST(CsvReader, ReadsQuotedFieldsAsRfc4180Says) {
  EXPECT_EQ(cells_of("\"a,b\",\"c\"\"d\",\"\"\n"), (Rows{{"a,b", "c\"d", ""}}));
  EXPECT_EQ(cells_of("\"one\ntwo\r\n\",x\ny,z\n"), (Rows{{"one\ntwo\r\n", "x"}, {"y", "z"}}));
  EXPECT_EQ(cells_of("x,\"\"\"\""), (Rows{{"x", "\""}}));
  EXPECT_EQ(cells_of("\"a\"\r\n\"b\"\r\n"), (Rows{{"a"}, {"b"}}));
}

TEST(CsvReader, KeepsEmptyCells) { EXPECT_EQ(cells_of(",\n,,\n"), (Rows{{"", ""}, {"", "", ""}})); }

TEST(CsvReader, FindsTheSeparatorInTheFirstLine) {
  EXPECT_EQ(cells_of("a;b,c\n"), (Rows{{"a", "b,c"}}));
  EXPECT_EQ(cells_of("a\tb;c\n"), (Rows{{"a", "b;c"}}));
  EXPECT_EQ(cells_of("\"a;b\",c\n1;2,3\n"), (Rows{{"a;b", "c"}, {"1;2", "3"}}));
  EXPECT_EQ(cells_of(bytes_of_memory("a;b,c\n"), {.separator = ','}), (Rows{{"a;b", "c"}}));
}

TEST(CsvReader, RefusesMisplacedQuotesAndBytes) {
  EXPECT_EQ(fault("1,2\n3,4\"5\n"), "H202 f:2:4");
  EXPECT_EQ(fault("1,2\n\"3\"4,5\n"), "H202 f:2:4");
  EXPECT_EQ(fault("1,2\n3,\"4\n5,6\n"), "H202 f:2:3");  // never closed: the opening quote is named
  EXPECT_EQ(fault("1,2\n3\r4,5\n"), "H202 f:2:2");
  EXPECT_EQ(fault(std::string_view("1,2\n3,\0\n", 8)), "H202 f:2:3");
}

TEST(CsvReader, RefusesALineBeyondTheLimitWithoutReadingItAll) {
  const CsvOptions options{.max_line = 10};
  EXPECT_EQ(fault("1,2\n3,45678901\n", options), "no error");  // ten bytes
  EXPECT_EQ(fault("1,2\n3,456789012\n", options), "H208 f:2");
  EXPECT_EQ(complaint("1,2\n3,456789012\n", options), "line 2 is longer than 10 bytes");
  EXPECT_EQ(fault("1,2\n\"3\n3\n3\n3\n3\n3\",1\n", options), "H208 f:2");  // line ends inside quotes count
}

TEST(CsvReader, ReadsRowsLongerThanItsChunks) {
  std::string text;
  for (int i = 0; i < 100000; ++i) text += (i > 0 ? "," : "") + std::to_string(i);
  const Numbers rows = numbers_of(text + "\n" + text + "\n");
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows[1].size(), 100000U);
  EXPECT_EQ(rows[1][99999], 99999);
}

TEST(TableReader, ReadsNumbersWithoutALocale) {
  EXPECT_EQ(numbers_of("0.5, +1 ,-2e-1\n\"3\",.5,1.\n"), (Numbers{{0.5, 1, -0.2}, {3, 0.5, 1}}));
}

TEST(TableReader, ReportsAHeaderOfWords) {
  TableReader reader(bytes_of_memory("a, b ,\n1,2,3\n"), "f");
  EXPECT_TRUE(reader.has_header());
  EXPECT_EQ(reader.names(), (std::vector<std::string>{"a", "b", ""}));
  EXPECT_EQ(reader.columns(), 3U);
  std::vector<double> row;
  EXPECT_TRUE(reader.next(row));
  EXPECT_EQ(row, (std::vector<double>{1, 2, 3}));
  EXPECT_EQ(reader.where(2), "f:2:5");
  EXPECT_FALSE(reader.next(row));
}

TEST(TableReader, NeverTakesARowWithNumbersForAHeader) {
  EXPECT_EQ(fault("0.1,O.2\n0.3,0.4\n"), "H204 f:1:5");
  EXPECT_EQ(fault("nan,nan\n0.3,0.4\n"), "H204 f:1:1");
  EXPECT_EQ(fault(",\n0.3,0.4\n"), "H204 f:1:1");
}

TEST(TableReader, SaysWhatIsNotANumber) {
  EXPECT_EQ(
      complaint("1,2\n3,abc\n"),
      "found a string \"abc\", expected a finite number; a first row with the names of the columns lets --drop NAME "
      "leave one out");
  EXPECT_EQ(complaint("1,2\n3,\n"), "found an empty field, expected a finite number");
  for (const char* cell : {"nan", "inf", "-inf", "1e999", "0x10", "1 2", "1e", "--1", "+-1", "++1", "1,5", "½", "-"}) {
    EXPECT_EQ(fault("1;2\n3;" + std::string(cell) + "\n"), "H204 f:2:3") << cell;
  }
}

TEST(CsvReader, CountsCharactersNotBytes) {
  // The first cell has two characters in four bytes, so the second starts at column 4.
  CsvReader reader(bytes_of_memory("\xC3\xA9\xC3\xA9,x\n"), "f");
  std::vector<std::string_view> cells;
  ASSERT_TRUE(reader.next(cells));
  EXPECT_EQ(reader.where(1), "f:1:4");
}

TEST(TableReader, RefusesAnotherNumberOfColumns) {
  EXPECT_EQ(fault("1,2\n3\n"), "H203 f:2:2");      // where the second was expected
  EXPECT_EQ(fault("1,2\n3,4,5\n"), "H203 f:2:5");  // the first one too many
  EXPECT_EQ(fault("a,b\n1,2,3\n"), "H203 f:2:5");
  EXPECT_EQ(complaint("1,2\n\n3\n"), "found 1 columns, expected 2 as in line 1");
}

TEST(TableReader, RefusesFilesWithoutData) {
  for (const char* text : {"", "\n\n", "\xEF\xBB\xBF", "a,b\n", " \r\n"}) EXPECT_EQ(fault(text), "H206 f") << text;
}

TEST(TableReader, KeepsCountingLinesThroughQuotedLineEnds) { EXPECT_EQ(fault("\"a\nb\",c\n1,2\nx,3\n"), "H204 f:4:1"); }

TEST(TableReader, ReadsNamesThatWereEscapedForSpreadsheets) {
  TableReader table(bytes_of_memory("'=1+1,\"'@a,b\",'x\n1,2,3\n"), "t.csv");
  EXPECT_EQ(table.names(), (std::vector<std::string>{"=1+1", "@a,b", "'x"}));
}

}  // namespace csv_test
}  // namespace hannan::detail

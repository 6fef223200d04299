#include "hannan/contexts/context_cells.hpp"

#include <gtest/gtest.h>

#include "hannan/contexts/segment_counts.hpp"
#include "hannan/core/error.hpp"

namespace hannan::detail {
namespace context_cells_test {

void read(ContextCells& cells, const std::vector<std::string>& row) {
  cells.read([&](std::size_t i) -> std::string_view { return row[i]; },
             [](std::size_t i) { return std::to_string(i); });
}

TEST(ContextCells, ValuesAreMadeOfTheCellsAndKeptWhereThoseStay) {
  ContextCells cells(parse_context_columns({"site", "price[10;20]"}, "--by"));
  for (int again = 0; again < 2; ++again) {
    read(cells, {" a ", "15"});
    EXPECT_EQ(cells.values(), (std::vector<std::string>{" a ", "1"}));
    EXPECT_EQ(cells.raw(), (std::vector<std::string>{" a ", "15"}));
    EXPECT_TRUE(cells.all_read());
  }
  for (int again = 0; again < 2; ++again) {
    read(cells, {"", "much"});
    EXPECT_EQ(cells.values(), (std::vector<std::string>{"", ""}));
    EXPECT_FALSE(cells.all_read());
  }
}

TEST(ContextCells, ACellThatIsRefusedLeavesTheLastRow) {
  ContextCells cells(parse_context_columns({"site"}, "--by"));
  read(cells, {"a"});
  const std::string nul("x\0y", 3);
  for (const std::string& bad : {std::string("\xff"), nul, std::string(1025, 'x')}) {
    EXPECT_THROW(read(cells, {bad}), Error);
    EXPECT_EQ(cells.values(), std::vector<std::string>{"a"});
  }
}

TEST(SegmentCounts, CountsValuesAndFinestSegmentsByTheirRounds) {
  SegmentCounts counts({"country", "site"});
  const auto add = [&](int times, std::vector<std::string> context) {
    for (int i = 0; i < times; ++i) counts.add(context);
  };
  add(1, {"de", "a"});
  add(2, {"de", "b"});
  add(9, {"fr", "a"});
  add(10, {"fr", ""});
  add(100, {"", ""});
  const Json json = counts.json();
  EXPECT_EQ(dump(json.at("columns")), R"([{"name":"country","values":3},{"name":"site","values":3}])");
  EXPECT_EQ(dump(json.at("finest")), R"({"1":1,"2-9":2,"10-99":1,"100+":1})");
}

}  // namespace context_cells_test
}  // namespace hannan::detail

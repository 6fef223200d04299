#include "hannan/io/text_cell.hpp"

#include <gtest/gtest.h>

#include <utility>

namespace hannan::detail {
namespace text_cell_test {

TEST(TextCell, TakesTheMeaningFromFormulasAndGivesTheNameBack) {
  const std::pair<const char*, const char*> all[] = {{"plain", "plain"},    {"it's", "it's"},    {"=1+1", "'=1+1"},
                                                     {"+x", "'+x"},         {"-x", "'-x"},       {"@x", "'@x"},
                                                     {"'x", "'x"},          {"'=x", "''=x"},     {"''", "''"},
                                                     {"=a,b", "\"'=a,b\""}, {"\tx", "\"'\tx\""}, {"", ""}};
  for (const auto& [text, cell] : all) {
    EXPECT_EQ(text_cell(text), cell);
    std::string plain = cell;
    if (plain.starts_with('"')) plain = plain.substr(1, plain.size() - 2);
    EXPECT_EQ(cell_text(plain), text);
  }
}

}  // namespace text_cell_test
}  // namespace hannan::detail

#include "hannan/io/lines.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "hannan/core/error.hpp"

namespace hannan {
namespace {

std::vector<std::string> all_lines(std::string_view text, std::size_t limit = kMaxLine) {
  LineReader reader(bytes_of_memory(text), "text", limit);
  std::vector<std::string> lines;
  std::string_view line;
  while (reader.next(line)) lines.emplace_back(line);
  return lines;
}

TEST(LineReader, SplitsAtNewlinesAndDropsCarriageReturns) {
  EXPECT_EQ(all_lines("a\nb\r\n\nc"), (std::vector<std::string>{"a", "b", "", "c"}));
  EXPECT_EQ(all_lines(""), std::vector<std::string>{});
  EXPECT_EQ(all_lines("\n"), std::vector<std::string>{""});
}

TEST(LineReader, JoinsLinesThatSpanManyBlocks) {
  const std::string longer(300'000, 'x');
  EXPECT_EQ(all_lines(longer + "\nend\n"), (std::vector<std::string>{longer, "end"}));
}

TEST(LineReader, RefusesALineBeyondTheLimitOnceAndGoesOnWithTheNext) {
  const std::string text = "ok\n" + std::string(200'000, 'x') + "\nafter\n";
  LineReader reader(bytes_of_memory(text), "text", 1000);
  std::string_view line;
  ASSERT_TRUE(reader.next(line));
  try {
    reader.next(line);
    FAIL() << "the long line was accepted";
  } catch (const Error& e) {
    EXPECT_EQ(e.code(), Code::kTooLarge);
    EXPECT_EQ(e.at(), "text:2");
  }
  ASSERT_TRUE(reader.next(line));
  EXPECT_EQ(line, "after");
  EXPECT_FALSE(reader.next(line));
}

}  // namespace
}  // namespace hannan

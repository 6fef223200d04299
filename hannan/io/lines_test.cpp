#include "hannan/io/lines.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "hannan/core/error.hpp"

namespace hannan::detail {
namespace lines_test {

std::vector<std::string> all_lines(std::string_view text, std::size_t limit = kMaxLine) {
  LineReader reader(bytes_of_memory(text), "text", {.most = limit});
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
  LineReader reader(bytes_of_memory(text), "text", {.most = 1000});
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

// Counts what is read of endless text without a line end.
class EndlessSource final : public ByteSource {
 public:
  explicit EndlessSource(std::size_t& read) : read_(read) {}
  std::size_t read(char* to, std::size_t most) override {
    std::fill_n(to, most, 'x');
    read_ += most;
    return most;
  }

 private:
  std::size_t& read_;
};

TEST(LineReader, StopsReadingAtALineBeyondTheLimitWhereTheRuleSaysSo) {
  std::size_t read = 0;
  LineReader reader(std::make_unique<EndlessSource>(read), "text",
                    {.most = 100'000, .beyond = LineRules::Beyond::kStop});
  std::string_view line;
  try {
    reader.next(line);
    FAIL() << "the endless line was accepted";
  } catch (const Error& e) {
    EXPECT_EQ(e.code(), Code::kTooLarge);
    EXPECT_EQ(e.at(), "text:1");
  }
  EXPECT_LT(read, 200'000U);
  EXPECT_FALSE(reader.next(line));
}

TEST(LineReader, KeepsACarriageReturnWhereLinesEndInLfAlone) {
  LineReader reader(bytes_of_memory("a\r\nb\n"), "text", {.end = LineRules::End::kLf});
  std::string_view line;
  ASSERT_TRUE(reader.next(line));
  EXPECT_EQ(line, "a\r");
  ASSERT_TRUE(reader.next(line));
  EXPECT_EQ(line, "b");
}

}  // namespace lines_test
}  // namespace hannan::detail

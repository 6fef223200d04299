#include "hannan/verify/record_lines.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "hannan/core/error.hpp"

namespace hannan::detail {
namespace record_lines_test {

Code refused(const std::string& text, std::size_t most = kMaxLine) {
  try {
    RecordLines lines(lines_of_record(bytes_of_memory(text), "run.jsonl", most), "run.jsonl");
    while (lines.next()) {
    }
  } catch (const Error& e) {
    EXPECT_TRUE(e.at().starts_with("run.jsonl")) << e.what();
    return e.code();
  }
  ADD_FAILURE() << "nothing was refused";
  return Code::kInternal;
}

TEST(RecordLines, RefusesALineBeyondTheLimit) {
  EXPECT_EQ(refused("{\"record\":1,\"padding\":\"" + std::string(2000, 'x') + "\"}\n", 1000), Code::kTooLarge);
  EXPECT_EQ(refused("{\"record\":1}\n" + std::string(200'000, ' ') + "\n", 1000), Code::kTooLarge);
}

TEST(RecordLines, RefusesLinesThatEndInCrLf) {
  EXPECT_EQ(refused("{\"record\":1}\r\n{}\r\n"), Code::kMalformed);
  EXPECT_EQ(refused("{\"record\":1}\n{}\r\n"), Code::kMalformed);
  EXPECT_EQ(refused("{\"record\":1}\n{}\r"), Code::kMalformed);
}

}  // namespace record_lines_test
}  // namespace hannan::detail

#include "hannan/io/bytes.hpp"

#include <gtest/gtest.h>

#include "hannan/core/error.hpp"
#include "hannan/io/gzip.hpp"

namespace hannan::detail {
namespace bytes_test {

// "1,2\n3,4\n" as gzip writes it.
const std::string kPacked(
    "\x1f\x8b\x08\x00\x00\x00\x00\x00\x02\x03\x33\xd4\x31\xe2\x32\xd6\x31\xe1\x02\x00\x47\x93\x6c\xaf"
    "\x08\x00\x00\x00",
    28);

std::string all_of(std::string_view memory, std::size_t step = 3) {
  const auto source = unzipped(bytes_of_memory(memory), "x");
  std::string text;
  char buffer[16];
  while (const std::size_t got = source->read(buffer, step)) text.append(buffer, got);
  return text;
}

Code fault(std::string_view memory) {
  try {
    return all_of(memory).empty() ? Code::kEmpty : Code::kInternal;
  } catch (const Error& error) {
    EXPECT_EQ(error.at(), "x");
    return error.code();
  }
}

TEST(Bytes, PassPlainSourcesThrough) {
  EXPECT_EQ(all_of("abcdefg"), "abcdefg");
  EXPECT_EQ(all_of(""), "");
  EXPECT_EQ(all_of("\x1F"), "\x1F");  // half of the magic is no magic
}

TEST(Bytes, UnpackGzipAndItsMembersInARow) {
  EXPECT_EQ(all_of(kPacked), "1,2\n3,4\n");
  EXPECT_EQ(all_of(kPacked + kPacked, 16), "1,2\n3,4\n1,2\n3,4\n");
}

TEST(Bytes, TakeOffOneLayerOnly) {
  // Peeking into the plain text again must not unpack again.
  auto source = unzipped(bytes_of_memory(kPacked), "x");
  EXPECT_EQ(source->peek(3), "1,2");
  EXPECT_EQ(source->peek(100), "1,2\n3,4\n");
}

TEST(Bytes, TellEveryCutGzipApartFromAWholeOne) {
  for (std::size_t size = 2; size < kPacked.size(); ++size) {
    EXPECT_EQ(fault(std::string_view(kPacked).substr(0, size)), Code::kTruncated) << size;
  }
}

TEST(Bytes, RefuseBrokenGzip) {
  std::string wrong = kPacked;
  wrong[wrong.size() - 6] = static_cast<char>(wrong[wrong.size() - 6] ^ 1);  // in the checksum
  EXPECT_EQ(fault(wrong), Code::kMalformed);
  EXPECT_EQ(fault(kPacked + "garbage"), Code::kMalformed);
}

TEST(Bytes, GiveAllGoodBytesBeforeAFaultInGzip) {
  const std::string wrong = kPacked + "garbage";
  for (const std::size_t step : {std::size_t{1}, std::size_t{3}, std::size_t{16}}) {
    const auto source = unzipped(bytes_of_memory(wrong), "x");
    std::string text;
    char buffer[16];
    const auto read_all = [&] {
      while (const std::size_t got = source->read(buffer, step)) text.append(buffer, got);
    };
    EXPECT_THROW(read_all(), Error);
    EXPECT_EQ(text, "1,2\n3,4\n") << step;
    EXPECT_THROW(read_all(), Error);  // a fault stays
  }
}

TEST(Bytes, GiveTheSameBytesBeforeACutWhateverIsAskedFor) {
  const auto until_fault = [](std::string_view memory, std::size_t step) {
    const auto source = unzipped(bytes_of_memory(memory), "x");
    std::string text;
    char buffer[16];
    try {
      while (const std::size_t got = source->read(buffer, step)) text.append(buffer, got);
    } catch (const Error&) {
    }
    return text;
  };
  for (std::size_t size = 2; size < kPacked.size(); ++size) {
    const std::string_view cut = std::string_view(kPacked).substr(0, size);
    EXPECT_EQ(until_fault(cut, 1), until_fault(cut, 16)) << size;
  }
}

TEST(Bytes, AreTheSameGzipInPiecesOfAnySize) {
  std::string text;
  for (std::uint32_t i = 0, state = 1; i < 40'000; ++i, state = state * 1'664'525 + 1'013'904'223)
    text += static_cast<char>(i % 5 == 0 ? 'a' : state >> 24);
  for (const std::string& one : {std::string(), std::string("a"), text}) {
    const std::string whole = gzipped(one);
    EXPECT_EQ(all_of(whole, 16), one);
    for (const std::size_t piece : {1U, 7U, 1000U, 39'999U}) EXPECT_EQ(gzipped(one, piece), whole) << piece;
  }
}

TEST(Bytes, NameAParquetFileAndLeaveTextAlone) {
  try {
    unzipped(bytes_of_memory(std::string_view("PAR1\x15\x04PAR1")), "log.parquet");
    FAIL();
  } catch (const Error& e) {
    EXPECT_EQ(e.code(), Code::kMalformed);
    EXPECT_NE(e.message().find("read_parquet(\"log.parquet\").to_csv(\"log.csv\""), std::string::npos);
  }
  for (const std::string_view text : {"PAR1\n3\n", "PAR1,b\n", "PAR1", "PA", "P", ""}) EXPECT_EQ(all_of(text), text);
}

TEST(Bytes, SayWhyAFileCannotBeRead) {
  try {
    bytes_of_file("/nonexistent/file.csv");
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Code::kCannotRead);
    EXPECT_EQ(error.at(), "/nonexistent/file.csv");
    EXPECT_NE(error.message().find("No such file"), std::string::npos);
  }
  char byte = 0;
  EXPECT_THROW(bytes_of_file("/")->read(&byte, 1), Error);  // a directory opens but does not read
}

}  // namespace bytes_test
}  // namespace hannan::detail

// Text line by line, in bounded memory.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "hannan/io/bytes.hpp"

namespace hannan::detail {

inline constexpr std::size_t kMaxLine = std::size_t{64} << 20;

struct LineRules {
  std::size_t most = kMaxLine;  // bytes of a line
  // After a longer line: kGoOn reads to its end, and the next call reads the line after it; kStop reads nothing more.
  enum class Beyond { kGoOn, kStop } beyond = Beyond::kGoOn;
  // kAny: LF or CRLF; kLf: LF alone, a CR before it belongs to the line.
  enum class End { kAny, kLf } end = End::kAny;
};

class LineReader {
 public:
  // `name` stands for the file in messages.
  LineReader(std::unique_ptr<ByteSource> source, std::string name, LineRules rules = {});

  // The next line without its end; false at the end of the text. A line beyond the limit throws kTooLarge once.
  // The view lasts until the next call.
  bool next(std::string_view& line);
  // Of the last line, from 1.
  std::size_t number() const { return number_; }
  std::string where() const { return name_ + ":" + std::to_string(number_); }
  bool ended_with_newline() const { return newline_; }

 private:
  bool fill();
  [[noreturn]] void refuse() const;

  std::unique_ptr<ByteSource> source_;
  std::string name_;
  LineRules rules_;
  std::string held_;       // read and not yet handed out
  std::size_t start_ = 0;  // of the next line in held_
  std::size_t number_ = 0;
  bool newline_ = true;
  bool done_ = false;
};

}  // namespace hannan::detail

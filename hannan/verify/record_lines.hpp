// The lines of a record (docs/record.md), each parsed once.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "hannan/io/bytes.hpp"
#include "hannan/io/json.hpp"
#include "hannan/io/lines.hpp"

namespace hannan::detail {

// The next line without its newline; false at the end.
using LineSource = std::function<bool(std::string&)>;

// The lines of a record as they are in a file, gzipped or not. Nothing is read beyond a line longer than `most` bytes
// (kTooLarge), so that a small file that unpacks to a huge line costs little; a CR at the end of a line is kept,
// because the digest is over bytes.
LineSource lines_of_record(std::unique_ptr<ByteSource> source, const std::string& name, std::size_t most = kMaxLine);

class RecordLines {
 public:
  // `name` stands for the file in messages. Throws kEmpty where there is no line.
  RecordLines(LineSource lines, std::string name);

  // Goes to the next line; false behind the last. Throws kNotJson at "name:line", kTruncated where it is
  // the last line that cannot be read, kMalformed where it ends in CR LF.
  bool next();
  const Json& json() const { return json_; }
  const std::string& text() const { return text_; }
  bool last() const { return !more_; }
  std::string place() const { return name_ + ":" + std::to_string(number_); }

 private:
  LineSource lines_;
  std::string name_;
  std::string text_, ahead_;  // one line is read ahead: the last one is known when it comes
  bool more_ = false;
  std::uint64_t number_ = 0;
  Json json_;
};

}  // namespace hannan::detail

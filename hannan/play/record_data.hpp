// The data file of a record: what the header says of it, and a record held against the file.
//
// The header has {"file": its name without folders, "sha256": of its bytes as they lie on disk, "bytes": how many}, or
// null where the outcomes came from standard input, from memory or from a generator. A file that has grown since is the
// same file as far as its first `bytes` bytes are.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "hannan/game/game.hpp"
#include "hannan/io/json.hpp"
#include "hannan/play/hindsight.hpp"
#include "hannan/streams/source.hpp"

namespace hannan::detail {

// Reads all of the file; null where it is no regular file, such as a pipe, which can be read once alone.
Json data_file_facts(const std::string& path);

class HeldAgainstData {
 public:
  struct Opened {
    std::shared_ptr<const void> owner;  // of the game
    const Game* game = nullptr;
    std::unique_ptr<Source> source;
  };
  // `record` and `data` are names of files; `open` gives the outcomes of the data as the header's problem reads them;
  // none: the digest alone is looked at.
  HeldAgainstData(std::string record, std::string data, std::function<Opened(const Json& header)> open)
      : record_(std::move(record)), data_(std::move(data)), open_(std::move(open)) {}

  // The lines of the record in order. Throws kRejected at the line whose outcome is another than that of the data, or
  // at the header where the digest is. A line that is no JSON is left to whoever reads the record.
  void line(const std::string& text);
  // After the last line: what was held against what, for people. Of a record that saw a part also what the data know
  // besides, in hindsight.
  std::string words();

 private:
  void check_digest(const Json& header);
  void check_outcome(const Json& line);
  void check_part(const Json& line, const Json& found);
  [[noreturn]] void reject(const std::string& message) const;

  std::string record_, data_;
  std::function<Opened(const Json&)> open_;
  Opened opened_;
  std::uint64_t lines_ = 0, rounds_ = 0;
  std::optional<bool> digest_;  // none: no header so far; false: the header names no file
  AnyOutcome outcome_;
  std::optional<Hindsight> hindsight_;  // of a record that saw a part
  std::uint64_t broken_ = 0;            // lines whose limit was below the regret
};

}  // namespace hannan::detail

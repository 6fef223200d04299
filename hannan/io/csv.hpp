// Delimited text, row by row, in bounded memory.
//
// Quotes as in RFC 4180: a field that starts with a quote runs to the closing one, may hold
// separators and line ends, and writes a quote as two. Lines end in LF or CRLF, the last one in
// anything or nothing. A byte order mark is skipped, and so are lines that are empty or all spaces.
//
// The separator is taken from the first line, outside quotes: a tab if there is one, else a
// semicolon if there is one, else a comma.
//
// Cost: one pass; numbers by std::from_chars, so no locale is ever asked.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "hannan/io/bytes.hpp"

namespace hannan::detail {

struct CsvOptions {
  std::size_t max_line = std::size_t{64} << 20;  // bytes in one row, quoted line ends included
  char separator = 0;                            // 0: taken from the first line
};

class CsvReader {
 public:
  // `source` gives plain text (see unzipped()); `name` stands for the file in messages.
  CsvReader(std::unique_ptr<ByteSource> source, std::string name, CsvOptions options = {});

  // The cells of the next row, quotes removed; false at the end. The views last until the next call.
  // Throws kMalformed (NUL bytes, bare carriage returns, misplaced quotes) and kTooLarge.
  bool next(std::vector<std::string_view>& cells);

  // The line (from 1) on which the last row starts.
  std::size_t line() const { return row_line_; }
  // "file:line:column" where a cell of the last row starts, its opening quote included; for a
  // column beyond the last, where the row ends.
  std::string where(std::size_t column) const;
  // Whether the last line ended in a line end; a file that was cut short mostly does not.
  bool ended_with_newline() const { return newline_; }

 private:
  struct Cell {
    std::size_t start;   // in the row
    std::size_t text;    // in the row, or in unescaped_
    std::size_t length;  // of the text
    bool rewritten;      // the text had doubled quotes and stands in unescaped_
  };

  bool fill();
  void start();
  bool take_line();
  std::size_t content_end() const;
  void split();
  void check_plain(std::size_t from, std::size_t end) const;
  std::size_t quoted_cell(std::size_t at);
  std::string position(std::size_t offset) const;
  [[noreturn]] void malformed(const char* message, std::size_t offset) const;
  std::string_view row() const { return std::string_view(buffer_).substr(begin_, length_); }

  std::unique_ptr<ByteSource> source_;
  std::string name_;
  CsvOptions options_;
  std::vector<char> chunk_;
  std::string buffer_;  // [begin_, begin_ + length_) is the row, [next_, end) is unread
  std::size_t begin_ = 0;
  std::size_t length_ = 0;
  std::size_t next_ = 0;
  std::size_t row_line_ = 0;
  std::size_t lines_ = 0;  // taken so far
  bool started_ = false;
  bool newline_ = true;
  std::vector<Cell> cells_;
  std::string unescaped_;
};

// Without the spaces and tabs around it.
std::string_view trimmed(std::string_view cell);

// kNone is no number at all; kUnbounded is NaN, an infinity, or beyond the range of double.
enum class Reading { kFinite, kUnbounded, kNone };
// The number in a cell, spaces around it and a plus sign before it allowed.
Reading read_number(std::string_view cell, double& number);

// A finite number with spaces or a plus sign before it allowed; kNotANumber says what `cell` is instead.
double parse_number(std::string_view cell, const std::string& at);

}  // namespace hannan::detail

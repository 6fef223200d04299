// Rows of delimited text (csv.hpp has the grammar). The buffer holds the row at hand and what was read beyond it:
// [begin_, begin_ + length_) is the row, [next_, buffer_.size()) is unread, begin_ <= next_ always. Offsets of cells
// are relative to begin_, so they stay right when fill() moves the row to the front. Cost: each byte is searched once
// for line ends and once for separators; memory is the longest row plus one chunk.
#include "hannan/io/csv.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <charconv>
#include <cmath>

#include "hannan/core/error.hpp"
#include "hannan/core/interruption.hpp"
#include "hannan/io/json.hpp"

namespace hannan::detail {
namespace {

// 64 KiB: chosen, a read that the system serves in one piece.
constexpr std::size_t kChunk = std::size_t{1} << 16;
constexpr auto kNowhere = std::string_view::npos;

// A quote that is doubled inside a field toggles twice, so the state is right again behind it.
char find_separator(std::string_view line) {
  bool quoted = false;
  bool semicolon = false;
  for (const char c : line) {
    if (c == '"') quoted = !quoted;
    if (quoted) continue;
    if (c == '\t') return '\t';
    semicolon = semicolon || c == ';';
  }
  return semicolon ? ';' : ',';
}

}  // namespace

std::string_view trimmed(std::string_view cell) {
  const std::size_t first = cell.find_first_not_of(" \t");
  if (first == kNowhere) return {};
  return cell.substr(first, cell.find_last_not_of(" \t") - first + 1);
}

Reading read_number(std::string_view cell, double& number) {
  cell = trimmed(cell);
  if (cell.starts_with('+')) {
    cell.remove_prefix(1);
    if (cell.starts_with('-')) return Reading::kNone;
  }
  if (cell.empty()) return Reading::kNone;
  const char* end = cell.data() + cell.size();
  // from_chars knows no plus sign, no spaces and no locale. It reads "nan" and "inf", which are numbers gone wrong
  // here.
  const auto [stop, status] = std::from_chars(cell.data(), end, number);
  if (stop != end || status == std::errc::invalid_argument) return Reading::kNone;
  if (status != std::errc() || !std::isfinite(number)) return Reading::kUnbounded;
  number += 0.0;  // no negative zero comes in from outside
  return Reading::kFinite;
}

CsvReader::CsvReader(std::unique_ptr<ByteSource> source, std::string name, CsvOptions options)
    : source_(std::move(source)), name_(std::move(name)), options_(options), chunk_(kChunk) {}

// Reads on, dropping what stands before the row. A row moves to the front at most once, so a long one
// costs no more than its length.
bool CsvReader::fill() {
  buffer_.erase(0, begin_);
  next_ -= begin_;
  begin_ = 0;
  const std::size_t got = source_->read(chunk_.data(), chunk_.size());
  buffer_.append(chunk_.data(), got);
  return got > 0;
}

// A byte order mark is dropped; it belongs to no cell.
void CsvReader::start() {
  started_ = true;
  while (buffer_.size() < 3 && fill()) {
  }
  if (buffer_.starts_with("\xEF\xBB\xBF")) buffer_.erase(0, 3);
}

// Adds the next line, its line end included, to the row; false at the end of the text.
bool CsvReader::take_line() {
  // Invariant: no line end lies in [next_, searched). After fill() the row starts at 0, so offsets shrink by begin_.
  std::size_t searched = next_;
  std::size_t line_end = kNowhere;
  for (;;) {
    line_end = buffer_.find('\n', searched);
    const std::size_t known_end = line_end == kNowhere ? buffer_.size() : line_end;
    if (known_end - begin_ > options_.max_line) {
      throw Error(Code::kTooLarge, fmt::format("line {} is longer than {} bytes", row_line_, options_.max_line),
                  fmt::format("{}:{}", name_, row_line_));
    }
    if (line_end != kNowhere) break;
    searched = buffer_.size() - begin_;  // fill() moves the row to 0
    if (!fill()) break;
  }
  const std::size_t from = next_ - begin_;
  next_ = line_end == kNowhere ? buffer_.size() : line_end + 1;
  length_ = next_ - begin_;
  if (length_ == from) return false;
  newline_ = line_end != kNowhere;
  ++lines_;
  if (const auto nul = row().find('\0', from); nul != kNowhere) malformed("found a NUL byte", nul);
  return true;
}

// "file:line:column" of a byte of the row. O(length of the row), only for messages.
std::string CsvReader::position(std::size_t offset) const {
  const std::string_view before = row().substr(0, offset);
  // A quoted cell may hold line ends: the line is that of the place itself, not of the row.
  const auto breaks = static_cast<std::size_t>(std::ranges::count(before, '\n'));
  const std::size_t line_start = breaks == 0 ? 0 : before.rfind('\n') + 1;
  // Characters, not bytes: those that continue a UTF-8 sequence do not count.
  const auto characters = std::ranges::count_if(
      before.substr(line_start), [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; });
  return fmt::format("{}:{}:{}", name_, row_line_ + breaks, characters + 1);
}

std::string CsvReader::where(std::size_t column) const {
  return position(column < cells_.size() ? cells_[column].start : length_);
}

void CsvReader::malformed(const char* message, std::size_t offset) const {
  throw Error(Code::kMalformed, message, position(offset));
}

// The cells point into the buffer and are valid until the next call. Empty rows are passed over and still counted as
// lines.
bool CsvReader::next(std::vector<std::string_view>& cells) {
  interruption_point();
  if (!started_) start();
  cells.clear();
  cells_.clear();
  unescaped_.clear();
  do {
    begin_ = next_;
    row_line_ = lines_ + 1;
    if (!take_line()) return false;
  } while (row().find_first_not_of(" \r\n") == kNowhere);
  if (options_.separator == 0) options_.separator = find_separator(row());
  split();
  cells.reserve(cells_.size());
  for (const Cell& cell : cells_) {
    const std::string_view home = cell.rewritten ? std::string_view(unescaped_) : row();
    cells.push_back(home.substr(cell.text, cell.length));
  }
  return true;
}

// Where the row ends when its line end is left out.
std::size_t CsvReader::content_end() const {
  std::size_t end = length_;
  if (end > 0 && row()[end - 1] == '\n') --end;
  if (end > 0 && row()[end - 1] == '\r') --end;
  return end;
}

// Cuts the row into cells; on return length_ leaves out the line end.
void CsvReader::split() {
  std::size_t stop = content_end();
  // Most rows have neither quotes nor carriage returns; then a cell ends at the next separator.
  const bool quotes = row().find('"') != kNowhere;
  const bool careful = quotes || row().substr(0, stop).find('\r') != kNowhere;
  // Invariant: `at` is the offset of a cell's first byte; after the cell it stands on a separator or at `stop`. A
  // separator at the very end is followed by one empty cell.
  for (std::size_t at = 0;; ++at) {
    if (quotes && at < stop && row()[at] == '"') {
      at = quoted_cell(at);
      stop = content_end();  // the cell may have taken in more lines
      if (at != stop && row()[at] != options_.separator) malformed("found text after a closing quote", at);
    } else {
      const std::size_t end = std::min(row().find(options_.separator, at), stop);
      if (careful) check_plain(at, end);
      cells_.push_back({.start = at, .text = at, .length = end - at, .rewritten = false});
      at = end;
    }
    if (at == stop) break;
  }
  length_ = stop;
}

// Quotes belong to quoted cells, and a carriage return only in front of a line end.
void CsvReader::check_plain(std::size_t from, std::size_t end) const {
  const std::size_t bad = row().substr(0, end).find_first_of("\"\r", from);
  if (bad == kNowhere) return;
  malformed(
      row()[bad] == '\r' ? "found a bare carriage return" : "found a quote inside a field that does not start with one",
      bad);
}

// Takes the cell whose opening quote is at `at`, reading on over line ends; returns the offset behind
// its closing quote.
std::size_t CsvReader::quoted_cell(std::size_t at) {
  bool doubled = false;
  std::size_t quote = kNowhere;
  // quote + 1 < length_ whenever a second quote is looked at; take_line() extends the row where none is found.
  for (std::size_t from = at + 1;; from = quote + 2) {
    while ((quote = row().find('"', from)) == kNowhere) {
      from = length_;
      if (!take_line()) malformed("found a quote that is never closed", at);
    }
    // A line holds its line end, so nothing behind the quote means the end of the text.
    if (quote + 1 == length_ || row()[quote + 1] != '"') break;
    doubled = true;
  }
  Cell cell{.start = at, .text = at + 1, .length = quote - at - 1, .rewritten = doubled};
  if (doubled) {
    const std::string_view raw = row().substr(cell.text, cell.length);
    cell.text = unescaped_.size();
    for (std::size_t i = 0; i < raw.size(); ++i) {
      unescaped_ += raw[i];
      if (raw[i] == '"') ++i;  // the first of a pair; the second is its shadow
    }
    cell.length = unescaped_.size() - cell.text;
  }
  cells_.push_back(cell);
  return quote + 1;
}

// A cell that must be a number; `at` is its place in the message.
double parse_number(std::string_view cell, const std::string& at) {
  double number = 0;
  if (read_number(cell, number) == Reading::kFinite) return number;
  const std::string found = trimmed(cell).empty() ? "an empty field" : describe(Json(trimmed(cell)));
  throw Error(Code::kNotANumber, fmt::format("found {}, expected a finite number", found), at);
}

}  // namespace hannan::detail

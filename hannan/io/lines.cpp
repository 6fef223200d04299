// Lines in bounded memory. held_ is what was read and not handed out, start_ where the next line begins in it. A line
// beyond the limit is forgotten as it is read, so memory stays at the limit plus one block of 64 KiB.
#include "hannan/io/lines.hpp"

#include <utility>

#include "hannan/core/error.hpp"
#include "hannan/core/interruption.hpp"

namespace hannan::detail {

LineReader::LineReader(std::unique_ptr<ByteSource> source, std::string name, LineRules rules)
    : source_(std::move(source)), name_(std::move(name)), rules_(rules) {}

// One more block behind what is held; false at the end of the input.
bool LineReader::fill() {
  if (done_) return false;
  held_.erase(0, start_);
  start_ = 0;
  constexpr std::size_t kBlock = std::size_t{1} << 16;
  const std::size_t before = held_.size();
  held_.resize(before + kBlock);
  const std::size_t got = source_->read(held_.data() + before, kBlock);
  held_.resize(before + got);
  done_ = got == 0;
  return !done_;
}

void LineReader::refuse() const {
  throw Error(Code::kTooLarge,
              "found a line longer than " + std::to_string(rules_.most) + " bytes, expected a shorter one", where());
}

// A last line without an end counts as a line. A line beyond the limit throws; whether reading can go on behind it is a
// rule of the caller (LineRules::beyond).
bool LineReader::next(std::string_view& line) {
  interruption_point();
  ++number_;
  std::size_t searched = 0;  // bytes of the line known to hold no end
  bool too_long = false;
  for (;;) {
    const std::size_t end = held_.find('\n', start_ + searched);
    if (end != std::string::npos || done_) {
      newline_ = end != std::string::npos;
      const std::size_t stop = newline_ ? end : held_.size();
      if (!newline_ && stop == start_ && !too_long) return false;
      line = std::string_view(held_).substr(start_, stop - start_);
      start_ = newline_ ? stop + 1 : stop;
      if (too_long || line.size() > rules_.most) refuse();
      if (rules_.end == LineRules::End::kAny && !line.empty() && line.back() == '\r') line.remove_suffix(1);
      return true;
    }
    // fill() drops what stands before start_, so `searched` stays the number of bytes of this line without an end.
    searched = held_.size() - start_;
    if (searched > rules_.most) {  // forget it, so that memory stays bounded
      too_long = true;
      if (rules_.beyond == LineRules::Beyond::kStop) {
        done_ = true;
        start_ = held_.size();
        refuse();
      }
      start_ = held_.size();
      searched = 0;
    }
    fill();
  }
}

}  // namespace hannan::detail

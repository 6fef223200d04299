#include "hannan/verify/record_lines.hpp"

#include <utility>

#include "hannan/core/error.hpp"

namespace hannan {

RecordLines::RecordLines(LineSource lines, std::string name) : lines_(std::move(lines)), name_(std::move(name)) {
  more_ = lines_(ahead_);
  if (!more_) throw Error(Code::kEmpty, "found no line, expected the record of a run", name_);
}

bool RecordLines::next() {
  if (!more_) return false;
  text_.swap(ahead_);
  more_ = lines_(ahead_);
  ++number_;
  try {
    json_ = parse_json(text_);
  } catch (const Error& e) {
    if (!more_ && !text_.empty()) throw Error(Code::kTruncated, "the last line is cut short: " + e.message(), place());
    throw Error(Code::kNotJson, e.at().empty() ? e.message() : e.at() + ": " + e.message(), place());
  }
  return true;
}

}  // namespace hannan

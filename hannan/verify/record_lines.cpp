#include "hannan/verify/record_lines.hpp"

#include <string_view>
#include <utility>

#include "hannan/core/error.hpp"

namespace hannan::detail {

LineSource lines_of_record(std::unique_ptr<ByteSource> source, const std::string& name, std::size_t most) {
  const auto lines = std::make_shared<LineReader>(
      unzipped(std::move(source), name), name,
      LineRules{.most = most, .beyond = LineRules::Beyond::kStop, .end = LineRules::End::kLf});
  return [lines](std::string& line) {
    std::string_view view;
    const bool more = lines->next(view);
    line = more ? view : std::string_view{};
    return more;
  };
}

RecordLines::RecordLines(LineSource lines, std::string name) : lines_(std::move(lines)), name_(std::move(name)) {
  more_ = lines_(ahead_);
  if (!more_) throw Error(Code::kEmpty, "found no line, expected the record of a run", name_);
}

bool RecordLines::next() {
  if (!more_) return false;
  text_.swap(ahead_);
  more_ = lines_(ahead_);
  ++number_;
  if (text_.ends_with('\r')) {
    throw Error(
        Code::kMalformed,
        "found a line that ends in CR LF, expected LF alone: the digest is over the bytes that the program wrote",
        place());
  }
  try {
    json_ = parse_json(text_);
  } catch (const Error& e) {
    if (!more_ && !text_.empty()) throw Error(Code::kTruncated, "the last line is cut short: " + e.message(), place());
    throw Error(Code::kNotJson, e.at().empty() ? e.message() : e.at() + ": " + e.message(), place());
  }
  return true;
}

}  // namespace hannan::detail

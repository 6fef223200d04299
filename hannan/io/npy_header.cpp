// The header of an .npy file, a Python literal of a fixed shape. at_ is the place in the text, at most its size; every
// read tests it first. Errors name the byte in the file.
#include <fmt/format.h>

#include <charconv>
#include <optional>

#include "hannan/core/error.hpp"
#include "hannan/io/json.hpp"
#include "hannan/io/npy.hpp"

namespace hannan::detail {
namespace {

// Reads just the Python that numpy writes: {'descr': '<f8', 'fortran_order': False, 'shape': (3, 4), }
class HeaderParser {
 public:
  explicit HeaderParser(const NpyHeaderText& header) : header_(header) {}

  NpyHeader parse() {
    expect('{');
    while (!accept('}')) {
      const std::string_view key = quoted();
      expect(':');
      if (key == "descr") {
        once(has_type_, key);
        type();
      } else if (key == "fortran_order") {
        once(has_order_, key);
        order();
      } else if (key == "shape") {
        once(has_shape_, key);
        shape();
      } else {
        fail(fmt::format("found the key {}, expected descr, fortran_order or shape", shown(key)));
      }
      if (!accept(',')) {
        expect('}');
        break;
      }
    }
    skip_space();
    if (at_ != header_.text.size()) fail("found text behind the header");
    if (!has_type_ || !has_order_ || !has_shape_) fail("expected all of descr, fortran_order and shape");
    return result_;
  }

 private:
  [[noreturn]] void fail(const std::string& message) const {
    throw Error(Code::kMalformed, message, fmt::format("{}:byte {}", header_.name, header_.offset + at_));
  }

  static std::string shown(std::string_view text) { return dump(Json(text.substr(0, 40))); }

  void once(bool& seen, std::string_view key) const {
    if (seen) fail(fmt::format("found the key {} twice", key));
    seen = true;
  }

  void skip_space() {
    while (at_ < header_.text.size() && (header_.text[at_] == ' ' || header_.text[at_] == '\n')) ++at_;
  }

  bool accept(char c) {
    skip_space();
    if (at_ == header_.text.size() || header_.text[at_] != c) return false;
    ++at_;
    return true;
  }

  void expect(char c) {
    if (!accept(c)) fail(fmt::format("expected '{}' in the header", c));
  }

  std::string_view quoted() {
    const char mark = accept('"') ? '"' : '\'';
    if (mark == '\'') expect('\'');
    const std::size_t end = header_.text.find(mark, at_);
    if (end == std::string_view::npos) fail("found a quote that is never closed");
    const std::string_view text = header_.text.substr(at_, end - at_);
    at_ = end + 1;
    return text;
  }

  // Byte order, kind and width: '<f8'. Types of one byte have the order '|'. '=' is never written to files by numpy.
  void type() {
    skip_space();
    const std::size_t start = at_;
    if (start < header_.text.size() && header_.text[start] == '[')
      fail("found a record type, expected one number type");
    const std::string_view text = quoted();
    const std::string_view known[] = {"f8", "f4", "i8", "i4", "u1", "b1"};
    const bool order = !text.empty() && (text[0] == '<' || text[0] == '>' || text[0] == '|' || text[0] == '=');
    for (const std::string_view name : known) {
      const bool single = name[1] == '1';
      if (!order || text.substr(1) != name || text[0] == '=' || (text[0] == '|') != single) continue;
      result_.order = text[0];
      result_.kind = text[1];
      result_.width = static_cast<std::size_t>(text[2] - '0');
      return;
    }
    at_ = start;
    fail(fmt::format("found the type {}, expected <f8, >f8, <f4, >f4, <i8, >i8, <i4, >i4, |u1 or |b1", shown(text)));
  }

  // Python's words for true and false.
  void order() {
    skip_space();
    const std::string_view rest = header_.text.substr(at_);
    if (!rest.starts_with("True") && !rest.starts_with("False")) fail("expected True or False");
    result_.fortran = rest.starts_with("True");
    at_ += result_.fortran ? 4 : 5;
  }

  // Decimal digits. from_chars tells a number that is too large from text that is no number.
  std::uint64_t size() {
    skip_space();
    std::uint64_t n = 0;
    const char* begin = header_.text.data() + at_;
    const auto [stop, status] = std::from_chars(begin, header_.text.data() + header_.text.size(), n);
    if (status == std::errc::result_out_of_range) fail("found a size beyond 64 bits");
    if (status != std::errc()) fail("expected a size");
    at_ += static_cast<std::size_t>(stop - begin);
    return n;
  }

  // A tuple of one or two sizes; "(3,)" is one.
  void shape() {
    expect('(');
    if (accept(')')) fail("found a single number, expected an array of one or two dimensions");
    result_.rows = size();
    result_.columns = 1;
    expect(',');
    if (accept(')')) return;
    result_.columns = size();
    accept(',');
    if (!accept(')')) fail("expected an array of one or two dimensions");
  }

  const NpyHeaderText& header_;
  std::size_t at_ = 0;
  bool has_type_ = false;
  bool has_order_ = false;
  bool has_shape_ = false;
  NpyHeader result_;
};

}  // namespace

NpyHeader parse_npy_header(const NpyHeaderText& header) { return HeaderParser(header).parse(); }

}  // namespace hannan::detail

#include "hannan/io/plain_json.hpp"

#include <charconv>
#include <cstring>

namespace hannan {
namespace {

class PlainReader {
 public:
  explicit PlainReader(std::string_view text) : at_(text.data()), end_(text.data() + text.size()) {}

  std::optional<Json> all() {
    Json value;
    if (!read(value, 0)) return std::nullopt;
    skip();
    if (at_ != end_) return std::nullopt;
    return value;
  }

 private:
  static constexpr int kDeepest = 8;
  static constexpr std::size_t kMostFields = 16;  // a repeated key is looked for one by one

  void skip() {
    while (at_ != end_ && (*at_ == ' ' || *at_ == '\n' || *at_ == '\r' || *at_ == '\t')) ++at_;
  }
  bool take(char c) {
    if (at_ == end_ || *at_ != c) return false;
    ++at_;
    return true;
  }
  bool word(std::string_view text) {
    if (static_cast<std::size_t>(end_ - at_) < text.size() || std::memcmp(at_, text.data(), text.size()) != 0) return false;
    at_ += text.size();
    return true;
  }

  bool read(Json& to, int depth) {
    skip();
    if (at_ == end_ || depth > kDeepest) return false;
    switch (*at_) {
      case '{': return object(to, depth);
      case '[': return array(to, depth);
      case '"': {
        std::string_view text;
        if (!string(text)) return false;
        to = Json(text);
        return true;
      }
      case 't': to = Json(true); return word("true");
      case 'f': to = Json(false); return word("false");
      case 'n': to = Json(); return word("null");
      default: return number(to);
    }
  }

  bool string(std::string_view& to) {
    if (!take('"')) return false;
    const char* begin = at_;
    while (at_ != end_ && *at_ != '"') {
      if (*at_ < ' ' || *at_ > '~' || *at_ == '\\') return false;
      ++at_;
    }
    to = {begin, static_cast<std::size_t>(at_ - begin)};
    return take('"');
  }

  bool digits() {
    const char* begin = at_;
    while (at_ != end_ && *at_ >= '0' && *at_ <= '9') ++at_;
    return at_ != begin;
  }

  // -?(0|[1-9][0-9]*)(.[0-9]+)?([eE][+-]?[0-9]+)?, the nearest double. Out of its range: not plain.
  bool number(Json& to) {
    const char* begin = at_;
    take('-');
    if (!take('0') && !digits()) return false;
    bool integer = true;
    if (take('.')) {
      integer = false;
      if (!digits()) return false;
    }
    if (at_ != end_ && (*at_ == 'e' || *at_ == 'E')) {
      integer = false;
      ++at_;
      if (!take('+')) take('-');
      if (!digits()) return false;
    }
    double value = 0;
    const auto [stop, fault] = std::from_chars(begin, at_, value);
    if (fault != std::errc() || stop != at_) return false;
    to = Json(integer ? value + 0.0 : value);  // the integer -0 is 0
    return true;
  }

  bool array(Json& to, int depth) {
    ++at_;
    Json::Array items;
    skip();
    if (!take(']')) {
      do {
        if (!read(items.emplace_back(), depth + 1)) return false;
        skip();
      } while (take(','));
      if (!take(']')) return false;
    }
    to = Json(std::move(items));
    return true;
  }

  bool object(Json& to, int depth) {
    ++at_;
    Json fields = Json::object();
    skip();
    if (!take('}')) {
      do {
        skip();
        std::string_view key;
        if (!string(key) || fields.size() == kMostFields || fields.find(key)) return false;
        skip();
        Json value;
        if (!take(':') || !read(value, depth + 1)) return false;
        fields.set(key, std::move(value));
        skip();
      } while (take(','));
      if (!take('}')) return false;
    }
    to = std::move(fields);
    return true;
  }

  const char* at_;
  const char* end_;
};

}  // namespace

std::optional<Json> parse_plain_json(std::string_view text) { return PlainReader(text).all(); }

}  // namespace hannan

// Values, and the full parser: nlohmann's events with our own stack, so depth is limited and repeated keys are refused.
// The quick parser (bulk_json.hpp) is tried first and never decides that a text is bad. Cost: linear; find() and set()
// are linear in the fields of one object.
#include "hannan/io/json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <unordered_set>

#include "hannan/core/error.hpp"
#include "hannan/io/bulk_json.hpp"

namespace hannan::detail {

Json::Json() noexcept = default;
Json::Json(const Json& other) = default;
Json::Json(Json&& other) noexcept = default;
Json& Json::operator=(const Json& other) = default;
Json& Json::operator=(Json&& other) noexcept = default;
Json::~Json() = default;
Json::Json(const char* text) : value_(std::string(text)) {}
Json::Json(std::string_view text) : value_(std::string(text)) {}
Json::Json(std::string text) : value_(std::move(text)) {}
Json::Json(Array items) : value_(std::move(items)) {}

bool operator==(const Json& a, const Json& b) { return a.value_ == b.value_; }

Json Json::object(std::initializer_list<Named> fields) {
  Object all;
  all.reserve(fields.size());
  for (const Named& field : fields) all.emplace_back(field.key, field.value);
  return of_fields(std::move(all));
}
Json Json::of_fields(Object fields) {
  Json json;
  json.value_ = std::move(fields);
  return json;
}

Json Json::array(std::initializer_list<Json> items) { return Json(Array(items)); }

std::size_t Json::size() const {
  if (const auto* items = std::get_if<Array>(&value_)) return items->size();
  if (const auto* fields = std::get_if<Object>(&value_)) return fields->size();
  return 0;
}

// For the as_ functions, which are used where the type is known: a wrong one is an error of the caller.
void Json::refuse_type() const {
  throw Error(Code::kWrongType, "found " + describe(*this) + ", expected a value of another type", "JSON");
}

const Json& Json::operator[](std::size_t i) const {
  const Array& items = as_array();
  if (i >= items.size())
    throw Error(Code::kOutOfRange,
                "found " + std::to_string(items.size()) + " items, expected more than " + std::to_string(i), "JSON");
  return items[i];
}

const Json& Json::at(std::string_view key) const {
  if (const Json* value = find(key)) return *value;
  throw Error(Code::kMissingField, "found no field \"" + std::string(key) + "\", expected it", "JSON");
}

// Linear, in the order of the fields, which is kept for writing: objects here have few fields.
const Json* Json::find(std::string_view key) const {
  const auto* fields = std::get_if<Object>(&value_);
  if (fields == nullptr) return nullptr;
  for (const auto& [name, value] : *fields) {
    if (name == key) return &value;
  }
  return nullptr;
}

// None where the field is missing, null or of another type.
std::optional<double> Json::find_number(std::string_view key) const {
  const Json* found = find(key);
  return found && found->is_number() ? std::optional(found->as_number()) : std::nullopt;
}

Json& Json::push_back(Json item) {
  if (is_null()) value_ = Array();
  assert(is_array());
  std::get_if<Array>(&value_)->push_back(std::move(item));
  return *this;
}

// Replaces a field of that name, or adds one at the end. Null becomes an object.
Json& Json::set(std::string_view key, Json value) {
  if (is_null()) value_ = Object();
  assert(is_object());
  auto& fields = *std::get_if<Object>(&value_);
  for (auto& [name, old] : fields) {
    if (name == key) {
      old = std::move(value);
      return *this;
    }
  }
  fields.emplace_back(std::string(key), std::move(value));
  return *this;
}

// As set(), for a field that is known to be new: without the search, which would make long objects quadratic.
Json& Json::append(std::string_view key, Json value) {
  if (is_null()) value_ = Object();
  assert(is_object() && !find(key));
  std::get_if<Object>(&value_)->emplace_back(std::string(key), std::move(value));
  return *this;
}

// Takes the parser's events and keeps the open containers on a stack of its own. A handler that
// returns false stops the parser; `problem` then says why.
class JsonBuilder {
 public:
  using number_integer_t = nlohmann::json::number_integer_t;
  using number_unsigned_t = nlohmann::json::number_unsigned_t;
  using number_float_t = nlohmann::json::number_float_t;
  using string_t = std::string;
  using binary_t = nlohmann::json::binary_t;

  bool null() { return place(Json()); }
  bool boolean(bool truth) { return place(Json(truth)); }
  bool number_integer(number_integer_t n) { return place(Json(static_cast<double>(n))); }
  bool number_unsigned(number_unsigned_t n) { return place(Json(static_cast<double>(n))); }
  bool number_float(number_float_t x, const string_t&) { return place(Json(x)); }
  bool string(string_t& text) { return place(Json(std::move(text))); }
  bool binary(binary_t&) { return false; }  // text has none
  bool start_object(std::size_t) { return open(Json::object()); }
  bool start_array(std::size_t) { return open(Json::array()); }
  bool end_object() { return close(); }
  bool end_array() { return close(); }

  bool key(string_t& name) {
    Frame& frame = stack_.back();
    if (!frame.is_new(name)) {
      problem = fmt::format("the key {} appears twice in one object", dump(Json(name)));
      return false;
    }
    frame.key = std::move(name);
    return true;
  }

  bool parse_error(std::size_t position, const std::string&, const nlohmann::json::exception& fault) {
    // Drop the library's own prefixes: "[json.exception.x.101] parse error at line 1, column 2: ".
    std::string_view text = fault.what();
    text.remove_prefix(std::min(text.size(), text.find("] ") + 2));
    if (text.starts_with("parse error at")) text.remove_prefix(text.find(": ") + 2);
    problem = text.size() > kMessageLimit ? std::string(text.substr(0, kMessageLimit)) + "..." : std::string(text);
    // The position counts the byte that was one too many.
    offset = position == 0 ? 0 : position - 1;
    return false;
  }

  Json result;
  std::string problem;
  std::size_t offset = std::string_view::npos;

 private:
  static constexpr std::size_t kMessageLimit = 200;  // bytes; the message quotes the offending token
  static constexpr std::size_t kScanLimit = 16;      // fields; beyond it a set finds repeated keys

  // Up to kScanLimit fields are compared one by one; from there on a set holds the keys, so that a huge object stays
  // linear.
  struct Frame {
    Json value;
    std::string key;  // of the field being read, in objects
    std::unordered_set<std::string> seen;

    bool is_new(const std::string& name) {
      const std::size_t fields = value.size();
      if (fields < kScanLimit) return value.find(name) == nullptr;
      if (seen.empty()) {
        for (const auto& field : value.as_object()) seen.insert(field.first);
      }
      return seen.insert(name).second;
    }
  };

  bool open(Json container) {
    if (stack_.size() == kMaxJsonDepth) {
      problem = fmt::format("nested deeper than {}", kMaxJsonDepth);
      return false;
    }
    stack_.push_back({.value = std::move(container), .key = {}, .seen = {}});
    return true;
  }

  // A finished container becomes a value of the one around it.
  bool close() {
    Json done = std::move(stack_.back().value);
    stack_.pop_back();
    return place(std::move(done));
  }

  bool place(Json value) {
    if (stack_.empty()) {
      result = std::move(value);
      return true;
    }
    Frame& frame = stack_.back();
    if (auto* items = std::get_if<Json::Array>(&frame.value.value_)) {
      items->push_back(std::move(value));
    } else {
      std::get_if<Json::Object>(&frame.value.value_)->emplace_back(std::move(frame.key), std::move(value));
    }
    return true;
  }

  std::vector<Frame> stack_;
};

namespace {

// A pointer that leaves word of how far the parser has come, for the errors we find ourselves.
struct Cursor {
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  const char* here;
  const char** furthest;

  reference operator*() const { return *here; }
  Cursor& operator++() {
    *furthest = ++here;
    return *this;
  }
  Cursor operator++(int) {
    Cursor old = *this;
    ++*this;
    return old;
  }
  friend bool operator==(const Cursor& a, const Cursor& b) { return a.here == b.here; }
};

// Counted from 1, in bytes.
std::string line_and_column(std::string_view text, std::size_t offset) {
  const std::string_view before = text.substr(0, std::min(offset, text.size()));
  const auto line = std::count(before.begin(), before.end(), '\n') + 1;
  const std::size_t last_break = before.rfind('\n');
  const std::size_t column = before.size() - (last_break == std::string_view::npos ? 0 : last_break + 1) + 1;
  return fmt::format("line {}, column {}", line, column);
}

}  // namespace

// Throws kNotJson with line and column of the first fault.
Json parse_json(std::string_view text) {
  if (auto value = parse_bulk_json(text)) return *std::move(value);
  // The parser takes a NUL byte for the end of the text and would not look behind it.
  if (const std::size_t nul = text.find('\0'); nul != std::string_view::npos) {
    throw Error(Code::kNotJson, "found a NUL byte", line_and_column(text, nul));
  }
  // Errors we find ourselves have no position of the parser's: the cursor says how far it had read, one byte beyond the
  // fault.
  JsonBuilder builder;
  const char* furthest = text.data();
  const Cursor begin{text.data(), &furthest};
  const Cursor end{text.data() + text.size(), &furthest};
  if (!nlohmann::json::sax_parse(begin, end, &builder)) {
    const std::size_t offset = builder.offset != std::string_view::npos
                                   ? builder.offset
                                   : static_cast<std::size_t>(furthest - text.data()) - 1;
    throw Error(Code::kNotJson, builder.problem, line_and_column(text, offset));
  }
  return std::move(builder.result);
}

}  // namespace hannan::detail

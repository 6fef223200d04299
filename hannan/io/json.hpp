// A JSON value, and the way between it and text.
//
// Numbers are doubles: integers are exact up to 2^53 in absolute value, which is all the protocol
// promises. Objects keep the order in which their fields were set, so answers read as they were
// written. An object is a list, not a map: find() is linear in its fields, which are few.
//
// JSON has no infinities; the protocol writes them as the strings "inf" and "-inf", and dump() does so.
// Reading them back as numbers is the business of fields.hpp, because only the reader of a field knows
// that a number is expected there.
#pragma once

#include <cassert>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "hannan/core/text.hpp"

namespace hannan::detail {

class Json {
 public:
  using Array = std::vector<Json>;
  using Field = std::pair<std::string, Json>;
  using Object = std::vector<Field>;

  // Defined in json.cpp: inline they would be compiled wherever a value is used.
  Json() noexcept;
  Json(const Json& other);
  Json(Json&& other) noexcept;
  Json& operator=(const Json& other);
  Json& operator=(Json&& other) noexcept;
  ~Json();
  Json(std::nullptr_t) : Json() {}
  template <class T>
    requires std::same_as<T, bool>  // so that a pointer never turns into true
  Json(T truth) : value_(truth) {}
  template <class T>
    requires(std::is_arithmetic_v<T> && !std::same_as<T, bool>)
  Json(T number) : value_(static_cast<double>(number)) {
    if constexpr (std::is_integral_v<T>) assert(is_exact(number));
  }
  // What is not there is null.
  template <class T>
    requires(std::is_arithmetic_v<T>)
  Json(const std::optional<T>& value) : Json(value ? Json(*value) : Json()) {}
  Json(const char* text);
  Json(std::string_view text);
  Json(std::string text);
  Json(Array items);
  template <class T>
    requires(!std::same_as<T, Json> && std::convertible_to<T, Json>)
  Json(const std::vector<T>& items) : Json(array(items)) {}

  struct Named;
  // Json::object({{"ok", true}, {"round", 3}}); the keys must differ.
  static Json object(std::initializer_list<Named> fields = {});
  // Of many fields, whose keys differ: set() looks through all of them each time.
  static Json of_fields(Object fields);
  // Json::array({1, "two", nullptr}), or of any range whose elements convert to Json.
  static Json array(std::initializer_list<Json> items = {});
  template <class Range>
    requires(!std::convertible_to<const Range&, std::string_view>)
  static Json array(const Range& items) {
    Array list;
    if constexpr (requires { items.size(); }) list.reserve(items.size());
    for (const auto& item : items) list.emplace_back(static_cast<typename Range::value_type>(item));
    return Json(std::move(list));
  }

  bool is_null() const { return std::holds_alternative<std::monostate>(value_); }
  bool is_bool() const { return std::holds_alternative<bool>(value_); }
  bool is_number() const { return std::holds_alternative<double>(value_); }
  bool is_string() const { return std::holds_alternative<std::string>(value_); }
  bool is_array() const { return std::holds_alternative<Array>(value_); }
  bool is_object() const { return std::holds_alternative<Object>(value_); }

  // kWrongType where it is another type. What comes from outside is better read by Fields, which says where it was
  // found.
  bool as_bool() const { return get<bool>(); }
  double as_number() const { return get<double>(); }
  const std::string& as_string() const { return get<std::string>(); }
  const Array& as_array() const { return get<Array>(); }
  const Object& as_object() const { return get<Object>(); }

  // The number of items or fields; 0 for everything else.
  std::size_t size() const;
  // Item i of an array, i < size(). kOutOfRange beyond it.
  const Json& operator[](std::size_t i) const;
  // Field `key` of an object. kMissingField where there is none.
  const Json& at(std::string_view key) const;
  // Field `key`, or null when this is no object or has no such field.
  const Json* find(std::string_view key) const;
  // Field `key` where it is there and a number.
  std::optional<double> find_number(std::string_view key) const;

  // Appends to an array; null becomes an empty array first.
  Json& push_back(Json item);
  // Replaces or appends a field; null becomes an empty object first. Returns this object.
  Json& set(std::string_view key, Json value);
  // The same of a key that is not there yet: it is not looked for.
  Json& append(std::string_view key, Json value);

  // Same type, same content; the fields of objects in the same order.
  friend bool operator==(const Json& a, const Json& b);

 private:
  friend class JsonBuilder;

  template <class T>
  const T& get() const {
    if (const T* value = std::get_if<T>(&value_)) return *value;
    refuse_type();
  }
  [[noreturn]] void refuse_type() const;
  // Through double, so that char and bool-like types need no case of their own: a rounded
  // integer beyond 2^53 is still beyond it, or equal to it.
  template <class T>
  static constexpr bool is_exact(T number) {
    const auto rounded = static_cast<double>(number);
    return rounded <= 0x1p53 && rounded >= -0x1p53;
  }

  std::variant<std::monostate, bool, double, std::string, Array, Object> value_;
};

// A field as it is written in the source.
struct Json::Named {
  std::string_view key;
  Json value;
};

// "a string \"abc\"", "the number 1.2", "an array of 3": for messages; long text is cut.
std::string describe(const Json& value);

// Deepest nesting of arrays and objects that parse_json accepts; the protocol needs six.
inline constexpr int kMaxJsonDepth = 64;

// Exactly one JSON value with white space around it. Throws kNotJson with at = "line L, column C"
// (both from 1, the column in bytes) for anything else, and for a key given twice, nesting beyond
// kMaxJsonDepth and numbers beyond the range of double. Linear time, no recursion.
Json parse_json(std::string_view text);

// Compact, on one line. Numbers in the shortest form that reads back as the same double, -0 as 0,
// infinities as the strings "inf" and "-inf"; NaN is a broken invariant. Bytes that are not UTF-8
// become U+FFFD.
std::string dump(const Json& value);

// For people: indented by two, arrays of plain values on one line.
std::string pretty(const Json& value);

}  // namespace hannan::detail

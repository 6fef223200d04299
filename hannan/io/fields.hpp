// Reading values out of JSON, with the path of the value in every complaint.
//
// A number is a JSON number, an exact fraction as a string ("3/5", "-4/3", "1"; numerator and
// denominator at most 2^53, so the quotient is the double nearest to the fraction), or "inf", "-inf"
// where the interval allows it. Intervals are finite unless asked otherwise: numbers(…, kExtended).
//
// Complaints: kMissingField, kUnknownField, kWrongType, kOutOfRange and kUnknownName; `at` looks like
// params.valuation[2].items. Paths are put together only when there is something to complain about, so
// reading a list costs one pass over it.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "hannan/core/interval.hpp"
#include "hannan/core/text.hpp"
#include "hannan/io/json.hpp"

namespace hannan::detail {

// Closed at both ends. Beyond 2^53 - 1 a double may be the rounding of another integer, so such
// integers are refused whatever the range says.
struct IntegerRange {
  std::int64_t lo;
  std::int64_t hi;
};

inline constexpr IntegerRange kAnyInteger{-((std::int64_t{1} << 53) - 1), (std::int64_t{1} << 53) - 1};
inline constexpr IntegerRange kNatural{0, kAnyInteger.hi};

double to_number(const Json& value, std::string_view path, Interval range = kAnyFinite);
std::int64_t to_integer(const Json& value, std::string_view path, IntegerRange range = kAnyInteger);
const std::string& to_word(const Json& value, std::string_view path);
bool to_flag(const Json& value, std::string_view path);
// The value itself, which must be an array.
const Json::Array& to_list(const Json& value, std::string_view path);

std::vector<double> to_numbers(const Json& value, std::string_view path, Interval range = kAnyFinite);
std::vector<std::int64_t> to_integers(const Json& value, std::string_view path, IntegerRange range = kAnyInteger);
std::vector<std::string> to_words(const Json& value, std::string_view path);
// Rows of any length; the caller knows which lengths it wants.
std::vector<std::vector<double>> to_matrix(const Json& value, std::string_view path, Interval range = kAnyFinite);

// The fields of one object, each asked for by name; done() then refuses those that were not asked for.
// Keeps a reference to the object, which must outlive it.
class Fields {
 public:
  // kWrongType unless `object` is one.
  Fields(const Json& object, std::string path);

  const Json& need(std::string_view name);
  // Null when the field is absent.
  const Json* maybe(std::string_view name);
  bool has(std::string_view name) { return maybe(name) != nullptr; }
  // The path of a field, for complaints of the caller's own.
  std::string at(std::string_view name) const { return path_of(path_, name); }
  const std::string& path() const { return path_; }

  double number(std::string_view name, Interval range = kAnyFinite);
  double number(std::string_view name, Interval range, double fallback);
  double number(std::string_view name, double fallback) { return number(name, kAnyFinite, fallback); }
  std::int64_t integer(std::string_view name, IntegerRange range = kAnyInteger);
  std::int64_t integer(std::string_view name, IntegerRange range, std::int64_t fallback);
  std::string word(std::string_view name);
  std::string word(std::string_view name, std::string_view fallback);
  bool flag(std::string_view name);
  bool flag(std::string_view name, bool fallback);
  // One of the given words, kUnknownName with the list of them otherwise.
  std::string choice(std::string_view name, std::initializer_list<std::string_view> choices);
  std::string choice(std::string_view name, std::initializer_list<std::string_view> choices, std::string_view fallback);

  const Json::Array& list(std::string_view name);
  std::vector<double> numbers(std::string_view name, Interval range = kAnyFinite);
  std::vector<std::int64_t> integers(std::string_view name, IntegerRange range = kAnyInteger);
  std::vector<std::string> words(std::string_view name);
  std::vector<std::vector<double>> matrix(std::string_view name, Interval range = kAnyFinite);
  // A needed object inside this one; call done() on it too.
  Fields fields(std::string_view name) { return Fields(need(name), at(name)); }

  // Throws kUnknownField for the first field that was not asked for; the message lists those that exist.
  void done() const;

 private:
  void remember(std::string_view name);

  const Json* object_;
  std::string path_;
  std::vector<bool> asked_;         // per field of the object
  std::vector<std::string> known_;  // names asked for, in order, for the message
};

}  // namespace hannan::detail

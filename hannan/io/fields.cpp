// Values out of JSON with the path of what is wrong. Fields remembers which fields were asked for: done() refuses any
// other one, with the nearest known name. Whole numbers are exact up to 2^53 and refused beyond.
#include "hannan/io/fields.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>

#include "hannan/core/error.hpp"
#include "hannan/core/near_name.hpp"

namespace hannan::detail {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

[[noreturn]] void wrong_type(const Json& value, std::string_view path, std::string_view expected) {
  throw Error(Code::kWrongType, fmt::format("found {}, expected {}", describe(value), expected), std::string(path));
}

// Digits only; nullopt beyond 2^53, where a double no longer tells neighbours apart.
std::optional<double> whole(std::string_view digits) {
  std::uint64_t n = 0;
  const char* end = digits.data() + digits.size();
  const auto [stop, status] = std::from_chars(digits.data(), end, n);
  if (digits.empty() || stop != end || status != std::errc() || n > (std::uint64_t{1} << 53)) return std::nullopt;
  return static_cast<double>(n);
}

// "p", "p/q", "inf" with an optional sign.
// Fractions are accepted as text, "1/3", so that files can say a number that decimals cannot.
std::optional<double> fraction(std::string_view text) {
  double sign = 1;
  if (text.starts_with('-') || text.starts_with('+')) {
    sign = text.front() == '-' ? -1 : 1;
    text.remove_prefix(1);
  }
  if (text == "inf") return sign * kInfinity;
  const std::size_t slash = text.find('/');
  const auto top = whole(text.substr(0, slash));
  if (slash == std::string_view::npos || !top) return top ? std::optional(sign * *top) : std::nullopt;
  const auto bottom = whole(text.substr(slash + 1));
  if (!bottom || *bottom == 0) return std::nullopt;
  return sign * (*top / *bottom);
}

// Adding 0 turns -0 into 0, so that no sign of zero ever comes in from outside.
std::optional<double> number_in(const Json& value) {
  if (value.is_number()) return value.as_number() + 0.0;
  if (!value.is_string()) return std::nullopt;
  const auto parsed = fraction(value.as_string());
  return parsed ? std::optional(*parsed + 0.0) : std::nullopt;
}

// A range in words of a message. Special ranges have words of their own.
std::string words_for(Interval range) {
  if (range.lo == kExtended.lo && range.hi == kExtended.hi) return "a number";
  if (range.lo == kPositive.lo) {
    return range.hi >= kPositive.hi ? "a positive number" : fmt::format("a number in (0,{}]", number_text(range.hi));
  }
  const bool from = range.lo > kAnyFinite.lo;
  const bool to = range.hi < kAnyFinite.hi;
  if (from && to) return fmt::format("a number in [{},{}]", number_text(range.lo), number_text(range.hi));
  const std::string kind = range.hi > kAnyFinite.hi || range.lo < kAnyFinite.lo ? "a number" : "a finite number";
  if (from) return fmt::format("{} of at least {}", kind, number_text(range.lo));
  if (to) return fmt::format("{} of at most {}", kind, number_text(range.hi));
  return kind;
}

}  // namespace

// The order of checks is that of the messages: first whether it is a number, then whether it is in the range. NaN
// cannot arrive: JSON has none, and fraction() makes none.
double to_number(const Json& value, std::string_view path, Interval range) {
  const auto number = number_in(value);
  if (!number) wrong_type(value, path, "a number or a fraction like \"3/5\"");
  if (!(*number >= range.lo && *number <= range.hi)) {
    throw Error(Code::kOutOfRange, fmt::format("found {}, expected {}", number_text(*number), words_for(range)),
                std::string(path));
  }
  return *number;
}

std::int64_t to_integer(const Json& value, std::string_view path, IntegerRange range) {
  const auto number = number_in(value);
  if (!number) wrong_type(value, path, "an integer");
  if (*number != std::trunc(*number) || std::isinf(*number)) {
    throw Error(Code::kWrongType, fmt::format("found {}, expected an integer", number_text(*number)),
                std::string(path));
  }
  const std::int64_t lo = std::max(range.lo, kAnyInteger.lo);
  const std::int64_t hi = std::min(range.hi, kAnyInteger.hi);
  // Both ends are exact as doubles, so the comparison is exact too.
  if (*number < static_cast<double>(lo) || *number > static_cast<double>(hi)) {
    throw Error(Code::kOutOfRange, fmt::format("found {}, expected an integer in {}..{}", number_text(*number), lo, hi),
                std::string(path));
  }
  return static_cast<std::int64_t>(*number);
}

const std::string& to_word(const Json& value, std::string_view path) {
  if (!value.is_string()) wrong_type(value, path, "a string");
  return value.as_string();
}

bool to_flag(const Json& value, std::string_view path) {
  if (!value.is_bool()) wrong_type(value, path, "true or false");
  return value.as_bool();
}

// The array itself, not a copy: it lives as long as `value`.
const Json::Array& to_list(const Json& value, std::string_view path) {
  if (!value.is_array()) wrong_type(value, path, "an array");
  return value.as_array();
}

// Paths of elements are made only for what is wrong, because most of the time of a long list would go into them.
std::vector<double> to_numbers(const Json& value, std::string_view path, Interval range) {
  const Json::Array& items = to_list(value, path);
  std::vector<double> numbers;
  numbers.reserve(items.size());
  for (const Json& item : items) {
    // The plain case without a path; everything else, faults included, the long way.
    const double x = item.is_number() ? item.as_number() + 0.0 : std::numeric_limits<double>::quiet_NaN();
    const bool plain = x >= range.lo && x <= range.hi;
    numbers.push_back(plain ? x : to_number(item, path_of(path, numbers.size()), range));
  }
  return numbers;
}

// The same for whole numbers. 0.5 stands for "no number" and fails the test for a whole one.
std::vector<std::int64_t> to_integers(const Json& value, std::string_view path, IntegerRange range) {
  const Json::Array& items = to_list(value, path);
  std::vector<std::int64_t> integers;
  integers.reserve(items.size());
  for (const Json& item : items) {
    const double x = item.is_number() ? item.as_number() : 0.5;
    // Small enough that both casts are exact; the rest goes the long way.
    const bool small = std::fabs(x) < 0x1p53 && x == std::trunc(x);
    const auto n = small ? static_cast<std::int64_t>(x) : 0;
    const bool plain = small && n >= range.lo && n <= range.hi;
    integers.push_back(plain ? n : to_integer(item, path_of(path, integers.size()), range));
  }
  return integers;
}

std::vector<std::string> to_words(const Json& value, std::string_view path) {
  std::vector<std::string> words;
  for (const Json& item : to_list(value, path)) words.push_back(to_word(item, path_of(path, words.size())));
  return words;
}

std::vector<std::vector<double>> to_matrix(const Json& value, std::string_view path, Interval range) {
  std::vector<std::vector<double>> rows;
  for (const Json& row : to_list(value, path)) rows.push_back(to_numbers(row, path_of(path, rows.size()), range));
  return rows;
}

Fields::Fields(const Json& object, std::string path) : object_(&object), path_(std::move(path)) {
  if (!object.is_object()) wrong_type(object, path_, "an object");
  asked_.resize(object.size());
}

// In the order in which they were asked for, each once.
void Fields::remember(std::string_view name) {
  if (std::ranges::find(known_, name) == known_.end()) known_.emplace_back(name);
}

// asked_[i] belongs to field i of the object; known_ are the names that were asked for, for the message of done().
const Json* Fields::maybe(std::string_view name) {
  remember(name);
  const Json::Object& fields = object_->as_object();
  for (std::size_t i = 0; i < fields.size(); ++i) {
    if (fields[i].first != name) continue;
    asked_[i] = true;
    return &fields[i].second;
  }
  return nullptr;
}

const Json& Fields::need(std::string_view name) {
  const Json* value = maybe(name);
  if (value == nullptr) throw Error(Code::kMissingField, fmt::format("the field \"{}\" is missing", name), at(name));
  return *value;
}

double Fields::number(std::string_view name, Interval range) { return to_number(need(name), at(name), range); }

double Fields::number(std::string_view name, Interval range, double fallback) {
  return has(name) ? number(name, range) : fallback;
}

std::int64_t Fields::integer(std::string_view name, IntegerRange range) {
  return to_integer(need(name), at(name), range);
}

std::int64_t Fields::integer(std::string_view name, IntegerRange range, std::int64_t fallback) {
  return has(name) ? integer(name, range) : fallback;
}

std::string Fields::word(std::string_view name) { return to_word(need(name), at(name)); }

std::string Fields::word(std::string_view name, std::string_view fallback) {
  return has(name) ? word(name) : std::string(fallback);
}

bool Fields::flag(std::string_view name) { return to_flag(need(name), at(name)); }

bool Fields::flag(std::string_view name, bool fallback) { return has(name) ? flag(name) : fallback; }

// One of a few words. The message lists them all and the one that is nearest.
std::string Fields::choice(std::string_view name, std::initializer_list<std::string_view> choices) {
  std::string found = word(name);
  if (std::ranges::find(choices, found) != choices.end()) return found;
  throw Error(Code::kUnknownName,
              fmt::format("found {}, expected one of {}{}", describe(Json(found)), fmt::join(choices, ", "),
                          near_hint(found, std::vector<std::string>(choices.begin(), choices.end()))),
              at(name));
}

std::string Fields::choice(std::string_view name, std::initializer_list<std::string_view> choices,
                           std::string_view fallback) {
  return has(name) ? choice(name, choices) : std::string(fallback);
}

const Json::Array& Fields::list(std::string_view name) { return to_list(need(name), at(name)); }

std::vector<double> Fields::numbers(std::string_view name, Interval range) {
  return to_numbers(need(name), at(name), range);
}

std::vector<std::int64_t> Fields::integers(std::string_view name, IntegerRange range) {
  return to_integers(need(name), at(name), range);
}

std::vector<std::string> Fields::words(std::string_view name) { return to_words(need(name), at(name)); }

std::vector<std::vector<double>> Fields::matrix(std::string_view name, Interval range) {
  return to_matrix(need(name), at(name), range);
}

// Called by whoever has read all that it knows. An unknown field is an error, so that a misspelt parameter is never
// ignored. substr(9) cuts the word "a string " off the description, and leaves the quoted name.
void Fields::done() const {
  const Json::Object& fields = object_->as_object();
  for (std::size_t i = 0; i < fields.size(); ++i) {
    if (asked_[i]) continue;
    const std::string choices = known_.empty() ? "none" : fmt::format("{}", fmt::join(known_, ", "));
    throw Error(Code::kUnknownField,
                fmt::format("found the field {}, expected {}{}", describe(Json(fields[i].first)).substr(9), choices,
                            near_hint(fields[i].first, known_)),
                at(fields[i].first));
  }
}

}  // namespace hannan::detail

// One description of a state serves writing it and reading it back.
//
// A class that can be saved has `void archive(Archive& a)` naming its fields; the archive either
// copies them out or fills them in. Implementations live in io/.
//
// A state may be damaged. Reading refuses, with kBadState and the path of the field: a number that is not
// finite or outside its range, a list of another length than the object has, a choice or count that does not
// exist. What a field may be besides that is checked by the class that owns it, which calls refuse(). After an error
// the object may be half read and is to be dropped. Cost: linear in the state. An archive is for one thread.
#pragma once

#include <algorithm>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>
#include <vector>

#include "hannan/core/error.hpp"

namespace hannan {

// What a number may be, lo <= x <= hi.
struct SavedRange {
  double lo;
  double hi;
};
// Any number of a state. Sums of 10^9 terms, noise multipliers and their products stay far below 10^100, and
// products of three such numbers are still finite: no infinity or NaN arises from what was read.
inline constexpr SavedRange kSavedNumbers{-1e100, 1e100};
inline constexpr SavedRange kSavedNonnegative{0, 1e100};
// The total loss of an action or of a learner: losses lie in [0,1], and rounding may go a little below 0.
inline constexpr SavedRange kSavedLosses{-0.5, 0x1p53};
// Counts stay exact as doubles, and there is space to count on.
inline constexpr std::uint64_t kMostSavedCount = std::uint64_t{1} << 52;
// How long a list may be: least and most.
struct SavedSize {
  std::uint64_t least;
  std::uint64_t most;
};

// Reads or writes the fields of an object in the order in which they are named.
class Archive {
 public:
  virtual ~Archive() = default;
  virtual bool reading() const = 0;  // otherwise writing

  // A number in this range.
  void field(const char* name, double& value, SavedRange range = kSavedNumbers) { number(name, value, range); }
  // Fields that states of earlier versions lack: there they read as 0.
  void later_field(const char* name, double& value) {
    if (has(name)) {
      field(name, value);
    } else {
      value = 0;
    }
  }
  template <std::integral T>
  void later_count(const char* name, T& value, std::uint64_t most = kMostSavedCount) {
    if (has(name)) {
      count(name, value, most);
    } else {
      value = 0;
    }
  }
  // The list keeps its length, which belongs to the problem.
  void field(const char* name, std::vector<double>& values, SavedRange range = kSavedNumbers) {
    numbers(name, values, {values.size(), values.size()}, range);
  }
  // A list whose length belongs to the state.
  void list(const char* name, std::vector<double>& values, SavedSize size = {0, kMostSavedCount},
            SavedRange range = kSavedNumbers) {
    numbers(name, values, size, range);
  }
  // A text.
  virtual void field(const char* name, std::string& value) = 0;

  // A whole number from 0 to `most`.
  template <std::integral T>
  void count(const char* name, T& value, std::uint64_t most = kMostSavedCount) {
    auto wide = static_cast<std::uint64_t>(value);
    whole(name, wide, std::min<std::uint64_t>(most, static_cast<std::uint64_t>(std::numeric_limits<T>::max())));
    value = static_cast<T>(wide);
  }
  // One of the values of an enum up to `last`, as its number.
  template <class T>
    requires std::is_enum_v<T>
  void choice(const char* name, T& value, T last) {
    auto wide = static_cast<std::uint64_t>(value);
    whole(name, wide, static_cast<std::uint64_t>(last));
    value = static_cast<T>(wide);
  }
  // Whole numbers in a range.
  template <std::integral T>
  void wholes(const char* name, std::vector<T>& values, SavedRange range, SavedSize size = {0, kMostSavedCount}) {
    std::vector<double> copy(values.begin(), values.end());
    numbers(name, copy, size, range);
    if (!reading()) return;
    values.clear();
    for (const double v : copy) {
      if (v != std::floor(v)) refuse(name, "found a fraction, expected whole numbers");
      values.push_back(static_cast<T>(v));
    }
  }

  // Fields between open and close stand in an object of their own; items, in an element of a list.
  virtual void open(const char* name) = 0;
  virtual void close() = 0;
  virtual std::uint64_t open_list(const char* name, std::uint64_t size) = 0;  // the size, read or written
  virtual void item() = 0;                                                    // the next element
  virtual void close_list() = 0;
  // A list of objects that keeps its length.
  void open_shaped_list(const char* name, std::uint64_t size) {
    const std::uint64_t found = open_list(name, size);
    if (found != size) {
      refuse("", "found a list of " + std::to_string(found) + ", expected " + std::to_string(size));
    }
  }

  // While reading: throws kBadState at this field of the open object; an empty name means the object itself.
  [[noreturn]] virtual void refuse(const char* name, const std::string& what) const = 0;

 protected:
  // Is there such a field in the open object? While writing: always.
  virtual bool has(const char* name) const = 0;
  virtual void number(const char* name, double& value, SavedRange range) = 0;
  virtual void whole(const char* name, std::uint64_t& value, std::uint64_t most) = 0;
  virtual void numbers(const char* name, std::vector<double>& values, SavedSize size, SavedRange range) = 0;
};

// Outcomes and actions that are plain numbers; a problem with richer ones adds its own overload. Whether they are
// outcomes and actions of the problem is asked of the problem (core/problem.hpp, allows).
inline void archive(Archive& a, double& value) { a.field("value", value); }
inline void archive(Archive& a, std::vector<double>& values) { a.list("values", values); }
inline void archive(Archive& a, std::vector<int>& values) { a.wholes("values", values, {-1e9, 1e9}); }
template <std::integral T>
void archive(Archive& a, T& value) {
  a.count("value", value, (std::uint64_t{1} << 53) - 1);  // a code of an action, not something that counts on
}

// There is a function archive(Archive&, T&), here or in the namespace of T.
template <class T>
concept Archivable = requires(Archive& a, T& value) { archive(a, value); };

// An outcome or action of any type. One that has no archive() function can be played with, but not saved.
template <class T>
void archive_value(Archive& a, T& value) {
  if constexpr (Archivable<T>) {
    archive(a, value);
  } else {
    throw Error(Code::kUnavailable,
                "an outcome, action or history of a type without archive(hannan::Archive&, T&) cannot be saved; write "
                "that function beside the type");
  }
}

}  // namespace hannan

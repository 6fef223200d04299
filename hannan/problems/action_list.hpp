// Actions that are vectors of small integers: a whole grid in lexicographic order, or a list the user
// gave, in the order of that list.
//
// Ties go to the smallest action, so a given list needs its own order: an action carries its place in
// the list and is compared by it first. On a grid every place is 0 and the vectors decide.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "hannan/core/archive.hpp"

namespace hannan::detail {

struct PlacedVector {
  std::uint64_t place = 0;
  std::vector<int> levels;
  auto operator<=>(const PlacedVector&) const = default;
};

inline void archive(Archive& a, PlacedVector& x) {
  a.count("place", x.place);
  hannan::archive(a, x.levels);
}

class ActionList {
 public:
  static constexpr std::size_t kMaxGiven = 1'000'000;

  // No list: the actions are a grid.
  ActionList() = default;
  // A vector given again is the same action and keeps its first place.
  explicit ActionList(const std::vector<std::vector<int>>& given);

  // Vectors of `width` integers in 0..levels; at least one.
  struct Shape {
    std::size_t width;
    int levels;
  };
  // kOutOfRange, with the place of the list or of the vector.
  static void expect_count(std::size_t count, const std::string& part);
  static void expect_shape(const std::vector<int>& levels, Shape shape, const std::string& part);
  // The same for a list that was given.
  void expect(Shape shape, const std::string& part) const;

  bool given() const { return !actions_.empty(); }
  std::uint64_t size() const { return actions_.size(); }
  const PlacedVector& operator[](std::uint64_t k) const { return actions_[k]; }
  const std::vector<PlacedVector>& all() const { return actions_; }
  std::optional<std::uint64_t> find(const std::vector<int>& levels) const;

 private:
  std::vector<PlacedVector> actions_;
  std::map<std::vector<int>, std::uint64_t> places_;
};

}  // namespace hannan::detail

// Contexts for simulated outcomes, and how outcomes depend on them. Every column has `fan` values, drawn uniformly and
// independently in each round.
//
//   void       not at all: the columns say nothing
//   matter     every finest segment has a law of its own
//   mixed      every other value of the first column has a law of its own; the other rounds share one, and further
//              columns say nothing
//   drifting   as matter, and all laws change after every `period` rounds
//
// A law changes a simulated stream: experts change places (by `turn`), the values of a market are scaled by a factor of
// each place in [1/4, 1], and its lasting numbers are drawn anew. Law 0 leaves everything as it is. All is a function
// of (key, round), apart from the draws of the stream.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "hannan/core/keyed_random.hpp"

namespace hannan::detail {

struct SegmentSpec {
  std::string kind = "matter";
  std::vector<std::string> by;  // the columns; none: there are no contexts
  std::uint64_t fan = 4;
  std::uint64_t period = 500;
  Key key = {};
};

class SimulatedSegments {
 public:
  // Throws kUnknownName with the list of kinds, or kOutOfRange; the place is the name of the field.
  explicit SimulatedSegments(SegmentSpec spec);

  // Goes to a round, from 1.
  void round(std::uint64_t number);
  std::span<const std::string> context() const { return context_; }
  std::uint64_t law() const { return law_; }
  // By how many places the experts turn, of n.
  std::uint64_t turn(std::uint64_t n) const;
  double scale(std::uint64_t place) const;
  double lasting(std::uint64_t place, double common) const;

 private:
  enum class Kind { kVoid, kMatter, kMixed, kDrifting };
  KeyedRandom draws_of_law() const;

  SegmentSpec spec_;
  Kind kind_ = Kind::kVoid;
  std::uint64_t law_ = 0;
  std::vector<std::string> context_;
  std::vector<std::size_t> drawn_;     // by column: which draw it shows; a name that is there twice has one
  std::vector<std::uint64_t> values_;  // of the draws, in this round
};

struct SegmentFact {
  std::string_view name, about;
};
std::span<const SegmentFact> segment_kinds();

}  // namespace hannan::detail

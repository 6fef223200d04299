// The instances on which a problem has to prove itself: parameters, and a way to draw outcomes.
//
// A line in problems/all.hpp needs an entry here; a kind without one fails the suite. Instances are
// small (at most some hundred actions), so that enumeration can be the judge, and include the odd ones:
// one action only, one level, equal values.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "hannan/core/keyed_random.hpp"
#include "hannan/io/json.hpp"

namespace hannan::conformance {

struct Instance {
  const char* params;                                              // JSON
  Json (*outcome)(const Json& params, const KeyedRandom& random);  // one random outcome
};

// Empty for a kind nobody has described.
std::span<const Instance> instances_of(std::string_view kind);

// The parameters of one of them as a value.
Json params_of(const Instance& instance);

// Outcome i of a fixed list, the same for every test of this instance.
Json outcome_of(const Instance& instance, std::uint64_t i);

inline constexpr const char* kAddOne =
    "no instance of this problem: add a line to tests/conformance/instances.cpp with its parameters and a "
    "generator of outcomes";

}  // namespace hannan::conformance

// The instances on which a problem has to prove itself: parameters that its codec offers, and random outcomes.
//
// A problem of problems/all.hpp that offers none fails the suite.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "hannan/core/keyed_random.hpp"
#include "hannan/io/json.hpp"

namespace hannan::detail::conformance {

struct Instance {
  std::string_view kind;
  std::string_view params;  // JSON
};

// Empty for a kind that offers none.
std::vector<Instance> instances_of(std::string_view kind);

// The parameters of one of them as a value.
Json params_of(const Instance& instance);

// Where the draws of outcome i of a fixed list come from, the same for every test of an instance.
KeyedRandom random_of(std::uint64_t i);

// Outcome i as JSON. Every problem adds its sampler when the tests start.
using Sampler = Json (*)(std::string_view params, const KeyedRandom& random);
bool add_sampler(std::string_view kind, Sampler sampler);
Json outcome_of(const Instance& instance, std::uint64_t i);

inline constexpr const char* kAddOne =
    "no instance of this problem: let instances() of its codec list some parameters as `tested` (hannan/io/codec.hpp)";

}  // namespace hannan::detail::conformance

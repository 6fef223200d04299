// One instance of every kind of problem, and streams of outcomes for it.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "hannan/runtime/any_problem.hpp"

namespace hannan::detail::bench {

// kSmall: fixed for good, the signature rests on it. kFlat: cheap rounds on a finite history; only the
// kinds that have one.
enum class InstanceSize { kSmall, kFlat };
// A problem offers them in its codec (io/codec.hpp, ProblemInstances); one that does not is left out.
bool has_instance(std::string_view kind, InstanceSize size);
std::unique_ptr<AnyProblem> instance(std::string_view kind, InstanceSize size);  // throws kUnavailable
// The larger of the two.
std::unique_ptr<AnyProblem> largest_instance(std::string_view kind);

// Independent draws of one law; another `law` is another law. Outcomes that can be listed come with
// frequencies of their own, the others from a simulated market.
struct DeckSpec {
  std::uint64_t count = 1;
  std::uint64_t law = 0;
  std::uint64_t seed = 1;
};
std::vector<Json> deck(const AnyProblem& problem, const DeckSpec& spec);

// The numbers of an outcome as a row of a table; empty where it is none.
std::vector<double> row_of(const AnyProblem& problem, const Json& outcome);

}  // namespace hannan::detail::bench

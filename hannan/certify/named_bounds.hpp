// The bounds by name: one table from which the pipe and the command line serve every formula.
//
// A name is a key of docs/theory.md or docs/theory-run.md; its parameters are given by name, and K arrives as K (its
// logarithm is taken here). At most one parameter is a list, such as the path of L* after each round; a bound gives a
// number, or a list with one number a round.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace hannan::detail {

using BoundValue = std::variant<double, std::vector<double>>;

struct NamedBound {
  using OfNumbers = double (*)(std::span<const double> numbers);
  using OfList = double (*)(std::span<const double> numbers, std::span<const double> list);
  using EachRound = std::vector<double> (*)(std::span<const double> numbers, std::span<const double> list);

  std::string_view name;
  std::vector<std::string_view> params;                // numbers, all needed, in the order the formula reads them
  std::string_view list;                               // the parameter that is a list; empty if there is none
  std::variant<OfNumbers, OfList, EachRound> formula;  // no checks: see evaluate_bound
  // The first of `params` is a word, of which the formula reads the place in this list; empty: all are numbers.
  std::vector<std::string_view> words;
};

// All of them.
std::span<const NamedBound> named_bounds();

// The row of that name, or null.
const NamedBound* find_bound(std::string_view name);

// "M gamma c best[]": what a bound takes, for lists of bounds.
std::string params_text(const NamedBound& bound);

// The value, after each parameter is checked against its range: K, N and m are whole numbers, K >= 1, c > 0, p in
// [1, infinity], discount in (0,1] (below 1 for tracking), delta in (0,1), everything else at least 0; a path `best`
// must not fall. Throws Error(kOutOfRange, ..., "params.<name>"). `list` is empty for a bound without one.
BoundValue evaluate_bound(const NamedBound& bound, std::span<const double> numbers, std::span<const double> list = {});

}  // namespace hannan::detail

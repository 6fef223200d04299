// A problem's border: its name, its parameters, actions and outcomes as JSON.
//
// The mathematics of a problem knows no JSON. What stands between the two is Codec<P>, specialised in
// problems/<name>/<name>_codec.hpp:
//
//   kKind, kAbout                              the name on the command line and one line of help
//   parse(Fields&) -> shared_ptr<const P>      from parameters; throws what is wrong, with the field's path
//   params(p) -> Json                          every parameter; parse(params(p)) is the same problem
//   action_json(p, x), parse_action(p, json, path)
//   outcome_json(p, y), parse_outcome(p, json, path)
// and, where there is such a thing,
//   kColumnsParam                              the parameter that the number of columns of a table gives
//   kFileAbout, import(params, file)           what file holds the problem, and reading it (io/imported.hpp)
//   kActionLabels                              what the numbers of an action are, for pages that draw them
//   kSimulation                                what simulated outcomes are; draws of a market where it is not said
//   kTakesTable                                whether `losses` or `rewards` of all actions and outcomes are parameters
//   kFileHasDecisions                          whether the file may have a column of what was decided
//   is_amounts(outcome)                        whether all numbers of an outcome in JSON are amounts, which a cap
//   scales action_words(action)                       an action in JSON for people money(p), log_use(), rivals(p),
//   kRivals    money, logs and rivals (game/money.hpp, log_use.hpp, rivals.hpp) instances() parameters to test and
//   measure the problem with help()                                     its parameters in one line each, and an example
//   (io/problem_help.hpp) sample_outcome(p, random)                  a random outcome for tests, where the general ones
//   are too plain
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "hannan/core/error.hpp"
#include "hannan/core/problem.hpp"
#include "hannan/io/fields.hpp"
#include "hannan/io/json.hpp"

namespace hannan::detail {

template <class P>
struct Codec;

// How a page shows actions over time.
struct ActionLabels {
  enum class Shape { kNumbers, kIndex, kNotDrawn };  // a list of numbers, the place in a list, neither
  Shape shape = Shape::kNumbers;
  std::string_view title;  // "Reserve price per bidder"; empty: a general one
  std::string_view one;    // what a number is of: "bidder"; the name of the index
  std::string_view unit;   // "level"
  // What a page calls all of it.
  std::string_view page;         // "Reserve prices"; empty: "Decisions"
  std::string_view thing;        // what is decided: "prices", "bids", "ceilings"; empty: "choice"
  std::string_view round;        // "auction"; empty: "round"
  bool counts_mistakes = false;  // losses are mistakes, to be counted
};

// What simulated outcomes are: rows of losses, one for each action, of a loss stream; labels of the problem's points,
// of a stream of labels; or draws of a market, where the problem offers them.
enum class Simulation { kMarket, kLosses, kLabels };

// Parameters as JSON text, with which a problem is tested and measured.
struct ProblemInstances {
  // Small ones (at most some hundred actions, so that enumeration can be the judge), the odd ones among them: one
  // action only, one level, equal values.
  std::vector<std::string_view> tested;
  // One for the benchmark's signature; once it is there it never changes. Empty: none.
  std::string_view signature;
  // One whose rounds are cheap and whose history is finite, for 10^6 rounds in seconds. Empty: none.
  std::string_view flat;
};

// The parameter `range` of a problem whose losses may be of unknown range.
inline LossRange parse_loss_range(Fields& params) {
  return params.choice("range", {"unit", "unknown"}, "unit") == "unit" ? LossRange::kUnitInterval : LossRange::kUnknown;
}

// The problem made by `make` from parameters that were read from these fields. A constructor checks its own arguments
// and names the part at fault ("valuation"); here the path of the fields is put in front ("params.valuation").
template <class Make>
auto made_from(const Fields& params, Make&& make) {
  try {
    return std::forward<Make>(make)();
  } catch (const Error& e) {
    throw Error(e.code(), e.message(), e.at().empty() ? params.path() : params.at(e.at()));
  }
}

}  // namespace hannan::detail

// Allocations and valuations from and to JSON. A valuation is written as steps [quantity, value], or as the list of
// values of 0..h units; both become the same steps. Invariant of what is read: quantities rise, values rise strictly
// (equal ones are dropped), all in [0,1]. An allocation is checked by walking the range's automaton, so the message can
// say whether a single quantity or the whole is outside. Cost: O(numbers read).
#include "hannan/problems/multi_unit/multi_unit_codec.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "hannan/core/error.hpp"
#include "hannan/core/sample.hpp"

namespace hannan::detail {
namespace {

// Values may differ by rounding where a caller computed them; such a fall is flattened.
constexpr double kFallSlack = 1e-12;

// Adds a step unless it repeats the value before it: equal valuations then have equal steps, and histories merge them.
void append(StepValuation& valuation, ValueStep step, const std::string& path) {
  const double before = valuation.empty() ? 0.0 : valuation.back().value;
  if (step.value < before - kFallSlack) {
    throw Error(Code::kBadOutcome,
                "found a value of " + number_text(step.value) + " for " + std::to_string(step.quantity) +
                    " units after " + number_text(before) + " for fewer, expected values that never fall",
                path);
  }
  if (step.value > before) valuation.push_back(step);
}

// Pairs [quantity, value], quantities strictly rising.
StepValuation from_steps(const Json::Array& items, const std::string& path, int units) {
  StepValuation valuation;
  std::int64_t last = -1;
  for (std::size_t i = 0; i < items.size(); ++i) {
    const std::string at = path_of(path, i);
    const auto& pair = to_list(items[i], at);
    if (pair.size() != 2)
      throw Error(Code::kBadOutcome, "found " + describe(items[i]) + ", expected [quantity, value]", at);
    const auto quantity = to_integer(pair[0], path_of(at, std::size_t{0}), {0, units});
    if (quantity <= last) {
      throw Error(Code::kBadOutcome,
                  "found a step at " + std::to_string(quantity) + " units after one at " + std::to_string(last) +
                      ", expected increasing quantities",
                  at);
    }
    last = quantity;
    append(valuation, {static_cast<int>(quantity), to_number(pair[1], path_of(at, std::size_t{1}), kUnit)}, at);
  }
  return valuation;
}

// The values of 0, 1, .., h units. A value of 0 units above 0 is kept as a step at quantity 0.
StepValuation from_values(const Json& json, const std::string& path, int units) {
  const auto values = to_numbers(json, path, kUnit);
  if (values.size() != static_cast<std::size_t>(units) + 1) {
    throw Error(Code::kBadOutcome,
                "found " + std::to_string(values.size()) + " values, expected those of 0.." + std::to_string(units) +
                    " units or a list of [quantity, value] steps",
                path);
  }
  StepValuation valuation;
  for (std::size_t q = 0; q < values.size(); ++q) append(valuation, {static_cast<int>(q), values[q]}, path);
  return valuation;
}

}  // namespace

// Whether bidders and units together are too many for the dynamic programme is checked by the problem, which knows its
// range.
std::shared_ptr<const MultiUnit> Codec<MultiUnit>::parse(Fields& params) {
  const auto bidders = static_cast<int>(params.integer("bidders", {1, MultiUnit::kMaxBidders}));
  const auto units = static_cast<int>(params.integer("units", {1, MultiUnit::kMaxUnits}));
  const Range range = params.choice("range", {"bundles", "all"}, "bundles") == "all" ? Range::kAll : Range::kBundles;
  return made_from(params, [&] {
    return std::make_shared<const MultiUnit>(BundleRange::Parts{.bidders = bidders, .units = units, .range = range});
  });
}

Json Codec<MultiUnit>::params(const MultiUnit& p) {
  const BundleRange::Parts& parts = p.parts();
  return Json::object(
      {{"bidders", parts.bidders}, {"units", parts.units}, {"range", parts.range == Range::kAll ? "all" : "bundles"}});
}

Json Codec<MultiUnit>::action_json(const MultiUnit&, const MultiUnit::Action& x) { return Json(x); }

MultiUnit::Action Codec<MultiUnit>::parse_action(const MultiUnit& p, const Json& json, std::string_view path) {
  const BundleRange& range = p.chain();
  const auto quantities = to_integers(json, path, {0, p.parts().units});
  if (quantities.size() != p.coordinates()) {
    throw Error(Code::kBadAction,
                "found " + std::to_string(quantities.size()) + " quantities, expected one per bidder, " +
                    std::to_string(p.coordinates()),
                std::string(path));
  }
  MultiUnit::Action x;
  std::size_t state = range.start();
  for (std::size_t i = 0; i < quantities.size() && state != kDead; ++i) {
    x.push_back(static_cast<int>(quantities[i]));
    const std::size_t d = p.position(x, i);
    if (d == range.sizes().size()) {
      throw Error(Code::kBadAction,
                  "found a quantity of " + std::to_string(x.back()) + ", expected one of the range's sizes",
                  path_of(path, i));
    }
    state = range.next(i, state, d);
  }
  if (state == kDead || !range.accepts(state)) {
    throw Error(
        Code::kBadAction,
        "found an allocation outside the range, expected whole bundles with sum " + std::to_string(p.parts().units),
        std::string(path));
  }
  return x;
}

Json Codec<MultiUnit>::outcome_json(const MultiUnit&, const MultiUnit::Outcome& y) {
  Json json = Json::array();
  for (const auto& valuation : y) {
    Json steps = Json::array();
    for (const auto& step : valuation) steps.push_back(Json::array({Json(step.quantity), Json(step.value)}));
    json.push_back(std::move(steps));
  }
  return json;
}

// The first entry decides between the two forms: a list inside is a step. An empty list values everything at 0.
MultiUnit::Outcome Codec<MultiUnit>::parse_outcome(const MultiUnit& p, const Json& json, std::string_view path) {
  const auto& list = to_list(json, path);
  if (list.size() != p.coordinates()) {
    throw Error(Code::kBadOutcome,
                "found " + std::to_string(list.size()) + " valuations, expected one per bidder, " +
                    std::to_string(p.coordinates()),
                std::string(path));
  }
  const int units = p.parts().units;
  MultiUnit::Outcome y;
  for (std::size_t i = 0; i < list.size(); ++i) {
    const std::string at = path_of(path, i);
    const auto& items = to_list(list[i], at);
    const bool steps = items.empty() || items[0].is_array();
    y.push_back(steps ? from_steps(items, at, units) : from_values(list[i], at, units));
  }
  return y;
}

// An action is units, no money; outcomes are the bidders' values.
Money Codec<MultiUnit>::money(const std::shared_ptr<const MultiUnit>& p) {
  Money facts;
  facts.amounts = {.what = {}, .owner = "bidder", .owners = static_cast<std::size_t>(p->parts().bidders)};
  return facts;
}

bool Codec<MultiUnit>::is_amounts(const Json& outcome) {
  const auto steps = [](const Json& bidder) { return bidder.size() > 0 && bidder[0].is_array(); };
  return outcome.is_array() && std::none_of(outcome.as_array().begin(), outcome.as_array().end(), steps);
}

ProblemInstances Codec<MultiUnit>::instances() {
  return {.tested = {R"({"bidders":1,"units":1,"range":"bundles"})", R"({"bidders":2,"units":5,"range":"bundles"})",
                     R"({"bidders":3,"units":4,"range":"all"})"},
          .signature = R"({"bidders":3,"units":6,"range":"bundles"})",
          .flat = R"({"bidders":4,"units":16,"range":"bundles"})"};
}

// Non-decreasing values of 0..h units, worth nothing at 0.
MultiUnit::Outcome Codec<MultiUnit>::sample_outcome(const MultiUnit& p, const KeyedRandom& random) {
  const auto units = static_cast<std::uint64_t>(p.parts().units);
  MultiUnit::Outcome y(p.coordinates());
  for (std::uint64_t i = 0; i < y.size(); ++i) {
    std::vector<double> values;
    for (std::uint64_t q = 1; q <= units; ++q) values.push_back(sampled_unit(random, i * units + q, 4));
    std::sort(values.begin(), values.end());
    double before = 0;
    for (std::size_t q = 0; q < values.size(); ++q) {
      if (values[q] > before) y[i].push_back({static_cast<int>(q) + 1, before = values[q]});
    }
  }
  return y;
}

ProblemHelp Codec<MultiUnit>::help() {
  using enum ParameterHelp::Need;
  return {.parameters = {{"bidders", "how many share the units", "3", kNeeded},
                         {"units", "how many are allocated in a round", "8", kNeeded},
                         {"range", "bundles: units in equal bundles; all: any split", "bundles"}},
          .file_options = {},
          .data =
              "JSON lines: for every bidder the value of 0 to `units` units, none of them falling, or as steps "
              "[quantity, value]",
          .outcome = "[[[2,0.5]],[[3,0.75]],[[8,1]]]",
          .example = "hannan run multi-unit --param bidders=3 --param units=8 -d values.jsonl"};
}

}  // namespace hannan::detail

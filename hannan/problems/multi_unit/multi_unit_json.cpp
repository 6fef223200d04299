// The border of `multi-unit`: params, quantities and valuations from and to JSON.
#include <string>
#include <utility>

#include "hannan/core/error.hpp"
#include "hannan/problems/multi_unit/multi_unit.hpp"

namespace hannan {
namespace {

// Values may differ by rounding where a caller computed them; such a fall is flattened.
constexpr double kFallSlack = 1e-12;

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

std::shared_ptr<const MultiUnit> MultiUnit::parse(Fields& params) {
  const auto bidders = static_cast<int>(params.integer("bidders", {1, kMaxBidders}));
  const auto units = static_cast<int>(params.integer("units", {1, kMaxUnits}));
  const Range range = params.choice("range", {"bundles", "all"}, "bundles") == "all" ? Range::kAll : Range::kBundles;
  // Known before anything is built: the sizes of all allocations are as many as the units.
  const double square = static_cast<double>(bidders) * bidders;
  const double bundles = range == Range::kAll || units < square ? units : 2 * square;
  const double steps = bidders * (bundles + 1) * (bundles + 1);
  if (bidders > 1 && steps > 4 * kMaxSteps) {
    throw Error(Code::kOutOfRange,
                "found " + std::to_string(bidders) + " bidders and " + std::to_string(units) +
                    " units, expected at most 2^30 steps in one dynamic programme over them" +
                    (range == Range::kAll ? ": range \"bundles\" needs far fewer" : ""),
                params.at("units"));
  }
  auto problem =
      std::make_shared<const MultiUnit>(BundleRange::Parts{.bidders = bidders, .units = units, .range = range});
  if (problem->range_.steps() > kMaxSteps) {
    throw Error(Code::kOutOfRange,
                "found a dynamic programme of " + number_text(problem->range_.steps()) +
                    " steps, expected at most 2^30" +
                    (range == Range::kAll ? ": range \"bundles\" needs far fewer" : ""),
                params.at("units"));
  }
  return problem;
}

Json MultiUnit::params() const {
  return Json::object({{"bidders", parts_.bidders},
                       {"units", parts_.units},
                       {"range", parts_.range == Range::kAll ? "all" : "bundles"}});
}

MultiUnit::Action MultiUnit::parse_action(const Json& json, std::string_view path) const {
  const auto quantities = to_integers(json, path, {0, parts_.units});
  if (quantities.size() != coordinates()) {
    throw Error(Code::kBadAction,
                "found " + std::to_string(quantities.size()) + " quantities, expected one per bidder, " +
                    std::to_string(coordinates()),
                std::string(path));
  }
  Action x;
  std::size_t state = range_.start();
  for (std::size_t i = 0; i < quantities.size() && state != kDead; ++i) {
    x.push_back(static_cast<int>(quantities[i]));
    const std::size_t d = index_of(x.back());
    if (d == range_.sizes().size()) {
      throw Error(Code::kBadAction,
                  "found a quantity of " + std::to_string(x.back()) + ", expected one of the range's sizes",
                  path_of(path, i));
    }
    state = range_.next(i, state, d);
  }
  if (state == kDead || !range_.accepts(state)) {
    throw Error(
        Code::kBadAction,
        "found an allocation outside the range, expected whole bundles with sum " + std::to_string(parts_.units),
        std::string(path));
  }
  return x;
}

Json MultiUnit::outcome_json(const Outcome& y) const {
  Json json = Json::array();
  for (const auto& valuation : y) {
    Json steps = Json::array();
    for (const auto& step : valuation) steps.push_back(Json::array({Json(step.quantity), Json(step.value)}));
    json.push_back(std::move(steps));
  }
  return json;
}

MultiUnit::Outcome MultiUnit::parse_outcome(const Json& json, std::string_view path) const {
  const auto& list = to_list(json, path);
  if (list.size() != coordinates()) {
    throw Error(Code::kBadOutcome,
                "found " + std::to_string(list.size()) + " valuations, expected one per bidder, " +
                    std::to_string(coordinates()),
                std::string(path));
  }
  Outcome y;
  for (std::size_t i = 0; i < list.size(); ++i) {
    const std::string at = path_of(path, i);
    const auto& items = to_list(list[i], at);
    const bool steps = items.empty() || items[0].is_array();
    y.push_back(steps ? from_steps(items, at, parts_.units) : from_values(list[i], at, parts_.units));
  }
  return y;
}

}  // namespace hannan

#include "hannan/solve/solve_request.hpp"

#include <algorithm>
#include <cmath>

#include "hannan/core/error.hpp"
#include "hannan/learners/choose_oracle.hpp"
#include "hannan/solve/gain.hpp"

namespace hannan::detail {
namespace {

constexpr double kLeastTolerance = 1e-8;  // below is the accuracy of the linear programmes
constexpr double kMostRounds = 1e6;

void refuse_pair(const std::string& prefix, const char* one, const char* other) {
  throw Error(Code::kUsage, "found " + prefix + one + " and " + prefix + other + ", expected one of them",
              prefix + other);
}

void check_number(double value, Interval range, const std::string& at) {
  if (value >= range.lo && value <= range.hi) return;
  throw Error(Code::kOutOfRange,
              "found " + number_text(value) + ", expected a number in [" + number_text(range.lo) + ", " +
                  number_text(range.hi) + "]",
              at);
}

}  // namespace

void check_request(const SolveRequest& request, const std::string& prefix) {
  const std::pair<const char*, bool> exclusive[] = {
      {"worst", request.worst.has_value()}, {"cap", request.cap.has_value()}, {"budget", request.budget.has_value()}};
  const char* given = nullptr;
  for (const auto& [name, there] : exclusive) {
    if (!there) continue;
    if (given) refuse_pair(prefix, given, name);
    given = name;
  }
  if (request.scenarios && request.budget) refuse_pair(prefix, "scenarios", "budget");
  if (!request.budget && (request.base || request.rise)) {
    const std::string name = prefix + (request.base ? "base" : "rise");
    throw Error(Code::kUsage, "found " + name + ", expected it with " + prefix + "budget", name);
  }
  check_number(request.options.tolerance, {kLeastTolerance, 1}, prefix + "tolerance");
  check_number(request.options.slack, {0, 1e300}, prefix + "slack");
  check_number(static_cast<double>(request.options.rounds), {1, kMostRounds}, prefix + "rounds");
  if (request.worst && !(*request.worst > 0 && std::isfinite(*request.worst)))
    throw Error(Code::kOutOfRange, "found " + number_text(*request.worst) + ", expected a number above 0",
                prefix + "worst");
}

SolveRequest read_solve_request(Fields& in) {
  SolveRequest request;
  request.scenarios = in.maybe("scenarios");
  if (in.has("cap")) request.cap = in.number("cap");
  if (in.has("worst")) request.worst = in.number("worst");
  if (in.has("budget")) request.budget = in.integer("budget");
  if (in.has("base")) request.base = in.numbers("base");
  if (in.has("rise")) request.rise = in.numbers("rise");
  request.options.base = in.flag("regret", false) ? Base::kLeastLoss : Base::kZero;
  request.options.slack = in.number("slack", 0.0);
  request.options.tolerance = in.number("tolerance", request.options.tolerance);
  request.options.rounds = static_cast<std::uint64_t>(in.integer("rounds", {1, static_cast<std::int64_t>(kMostRounds)},
                                                                 static_cast<std::int64_t>(request.options.rounds)));
  request.oracle = in.word("oracle", "");
  check_request(request, "");
  return request;
}

ScenarioSet scenarios_of(const std::shared_ptr<const Game>& game, const SolveRequest& request, Rows rows) {
  if (request.budget) {
    if (rows != Rows::kCosts)
      throw Error(Code::kUnavailable,
                  "found a budget, expected a problem whose outcomes are rows of costs: those of \"" +
                      std::string(game->kind()) + "\" are none",
                  "budget");
    return scenarios_of_budget(game, {.budget = *request.budget, .base = request.base, .rise = request.rise});
  }
  if (request.scenarios) return scenarios_of_list(game, *request.scenarios, "scenarios");
  return scenarios_of_outcomes(game);
}

double cap_of(const SolveRequest& request, std::size_t scenarios, const std::string& prefix) {
  const auto n = static_cast<double>(scenarios);
  double cap = 1;
  if (request.budget) cap = 1 / static_cast<double>(*request.budget);
  if (request.cap) cap = *request.cap;
  if (request.worst) {
    if (*request.worst > n)
      throw Error(Code::kOutOfRange,
                  "found " + number_text(*request.worst) + ", expected at most " + std::to_string(scenarios) +
                      ", the scenarios there are",
                  prefix + "worst");
    cap = std::min(1.0, 1 / (*request.worst < 1 ? *request.worst * n : *request.worst));
  }
  if (!(cap <= 1 && cap * n >= 1 - 1e-12))
    throw Error(Code::kOutOfRange,
                "found " + number_text(cap) + ", expected a cap from 1/" + std::to_string(scenarios) + " to 1",
                prefix + "cap");
  return cap * n < 1 + 1e-12 ? 1 / n : cap;
}

Json answer_request(const std::shared_ptr<const Game>& game, const SolveCall& call) {
  if (game->sleeps())
    throw Error(Code::kUnavailable,
                "found actions that may be missing from a round, expected ones that are always there: they have no "
                "losses to add up",
                "problem");
  const auto oracle = choose_oracle(game, call.request.oracle, call.prefix + "oracle");
  SolveOptions options = call.request.options;
  options.cap = cap_of(call.request, call.set.scenarios->size(), call.prefix);
  const Solved solved = solve(*call.set.scenarios, *oracle, options, call.watch);
  const Json gain = gain_json(call.set, *oracle, options, solved);
  return solution_json({.set = call.set,
                        .options = options,
                        .solved = solved,
                        .gain = gain,
                        .program = call.program,
                        .money = call.money,
                        .name = call.name});
}

}  // namespace hannan::detail

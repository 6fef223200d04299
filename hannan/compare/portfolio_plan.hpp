// What a portfolio of a comparison plays, where its parameters leave it open: today's decision first, which is what the
// other players are held against (comparison.hpp), then the default strategies of the problem
// (runtime/default_strategies.hpp) and those that others propose.
//
// At risk is a share of what today's decision earned, or lost, on the rounds that will be played. It is known before
// the first of them is: a pass over the data that plays today's decision alone sums it up. The same pass holds what was
// logged against the rule of the problem: prices that the rule does not reproduce are bounded by nothing, and then the
// largest difference of a round is not known. Cost: that pass.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "hannan/compare/doubts.hpp"
#include "hannan/io/json.hpp"

namespace hannan::detail {

struct ComparisonPlan;

struct PortfolioDefaults {
  double share = 0.01;               // at risk, of today's money
  std::optional<double> risk;        // at risk, in losses: instead of the share
  std::optional<double> hard;        // likewise: the most that what is drawn may lose
  std::optional<double> largest;     // the largest difference of two losses of a round by the rule of the problem
  Json strategies;                   // a list; null: the default ones
  Json columns;                      // by, open and most of one more with a decision for every segment; null: none
  std::vector<std::string> given;    // names of those that others propose
  std::vector<std::string> shadows;  // names of strategies that are scored and never played
  // Whether a comparison that is asked for one of these has to have a portfolio.
  bool asked = false;
};

// Takes "13", an amount, or "0.5%", a share of today's money. `unit` is the money of a loss of 1. Throws kOutOfRange.
void take_risk(const std::string& text, double unit, PortfolioDefaults& into);

// The portfolio becomes the first learner of a plan that names none, where something is done today and the log can tell
// what other decisions would have brought. Throws kUnavailable, with the reason, where one is asked for and cannot be
// judged. The segments of a plan that asks for a portfolio become those of one more strategy of it: gains are then over
// what is done today, not over one decision for all.
void add_default_portfolio(ComparisonPlan& plan, const LogDoubts& doubts);
// Of a plan whose learners are named: throws kUnavailable where one of them is a portfolio and the log cannot tell,
// kUsage where none is and something was asked of it. Segments as above.
void check_named_portfolio(ComparisonPlan& plan, const LogDoubts& doubts);

// The parameters with all that was left open. Throws kUnavailable for a first strategy that the others are not held
// against, kMissingField where nothing is done today, kUnknownName for a shadow that is no strategy.
Json portfolio_params(const ComparisonPlan& plan, Json params);

}  // namespace hannan::detail

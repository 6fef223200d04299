// Flags of the portfolio of `hannan compare`: what is at risk, its strategies, and what others propose.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "command.hpp"
#include "flags.hpp"
#include "hannan/compare/comparison.hpp"

namespace hannan::detail::cli {

struct PortfolioFlags {
  std::string risk, strategies = "default", save;
  std::optional<double> hard;
  std::vector<std::string> propose;  // NAME=COLUMN
  std::vector<std::string> shadows;  // names of strategies
  bool any() const;                  // something was asked of a portfolio
  // The columns of the strategies with a decision for every segment, as the file of the strategies names them.
  std::vector<std::string> context() const;
  // The columns of the proposals, in their order. Throws kUsage for what is no NAME=COLUMN.
  std::vector<std::string> columns() const;
};
void add_portfolio_flags(Command& command, PortfolioFlags& flags);

// What is known of the money of a comparison before it is played.
struct PortfolioMoney {
  double unit = 1;                // of a loss of 1
  double cap = 1;                 // of levels
  std::optional<double> largest;  // difference of a round, in money; none: not known
};
// Fills in what the flags say of portfolios.
void take_portfolio_flags(const PortfolioFlags& flags, const PortfolioMoney& money, ComparisonPlan& plan);

// What a cell proposes: an amount, which stands for the largest price of the list, or level, that is not above it; an
// action as JSON; nothing where it is empty. Throws kBadAction with the name of the strategy.
std::optional<AnyAction> proposed_action(const Game& game, double cap, const std::string& strategy,
                                         const std::string& cell);

}  // namespace hannan::detail::cli

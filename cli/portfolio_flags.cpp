// From flags to the terms of a portfolio. What is asked of a portfolio where none plays is refused later, when the log
// is known (compare/portfolio_plan.hpp).
#include "portfolio_flags.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>

#include "hannan/core/error.hpp"
#include "hannan/game/money.hpp"
#include "hannan/io/bytes.hpp"

namespace hannan::detail::cli {
namespace {

std::optional<double> amount_in(std::string_view text) {
  double value = 0;
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (failed != std::errc() || end != text.data() + text.size() || !std::isfinite(value)) return std::nullopt;
  return value;
}

std::pair<std::string, std::string> name_and_column(const std::string& text) {
  const std::size_t at = text.find('=');
  if (at == std::string::npos || at == 0 || at + 1 == text.size())
    throw Error(Code::kUsage, "found \"" + text + "\", expected NAME=COLUMN, such as team=floor", "--propose");
  return {text.substr(0, at), text.substr(at + 1)};
}

// An amount that is a hair below a price, by rounding, reaches it.
constexpr double kReaches = 1e-9;

std::size_t price_place(const std::vector<double>& prices, double amount) {
  const auto above = std::upper_bound(prices.begin(), prices.end(), amount * (1 + kReaches));
  return above == prices.begin() ? 0 : static_cast<std::size_t>(above - prices.begin()) - 1;
}

// The same amount for every owner.
Json action_of_amount(const Amounts& of, double cap, double amount) {
  Json action = Json::array();
  for (std::size_t i = 0; i < std::max<std::size_t>(of.owners, of.lists.size()); ++i) {
    if (of.lists.empty()) {
      action.push_back(std::min(of.levels, std::floor(amount / cap * of.levels * (1 + kReaches))));
    } else {
      action.push_back(price_place(of.lists[std::min(i, of.lists.size() - 1)], amount));
    }
  }
  return action;
}

}  // namespace

bool PortfolioFlags::any() const {
  return !risk.empty() || hard || strategies != "default" || !save.empty() || !propose.empty() || !shadows.empty();
}

// Of a strategy its columns are a list of names, or of lists of them; those of all strategies are the same.
std::vector<std::string> PortfolioFlags::context() const {
  if (strategies == "default") return {};
  const Json list = read_json_file(strategies);
  for (const Json& one : list.is_array() ? list.as_array() : std::vector<Json>()) {
    const Json* params = one.is_object() ? one.find("params") : nullptr;
    const Json* by = one.is_object() ? one.find("by") : nullptr;
    if (!by && params && params->is_object()) by = params->find("by");
    if (!by || !by->is_array()) continue;
    std::vector<std::string> all;
    for (const Json& order : by->as_array()) {
      if (order.is_string()) all.push_back(order.as_string());
      for (const Json& name : order.is_array() ? order.as_array() : std::vector<Json>())
        if (name.is_string()) all.push_back(name.as_string());
    }
    return all;
  }
  return {};
}

std::vector<std::string> PortfolioFlags::columns() const {
  std::vector<std::string> all;
  for (const std::string& text : propose) all.push_back(name_and_column(text).second);
  return all;
}

void add_portfolio_flags(Command& command, PortfolioFlags& flags) {
  constexpr const char* kPortfolioGroup = "The portfolio";
  command
      .add(
          "--risk", &flags.risk,
          "the most that the portfolio may lose against today in the mean: an amount, or a share of today's money such "
          "as 0.5%; 1% where it is left out")
      .in_group(kPortfolioGroup);
  command.add("--hard", &flags.hard, "the most that what is drawn may lose against today, for certain; off by default")
      .in_group(kPortfolioGroup);
  command
      .add("--strategies", &flags.strategies,
           "default, or a JSON file with a list of strategies, today's decision first")
      .in_group(kPortfolioGroup)
      .show_default();
  command
      .add("--propose", &flags.propose,
           "NAME=COLUMN: what this column of the data proposes for each round joins as a strategy; may be given again")
      .in_group(kPortfolioGroup)
      .again();
  command.add("--shadow", &flags.shadows, "a strategy that is scored and reported, never played; may be given again")
      .in_group(kPortfolioGroup)
      .again();
  command.add("--save", &flags.save, "save the portfolio as it is at the end: a state that hannan serve goes on with")
      .in_group(kPortfolioGroup);
}

std::optional<AnyAction> proposed_action(const Game& game, double cap, const std::string& strategy,
                                         const std::string& cell) {
  if (cell.find_first_not_of(" \t") == std::string::npos) return std::nullopt;
  const auto money = game.money();
  const bool priced = money && (!money->amounts.lists.empty() || money->amounts.levels > 0);
  try {
    const auto amount = amount_in(cell);
    if (amount && priced) {
      if (*amount < 0) throw Error(Code::kOutOfRange, "found " + cell + ", expected an amount from 0 up");
      return game.parse_action(action_of_amount(money->amounts, cap, *amount), "action");
    }
    return game.parse_action(parse_json(cell), "action");
  } catch (const Error& e) {
    throw Error(Code::kBadAction, "strategy \"" + strategy + "\" proposes \"" + cell + "\": " + e.message(),
                "--propose");
  }
}

void take_portfolio_flags(const PortfolioFlags& flags, const PortfolioMoney& money, ComparisonPlan& plan) {
  PortfolioDefaults& into = plan.portfolio;
  into.asked = flags.any();
  if (!flags.risk.empty()) take_risk(flags.risk, money.unit, into);
  if (flags.hard) into.hard = *flags.hard / money.unit;
  if (money.largest) into.largest = *money.largest / money.unit;
  if (flags.strategies != "default") into.strategies = read_json_file(flags.strategies);
  into.shadows = flags.shadows;
  std::vector<std::string> names;
  for (const std::string& text : flags.propose) names.push_back(name_and_column(text).first);
  into.given = names;
  plan.proposal_columns = names.size();
  if (names.empty()) return;
  plan.proposals = [problem = plan.problem, names, cap = money.cap](std::span<const std::string> context) {
    std::vector<Proposal> all;
    const auto cells = context.last(names.size());
    for (std::size_t i = 0; i < names.size(); ++i)
      all.push_back({names[i], proposed_action(problem->game(), cap, names[i], cells[i])});
    return all;
  };
}

}  // namespace hannan::detail::cli

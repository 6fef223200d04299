// What one posted price earns on average is the price times its sales of a round: sales = average / price. Not with
// losses less a base, nor where an action has several prices.
#include "hannan/report/solution_mixture.hpp"

#include <fmt/format.h>

#include <cmath>
#include <utility>
#include <vector>

namespace hannan::detail {
namespace {

constexpr std::size_t kMostShown = 40;  // actions

bool sells_at_one_price(const MixtureRequest& of) {
  if (!of.money || of.money->amounts.what != "price" || of.money->amounts.owners != 1) return false;
  if (!of.action_money.in_currency() || of.solution.at("regret").as_bool() || !of.amounts.earns()) return false;
  for (const Json& one : of.solution.at("strategy").as_array()) {
    if (!(of.action_money.of(one.at("action")).front() > 0) || !one.find("average")) return false;
  }
  return true;
}

}  // namespace

PageTable mixture_table(const MixtureRequest& of) {
  PageTable table{.title = "The actions to draw from",
                  .about = "Computed on what decided. In any order; each draw needs a fresh random number.",
                  .header = {"Action", "How often"},
                  .rows = {}};
  const bool sells = sells_at_one_price(of);
  if (sells) table.header.emplace_back("Sales a round");
  table.header.insert(table.header.end(), {"Average alone", "Its worst " + of.noun + " alone"});
  const auto& strategy = of.solution.at("strategy").as_array();
  double all_sales = 0;
  for (std::size_t i = 0; i < strategy.size(); ++i) {
    const double probability = strategy[i].at("probability").as_number();
    const auto average = strategy[i].find_number("average");
    const double sales =
        sells ? of.amounts.amount(*average) / of.action_money.of(strategy[i].at("action")).front() : 0.0;
    all_sales += probability * sales;
    if (i >= kMostShown) continue;
    std::vector<std::string> row{of.text(strategy[i]), fmt::format("{:.1f}{}%", 100 * probability, kPageLetters.space)};
    if (sells) row.push_back(shown(sales, 3, kPageLetters));
    row.push_back(average ? of.amounts.text(*average) : "–");
    row.push_back(of.amounts.text(strategy[i].at("worst").as_number()));
    table.rows.push_back(std::move(row));
  }
  if (strategy.size() > kMostShown) table.about += fmt::format(" The first {} of {}.", kMostShown, strategy.size());
  std::vector<std::string> together{"All together", "100 %"};
  if (sells) together.push_back(shown(all_sales, 3, kPageLetters));
  together.push_back(of.amounts.text(of.solution.at("average").as_number()));
  together.push_back(of.amounts.text(of.solution.at("upper").as_number()));
  table.rows.push_back(std::move(together));
  return table;
}

}  // namespace hannan::detail

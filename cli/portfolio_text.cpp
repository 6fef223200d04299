// Lines first, then a row for each strategy. Means are called so, and stand beside what was drawn; an amount at risk is
// followed by what else may be lost where the largest difference of a round is not known beforehand.
#include "portfolio_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "hannan/core/order_few.hpp"
#include "hannan/core/printable.hpp"
#include "hannan/io/amount_text.hpp"

namespace hannan::detail::cli {
namespace {

// "34 more than", "34 less than"; of a cost less is better.
std::string against_today(const ComparisonResult& result, double gain) {
  const bool more = (gain >= 0) == result.reward();
  return fmt::format("{} {} than", money_text(std::abs(gain), ""), more ? "more" : "less");
}

std::string share_percent(double share) { return fmt::format("{:.0f} %", 100 * share); }

// "monopoly 71 %, flipflop 22 %, as logged 0 %": the likeliest first, today's always among them.
std::string ended_on_text(const ResultPortfolio& of) {
  constexpr std::size_t kMostNamed = 3;
  std::vector<const ResultStrategy*> played;
  for (const ResultStrategy& one : of.strategies) {
    if (one.weight) played.push_back(&one);
  }
  order_few(played, [](const auto* a, const auto* b) { return *a->weight > *b->weight; });
  const auto* today = &of.strategies.front();
  std::string text;
  for (std::size_t i = 0; i < played.size(); ++i) {
    if (i >= kMostNamed && played[i] != today) continue;
    text += (text.empty() ? "" : ", ") + printable(played[i]->name) + " " + share_percent(*played[i]->weight);
  }
  return text;
}

void show_ways(const ComparisonResult& result, const ResultPortfolio& of) {
  const std::string today = printable(of.strategies.front().name);
  fmt::print("  {:<22} {:>12} {:>12} {:>8}  {}\n", "strategy", result.reward() ? "money" : "loss", "better than",
             "next", "the portfolio is");
  fmt::print("  {:<22} {:>12} {:>12} {:>8}  {}\n", "", "", today.substr(0, 12), "drawn", "behind or ahead of it");
  for (const ResultStrategy& one : of.strategies) {
    const std::string behind = !one.behind ? std::string("not played")
                               : *one.behind > 0
                                   ? fmt::format("{} behind, certified at most {}", money_text(*one.behind, ""),
                                                 money_text(*one.certified, ""))
                                   : fmt::format("{} ahead", money_text(-*one.behind, ""));
    fmt::print("  {:<22} {:>12} {:>12} {:>8}  {}\n", printable(one.name).substr(0, 22), money_text(one.money, ""),
               money_difference_text(one.gain, ""), one.weight ? share_percent(*one.weight) : "-", behind);
  }
}

}  // namespace

void show_portfolio(const ComparisonResult& result) {
  if (!result.portfolio) return;
  const ResultPortfolio& of = *result.portfolio;
  const ResultPlayer* player = result.player(of.player);
  const std::string currency = printable(result.currency);
  const ResultStrategy& today = of.strategies.front();
  const std::string share =
      today.money > 0
          ? fmt::format(" ({})", percent_difference_text((result.reward() ? 1 : -1) * of.gain / today.money))
          : std::string();
  const std::string low =
      of.low < 0 ? fmt::format("never more than {} behind", money_text(-of.low, "")) : std::string("never behind");
  fmt::print("{}: {} on average, {} {}{}; as drawn {}; on average {}; at most {}{} was at risk\n", printable(of.player),
             money_text(player ? player->money : 0, currency), against_today(result, of.gain), printable(today.name),
             share, money_text(of.drawn, ""), low, money_text(of.risk, ""),
             of.largest ? "" : " and twice the largest difference of a round");
  fmt::print("it ended on: {}\n", ended_on_text(of));
  const auto best = std::ranges::find(of.strategies, of.best, &ResultStrategy::name);
  if (best != of.strategies.end() && of.behind > 0)
    fmt::print("behind the best strategy ({}, {}) by {} on average, certified at most {}\n", printable(of.best),
               money_text(best->money, ""), money_text(of.behind, ""), money_text(of.certified, ""));
  if (of.hard && of.largest && *of.hard < *of.largest)
    fmt::print("warning: the hard limit {} is below the largest difference of a round, {}: only {} was played\n",
               money_text(*of.hard, ""), money_text(*of.largest, ""), printable(today.name));
  if (of.hard)
    fmt::print("what is drawn loses at most {}{}\n", money_text(*of.hard, currency),
               of.largest ? "" : ", unless a round differs by more than any before it");
  show_ways(result, of);
}

}  // namespace hannan::detail::cli

// A result of `hannan compare` as tables and sentences of at most 100 columns: players in money, judgements, doubts,
// prices.
#include "comparison_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include "hannan/bidlog/logged_money.hpp"
#include "hannan/compare/as_logged.hpp"
#include "hannan/core/printable.hpp"
#include "hannan/io/amount_text.hpp"
#include "hannan/problems/log_kinds.hpp"
#include "portfolio_text.hpp"

namespace hannan::detail::cli {
namespace {

constexpr std::size_t kMostWidth = 100;

// "all 3 %, country 12 %, site 85 %".
std::string depths_text(const ResultSegments& segments) {
  std::string text;
  const bool several = segments.by[0].is_array();  // orders of columns: a depth has a column in each
  for (std::size_t d = 0; d < segments.depths.size(); ++d) {
    const std::string name = d == 0 ? "all" : several ? "depth " + std::to_string(d) : segments.by[d - 1].as_string();
    text += fmt::format("{}{} {:.1f} %", d == 0 ? "" : ", ", printable(name), 100 * segments.depths[d]);
  }
  return text;
}

// Of learners with contexts: at which depth they decide by the end.
void show_compared_segments(const ComparisonResult& result) {
  for (const ResultPlayer& player : result.players) {
    if (!player.segments) continue;
    fmt::print("{}\n  {}: its weight in the last tenth lies at {}\n", printable(player.segments->says),
               printable(player.name), depths_text(*player.segments));
  }
}

// "flipflop plays alice now; best fixed: bob", where actions have names.
void show_named_actions(const ComparisonResult& result) {
  std::string text;
  for (const ResultPlayer& player : result.players) {
    if (player.final_action_name.empty()) continue;
    text += (text.empty() ? "" : ", ") + printable(player.name + ": " + player.final_action_name);
  }
  if (!text.empty()) fmt::print("chosen at the end: {}\n", text);
}

// What became of the rounds before the first that was played.
std::string first_rounds_text(const ComparisonResult& result) {
  if (result.rehearsed > 0)
    return fmt::format("; the first {} are rehearsed: everyone learns from them{}", result.rehearsed,
                       result.first_gave_prices ? ", and prices come from their bids" : "");
  if (result.not_played == 0) return {};
  return fmt::format("; the first {} are not played, prices come from their bids", result.not_played);
}

// Where not all of the log is played: what the part brought that the table is about.
void show_part(const ComparisonResult& result, const std::string& currency) {
  const ResultPlayer* played = result.player(result.baseline);
  if (!played || result.baseline != kAsLogged) return;
  const double rule = result.as_logged.at("rule").as_number();
  const auto worth = result.as_logged.find_number("worth");
  const double all = worth ? *worth - rule : rule;
  if (std::abs(all - played->money) <= 1e-6 * std::abs(all)) return;
  fmt::print("  played: {} of them, which brought {}{}\n", result.rounds, money_text(played->money, currency),
             first_rounds_text(result));
}

// Full digits from 1,000 up, four significant ones below.
std::string figure(double value) {
  if (value == 0) return "0";
  return std::abs(value) < 1000 ? brief(value) : money_text(value, "");
}

struct Column {
  std::string over, under;  // two lines of a header
  std::vector<std::string> cells;
  std::size_t width() const {
    std::size_t most = std::max(over.size(), under.size());
    for (const std::string& cell : cells) most = std::max(most, cell.size());
    return most;
  }
};

// The first column stands left, all others right. Columns that do not fit are left out from the right.
void print_table(std::vector<Column> columns) {
  std::size_t width = 0, fit = 0;
  while (fit < columns.size() && (fit < 3 || width + columns[fit].width() <= kMostWidth))
    width += columns[fit++].width() + 1;
  columns.resize(fit);
  const auto line = [&](const auto& cell_of) {
    std::string text;
    for (std::size_t c = 0; c < columns.size(); ++c)
      text += c == 0 ? fmt::format("{:<{}}", cell_of(columns[c]), columns[c].width())
                     : fmt::format(" {:>{}}", cell_of(columns[c]), columns[c].width());
    text.erase(text.find_last_not_of(' ') + 1);
    fmt::print("{}\n", text);
  };
  line([](const Column& column) { return column.over; });
  line([](const Column& column) { return column.under; });
  for (std::size_t row = 0; row < columns.front().cells.size(); ++row)
    line([&](const Column& column) { return column.cells[row]; });
}

// "70 to 75", each number by `text`.
template <class Text>
std::string range_text(const Interval& range, const Text& text) {
  return fmt::format("{} to {}", text(range.lo), text(range.hi));
}

std::string bare_money(double amount) { return money_text(amount, ""); }

void show_players(const ComparisonResult& result) {
  std::vector<Column> columns{{"", result.prices_from.empty() ? "" : "prices of hindsight", {}},
                              {result.reward() ? "money" : "loss", "", {}},
                              {"more than", printable(result.baseline.substr(0, 12)), {}},
                              {"spread", "of this", {}},
                              {"a round,", "1st tenth", {}},
                              {"a round,", "last", {}},
                              {"regret", "(losses)", {}}};
  const bool proven = result.best.proven;
  for (const ResultPlayer& player : result.players) {
    const bool found_only = !proven && player.name == "best fixed";
    std::size_t c = 0;
    for (std::string cell :
         {printable(player.name) + (found_only ? " (not proven)" : ""),
          found_only ? range_text(result.best.money, bare_money) : bare_money(player.money),
          money_difference_text(player.over_baseline, ""), range_text(player.over_baseline_interval, bare_money),
          figure(player.first_tenth), figure(player.last_tenth),
          proven ? figure(player.regret) : range_text(player.regret_range, figure)})
      columns[c++].cells.push_back(std::move(cell));
  }
  print_table(std::move(columns));
}

// A price test: what each price earned an offer.
void show_prices(const ComparisonResult& result, const ComparisonResult::PriceTest& test) {
  fmt::print(
      "price test: {} offers at prices drawn at random, {} prices held against {}; all ranges hold at once with 95 %\n",
      bare_money(test.offers), test.judged, printable(test.baseline));
  std::vector<Column> columns{{"good", "", {}},
                              {"price", "", {}},
                              {"offers", "", {}},
                              {"sales", "", {}},
                              {"earned", "an offer", {}},
                              {"more than", "the baseline", {}},
                              {"95 % range", "of this", {}}};
  const ResultPlayer* base = result.player(test.baseline);
  double mean = base ? base->money / test.offers : 0;
  for (const auto& price : test.prices) {
    if (price.today) mean = price.mean;
  }
  for (const auto& price : test.prices) {
    std::size_t c = 0;
    for (std::string cell :
         {printable(price.good), number_text(price.price), bare_money(price.offers), bare_money(price.sales),
          figure(price.mean), price.today ? std::string("today") : figure(price.mean - mean),
          price.range ? range_text(*price.range, figure) : std::string(price.today ? "" : "too few")})
      columns[c++].cells.push_back(std::move(cell));
  }
  print_table(std::move(columns));
}

// One sentence a judged player, as it stands in the result.
void show_verdicts(const ComparisonResult& result) {
  const std::string hindsight =
      result.prices_from.empty() ? "" : "; prices are quantiles of all bids, known only in hindsight";
  for (const ResultPlayer& player : result.players) {
    if (player.judgement) fmt::print("{}{}\n", printable(player.judgement->says), hindsight);
  }
  if (result.holdout) fmt::print("{}{}\n", printable(result.holdout->judgement.says), hindsight);
}

// All players, what each chose and how the spread was made.
void show_table(const ComparisonResult& result) {
  show_players(result);
  show_named_actions(result);
  for (const ResultPlayer& player : result.players) {
    if (player.about.ends_with("overfits small segments"))
      fmt::print("{}: {}\n", printable(player.name), printable(player.about));
  }
  fmt::print("spread: the middle 95 % of {} bootstrap samples of {} blocks of {} rounds; it does not decide\n",
             result.blocks.resamples, result.blocks.count, result.blocks.length);
  if (result.payment == "pay-as-bid")
    fmt::print(
        "what a bidder can learn from such a log: hannan compare {0}, with the bidder's values and the "
        "best\n  bid of the others (hannan help {0})\n",
        own_bid_kind());
}

}  // namespace

// Order: what the log says of itself, what is compared, doubts, verdicts, then the table. The verdict stands above the
// figures because it is what most readers want.
void show_comparison(const ComparisonResult& result) {
  const std::string currency = printable(result.currency);
  if (!result.as_logged.is_null()) {
    fmt::print("{}{}{}", questions_text(result.as_logged), hidden_text(result.hidden),
               as_logged_text(result.as_logged, currency));
    show_part(result, currency);
  }
  fmt::print("{}, {} rounds; {} in {}{}\n", result.problem, result.rounds, result.reward() ? "money earned" : "loss",
             currency.empty() ? "units of the data" : currency,
             result.cap == 1 ? "" : ", where 1 stands for " + number_text(result.cap));
  if (result.times) fmt::print("from {} to {}\n", printable(result.times->first), printable(result.times->last));
  // What forbids a verdict, before anything is said of the result.
  for (const StatedDoubt& doubt : result.doubts) fmt::print("in doubt: {}\n", printable(doubt.says));
  show_portfolio(result);
  show_verdicts(result);
  if (result.weak_class) fmt::print("{}\n", printable(result.weak_class->says));
  show_compared_segments(result);
  if (result.price_test) {
    show_prices(result, *result.price_test);
  } else if (result.players.size() > 1) {
    show_table(result);
  }
  std::fflush(stdout);
}

}  // namespace hannan::detail::cli

// What a log brought, in words.
#include <fmt/format.h>

#include <cmath>

#include "hannan/bidlog/logged_money.hpp"
#include "hannan/core/printable.hpp"
#include "hannan/io/amount_text.hpp"

namespace hannan::detail {
namespace {

bool says(const Json& json, std::string_view name, std::string_view word) {
  const Json* found = json.find(name);
  return found && found->is_string() && found->as_string() == word;
}

// How the figure comes about, behind "as logged: 77,278 USD in 149 auctions, ".
std::string rule_text(const Json& as_logged) {
  const auto units = static_cast<std::uint64_t>(as_logged.at("units").as_number());
  const bool reverse = says(as_logged, "direction", "reverse");
  if (says(as_logged, "payment", "pay-as-bid"))
    return reverse ? "what suppliers were paid, their own bids" : "what winners paid, their own bids";
  if (says(as_logged, "payment", "posted")) return "price times units sold";
  if (reverse)
    return units == 1 ? "the second lowest bid or what it costs not to buy"
                      : fmt::format("{} times the lowest losing bid or what it costs not to buy", units);
  return fmt::format("{}{}",
                     units == 1 ? "the second highest bid" : fmt::format("{} times the highest losing bid", units),
                     as_logged.find("openings") ? " or the opening bid" : "");
}

// Where one auction is a fifth of the money or more: a slip in the data, as a rule.
std::string largest_text(const Json& as_logged, const std::string& currency) {
  const double share = large_share(as_logged);
  if (share == 0) return {};
  const Json& largest = as_logged.at("largest");
  return fmt::format("  WARNING: one of them, {}, is {:.0f} % of it: {}; is that right?\n",
                     printable(largest.at("round").as_string()), 100 * share,
                     money_text(largest.at("money").as_number(), currency));
}

// Bids that were better than those that won, and lost.
std::string better_lost_text(const Json& as_logged) {
  const bool reverse = says(as_logged, "direction", "reverse");
  const double lost = as_logged.find_number(reverse ? "lower_bid_lost" : "higher_bid_lost").value_or(0);
  if (lost == 0) return {};
  return fmt::format("  in {} of them a {} bid lost{}\n", lost, reverse ? "lower" : "higher",
                     says(as_logged, "payment", "pay-as-bid") ? ", which is no rival of the one that won" : "");
}

}  // namespace

std::string questions_text(const Json& as_logged) {
  std::string text;
  const Json* asks = as_logged.is_object() ? as_logged.find("asks") : nullptr;
  for (std::size_t i = 0; asks && i < asks->size(); ++i)
    text += fmt::format("QUESTION: {}\n", printable((*asks)[i].as_string()));
  return text;
}

double large_share(const Json& as_logged) {
  constexpr double kLarge = 0.2, kLeastAuctions = 40;
  const Json* largest = as_logged.is_object() ? as_logged.find("largest") : nullptr;
  const double all = as_logged.is_object() ? as_logged.find_number("rule").value_or(0) : 0;
  if (!largest || !largest->is_object() || !(all > 0)) return 0;
  const double share = largest->find_number("money").value_or(0) / all;
  return share >= kLarge && as_logged.find_number("auctions").value_or(0) >= kLeastAuctions ? share : 0;
}

std::string as_logged_text(const Json& as_logged, const std::string& currency) {
  if (says(as_logged, "payment", "own log")) {
    const double paid = as_logged.at("rule").as_number(), worth = as_logged.at("worth").as_number();
    const bool known = !as_logged.find("asks");
    std::string text = fmt::format(
        "as logged: {}{} paid for {} of {} rounds, worth {} to the bidder: {}{}\n"
        "  where only rounds that were won are logged, high prices are missing, and high bids look worse than they "
        "are\n",
        known ? "" : "at least ", money_text(paid, currency), as_logged.at("won").as_number(),
        as_logged.at("auctions").as_number(), money_text(worth, currency), known ? "" : "at most ",
        money_difference_text(worth - paid, currency));
    return text;
  }
  const bool posted = says(as_logged, "payment", "posted");
  std::string text =
      fmt::format("as logged: {} in {} {}, {}\n", money_text(as_logged.at("rule").as_number(), currency),
                  as_logged.at("auctions").as_number(), posted ? "rounds" : "auctions", rule_text(as_logged)) +
      largest_text(as_logged, currency);
  const Json* without = as_logged.find("without_opening");
  if (without && !as_logged.find("second_price"))
    text += fmt::format("  without the opening bids it would be {}\n", money_text(without->as_number(), currency));
  if (const Json* second = as_logged.find("second_price")) {
    text += fmt::format("  second price with the same bids: {}; bids would change\n",
                        money_text(second->as_number(), currency));
    if (const double alone = as_logged.at("alone").as_number(); alone > 0)
      text += fmt::format("  in {} no other bidder is {} the one that won: there it is {}\n",
                          alone == 1 ? "1 auction" : fmt::format("{} auctions", alone),
                          says(as_logged, "direction", "reverse") ? "at or above" : "at or below",
                          says(as_logged, "direction", "reverse") ? "what was paid" : "the opening bid, or nothing");
  }
  text += better_lost_text(as_logged);
  const Json* paid = as_logged.find("paid");
  if (!paid) return text;
  // Where some auctions do not say what was paid, the two are compared on those that do.
  const double comparable = as_logged.at("rule_where_paid").as_number();
  if (std::abs(paid->as_number() - comparable) > 0.001 * std::abs(comparable)) {
    text += fmt::format("  paid: {} in {} auctions, where the bids say {}\n", money_text(paid->as_number(), currency),
                        as_logged.at("paid_auctions").as_number(), money_text(comparable, currency));
  }
  return text;
}

}  // namespace hannan::detail

// A result of `hannan compare` as tables and sentences of at most 100 columns: players in money, judgements, doubts,
// prices. Reads the JSON result alone, so old results can be shown again.
#include "comparison_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include "hannan/bidlog/logged_money.hpp"
#include "hannan/core/printable.hpp"
#include "hannan/io/amount_text.hpp"
#include "hannan/problems/log_kinds.hpp"

namespace hannan::detail::cli {
namespace {

constexpr std::size_t kMostWidth = 100;

double number_at(const Json& from, const char* name) { return from.at(name).as_number(); }

// "all 3 %, country 12 %, site 85 %".
std::string depths_text(const Json& segments) {
  std::string text;
  const Json& depths = segments.at("depths");
  for (std::size_t d = 0; d < depths.size(); ++d) {
    const Json& by = segments.at("by");
    const bool several = by[0].is_array();  // orders of columns: a depth has a column in each
    const std::string name = d == 0 ? "all" : several ? "depth " + std::to_string(d) : by[d - 1].as_string();
    text += fmt::format("{}{} {:.1f} %", d == 0 ? "" : ", ", printable(name), 100 * depths[d].as_number());
  }
  return text;
}

// Of learners with contexts: at which depth they decide by the end.
void show_compared_segments(const Json& result) {
  for (const Json& player : result.at("players").as_array()) {
    const Json* segments = player.find("segments");
    if (!segments) continue;
    fmt::print("{}\n  {}: its weight in the last tenth lies at {}\n", printable(segments->at("says").as_string()),
               printable(player.at("name").as_string()), depths_text(*segments));
  }
}

// "flipflop plays alice now; best fixed: bob", where actions have names.
void show_named_actions(const Json& result) {
  std::string text;
  for (const Json& player : result.at("players").as_array()) {
    const Json* name = player.find("final_action_name");
    if (!name) continue;
    text += (text.empty() ? "" : ", ") + printable(player.at("name").as_string() + ": " + name->as_string());
  }
  if (!text.empty()) fmt::print("chosen at the end: {}\n", text);
}

const Json* player_named(const Json& result, const std::string& name) {
  for (const Json& player : result.at("players").as_array()) {
    if (player.at("name").as_string() == name) return &player;
  }
  return nullptr;
}

// What became of the rounds before the first that was played.
std::string first_rounds_text(const Json& result) {
  const bool prices = result.find("first_gave_prices") != nullptr;
  if (const double warm = result.find_number("rehearsed").value_or(0); warm > 0)
    return fmt::format("; the first {} are rehearsed: everyone learns from them{}", warm,
                       prices ? ", and prices come from their bids" : "");
  const double first = result.find_number("not_played").value_or(0);
  return first > 0 ? fmt::format("; the first {} are not played, prices come from their bids", first) : "";
}

// Where not all of the log is played: what the part brought that the table is about.
void show_part(const Json& result, const Json& as_logged, const std::string& currency) {
  const Json* played = player_named(result, result.at("baseline").as_string());
  if (!played || result.at("baseline") != Json("as logged")) return;
  const Json* worth = as_logged.find("worth");
  const double all = worth ? worth->as_number() - number_at(as_logged, "rule") : number_at(as_logged, "rule");
  const double part = number_at(*played, "money");
  if (std::abs(all - part) <= 1e-6 * std::abs(all)) return;
  fmt::print("  played: {} of them, which brought {}{}\n", number_at(result, "rounds"), money_text(part, currency),
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

void show_players(const Json& result) {
  const bool reward = result.at("unit").as_string() == "reward";
  const Json* all = result.find("prices_from");
  std::vector<Column> columns{{"", all ? "prices of hindsight" : "", {}},
                              {reward ? "money" : "loss", "", {}},
                              {"more than", printable(result.at("baseline").as_string().substr(0, 12)), {}},
                              {"spread", "of this", {}},
                              {"a round,", "1st tenth", {}},
                              {"a round,", "last", {}},
                              {"regret", "(losses)", {}}};
  const Json& best = result.at("best");
  const bool proven = best.at("proven").as_bool();
  const auto range = [](const Json& pair, const auto& text) {
    return fmt::format("{} to {}", text(pair[0].as_number()), text(pair[1].as_number()));
  };
  const auto money = [](double amount) { return money_text(amount, ""); };
  for (const Json& player : result.at("players").as_array()) {
    const Json& spread = player.at("over_baseline_interval");
    const bool found_only = !proven && player.at("name").as_string() == "best fixed";
    std::size_t c = 0;
    for (std::string cell :
         {printable(player.at("name").as_string()) + (found_only ? " (not proven)" : ""),
          found_only ? range(best.at("money"), money) : money(number_at(player, "money")),
          money_difference_text(number_at(player, "over_baseline"), ""),
          fmt::format("{} to {}", money_text(spread[0].as_number(), ""), money_text(spread[1].as_number(), "")),
          figure(number_at(player, "first_tenth_a_round")), figure(number_at(player, "last_tenth_a_round")),
          proven ? figure(number_at(player, "regret")) : range(player.at("regret_range"), figure)})
      columns[c++].cells.push_back(std::move(cell));
  }
  print_table(std::move(columns));
}

// What forbids a verdict, before anything is said of the result.
void show_doubts(const Json& result) {
  for (const Json& doubt : result.at("doubts").as_array())
    fmt::print("in doubt: {}\n", printable(doubt.at("says").as_string()));
}

// A price test: what each price earned an offer.
void show_prices(const Json& result) {
  const Json& test = result.at("price_test");
  fmt::print(
      "price test: {} offers at prices drawn at random, {} prices held against {}; all ranges hold at once with 95 %\n",
      money_text(number_at(test, "offers"), ""), number_at(test, "judged"), printable(test.at("baseline").as_string()));
  std::vector<Column> columns{{"good", "", {}},
                              {"price", "", {}},
                              {"offers", "", {}},
                              {"sales", "", {}},
                              {"earned", "an offer", {}},
                              {"more than", "the baseline", {}},
                              {"95 % range", "of this", {}}};
  const Json* today = nullptr;
  for (const Json& price : test.at("prices").as_array()) {
    if (price.find("today")) today = &price;
  }
  const Json* base = player_named(result, test.at("baseline").as_string());
  const double mean = today  ? number_at(*today, "mean")
                      : base ? number_at(*base, "money") / number_at(test, "offers")
                             : 0;
  for (const Json& price : test.at("prices").as_array()) {
    const Json* range = price.find("range");
    std::size_t c = 0;
    for (std::string cell :
         {printable(price.at("good").as_string()), number_text(number_at(price, "price")),
          money_text(number_at(price, "offers"), ""), money_text(number_at(price, "sales"), ""),
          figure(number_at(price, "mean")),
          price.find("today") ? std::string("today") : figure(number_at(price, "mean") - mean),
          range ? fmt::format("{} to {}", figure((*range)[0].as_number()), figure((*range)[1].as_number()))
                : std::string(price.find("today") ? "" : "too few")})
      columns[c++].cells.push_back(std::move(cell));
  }
  print_table(std::move(columns));
}

// One sentence a judged player, as it stands in the result.
void show_verdicts(const Json& result) {
  const std::string hindsight =
      result.find("prices_from") ? "; prices are quantiles of all bids, known only in hindsight" : "";
  for (const Json& player : result.at("players").as_array()) {
    const Json* judged = player.find("judgement");
    if (judged && !judged->is_null()) fmt::print("{}{}\n", printable(judged->at("says").as_string()), hindsight);
  }
  if (const Json* held = result.find("holdout"); held && !held->at("judgement").is_null())
    fmt::print("{}{}\n", printable(held->at("judgement").at("says").as_string()), hindsight);
}

}  // namespace

// Order: what the log says of itself, what is compared, doubts, verdicts, then the table. The verdict stands above the
// figures because it is what most readers want.
void show_comparison(const Json& result) {
  const std::string currency = printable(result.at("currency").as_string());
  if (const Json* as_logged = result.find("as_logged")) {
    fmt::print("{}{}{}", questions_text(*as_logged), hidden_text(result.at("hidden")),
               as_logged_text(*as_logged, currency));
    show_part(result, *as_logged, currency);
  }
  const double unit = number_at(result, "cap");
  fmt::print("{}, {} rounds; {} in {}{}\n", result.at("problem").as_string(), number_at(result, "rounds"),
             result.at("unit").as_string() == "reward" ? "money earned" : "loss",
             currency.empty() ? "units of the data" : currency,
             unit == 1 ? "" : ", where 1 stands for " + number_text(unit));
  if (const Json* times = result.find("times"))
    fmt::print("from {} to {}\n", printable(times->at("first").as_string()), printable(times->at("last").as_string()));
  show_doubts(result);
  show_verdicts(result);
  if (const Json* weak = result.find("weak_class")) fmt::print("{}\n", printable(weak->at("says").as_string()));
  show_compared_segments(result);
  if (result.find("price_test")) {
    show_prices(result);
    std::fflush(stdout);
    return;
  }
  if (result.at("players").size() == 1) {  // nothing to compare
    std::fflush(stdout);
    return;
  }
  show_players(result);
  show_named_actions(result);
  for (const Json& player : result.at("players").as_array()) {
    const std::string& about = player.at("about").as_string();
    if (about.ends_with("overfits small segments"))
      fmt::print("{}: {}\n", printable(player.at("name").as_string()), printable(about));
  }
  const Json& blocks = result.at("blocks");
  fmt::print("spread: the middle 95 % of {} bootstrap samples of {} blocks of {} rounds; it does not decide\n",
             number_at(blocks, "resamples"), number_at(blocks, "count"), number_at(blocks, "length"));
  if (const Json* payment = result.find("payment"); payment && *payment == Json("pay-as-bid"))
    fmt::print(
        "what a bidder can learn from such a log: hannan compare {0}, with the bidder's values and the "
        "best\n  bid of the others (hannan help {0})\n",
        own_bid_kind());
  std::fflush(stdout);
}

}  // namespace hannan::detail::cli

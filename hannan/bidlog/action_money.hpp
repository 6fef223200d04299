// An action as amounts of money, by bidder or item (game/money.hpp), and as a file that people and programs read:
// reserves, ceilings, prices, bids, or shares and factors, which are no money.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "hannan/bidlog/facts.hpp"
#include "hannan/game/money.hpp"
#include "hannan/io/json.hpp"

namespace hannan::detail {

class ActionMoney {
 public:
  // `money` is that of the problem; null: it says nothing of it. `cap` is the money of a bid of 1; none: not known, and
  // only amounts that stand in lists can be said.
  ActionMoney(const Money* money, std::optional<double> cap);

  // What an amount is: "reserve", "price", "ceiling", "share", "bid" or "factor"; empty: the actions of the problem are
  // no money, or the cap is not known.
  std::string_view what() const { return known_ ? amounts_.what : std::string_view(); }
  std::string_view owner() const { return amounts_.owner; }  // "bidder" or "item"
  bool in_currency() const {
    return amounts_.unit == Amounts::Unit::kCurrency || amounts_.unit == Amounts::Unit::kScale;
  }
  // Whether an action has levels of a scale.
  bool has_levels() const { return amounts_.levels > 0; }
  // One per bidder or item. Only where what() is not empty.
  std::vector<double> of(const Json& action) const;

 private:
  Amounts amounts_{};
  bool known_ = false;
  double level_ = 1;  // money of one level
};

// A decision to put to use, with what is known of it.
struct ExportedDecision {
  std::string which;            // "next": what the learner would play next; "best": the best fixed action of the past
  std::string verdict;          // "deploy", "keep", "cannot tell" or "not judged"
  std::string says;             // the sentence of the judgement, or why it is not judged
  Json doubts = Json::array();  // what forbids a verdict: [{doubt, says}]
  std::optional<double> gain;
  Json range;                // of the gain, [lo, hi]; null: there is none
  std::string baseline;      // what the gain is over
  double rounds = 0;         // that it was chosen from
  std::string strategy;      // of a portfolio: whose decision it is; empty: of no portfolio
  bool today_leads = false;  // a portfolio ended on what is done today, whose decision this is not
  // By segment, the coarsest first; one without columns where there is one decision for all.
  struct Segment {
    std::vector<std::string> values;
    Json action;
    std::string words;  // the action for people, where it is no money: the name of an expert, a rule
  };
  std::vector<Segment> segments;
  std::vector<std::string> columns;  // names of the values
};
// {"decision", "strategy" (of a portfolio), "verdict", "says", "doubts", "gain", "range", "rounds", "currency", "what",
// "decisions": [{columns, bidder, amount}]}.
Json decision_json(const ExportedDecision& decision, const ActionMoney& money, const LogFacts& log);
// Where actions are no money (what() is empty) "decisions" are [{columns, action, json}], in words and as JSON.
// columns,bidder,reserve,currency,decision,verdict: a row for each; or columns,action,json,decision,verdict.
std::string decision_csv(const ExportedDecision& decision, const ActionMoney& money, const LogFacts& log);

}  // namespace hannan::detail

// An action as amounts of money, by bidder or item, and as a file that people and programs read.
//
//   vcg-reserves         reserves (levels of the cap, or prices), or ceilings, or shares of what it costs not to buy
//   item-pricing         prices
//   second-price-bidding, first-price-bidding     bids, or factors of the own value
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "hannan/bidlog/facts.hpp"
#include "hannan/io/json.hpp"

namespace hannan::detail {

class ActionMoney {
 public:
  // `cap` is the money of a bid of 1; none: not known, and only prices in money can be said.
  ActionMoney(std::string problem, Json params, std::optional<double> cap);

  // What an amount is: "reserve", "price", "ceiling", "share", "bid" or "factor"; empty: the actions of the problem are
  // no money, or the cap is not known.
  std::string_view what() const { return what_; }
  std::string_view owner() const { return owner_; }  // "bidder" or "item"
  bool in_currency() const { return what_ != "share" && what_ != "factor"; }
  // One per bidder or item. Only where what() is not empty.
  std::vector<double> of(const Json& action) const;

 private:
  Json list_;         // prices, shares, ceilings or grids; null: levels
  double level_ = 1;  // money of one level
  std::string what_, owner_ = "bidder";
};

// A decision to put to use, with what is known of it.
struct ExportedDecision {
  std::string which;            // "next": what the learner would play next; "best": the best fixed action of the past
  std::string verdict;          // "deploy", "keep", "cannot tell" or "not judged"
  std::string says;             // the sentence of the judgement, or why it is not judged
  Json doubts = Json::array();  // what forbids a verdict: [{doubt, says}]
  std::optional<double> gain;
  Json range;            // of the gain, [lo, hi]; null: there is none
  std::string baseline;  // what the gain is over
  double rounds = 0;     // that it was chosen from
  // By segment, the coarsest first; one without columns where there is one decision for all.
  struct Segment {
    std::vector<std::string> values;
    Json action;
    std::string words;  // the action for people, where it is no money: the name of an expert, a rule
  };
  std::vector<Segment> segments;
  std::vector<std::string> columns;  // names of the values
};
// {"decision", "verdict", "says", "doubts", "gain", "range", "rounds", "currency", "what", "decisions": [{columns,
// bidder, amount}]}.
Json decision_json(const ExportedDecision& decision, const ActionMoney& money, const LogFacts& log);
// Where actions are no money (what() is empty) "decisions" are [{columns, action, json}], in words and as JSON.
// columns,bidder,reserve,currency,decision,verdict: a row for each; or columns,action,json,decision,verdict.
std::string decision_csv(const ExportedDecision& decision, const ActionMoney& money, const LogFacts& log);

}  // namespace hannan::detail

// A log of prices that were drawn at random: its offers, round by round, and what is said and handed on of its prices.
//
// The result is that of log_statement.hpp: where a price is judged (price_means.hpp) every judged price is a player;
// else what was sold alone, with the reason. What is handed on is for each good the judged price with the highest mean,
// with the verdict, range and sentence that the result has of it. A good whose best price loses is left out: it keeps
// what it has.
//
// Costs O(log prices) an offer.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "hannan/bidlog/posted_offers.hpp"
#include "hannan/compare/doubts.hpp"
#include "hannan/compare/price_means.hpp"
#include "hannan/compare/result.hpp"
#include "hannan/io/json.hpp"

namespace hannan::detail {

class TestedLog {
 public:
  explicit TestedLog(std::string path) : path_(std::move(path)) {}

  // Throws kMalformed, with the path, where a good is offered twice in a round.
  void add(std::span<const LoggedOffer> offers);
  std::size_t rounds() const { return earned_.size(); }

  struct Terms {
    std::vector<std::string> goods;  // their names; "": the only one
    std::optional<double> today;     // the price in use, of the only good
    std::string currency;
    LogDoubts doubts;  // of the log; that it shows some answers only is no doubt of a test
  };
  // At least one round. Throws as PriceTest::results.
  ComparisonResult result(const Terms& terms) const;

 private:
  std::string path_;
  PriceTest test_;
  std::vector<double> earned_;
};

// Which prices are handed on.
enum class Losing { kLeftOut, kWritten };
struct TestedDecision {
  Losing losing = Losing::kLeftOut;
  std::string at;         // the file, or the name of the function
  std::string otherwise;  // how to have a losing price anyway
};
// Of the result of a price test with a price that is judged, as that of other decisions (bidlog/action_money.hpp):
//   {"decision": "price test", "verdict", "says", "doubts", "gain", "range", "rounds", "currency", "what": "price",
//    "decisions": [{"item", "price", "verdict", "says", "gain", "range"}]}
// with what is said of the good that gains most in front. Throws kLosingDecision where every price loses.
Json tested_decision(const ComparisonResult& result, const TestedDecision& terms);
// The same as item,price,currency,decision,verdict: a row for each good.
std::string tested_decision_csv(const Json& decision);

}  // namespace hannan::detail

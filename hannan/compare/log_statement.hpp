// What can be said of a log without playing it: one in which winners pay their own bids, or posted prices that say
// nothing of others (bidlog/posted_offers.hpp).
//
// With the bids of the log held fixed no reserve and no ceiling gains (docs/judgement.md): every gain would come from
// bidders who bid otherwise, which the log does not show. So there are two figures, what was paid and what the same
// bids bring at the best losing one, and the answer is always "this log cannot tell".
#pragma once

#include <string>
#include <vector>

#include "hannan/bidlog/auction_facts.hpp"
#include "hannan/compare/doubts.hpp"
#include "hannan/compare/price_means.hpp"
#include "hannan/compare/result.hpp"

namespace hannan::detail {

inline constexpr const char* kPaidOwnBids =
    "winners pay their own bids, so that with these bids no reserve or ceiling gains, and with another rule bids would "
    "change";

struct LogStatement {
  std::vector<double> paid;    // by auction
  std::vector<double> second;  // likewise: the same bids at the best losing one
  Direction direction = Direction::kForward;
  std::string currency;
  LogDoubts doubts;  // of the log; that nothing can be replayed is added here
};
// A result as that of a comparison (comparison.hpp), with these two players. At least one auction.
ComparisonResult log_statement(const LogStatement& statement);

struct PostedStatement {
  std::vector<double> sold;  // price times units, by round
  std::size_t goods = 1;
  std::string currency;
  LogDoubts doubts;  // with the reason why the log says nothing of other prices
};
// The same with one player, what was sold; nothing is said of any other price. At least one round.
ComparisonResult posted_statement(const PostedStatement& statement);

struct PriceStatement {
  std::vector<double> earned;      // by round
  std::vector<std::string> goods;  // their names; "": the only one
  std::vector<TestedPrice> prices;
  std::string currency;
  LogDoubts doubts;
};
// The same of a price test: a player for every price that is judged, the one with the highest mean first, and the
// baseline. "price_test" has all prices with offers, sales, mean and range. At least one round.
ComparisonResult price_statement(const PriceStatement& statement);

}  // namespace hannan::detail

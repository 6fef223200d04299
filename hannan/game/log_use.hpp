// What a log is to problems of a kind: known before a problem is made, whose parameters are filled from the log.
//
// A kind states it by Codec<P>::log_use(). The code that reads logs knows shapes and no problems.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "hannan/io/json.hpp"

namespace hannan::detail {

// What an outcome is: bids by slot, the price to beat by item, buyers with what they would pay for items, a valuation
// of 0..h units by bidder, bids by slot in money with all others beside them, buyers at posted prices, the own value
// and the price to beat, or one amount as it stands.
enum class LogShape : std::uint8_t {
  kNone,
  kBids,
  kPrices,
  kBuyers,
  kValuations,
  kMoneyBids,
  kPosted,
  kOwnBid,
  kAmount,
};

// What the flags of a log say that decisions depend on.
struct LogTerms {
  bool reverse = false;  // the lowest bid wins
  bool posted = false;   // prices were posted
  bool scaled = false;   // a cap, or a quantile that becomes it, is given
};

struct LogUse {
  LogShape shape = LogShape::kNone;     // kNone: a log has no outcomes for it
  LogShape in_money = LogShape::kNone;  // where decisions are prices in money; kNone: they are not
  LogShape posted = LogShape::kNone;    // where the prices of the log were posted; kNone: they cannot be
  std::string_view column;              // of the bid, price or amount, where no flag names one; empty: "bid"
  bool floors = false;                  // decisions may be price floors

  // Whether these parameters name decisions in money. Null: none do.
  bool (*states_money)(const Json& params) = nullptr;
  // Fills in the decisions where the parameters name none; true: they are to be quantiles of the log's amounts, as
  // `prices`. Null: there is nothing to fill in.
  bool (*choose)(Json& params, const LogTerms& terms) = nullptr;
  // Parameters without a decision, for what is said of a log that is not played. Null where that is not asked for.
  struct Unplayed {
    std::size_t owners = 1;
    bool reverse = false;
  };
  Json (*unplayed)(const Unplayed& of) = nullptr;
};

}  // namespace hannan::detail

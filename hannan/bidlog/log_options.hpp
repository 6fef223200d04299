// How a bid log is read, as words and numbers: what `hannan convert` and hannan.convert take. Each field is the flag of
// that name (docs/logs.md).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "hannan/bidlog/outcomes.hpp"

namespace hannan::detail {

struct LogOptions {
  std::string format, header, separator;  // header: empty, names or none
  std::string round, bidder, bid = "bid", segment, item, quantity, timestamp, sort_by, dates, me, opening, paid, won,
                             scale;
  std::string payment, currency_column, rates;  // payment: empty, second-price, pay-as-bid or posted; rates: a file
  std::string choice, value;
  std::vector<std::string> columns, where, names;
  std::string slots = "identity", rest = "pool", again = "refuse";
  std::uint64_t count = 4, drop_top = 0, least = 1;
  std::optional<std::uint64_t> rest_slots;  // none: units + 1 for bids, which hide no price
  double lot = 1, outside_factor = 1, value_factor = 1;
  std::optional<double> quantile;
  std::string decimal;  // empty, point or comma
  std::string zone;     // empty: UTC
  bool strict = false, reverse = false, top_hidden = false;
  bool randomised = false;      // posted prices were drawn at random
  std::optional<double> today;  // which of them is in use
  bool accept_hidden = false;   // more than a tenth of the money may be hidden, and more than 1 % of cells unreadable
  bool once = false;            // the log cannot be read a second time
};

// What a log is read for, and the rest of what is known about it.
struct LogRequest {
  std::string path;                    // for messages
  std::string problem;                 // kind
  std::string demand = "single";       // of buyers
  std::optional<std::uint64_t> units;  // to split, or sold in an auction
  std::optional<double> cap;
  std::string currency;
  bool in_money = false;              // bids as they are, for prices in money
  std::vector<std::string> by;        // the columns of the context, as --by names them; none: no context
  std::vector<std::string> proposed;  // columns with what others propose, whose values come behind those
};
// Throws kUsage for options that do not go together, kMissingField without a scale, kOutOfRange; the place is the flag.
LogPlan log_plan(const LogOptions& options, const LogRequest& request);

}  // namespace hannan::detail

// The flags that say how a bid log is read: one set for `hannan convert`, `run` and `compare`.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "flags.hpp"
#include "hannan/bidlog/outcomes.hpp"

namespace hannan::detail::cli {

struct LogFlags {
  std::string format, header = "names", separator;
  std::string round, bidder, bid = "bid", segment, item, quantity, timestamp, me;
  std::vector<std::string> columns, where, names;
  std::string slots = "identity", rest = "pool", again = "refuse";
  std::uint64_t count = 4, rest_slots = 1, drop_top = 0, least = 1;
  double lot = 1;
  std::optional<double> quantile;
  bool strict = false;
  std::string first_given;  // the first of these flags on the command line; empty: none
};

// `first_given` is filled in by first_log_flag, when the command line has been read.
void add_log_flags(Command& command, LogFlags& flags);
std::string first_log_flag(const Command& command);

// What a log is read for, and the rest of what is known about it.
struct LogRequest {
  std::string path;                    // "-": standard input
  std::string problem;                 // kind
  std::string demand = "single";       // item-pricing
  std::optional<std::uint64_t> units;  // multi-unit
  std::optional<double> cap;
  std::string currency;
};
// Throws kUsage for flags that do not go together, kMissingField without a scale, kOutOfRange.
LogPlan log_plan(const LogFlags& flags, const LogRequest& request);

}  // namespace hannan::detail::cli

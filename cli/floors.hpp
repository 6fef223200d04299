// The flags that say what money a bid stands for, and where price floors are written.
#pragma once

#include <optional>
#include <string>

#include "flags.hpp"
#include "hannan/bidlog/facts.hpp"

namespace hannan::detail::cli {

struct MoneyFlags {
  std::string log, currency, floors, field = "bidder";
  std::optional<double> cap;
  // Throws kUsage where the file is none of `hannan convert`, kOutOfRange.
  LogFacts facts() const;
  // The same beside a table of bids, whose header has the names too; kUsage where it has others.
  LogFacts facts_of_table(const std::vector<std::string>& names, const std::string& path) const;
  // The same where the log itself is at hand.
  LogFacts facts(LogFacts of_log) const;
};
void add_money_flags(Command& command, MoneyFlags& flags);

}  // namespace hannan::detail::cli

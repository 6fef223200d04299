// The kinds of problems that a log has outcomes for, with what it is to each (game/log_use.hpp), in the order of
// problems/all.hpp. The table is the registry's (runtime/registry.cpp), which alone lists the problems: declared here
// for the code that reads logs, which stands below it.
#pragma once

#include <functional>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>

#include "hannan/game/log_use.hpp"

namespace hannan::detail {

struct LogKind {
  std::string_view name;
  LogUse use;
};
std::span<const LogKind> log_kinds();

// Of a kind; one with shape kNone where a log has no outcomes for it.
const LogUse& log_use(std::string_view kind);

// "a", "a and b", "a, b and c": the kinds that `fits` says, for messages.
std::string log_kinds_text(const std::function<bool(const LogUse&)>& fits);
// Those whose outcomes have one of these shapes; whose decisions may be prices in money; for which prices may be
// posted.
std::string log_kinds_of(std::initializer_list<LogShape> shapes);
std::string log_kinds_in_money();
std::string log_kinds_posted();
// The first of them; empty where there is none.
std::string first_log_kind(const std::function<bool(const LogUse&)>& fits);

// That of one bidder's log: what a bidder can learn where winners pay their own bids.
std::string own_bid_kind();

}  // namespace hannan::detail

// The lines of a record whose outcomes may come late (docs/record.md): one of a decision, one of its outcome. `t`
// counts the lines, from 1.
#pragma once

#include <cstdint>
#include <optional>

#include "hannan/io/json.hpp"
#include "hannan/runtime/delayed_rounds.hpp"

namespace hannan::detail {

inline Json decision_line(std::uint64_t t, std::uint64_t round, const Json& action, const ActView& act) {
  return Json::object({{"t", t}, {"decide", round}, {"action", action}, {"multiplier", act.multiplier}});
}

inline Json arrival_line(std::uint64_t t, std::uint64_t round, const Json& outcome, const ArrivalView& seen) {
  return Json::object({{"t", t},
                       {"observe", round},
                       {"outcome", outcome},
                       {"loss", seen.loss},
                       {"settled", seen.settled},
                       {"gaps", Json::array(seen.gaps)},
                       {"stability", seen.stability},
                       {"total", seen.total},
                       {"best", seen.best},
                       {"oracle_calls", seen.oracle_calls}});
}

}  // namespace hannan::detail

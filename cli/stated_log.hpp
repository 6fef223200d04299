// Logs of which something is said without playing them: winners pay their own bids, posted prices that say nothing of
// others, and prices that were drawn at random (hannan/compare/log_statement.hpp).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "data.hpp"
#include "exported.hpp"
#include "floors.hpp"
#include "log_data.hpp"

namespace hannan::detail::cli {

struct StatedRequest {
  const ProblemFlags& problem;
  const DataFlags& data;
  const MoneyFlags& money;
  const ExportFlags& exported;
  std::uint64_t rounds;  // at most; 0: all
};
struct StatedLog {
  ComparisonResult result;
  std::shared_ptr<LogData> log;
};
// Nothing for all other logs: they are played. Throws kUnavailable where a file of decisions is asked for.
std::optional<StatedLog> stated_log(const StatedRequest& flags);

}  // namespace hannan::detail::cli

// What `hannan compare` hands on: the learner's next decision or the best of the past, with its verdict.
#pragma once

#include <string>

#include "flags.hpp"
#include "floors.hpp"
#include "hannan/compare/exported.hpp"

namespace hannan::detail::cli {

struct ExportFlags {
  std::string which = "next", decisions;
  bool anyway = false;
  double holdout = 0;
  static constexpr double kHoldout = 0.2;  // of `best`, which nothing else judges
  // The share of rounds that are held out: as given, or kHoldout where `best` is handed on.
  double share(const MoneyFlags& money) const;
};
void add_export_flags(Command& command, ExportFlags& flags);

// Throws kUnavailable where the actions of the problem are levels of a cap that is not known; before the run.
void check_decisions(const ActionMoney& money, const ExportFlags& flags);
void write_decisions(const ExportedDecision& decision, const ActionMoney& money, const LogFacts& log,
                     const std::string& path);
// Of the result of a price test (compare/tested_log.hpp).
void write_tested_prices(const ComparisonResult& result, const ExportFlags& flags);

}  // namespace hannan::detail::cli

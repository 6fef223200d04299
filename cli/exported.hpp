// What `hannan compare` hands on: the learner's next decision or the best of the past, with its verdict.
#pragma once

#include <string>

#include "flags.hpp"
#include "floors.hpp"
#include "hannan/bidlog/action_money.hpp"
#include "hannan/core/error.hpp"

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

// From the result of a comparison (comparison.hpp).
ExportedDecision exported_decision(const Json& result, const ExportFlags& flags, const ColumnOrders& orders);

// What it is and what is known of it, in a line: the model version of price floors.
std::string model_text(const ExportedDecision& decision);

// Throws kLoses where the decision loses against its baseline, and it is not asked for anyway.
inline constexpr Code kLoses = Code::kLosingDecision;
void refuse_loss(const ExportedDecision& decision, const ExportFlags& flags, const LogFacts& log,
                 const std::string& path);

// Throws kUnavailable where the actions of the problem are no money; before the run.
void check_decisions(const ActionMoney& money, const ExportFlags& flags);
void write_decisions(const ExportedDecision& decision, const ActionMoney& money, const LogFacts& log,
                     const std::string& path);

}  // namespace hannan::detail::cli

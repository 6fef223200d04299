// What is handed on from a comparison: a decision to put to use, with its verdict, for `--floors`, `--decisions` and
// their Python twins. One that loses against its baseline is refused, unless it is asked for anyway.
#pragma once

#include <functional>
#include <string>

#include "hannan/bidlog/action_money.hpp"
#include "hannan/compare/result.hpp"
#include "hannan/contexts/column_orders.hpp"
#include "hannan/core/error.hpp"

namespace hannan::detail {

struct ExportTerms {
  std::string which = "next";  // "next": what the player would play next; "best": that of the rounds not held out
  std::size_t player = 0;      // of the result
  ColumnOrders orders;         // of segments; empty: one decision for all
  std::function<std::string(const Json& action)> words;  // of an action that is no money; empty: its JSON
};
// From the result of a comparison, one with held out rounds for "best". The best fixed action in hindsight was chosen
// on the very rounds that would judge it: it is not judged.
ExportedDecision exported_decision(const ComparisonResult& result, const ExportTerms& terms);

// What it is and what is known of it, in a line: the model version of price floors.
std::string model_text(const ExportedDecision& decision);

// Throws kLosingDecision where the decision loses against its baseline, or is of a portfolio that ended on what is done
// today, and the verdict is not "deploy". `otherwise` says how to have it written anyway.
struct LossRefusal {
  std::string currency;
  std::string at;         // the file, or the name of the function
  std::string otherwise;  // "--anyway writes it"
};
void refuse_loss(const ExportedDecision& decision, const LossRefusal& refusal);

}  // namespace hannan::detail

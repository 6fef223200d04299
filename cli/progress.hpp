// The progress table: a line after rounds 1, 2, 4, 8, ... and at the end.
#pragma once

#include <cstdio>

#include "action_names.hpp"
#include "hannan/play/play.hpp"

namespace hannan::detail::cli {

class ProgressTable {
 public:
  explicit ProgressTable(std::FILE* to) : to_(to) {}
  bool show(const ProgressRow& row);  // false once standard output cannot be written

 private:
  void show_part(const ProgressRow& row);

  std::FILE* to_;
  bool headed_ = false;
};

// The report of a run for people: regret, the limit with what it covers, what is expected, and one sentence to quote.
void show_report(std::FILE* to, const Json& report, const ActionNames& names = {});
// What a portfolio has at risk, before its first round.
void show_risk(std::FILE* to, const PortfolioLearner& portfolio);
// A line with the c that would be better for `gftpl`, where one is known (hannan/play/suggested_c.hpp).
void show_suggestion(std::FILE* to, const Json& report);

}  // namespace hannan::detail::cli

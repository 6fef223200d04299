// Flags and files of what `hannan compare` hands on: which decision, whether a losing one is written at all, and the
// tested prices of a log.
#include "exported.hpp"

#include "hannan/compare/tested_log.hpp"
#include "hannan/core/error.hpp"
#include "output_file.hpp"

namespace hannan::detail::cli {

double ExportFlags::share(const MoneyFlags& money) const {
  if (holdout < 0 || !(holdout < 1))
    throw Error(Code::kOutOfRange, "found " + number_text(holdout) + ", expected a share from 0 up to below 1",
                "--holdout");
  const bool hands_on = !money.floors.empty() || !decisions.empty();
  return holdout == 0 && which == "best" && hands_on ? kHoldout : holdout;
}

void add_export_flags(Command& command, ExportFlags& flags) {
  command
      .add("--export", &flags.which,
           "what --floors and --decisions write: next (what the first learner would play next) or best (the best fixed "
           "action of the past, judged on the rounds of --holdout)")
      .one_of({"next", "best"})
      .show_default();
  command.add("--holdout", &flags.holdout,
              "judge the best fixed action of the first rounds on this share of them, the last ones, e.g. 0.2");
  command.add("--decisions", &flags.decisions,
              "write the decision with names, money and verdict to this file: .csv, or JSON");
  command.add("--anyway", &flags.anyway, "write --floors and --decisions though they lose against the baseline");
}

void check_decisions(const ActionMoney& money, const ExportFlags& flags) {
  // Levels are shares of a cap; without it they would be taken for money.
  if (flags.decisions.empty() || !money.what().empty() || !money.has_levels()) return;
  throw Error(Code::kUnavailable, "found levels and no cap, expected --log or --cap: what a level is in money",
              "--decisions");
}

void write_decisions(const ExportedDecision& decision, const ActionMoney& money, const LogFacts& log,
                     const std::string& path) {
  write_whole_file(path, path.ends_with(".csv") ? decision_csv(decision, money, log)
                                                : pretty(decision_json(decision, money, log)) + "\n");
}

void write_tested_prices(const ComparisonResult& result, const ExportFlags& flags) {
  const Json decision = tested_decision(result, {.losing = flags.anyway ? Losing::kWritten : Losing::kLeftOut,
                                                 .at = flags.decisions,
                                                 .otherwise = "--anyway writes it"});
  write_whole_file(flags.decisions,
                   flags.decisions.ends_with(".csv") ? tested_decision_csv(decision) : pretty(decision) + "\n");
}

}  // namespace hannan::detail::cli

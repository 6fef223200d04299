#include "exported.hpp"

#include <cmath>

#include "hannan/bidlog/map_floors.hpp"
#include "hannan/core/error.hpp"
#include "hannan/core/money_text.hpp"
#include "hannan/io/fields.hpp"
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

ExportedDecision exported_decision(const Json& result, const ExportFlags& flags, const ColumnOrders& orders) {
  ExportedDecision decision{.which = flags.which, .verdict = "not judged", .rounds = result.at("rounds").as_number()};
  const bool next = flags.which == "next";
  const Json& player = result.at("players")[0];
  const Json* against = player.find("against");
  decision.baseline = (against ? *against : result.at("baseline")).as_string();
  const Json& chosen = next ? player : result.at("holdout");  // what is judged is what is written
  if (const Json* judged = chosen.find("judgement"); judged && !judged->is_null()) {
    decision.verdict = judged->at("recommendation").as_string();
    decision.says = judged->at("says").as_string();
    decision.doubts = judged->at("doubts");
    decision.gain = judged->at("gain").as_number();
  }
  if (!next) decision.rounds = chosen.at("from").as_number();
  if (orders.empty()) {
    decision.segments.push_back({{}, chosen.at(next ? "final_action" : "action")});
    return decision;
  }
  const Json& report = player.at("report");
  decision.columns = orders[order_of_map(report)];
  for (const Json& visited : report.at("map").as_array()) {
    auto values = to_words(visited.at("segment"), "segment");
    if (orders.size() > 1 && !values.empty()) values.erase(values.begin());  // the number of the order
    decision.segments.push_back({std::move(values), visited.at("action")});
  }
  return decision;
}

std::string model_text(const ExportedDecision& decision) {
  const bool next = decision.which == "next";
  return std::string("hannan, ") + (next ? "next decision after " : "best fixed reserves of the first ") +
         number_text(decision.rounds) + " rounds, " + decision.verdict;
}

void refuse_loss(const ExportedDecision& decision, const ExportFlags& flags, const LogFacts& log,
                 const std::string& path) {
  if (flags.anyway || decision.verdict == "deploy" || !decision.gain || *decision.gain >= 0) return;
  throw Error(kLoses,
              "found a decision that loses " + money_text(std::abs(*decision.gain), log.currency) + " against \"" +
                  decision.baseline + "\" (" + decision.verdict +
                  "), expected one that gains; the file is not written, --anyway writes it",
              path);
}

void check_decisions(const ActionMoney& money, const ExportFlags& flags) {
  if (flags.decisions.empty() || !money.what().empty()) return;
  throw Error(
      Code::kUnavailable,
      "found actions that are no money, or no cap, expected prices or a problem of prices or bids, and --log or "
      "--cap where they are levels",
      "--decisions");
}

void write_decisions(const ExportedDecision& decision, const ActionMoney& money, const LogFacts& log,
                     const std::string& path) {
  write_whole_file(path, path.ends_with(".csv") ? decision_csv(decision, money, log)
                                                : pretty(decision_json(decision, money, log)) + "\n");
}

}  // namespace hannan::detail::cli

// The decision that a comparison hands on: of a player its next action, or the best fixed one that was held out.
// Invariant: what is written is what was judged.
#include "hannan/compare/exported.hpp"

#include <cmath>
#include <utility>

#include "hannan/bidlog/map_floors.hpp"
#include "hannan/core/printable.hpp"
#include "hannan/io/amount_text.hpp"
#include "hannan/io/fields.hpp"

namespace hannan::detail {
namespace {

// What a player that is not judged is ahead of the baseline: more money, or less of a loss.
std::optional<double> plain_gain(const Json& player, const Json& result) {
  const auto over = player.find_number("over_baseline");
  if (!over || player.at("role").as_string() == "hindsight") return std::nullopt;
  return result.at("unit").as_string() == "reward" ? *over : -*over;
}

}  // namespace

ExportedDecision exported_decision(const Json& result, const ExportTerms& terms) {
  ExportedDecision decision{.which = terms.which, .verdict = "not judged", .rounds = result.at("rounds").as_number()};
  const bool next = terms.which == "next";
  const Json& player = result.at("players")[terms.player];
  const Json* against = player.find("against");
  decision.baseline = (against ? *against : result.at("baseline")).as_string();
  const Json& chosen = next ? player : result.at("holdout");  // what is judged is what is written
  if (const Json* judged = chosen.find("judgement"); judged && !judged->is_null()) {
    decision.verdict = judged->at("recommendation").as_string();
    decision.says = judged->at("says").as_string();
    decision.doubts = judged->at("doubts");
    decision.gain = judged->at("gain").as_number();
    decision.range = judged->at("range");
  } else if (next) {
    decision.says = "not judged: only what a learner would play next is";
    decision.gain = plain_gain(player, result);
  }
  if (next && player.at("role").as_string() == "hindsight") decision.which = "hindsight";
  if (!next) decision.rounds = chosen.at("from").as_number();
  const auto add = [&](std::vector<std::string> values, const Json& action) {
    decision.segments.push_back({std::move(values), action, terms.words ? terms.words(action) : dump(action)});
  };
  if (terms.orders.empty()) {
    add({}, chosen.at(next ? "final_action" : "action"));
    return decision;
  }
  const Json& report = player.at("report");
  decision.columns = terms.orders[order_of_map(report)];
  for (const Json& visited : report.at("map").as_array()) {
    auto values = to_words(visited.at("segment"), "segment");
    if (terms.orders.size() > 1 && !values.empty()) values.erase(values.begin());  // the number of the order
    add(std::move(values), visited.at("action"));
  }
  return decision;
}

std::string model_text(const ExportedDecision& decision) {
  const bool next = decision.which == "next";
  return std::string("hannan, ") +
         (next                            ? "next decision after "
          : decision.which == "hindsight" ? "best fixed reserves of "
                                          : "best fixed reserves of the first ") +
         number_text(decision.rounds) + " rounds, " + decision.verdict;
}

void refuse_loss(const ExportedDecision& decision, const LossRefusal& refusal) {
  if (decision.verdict == "deploy" || !decision.gain || *decision.gain >= 0) return;
  throw Error(Code::kLosingDecision,
              "found a decision that loses " + money_text(std::abs(*decision.gain), refusal.currency) + " against \"" +
                  decision.baseline + "\" (" + decision.verdict +
                  "), expected one that gains; the file is not written, " + refusal.otherwise,
              refusal.at);
}

}  // namespace hannan::detail

// The decision that a comparison hands on: of a player its next action, or the best fixed one that was held out.
// Invariant: what is written is what was judged.
#include "hannan/compare/exported.hpp"

#include <cassert>
#include <cmath>
#include <utility>

#include "hannan/bidlog/map_floors.hpp"
#include "hannan/core/printable.hpp"
#include "hannan/io/amount_text.hpp"
#include "hannan/io/fields.hpp"

namespace hannan::detail {

namespace {

// Of a portfolio: what the likeliest of its strategies proposes next, judged by its own gains. The portfolio itself is
// no decision that can stand still. Where what is done today leads and has no action, or the one that leads depends on
// what others propose, the likeliest that has an action stands in for it.
ExportedDecision exported_strategy(const ComparisonResult& result, const ExportTerms& terms) {
  const ResultPortfolio& of = *result.portfolio;
  const std::size_t leads = of.leading(), place = of.handed_on();
  if (place == of.strategies.size())
    throw Error(Code::kUnavailable,
                "found no strategy with a decision of its own, expected one besides those that are proposed or logged",
                "portfolio");
  const ResultStrategy& strategy = of.strategies[place];
  const ResultStrategy& today = of.strategies.front();
  ExportedDecision decision{.which = terms.which,
                            .verdict = "not judged",
                            .baseline = today.name,
                            .rounds = static_cast<double>(result.rounds),
                            .strategy = strategy.name,
                            .today_leads = leads == 0 && place != 0};
  decision.gain = strategy.gain;
  decision.says = "not judged: nothing is done today that it could be held against";
  if (place == 0) {
    decision.verdict = "keep";
    decision.says = "keep " + strategy.name + ": the portfolio ended on it";
  } else if (const auto& judged = strategy.judgement) {
    decision.verdict = judged->recommendation;
    decision.says = judged->says;
    decision.doubts = doubts_json(judged->doubts);
    decision.gain = judged->gain;
    decision.range = pair_of(judged->range);
  }
  const Json& action = strategy.final_action;
  decision.segments.push_back({{}, action, terms.words ? terms.words(action) : dump(action)});
  return decision;
}

}  // namespace

ExportedDecision exported_decision(const ComparisonResult& result, const ExportTerms& terms) {
  const bool next = terms.which == "next";
  assert(next || result.holdout);
  const ResultPlayer& player = result.players[terms.player];
  if (next && result.portfolio && result.portfolio->player == player.name) return exported_strategy(result, terms);
  const bool hindsight = player.role == "hindsight";
  ExportedDecision decision{.which = next && hindsight ? "hindsight" : terms.which,
                            .verdict = "not judged",
                            .baseline = player.against.empty() ? result.baseline : player.against,
                            .rounds = next ? static_cast<double>(result.rounds) : result.holdout->from};
  // What is judged is what is written.
  const ResultJudgement* judged = !next ? &result.holdout->judgement : player.judgement ? &*player.judgement : nullptr;
  if (judged) {
    decision.verdict = judged->recommendation;
    decision.says = judged->says;
    decision.doubts = doubts_json(judged->doubts);
    decision.gain = judged->gain;
    decision.range = pair_of(judged->range);
  } else {
    decision.says = "not judged: only what a learner would play next is";
    // More money, or less of a loss.
    if (!hindsight) decision.gain = result.reward() ? player.over_baseline : -player.over_baseline;
  }
  const auto add = [&](std::vector<std::string> values, const Json& action) {
    decision.segments.push_back({std::move(values), action, terms.words ? terms.words(action) : dump(action)});
  };
  if (terms.orders.empty()) {
    add({}, next ? player.final_action : result.holdout->action);
    return decision;
  }
  decision.columns = terms.orders[order_of_map(player.report)];
  for (const Json& visited : player.report.at("map").as_array()) {
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
  if (decision.today_leads && decision.verdict != "deploy")
    throw Error(Code::kLosingDecision,
                "found a portfolio that ended on \"" + decision.baseline + "\", expected another way; the file, of \"" +
                    decision.strategy + "\" (" + decision.verdict + "), is not written, " + refusal.otherwise,
                refusal.at);
  if (decision.verdict == "deploy" || !decision.gain || *decision.gain >= 0) return;
  throw Error(Code::kLosingDecision,
              "found a decision that loses " + money_text(std::abs(*decision.gain), refusal.currency) + " against \"" +
                  decision.baseline + "\" (" + decision.verdict +
                  "), expected one that gains; the file is not written, " + refusal.otherwise,
              refusal.at);
}

}  // namespace hannan::detail

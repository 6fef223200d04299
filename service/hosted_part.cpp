// What is different for a learner that sees a part of its rounds: a message says what was seen, and a decision has its
// coin. A round's row is a line of a record, so that `hannan verify` can check the log. Where the client throws the
// coins a row is a message: {"t","decision"} and what the client said, "counted" the decisions that count after it, and
// the "steps" of the learner inside.
#include <utility>

#include "hannan/core/error.hpp"
#include "hannan/io/fields.hpp"
#include "hannan/play/record_writer.hpp"
#include "hannan/runtime/looks_learner.hpp"
#include "hannan/runtime/round_json.hpp"
#include "service/codes.hpp"
#include "service/decision_prices.hpp"
#include "service/hosted_learner.hpp"

namespace hannan::detail::service {
namespace {

namespace part_answer {

using namespace round_fields;
constexpr RoundField kDecidedLooking[] = {kNumber, kAction, kLook, kShare, kChoice, kRate, known(kRegime)};
constexpr RoundField kDecidedByElements[] = {kNumber, kAction, kRate, kDrawCap};

}  // namespace part_answer

// As read_seen takes it. A row has the learner's own coin too, which is no part of what the client said.
Json message_for(const PartLearner& learner, const Incoming& incoming) {
  Json message = Json::object();
  for (const auto& [name, value] : incoming.seen.as_object()) {
    if (learner.coins_from_elsewhere() || (name != "look" && name != "share")) message.set(name, value);
  }
  if (learner.decisions()) message.set("decision", incoming.decision);
  return message;
}

}  // namespace

void HostedLearner::check_part(const Incoming& incoming, std::uint64_t round, const std::string& path) const {
  PartLearner* part = made_.learner.as<PartLearner>();
  if (!part) return;
  if (const ClientDecisions* decisions = part->decisions()) {
    using Standing = ClientDecisions::Standing;
    if (incoming.decision == 0)
      throw Error(Code::kMissingField, "found no decision, expected the one that the message is about", path);
    part->act();  // the current decision is made by asking for it
    const Standing standing = decisions->standing(incoming.decision);
    if (standing == Standing::kNeverMade)
      throw Error(kUnknownDecision, "found a decision that was never made, expected an open one", path);
    if (standing == Standing::kCounts)
      throw Error(kUnknownDecision, "found a decision that counts already, expected an open one", path);
  } else if (incoming.decision != 0 && incoming.decision < round) {
    throw Error(
        kUnknownDecision,
        "found a decision that was answered already, expected the current one, of round " + std::to_string(round),
        path);
  }
  // What comes after another of the same request meets a learner that was told that one.
  if (round != current()) return;
  part->act();
  const Json message = message_for(*part, incoming);
  Fields in(message, "");
  part->check_seen(part->read_seen(in));
}

// Coins of a client are answered by messages about decisions, all others by what was seen of the round.
Row HostedLearner::play_part(PartLearner& learner, const Incoming& incoming) {
  const bool client = learner.decisions() != nullptr;
  Row row{.log = log_, .t = position() + 1, .id = incoming.id, .decision = 0, .time = 0, .line = {}};
  row.decision = client ? incoming.decision : learner.decision();
  learner.act();
  const Json message = message_for(learner, incoming);
  Fields in(message, "");
  const Round& round = learner.observe(learner.read_seen(in));
  seen_.oracle_calls = round.oracle_calls;
  if (round.elements) seen_.total = round.total / round.of->game->normaliser();
  if (!client) {
    row.line = record_line(round);
    return row;
  }
  row.line = dump(client_line({.t = row.t, .decision = incoming.decision, .sent = incoming.seen}, learner));
  return row;
}

// `action` is what to play; where the client throws the coins, what to play where there is no look. `look_action` is
// what is played in a look, null where that is the action itself.
Json HostedLearner::part_decision(PartLearner& learner) const {
  const Round& decided = learner.act();
  const auto fields = decided.elements ? RoundFields(part_answer::kDecidedByElements) : part_answer::kDecidedLooking;
  Json answer = round_json(decided, fields, {{"decision", decision_name(log_.generation, decided.number)}});
  if (decided.looked) answer.set("look_action", learner.params().at("look"));
  if (Json prices = prices_of(made_.config, answer.at("action")); !prices.is_null())
    answer.set("prices", std::move(prices));
  return answer;
}

// Of the report: what was seen, estimates and limits. One value of `run` or `measured` misleads: it is in reports
// alone.
Json HostedLearner::part_figures(PartLearner& learner) {
  const Json report = learner.report();
  Json figures = Json::object();
  for (const char* name : {"feedback", "rounds", "looks", "looks_expected", "lost", "look_cost", "raw_total", "total",
                           "estimate", "limit", "delta", "against", "waiting", "void", "warnings"}) {
    if (const Json* found = report.find(name)) figures.set(name, *found);
  }
  if (const Json* over = report.find("over_normaliser"))
    figures.set("total", over->at("total")).set("limit", over->at("limit"));
  return figures.set("share", learner.round().share);
}

}  // namespace hannan::detail::service

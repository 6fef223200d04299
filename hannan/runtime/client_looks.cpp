// Looks whose coins a client throws (client_decisions.hpp): a decision serves many rounds, and counts when it is closed
// and all its looks have come, in the order of issue. Then the rounds pass, and its looks are learned from in the order
// of their coming: D, Q, A and X take the choice of the looks' own decision, which was played; gaps and `run` that of
// the learner when it is told. Noise is that of the next round and stays for the whole decision, which is valid for
// data that do not react within it.
#include <algorithm>
#include <cmath>

#include "hannan/core/error.hpp"
#include "hannan/runtime/looks_learner.hpp"
#include "hannan/runtime/round_json.hpp"

namespace hannan::detail {
namespace {

namespace learned_step {

using namespace round_fields;
constexpr RoundField kFields[] = {known(kAfter), kGap, kStability, kSwitched};

}  // namespace learned_step

// Ad servers take shares in whole percents, and what they are told is the share of the decision: rounded up, so that no
// look is promised that is not made. 1e-9 is for shares that are whole percents but for their rounding.
double whole_percent(double share) { return std::max(1.0, std::ceil(100 * share - 1e-9)) / 100; }

}  // namespace

// A choice and a share change only when a decision counts: until then they are functions of the same state.
const Round& LooksLearner::act_for_client() {
  using Standing = ClientDecisions::Standing;
  if (decisions_.current() == 0 || decisions_.standing(decisions_.current()) != Standing::kOpen) {
    const double share = chance();
    decisions_.issue(learner_->act().action, account_.look_action() && game().money() ? whole_percent(share) : share);
  }
  const Decision& decision = learner_->act();
  round_.take(decision);
  round_.multiplier = decision.noise_scale();
  choice_ = decisions_.now().choice;
  round_.number = decisions_.current();
  round_.action = looked_.choice = &choice_;
  round_.share = decisions_.now().share;
  looked_.look.reset();
  return round_;
}

const Round& LooksLearner::tell(const ClientMessage& message) {
  act();
  const bool begins = decisions_.messages() == 0;
  decisions_.check(message);
  steps_ = Json::array();
  noted_ = !begins;
  note_decision();
  if (begins) note_issued();
  decisions_.take(message);
  gap_ = 0;
  while (const ClientDecisions::Decision* first = decisions_.complete()) {
    count(*first);
    decisions_.count();
  }
  const std::uint64_t issued = decisions_.current();
  act();
  note_decision();
  if (decisions_.current() > issued) note_issued();
  looked_.look = false;
  show({.lost = message.kind == ClientMessage::Kind::kLost, .raw = {}, .parts = {}, .message = {}});
  return round_;
}

void LooksLearner::count(const ClientDecisions::Decision& of) {
  if (of.dropped) return;
  account_.pass(of.share, of.rounds);
  const auto seen =
      static_cast<std::uint64_t>(std::ranges::count_if(of.looks, [](const auto& y) { return y.has_value(); }));
  if (of.rounds > seen) {
    note_decision();
    steps_.push_back(Json::object({{"skipped", of.rounds - seen}}));
    skip(of.rounds - seen);
    noted_ = false;
  }
  for (const auto& y : of.looks) {
    if (y) {
      note_decision();
      account_.look(of.choice, *y, of.share);
      take(*y, 1 / of.share);
      note_learned();
    } else {
      account_.lose(of.share);
    }
  }
}

// Once for each round that the learner inside decides for, when it is first needed.
void LooksLearner::note_decision() {
  if (noted_) return;
  noted_ = true;
  const Decision& decision = learner_->act();
  Json step = Json::object({{"choice", game().action_json(decision.action)}, {"multiplier", decision.noise_scale()}});
  if (!decision.regime.empty()) step.set("regime", std::string(decision.regime));
  steps_.push_back(std::move(step));
}

void LooksLearner::note_issued() {
  steps_.push_back(Json::object({{"issued", decisions_.current()}, {"share", decisions_.now().share}}));
}

void LooksLearner::note_learned() {
  round_.gap = gap_;
  round_.stability = stability_;
  steps_.push_back(round_json(round_, learned_step::kFields));
  noted_ = false;
}

// A look with its outcome or lost, the end of a decision, or that it can never end.
PartLearner::Seen LooksLearner::read_message(Fields& in) {
  using Kind = ClientMessage::Kind;
  ClientMessage message;
  message.decision = static_cast<std::uint64_t>(in.integer("decision", {1, std::int64_t{1} << 52}));
  const bool look = in.flag("look", false), lost = in.flag("lost", false), dropped = in.flag("void", false);
  const Json* outcome = in.maybe("outcome");
  const bool shown = outcome && !outcome->is_null();
  const bool closes = in.has("rounds");
  if (look + closes + dropped != 1) {
    throw Error(Code::kMissingField,
                R"(found what is none of three, or several, expected "look": true with an outcome or "lost": true, )"
                R"("rounds" with "looks", or "void": true)",
                in.at("look"));
  }
  if (look && shown == lost)
    throw Error(Code::kBadOutcome, R"(expected the outcome of the look, or "lost": true where it is gone)", "outcome");
  if (!look && (shown || lost))
    throw Error(Code::kBadOutcome, R"(found an outcome beside the end of a decision, expected "look": true with it)",
                "outcome");
  message.kind = dropped ? Kind::kDrop : closes ? Kind::kClose : lost ? Kind::kLost : Kind::kLook;
  if (closes) {
    constexpr auto kMost = static_cast<std::int64_t>(ClientDecisions::kMostRounds);
    message.rounds = static_cast<std::uint64_t>(in.integer("rounds", {0, kMost}));
    message.looks = static_cast<std::uint64_t>(in.integer("looks", {0, kMost}));
  }
  in.done();
  if (look && shown) message.outcome = &read(*outcome, "outcome");
  return {.raw = {}, .parts = {}, .message = message};
}

}  // namespace hannan::detail

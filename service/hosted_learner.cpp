// A round is one call of play() with a source of one outcome: the same code as everywhere, so that a row is a line of a
// record. recent_ has the actions of consecutive rounds, the last kRecentActions: round r is at r - front. An older
// decision is looked up in the log.
#include "service/hosted_learner.hpp"

#include <fmt/format.h>

#include <utility>

#include "hannan/core/error.hpp"
#include "hannan/core/long_sums.hpp"
#include "hannan/io/fields.hpp"
#include "hannan/play/record_writer.hpp"
#include "hannan/runtime/best_known.hpp"
#include "hannan/runtime/round_json.hpp"
#include "service/codes.hpp"
#include "service/decision_prices.hpp"
#include "service/json_values.hpp"
#include "service/judged_gain.hpp"
#include "service/learner_figures.hpp"
#include "service/portfolio_figures.hpp"

namespace hannan::detail::service {
namespace {

// Chosen: decisions that are used later than that are looked up in the log.
constexpr std::size_t kRecentActions = 1024;

// One outcome at hand.
class OneOutcome final : public Source {
 public:
  OneOutcome(Incoming& incoming, std::vector<Proposal> proposals)
      : incoming_(incoming), proposals_(std::move(proposals)) {}
  bool next(AnyOutcome& outcome) override {
    outcome = incoming_.outcome;
    return true;
  }
  std::span<const std::string> context() const override { return incoming_.context; }
  std::optional<double> today_loss() const override { return incoming_.today; }
  Proposals proposals() const override { return proposals_; }
  bool skip() override { return false; }

 private:
  Incoming& incoming_;
  std::vector<Proposal> proposals_;
};

namespace answer {

using namespace round_fields;
constexpr RoundField kDecided[] = {kNumber, kAction, kRate, known(kRegime), known(kWeights)};
constexpr RoundField kDrawn[] = {kNumber, kAction, kStrategy};  // of a portfolio
constexpr RoundField kExplained[] = {kNumber, kAction, kStrategy, kShare, kWeights, kHeld, kProposals};

}  // namespace answer

// The name of the first field in which two lines differ.
// For the message of a quarantine: the first field of the logged line that this program computes otherwise.
std::string first_difference(const std::string& a, const std::string& b) {
  const Json left = parse_json(a), right = parse_json(b);
  if (!left.is_object() || !right.is_object()) return "line";
  for (const auto& [name, value] : left.as_object()) {
    const Json* other = right.find(name);
    if (!other || !(*other == value)) return name;
  }
  return "line";
}

// What was decided in the round of this row; null where the line does not say.
Json action_of(const Row& row) {
  const Json line = parse_json(row.line);
  const Json* action = line.find("action");
  return action ? *action : Json();
}

}  // namespace

ReplayDiffers::ReplayDiffers(std::uint64_t round, const std::string& what)
    : std::runtime_error(fmt::format("round {}: {}", round, what)), round_(round) {}

// "g1.1042": the generation and the round. A reset makes a new generation, so that names are never used twice.
std::string decision_name(std::uint64_t generation, std::uint64_t round) {
  return fmt::format("g{}.{}", generation, round);
}

// From a fresh learner, or from one that was made from a state of elsewhere: what happened before it came is known only
// as far as its state says.
HostedLearner::HostedLearner(MadeLearner made, LogName log)
    : made_(std::move(made)), log_(log), baselines_(*made_.problem) {
  AnyLearner& learner = *made_.learner;
  if (auto* late = made_.learner.as<DelayedLearner>()) delayed_.emplace(*late, *made_.problem);
  // Rounds are settled in another order than their outcomes come: what they bring without reserves is not summed up.
  if (delayed_) baselines_.load(Baselines::unknown(), "yardsticks");
  if (delayed_ && delayed_->played() > delayed_->settled()) last_decision_ = open_decision(delayed_->played());
  if (learner.rounds() == 0) return;
  // It was made from a state.
  baselines_.load(Baselines::unknown(), "yardsticks");
  if (made_.learner.as<PartLearner>()) return;  // nothing of it is known that rests on what was not seen
  const RunFacts facts = learner.facts();
  seen_.total = facts.total;
  seen_.oracle_calls = facts.oracle_calls;
  if (made_.learner.as<PortfolioLearner>()) return;  // its statements are not about the best fixed choice
  seen_.best = facts.best;
  seen_.regret = facts.total - facts.best;
  floor_ = facts.best - best_known(facts).unproven();
}

// How many values a context has; 0 for a learner without contexts.
std::size_t HostedLearner::columns() const {
  if (const PortfolioLearner* portfolio = made_.learner.as<PortfolioLearner>()) return portfolio->columns();
  const ContextLearner* tree = made_.learner.as<ContextLearner>();
  return tree ? tree->by().size() : 0;
}

double HostedLearner::segment_bytes() const {
  if (const PortfolioLearner* portfolio = made_.learner.as<PortfolioLearner>()) return portfolio->segment_bytes();
  const ContextLearner* tree = made_.learner.as<ContextLearner>();
  return tree ? tree->segment_bytes() : 0;
}

double HostedLearner::segment_bytes_after(const std::vector<Incoming>& outcomes) const {
  std::vector<ContextLearner::Context> contexts;
  for (const Incoming& incoming : outcomes) contexts.emplace_back(incoming.context);
  if (const PortfolioLearner* portfolio = made_.learner.as<PortfolioLearner>())
    return portfolio->segment_bytes_after(contexts);
  const ContextLearner* tree = made_.learner.as<ContextLearner>();
  return tree ? tree->segment_bytes_after(contexts) : 0;
}

// A rehearsal that is refused throws here, before the learner has changed. The first rounds of a portfolio that asks
// for a rehearsal are rehearsed whatever the client says of them.
Row HostedLearner::play(Incoming& incoming, RowReader& log) {
  if (position() < made_.config.rehearsed) incoming.warm = true;
  if (incoming.warm) made_.learner->check_rehearsal("warm");
  if (auto* late = made_.learner.as<DelayedLearner>()) return play_delayed(*late, incoming);
  if (auto* part = made_.learner.as<PartLearner>()) return play_part(*part, incoming);
  return play_round(incoming, log, {});
}

// `decided`: what another program decided for this round, null if none did.
Row HostedLearner::play_round(Incoming& incoming, RowReader& log, Json decided) {
  Row row{.log = log_, .t = position() + 1, .id = incoming.id, .decision = 0, .time = 0, .line = {}};
  auto* portfolio = made_.learner.as<PortfolioLearner>();
  OneOutcome source(incoming, proposals_in(incoming));
  Listeners listeners;
  if (incoming.warm) listeners.observed = [&](const Round&) { made_.learner->count_as_rehearsed(); };
  listeners.round = [&](const Round& round) {
    row.line = record_line(round);
    seen_ = round;
    const Json action = round.action_json();
    if (decided == action) decided = {};
    recent_.emplace_back(row.t, columns() > 0 ? Json() : decided.is_null() ? action : decided);
    if (recent_.size() > kRecentActions) recent_.pop_front();
  };
  // One round of the common loop: the row is then byte for byte a line of a record, and `hannan verify` can check the
  // log.
  // What was shown to readers, for another context or for nothing, does not decide the round: this outcome's own
  // context does. A decision that a request made stands, and check_told has held the context against it.
  if (portfolio && decided_by_request_ != row.t && (columns() > 0 || incoming.warm)) portfolio->reopen();
  if (portfolio && incoming.warm) {
    const auto seen = portfolio->seen(incoming.context, source.proposals());
    listeners.round(portfolio->rehearse(seen, incoming.outcome, incoming.today));
  } else {
    hannan::detail::play(made_.learner, source, listeners, 1);
  }
  // 0 in the row: nothing is known of what was played, so the round is not charged to any decision.
  row.decision = incoming.unattributed || incoming.warm ? 0 : incoming.decision == 0 ? row.t : incoming.decision;
  if (!incoming.warm) charge(incoming, row.t, decided, log);
  take_figures(row.t, incoming.outcome);
  return row;
}

// Costs O(1) but at the rounds at which a bound is due, where the certificate and the judgement are computed.
void HostedLearner::take_figures(std::uint64_t round, const AnyOutcome& outcome) {
  floor_.reset();
  std::optional<Interval> regret;
  BestKnown best;
  if (seen_.best) {
    best = best_known(made_.learner->facts());
    floor_ = *seen_.best - best.unproven();
    regret = Interval{seen_.total - *seen_.best, seen_.total - *floor_};
  }
  curve_.add({.round = round, .total = seen_.total, .regret = regret});
  if (const PortfolioLearner* portfolio = made_.learner.as<PortfolioLearner>();
      portfolio && portfolio->rule().played() > 0) {
    const PortfolioRule& rule = portfolio->rule();
    gains_.add({.round = rule.played(), .total = rule.gain(), .regret = Interval{-rule.today(), -rule.today()}});
  }
  const bool rehearsed = round <= made_.learner->rehearsed().rounds;
  const auto look =
      baselines_.add(outcome, {.loss = seen_.loss, .regret = regret, .rehearsed = rehearsed}, *made_.learner);
  if (look == Baselines::Look::kNone || !baselines_.without() || !baselines_.stretches()) return;
  judged_ = judged_gain({.config = made_.config,
                         .problem = *made_.problem,
                         .without = *baselines_.without(),
                         .stretches = *baselines_.stretches(),
                         .best = best});
}

// played - learned, of a round whose decision was an older one: the loss of that action against this outcome less what
// the learner was charged.
void HostedLearner::charge(const Incoming& incoming, std::uint64_t round, const Json& decided, RowReader& log) {
  // The decision used is the one that the learner was charged for: drift 0, unless another program decided it.
  const bool at_once = !incoming.unattributed && (incoming.decision == 0 || incoming.decision == round);
  if (at_once && decided.is_null()) return;
  const Json action = incoming.unattributed ? Json() : at_once ? decided : played_action(incoming.decision, log);
  if (action.is_null()) {
    ++unattributed_;
    add_carried(uncharged_.value, uncharged_.carry, seen_.loss);
    return;
  }
  if (!at_once) ++late_;
  const Json outcome = made_.problem->game().outcome_json(incoming.outcome);
  add_carried(drift_.value, drift_.carry, made_.problem->loss(action, outcome).loss - seen_.loss);
}

// Null where the row is gone, or where what was played depended on the context.
Json HostedLearner::played_action(std::uint64_t round, RowReader& log) {
  if (!recent_.empty() && round >= recent_.front().first) {
    const std::uint64_t place = round - recent_.front().first;
    return place < recent_.size() ? recent_[place].second : Json();  // of a round that is still to come: none
  }
  const auto rows = log.rows_after(log_, round - 1, 1);
  return rows.empty() || rows.front().t != round ? Json() : action_of(rows.front());
}

// Plays logged rounds again, each from its outcome. The learner is a function of its configuration and the outcomes, so
// that every line must come out as it is in the log; with kLearnedAgain what was decided then is kept as played, and
// the learner goes on by what it decides now.
void HostedLearner::replay(const std::vector<Row>& rows, RowReader& log, Differing differing) {
  const bool again_from_outcomes =
      differing == Differing::kLearnedAgain && !delayed_ && !made_.learner.as<PartLearner>();
  for (const Row& row : rows) {
    const std::uint64_t round = position() + 1;
    // Rows are numbered without a gap; one that is missing means damage, whatever the setting.
    if (row.t != round) throw ReplayDiffers(round, fmt::format("found round {} in the log, expected no gap", row.t));
    Row again;
    try {
      Incoming incoming = incoming_of(row);
      again = again_from_outcomes ? play_round(incoming, log, action_of(row)) : play(incoming, log);
    } catch (const Error& e) {
      throw ReplayDiffers(round, e.what());
    }
    // Byte for byte: the same program on the same rows writes the same line, or something is wrong.
    if (again.line == row.line) continue;
    if (!again_from_outcomes) {
      throw ReplayDiffers(round, fmt::format("found another {} in the log than this program computes",
                                             first_difference(row.line, again.line)));
    }
    ++learned_again_;
  }
}

// The form of a decision in answers and events.
Json HostedLearner::decision_json(const Round& decided, Explained explained) const {
  const auto& fields = decided.strategies.empty()     ? RoundFields(answer::kDecided)
                       : explained == Explained::kYes ? RoundFields(answer::kExplained)
                                                      : RoundFields(answer::kDrawn);
  Json answer = round_json(decided, fields, {{"decision", decision_name(log_.generation, decided.number)}});
  if (Json prices = prices_of(made_.config, answer.at("action")); !prices.is_null())
    answer.set("prices", std::move(prices));
  return answer;
}

// On the writer's thread, because act() may search and changes what the learner has cached.
Json HostedLearner::decision_for(const std::vector<std::string>& context, Explained explained) {
  return made_.learner.visit(
      [&](PlainLearner& learner) { return decision_json(learner.act()); },
      [&](DelayedLearner&) {
        if (last_decision_.is_null())
          throw Error(kUnknownDecision, "found no decision yet, expected one; make it with POST .../decisions",
                      "decision");
        return last_decision_;
      },
      [&](ContextLearner& learner) {
        Round round = learner.act(context);
        round.weights = {};  // of its segments, which the answer does not name
        Json answer = decision_json(round);
        const auto depth = static_cast<std::ptrdiff_t>(round.pick);
        return answer.set("segment", Json(std::vector<std::string>(context.begin(), context.begin() + depth)));
      },
      [&](SleepingLearner& learner) { return decision_json(learner.act()); },
      [&](PortfolioLearner& learner) {
        if (learner.takes_proposals() && decided_by_request_ != current())
          throw Error(kUnknownDecision,
                      "found a round that is not decided yet, expected one that is: POST .../decisions with what is "
                      "proposed for it",
                      "decision");
        if (learner.columns() > 0 && !learner.takes_proposals()) learner.reopen();  // others ask by other contexts
        return decision_json(learner.act({context, {}}), explained);
      },
      [&](PartLearner& learner) { return part_decision(learner); });
}

// Everything that readers may ask for without the writer, as one immutable value.
Published HostedLearner::publish() {
  Published now;
  now.generation = log_.generation;
  now.rounds = delayed_ ? delayed_->settled() : made_.learner->rounds();
  now.delayed = delayed_.has_value();
  now.position = position();
  now.current = current();
  now.open = delayed_ ? delayed_->played() - delayed_->settled() : 0;
  const PortfolioLearner* portfolio = made_.learner.as<PortfolioLearner>();
  if (delayed_ && last_decision_.is_null()) {
    now.current = 0;
  } else if (portfolio && (portfolio->takes_proposals() || portfolio->rehearses())) {
    // It is decided by a request, or not at all yet: there is nothing that all readers could be shown.
  } else if (columns() == 0) {
    now.decision = decision_for({});
    now.action = now.decision.at("action");
    if (const Json* regime = now.decision.find("regime")) now.regime = regime->as_string();
  } else {
    now.decision = Json::object({{"decision", decision_name(log_.generation, current())}, {"round", current()}});
  }
  now.decision_text = dump(now.decision);
  if (auto* part = made_.learner.as<PartLearner>()) now.part = part_figures(*part);
  now.total = seen_.total;
  now.best = seen_.best;
  now.regret = seen_.regret;
  now.floor = floor_;
  now.oracle_calls = seen_.oracle_calls;
  now.drift = drift_.value;
  now.played = seen_.total - made_.learner->rehearsed().total - uncharged_.value + drift_.value;
  now.late = delayed_ ? delayed_->late() : late_;
  now.unattributed = unattributed_;
  now.bound = baselines_.last();
  now.without = baselines_.without();
  now.judged = judged_;
  if (auto* of = made_.learner.as<PortfolioLearner>()) now.portfolio = portfolio_figures(*of);
  now.standing_text = dump(standing_json(now));
  return now;
}

// The learner's own report, and beside it what was really played: outcomes may belong to older decisions than the
// learner was charged for.
Json HostedLearner::report() {
  Json report = with_best_range(made_.learner->report(), made_.problem->game());
  if (made_.learner.as<PartLearner>()) return report;  // what was played and learned from is one: its decisions are
  if (delayed_) {
    // What was played is what was learned from: the certificate is of it, over the settled rounds.
    report.set("played",
               Json::object({{"total", seen_.total},
                             {"learned", seen_.total},
                             {"drift", 0},
                             {"late", delayed_->late()},
                             {"unattributed", 0},
                             {"rounds", delayed_->played()},
                             {"settled", delayed_->settled()},
                             {"arrived", delayed_->arrived()},
                             {"arrived_total", delayed_->arrived_total()},
                             {"assumes", "each outcome is fixed in its own round, before any later action is seen"}}));
    return report;
  }
  const double total = seen_.total - made_.learner->rehearsed().total - uncharged_.value;
  Json played = Json::object({{"total", total + drift_.value},
                              {"learned", total},
                              {"drift", drift_.value},
                              {"late", late_},
                              {"unattributed", unattributed_},
                              {"assumes", "outcomes do not react to decisions taken within the delay"}});
  if (learned_again_ > 0) played.set("learned_again", learned_again_);
  return report.set("played", std::move(played));
}

}  // namespace hannan::detail::service

// Rounds that are seen in part (looks_learner.hpp; docs/theory-partial.md).
//
//   act      eps = the share of the round; look = u < eps, u drawn for the round or given
//   observe  a look: the learner inside takes y with weight 1/eps and the gap that it makes, at most 1/eps times the
//            range; no look: it skips the round, whose noise is fresh all the same
//   run      M z_1 + sum of gaps + moves of the multiplier + look_cost: an estimate, whose mean bounds the mean regret
//
// Invariant: learner, account of moves and account of looks speak of the same rounds. A refused outcome changes none.
#include "hannan/runtime/looks_learner.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "hannan/core/error.hpp"
#include "hannan/core/keyed_random.hpp"
#include "hannan/game/money.hpp"

namespace hannan::detail {
namespace {

std::shared_ptr<const Game> can_look(std::shared_ptr<const Game> game, const LookParams& looks) {
  if (game->sleeps())
    throw Error(Code::kUnavailable, "found looks with experts that sleep, expected one of them", "params.feedback");
  if (looks.share == LookParams::Share::kAdaptive && !game->known_range()) {
    throw Error(Code::kUnavailable,
                "found \"adaptive\", expected a number or \"logged\": the range of the losses is not known, and the "
                "share follows it",
                "params.share");
  }
  return game;
}

AnyAction read_action(const Game& game, const Json& json, const std::string& path) {
  try {
    return game.parse_action(json, path);
  } catch (const Error& e) {
    throw Error(Code::kBadAction, "found what is no action: " + e.message(), path);
  }
}

// Where actions are money, one that asks for any hides what it turns away.
AnyAction read_look(const Game& game, const Json& json) {
  AnyAction action = read_action(game, json, "params.look");
  const auto money = game.money();
  if (!money || money->amounts.what.empty()) return action;
  const bool asks_nothing = money->first_asks_nothing && game.first_actions(1).front() == action;
  if (asks_nothing) return action;
  throw Error(Code::kUnavailable,
              money->first_asks_nothing
                  ? "found an action that hides outcomes, expected the one that asks for nothing, or null"
                  : "found an action, expected null: every action here hides outcomes (reserves among prices, which "
                    "begin at 0, have one that does not)",
              "params.look");
}

std::string in_round(std::uint64_t round) { return "round " + std::to_string(round); }

}  // namespace

LooksLearner::LooksLearner(std::shared_ptr<const Game> game, LearnerParams params)
    : PartLearner(can_look(std::move(game), *params.looks), params.kind->name,
                  {.adapts_multiplier = true, .switches = params.kind->switches}),
      maker_(shared_game(), std::move(params)),
      learner_(maker_.make()),
      moves_({.pivot = Pivot::kLeader, .gamma = {}}),
      account_(this->game(), account_setting()) {
  if (!maker_.oracle()->scales()) {
    throw Error(Code::kUnavailable,
                "oracle \"" + maker_.oracle()->name() +
                    "\" keeps a history that cannot be scaled, which outcomes with weights need; use an oracle of the "
                    "program",
                "params.oracle");
  }
  learner_->weigh();
  params_ = learner_json(maker_.params());
  round_.looked = &looked_;
}

LooksAccount::Setting LooksLearner::account_setting() const {
  LooksAccount::Setting setting{
      .look = {}, .against = {}, .range = game().known_range(), .delta = maker_.params().delta};
  if (!looks().look.is_null()) setting.look = read_look(game(), looks().look);
  if (!looks().against) {
    if (setting.look) setting.against.push_back(*setting.look);
    return setting;
  }
  for (std::size_t i = 0; i < looks().against->size(); ++i)
    setting.against.push_back(read_action(game(), (*looks().against)[i], path_of("params.against", i)));
  return setting;
}

double LooksLearner::gap_sum() const { return stability_.value[0] + stability_.value[1]; }

double LooksLearner::chance() const {
  if (looks().share == LookParams::Share::kFixed) return looks().chance;
  const double rounds = looks().cost * static_cast<double>(learner_->rounds() + 1);
  return std::min(1.0, std::max(1 / std::sqrt(rounds), gap_sum() / (*game().known_range() * rounds)));
}

bool LooksLearner::coin() const {
  const std::uint64_t round = learner_->rounds() + 1;
  if (!looks().coins) return KeyedRandom(maker_.params().key, Purpose::kLook, round).uniform(0) < *round_.share;
  const auto& coins = *looks().coins;
  if (round > coins.size()) {
    throw Error(Code::kNoiseExhausted,
                "coins were given for " + std::to_string(coins.size()) + " rounds, and this is " + in_round(round),
                "params.coins");
  }
  return coins[round - 1] < *round_.share;
}

const Round& LooksLearner::act() {
  if (by_client()) return act_for_client();
  const Decision& decision = learner_->act();
  choice_ = decision.action;
  round_.take(decision);
  round_.multiplier = decision.noise_scale();
  round_.number = learner_->rounds() + 1;
  looked_.choice = &choice_;
  round_.share.reset();
  looked_.look.reset();
  if (!logged()) {
    round_.share = chance();
    looked_.look = coin();
  }
  round_.action = looked_.look.value_or(false) && account_.look_action() ? &*account_.look_action() : &choice_;
  told_ = true;
  return round_;
}

// Before anything changes. The order of complaints: what the coin says of the outcome, then whether it was asked for.
void LooksLearner::expect(const Seen& seen) const {
  const std::string round = in_round(round_.number);
  const auto refused = [](const std::string& what) { throw Error(Code::kBadOutcome, what, "outcome"); };
  if (*looked_.look) {
    if (seen.outcome && seen.lost) refused("found an outcome and lost, expected one of them");
    if (!seen.outcome && !seen.lost)
      refused(round + " was a look: send its outcome, or \"lost\": true where it is gone");
    return;
  }
  if (seen.lost) refused(round + " was no look: nothing can be lost");
  if (seen.outcome) refused(round + " was no look: send null; what a decision happened to show must not be used");
}

void LooksLearner::check_seen(const Seen& seen) {
  if (by_client()) {
    if (!seen.message) throw Error(Code::kBadOutcome, "found no message, expected what the client says", "outcome");
    act();
    return decisions_.check(*seen.message);
  }
  const bool was_told = told_;
  act();
  if (logged()) {
    round_.share = seen.share;
    looked_.look = seen.look;
    if (seen.look && account_.look_action()) round_.action = &*account_.look_action();
  }
  told_ = was_told;
  expect(seen);
  if (*looked_.look && !was_told && !logged()) {
    throw Error(
        Code::kBadOutcome,
        in_round(round_.number) + " was a look that was not asked about: act comes before the outcome of a look",
        "outcome");
  }
}

const Round& LooksLearner::observe(const Seen& seen) {
  check_seen(seen);
  if (by_client()) return tell(*seen.message);
  const double share = *round_.share;
  account_.pass(share, seen.rounds);
  gap_ = 0;
  if (seen.outcome) {
    account_.look(choice_, *seen.outcome, share);
    take(*seen.outcome, 1 / share);
  } else {
    if (seen.lost) account_.lose(share);
    skip(seen.rounds);
  }
  if (seen.raw) {
    raw_total_ += *seen.raw;
    raw_rounds_ += seen.rounds;
  }
  told_ = false;
  show(seen);
  return round_;
}

// The leader makes no gap of its own: it is what the round cost beyond the rise of the least weighted sum.
void LooksLearner::take(const AnyOutcome& y, double weight) {
  const double before = best_before_;
  moves_.before(*learner_, y);
  const Decision& played = learner_->act();
  const Step& step = learner_->observe(y, weight);
  if (maker_.params().kind->proof == Proof::kLeader) {
    best_before_ = learner_->seen().peek().value;
    const double most = weight * game().known_range().value_or(INFINITY);
    gap_ = std::clamp(weight * step.loss - (best_before_ - before), 0.0, most);
    stability_ = {1, {stability_.value[0] + gap_, 0}};
    moves_.after(played, {.weight = weight, .gap = gap_});
  } else {
    gap_ = *step.gap;
    stability_ = step.stability;
    moves_.after(played, step);
  }
  round_.take(step);
}

PartLearner::Seen LooksLearner::read_seen(Fields& in) {
  if (by_client()) return read_message(in);
  Seen seen;
  const Json* outcome = in.maybe("outcome");  // left out it is null
  seen.lost = in.flag("lost", false);
  if (in.has("raw")) seen.raw = in.number("raw", kMatrixEntry);
  if (logged()) {
    seen.share = in.number("share", kLookChance);
    seen.look = in.flag("look");
    seen.rounds = static_cast<std::uint64_t>(in.integer("rounds", {1, 1'000'000'000}, 1));
    if (seen.look && seen.rounds > 1)
      throw Error(Code::kOutOfRange, "found several rounds of a look, expected one", in.at("rounds"));
  }
  in.done();
  if (outcome && !outcome->is_null()) seen.outcome = &read(*outcome, "outcome");
  return seen;
}

PartLearner::Seen LooksLearner::shown(const AnyOutcome& y) {
  return {.outcome = act().looked->look.value_or(false) ? &y : nullptr, .raw = {}, .parts = {}, .message = {}};
}

void LooksLearner::skip(std::uint64_t rounds) {
  moves_.skip(*learner_, rounds);
  learner_->skip(rounds);
  round_.after = nullptr;
  round_.switched = false;
}

// What inexact calls left open belongs to it, as in every certificate of a run.
std::optional<double> LooksLearner::run() {
  const LearnerParams& p = maker_.params();
  const AccountSums& sums = moves_.sums();
  const auto cost = account_.look_cost();
  if (account_.lost() > 0 || !cost || !account_.coins_look_fair()) return std::nullopt;
  if (p.takes("noise") && (p.draw != Freshness::kFresh || !(p.alpha || maker_.noise().facts().centred)))
    return std::nullopt;
  double first = 0;
  if (sums.first > 0) first = sums.first * (p.noise_size ? *p.noise_size : maker_.measured_noise_size().high);
  return first + sums.gaps() + sums.moves + sums.left + sums.moved_left + *cost;
}

void LooksLearner::show(const Seen& seen) {
  round_.outcome = seen.outcome;
  round_.gap = gap_;
  round_.stability = stability_.parts > 0 ? stability_ : Stability{maker_.params().kind->switches ? 2 : 1, {0, 0}};
  round_.oracle_calls = learner_->oracle_calls();
  looked_.weight.reset();
  if (*looked_.look) looked_.weight = 1 / *round_.share;
  looked_.lost = seen.lost;
  looked_.raw = seen.raw;
  looked_.rounds = seen.rounds;
  looked_.looks = account_.looks();
  looked_.losses = account_.lost();
  looked_.cost = account_.look_cost();
  looked_.own = account_.own_estimate();
  looked_.best = best();
  looked_.estimate = account_.estimate(*looked_.best);
  round_.run = run();
  round_.limit = account_.limit(*looked_.best);
}

RunFacts LooksLearner::facts() {
  RunFacts run;
  run.ln_size = game().ln_size();
  run.rounds = learner_->rounds();
  run.oracle_calls = learner_->oracle_calls();
  run.search_nodes = learner_->search_nodes();
  run.gap = learner_->oracle_gap();
  run.delta = maker_.params().delta;
  return run;
}

namespace {

constexpr const char* kRunSays =
    "an estimate: the mean regret is at most the mean of this over coins and noise; one value may be far below";
constexpr const char* kLimitSays =
    "with this certainty the realised regret is at most this, at every round; needs fair coins and outcomes that do "
    "not react to the coin of their round";

}  // namespace

// Regret, best and total are not seen: null, whatever the caller plays.
Json LooksLearner::report() {
  const double least = best();
  const auto run_value = run(), limit = account_.limit(least);
  Json against = Json::array();
  for (std::size_t i = 0; i < account_.against().size(); ++i) {
    const auto gain = account_.gain(i);
    against.push_back(Json::object({{"action", game().action_json(account_.against()[i])},
                                    {"estimate", gain.estimate},
                                    {"low", gain.low},
                                    {"high", gain.high}}));
  }
  Json warnings = Json::array(), bounds = Json::array();
  if (!account_.coins_look_fair()) warnings.push_back("the coins do not look fair: estimates and limits do not hold");
  if (run_value) bounds.push_back(stated("run", run_value, kRunSays));
  if (limit) bounds.push_back(stated("limit", limit, kLimitSays));
  const bool all_raw = raw_rounds_ == learner_->rounds() && raw_rounds_ > 0;
  Json report =
      Json::object({{"problem", game().kind()},
                    {"learner", kind()},
                    {"params", params()},
                    {"feedback", "looks"},
                    {"rounds", learner_->rounds()},
                    {"looks", account_.looks()},
                    {"looks_expected", account_.looks_expected()},
                    {"lost", account_.lost()},
                    {"look_cost", account_.look_cost()},
                    {"raw_total", all_raw ? Json(raw_total_) : Json()},
                    {"total", nullptr},
                    {"best", nullptr},
                    {"regret", nullptr},
                    {"estimate", account_.estimate(least)},
                    {"own_estimate", account_.own_estimate()},
                    {"best_estimate", least},
                    {"run", run_value},
                    {"limit", limit},
                    {"delta", maker_.params().delta},
                    {"against", std::move(against)},
                    {"oracle_calls", learner_->oracle_calls()},
                    {"search_nodes", learner_->search_nodes()},
                    {"oracle_gap", learner_->oracle_gap()},
                    {"warnings", std::move(warnings)},
                    {"certificate", Json::object({{"bounds", std::move(bounds)}, {"assumptions", Json::object()}})}});
  if (!by_client()) return report;
  return report
      .set("waiting", Json::object({{"decisions", decisions_.waiting()},
                                    {"first", decisions_.waiting() > 0 ? Json(decisions_.first_waiting()) : Json()}}))
      .set("void", decisions_.dropped());
}

void LooksLearner::archive(Archive& a) {
  learner_->archive(a);
  a.open("looked");
  account_.archive(a);
  a.close();
  moves_.archive(a, game());
  a.field("gaps", stability_.value[0], kSavedNonnegative);
  a.field("flop_gaps", stability_.value[1], kSavedNonnegative);
  a.field("raw_total", raw_total_);
  a.count("raw_rounds", raw_rounds_);
  a.count("told", told_, 1);
  if (by_client()) {
    a.open("client");
    decisions_.archive(a, game());
    a.close();
  }
  if (!a.reading()) return;
  stability_.parts = maker_.params().kind->switches ? 2 : 1;
  best_before_ = best();
}

}  // namespace hannan::detail

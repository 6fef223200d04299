// The rounds of a portfolio over strategies of any kind. Order of a round: all propose, the weights are made, one is
// picked; the outcome gives every loss; what can be refused is refused; the strategies are told, then the rule. A state
// holds no decision: who loads it says again what was proposed.
#include "hannan/runtime/portfolio_learner.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "hannan/core/error.hpp"
#include "hannan/core/keyed_random.hpp"
#include "hannan/runtime/best_known.hpp"
#include "hannan/runtime/default_strategies.hpp"

namespace hannan::detail {
namespace {

// The largest difference between two losses of a round, where it is known before. What was paid in a log is bounded by
// no rule.
std::optional<double> known_largest(const Game& game, bool logged) {
  if (logged && game.loss_range() == LossRange::kUnknown) return std::nullopt;
  return game.known_range();
}

}  // namespace

PortfolioLearner::PortfolioLearner(std::shared_ptr<const Game> game, LearnerParams params)
    : AnyLearner(std::move(game), params.kind->name, {}), key_(params.key), rule_({}) {
  const auto& asked = static_cast<const PortfolioOptions&>(*params.own);
  if (this->game().sleeps())
    throw Error(Code::kUnavailable, "found experts that sleep, expected others: missing = worst gives every one a loss",
                "kind");
  auto named = asked.strategies ? *asked.strategies : default_strategies(this->game(), asked);
  for (StrategyParams& one : named) {
    if (!asked.track.empty() && is_learner(one.kind) && !one.params.find("track")) one.params.set("track", asked.track);
  }
  make_strategies(std::move(named));
  rule_ = PortfolioRule(settled(asked));
  warm_ = asked.warm;
  delta_ = asked.delta;
  u_ = asked.u;
  shadows_ = LongSums(strategies_.size());
  proposed_rounds_.assign(strategies_.size(), 0.0);
  proposed_.resize(strategies_.size());
  for (std::size_t i = 0; i < strategies_.size(); ++i) proposed_[i].name = strategies_[i]->name();
  awake_.resize(played_.size());
  losses_.resize(played_.size());
  weights_.resize(strategies_.size());
  settle_params(asked);
  round_.strategies = proposed_;
}

void PortfolioLearner::refuse(std::string_view path) {
  throw Error(Code::kUnavailable,
              "a portfolio plays rounds of its own kind, with proposals and today's loss, and there are none here; use "
              "`hannan run`, `hannan compare` or `hannan pipe`",
              std::string(path));
}

void PortfolioLearner::make_strategies(std::vector<StrategyParams> all) {
  for (const StrategyParams& params : all) {
    strategies_.push_back(make_strategy(shared_game(), params, key_));
    Strategy& made = *strategies_.back();
    if (!made.shadow()) played_.push_back(strategies_.size() - 1);
    can_fail_ = can_fail_ || (made.learner() && made.learner()->can_fail());
    if (ContextLearner* tree = made.tree()) {
      if (!orders_.empty() && orders_ != tree->orders())
        throw Error(Code::kUnavailable, "found other columns than those of an earlier strategy, expected the same",
                    path_of(params.path, "by"));
      orders_ = tree->orders();
    }
  }
}

PortfolioRule::Setting PortfolioLearner::settled(const PortfolioOptions& asked) {
  PortfolioRule::Setting setting{.strategies = played_.size(), .hard = asked.hard};
  setting.largest = asked.states_largest ? asked.largest : known_largest(game(), takes_today());
  if (!asked.risk && !setting.largest)
    throw Error(Code::kMissingField,
                "expected the amount at risk: no largest difference is known that it could follow from", "params.risk");
  setting.risk = asked.risk ? *asked.risk : 4 * *setting.largest;
  return setting;
}

void PortfolioLearner::settle_params(const PortfolioOptions& asked) {
  Json list = Json::array();
  for (const auto& strategy : strategies_) list.push_back(strategy->params_json());
  params_ = Json::object({{"seed", key_.seed},
                          {"run", key_.run},
                          {"strategies", std::move(list)},
                          {"risk", rule_.setting().risk},
                          {"largest", rule_.setting().largest},
                          {"hard", rule_.setting().hard},
                          {"warm", asked.warm},
                          {"delta", asked.delta}});
  if (u_) params_.set("u", Json(*u_));
}

std::size_t PortfolioLearner::columns() const {
  std::size_t all = 0;
  for (const auto& order : orders_) all += order.size();
  return all;
}

double PortfolioLearner::segment_bytes() const {
  double bytes = 0;
  for (const auto& strategy : strategies_) {
    if (const ContextLearner* tree = strategy->tree()) bytes += tree->segment_bytes();
  }
  return bytes;
}

double PortfolioLearner::segment_bytes_after(std::span<const ContextLearner::Context> contexts) const {
  double bytes = 0;
  for (const auto& strategy : strategies_) {
    if (const ContextLearner* tree = strategy->tree()) bytes += tree->segment_bytes_after(contexts);
  }
  return bytes;
}

bool PortfolioLearner::takes_proposals() const {
  return std::ranges::any_of(strategies_, [](const auto& s) { return s->kind() == "given"; });
}

std::vector<Proposal> PortfolioLearner::read_proposals(const Json& json, std::string_view path) const {
  if (!json.is_object())
    throw Error(Code::kWrongType, "found " + describe(json) + ", expected an object from strategy to its action",
                std::string(path));
  std::vector<Proposal> all;
  for (const auto& [name, action] : json.as_object()) {
    const auto named = std::ranges::find_if(strategies_, [&](const auto& s) { return s->name() == name; });
    const std::string at = path_of(std::string(path), name);
    if (named == strategies_.end() || (*named)->kind() != "given")
      throw Error(Code::kUnknownName, "found \"" + name + "\", expected the name of a strategy of kind \"given\"", at);
    Proposal proposal{name, std::nullopt};
    try {
      if (!action.is_null()) proposal.action = game().parse_action(action, at);
    } catch (const Error& e) {
      throw Error(Code::kBadAction, "strategy \"" + name + "\" proposes what is no action: " + e.message(), at);
    }
    all.push_back(std::move(proposal));
  }
  return all;
}

bool PortfolioLearner::same_question(const Seen& seen) const {
  if (!seen.context.empty() && !std::ranges::equal(seen.context, context_)) return false;
  if (seen.proposals.empty()) return true;
  const auto action_of = [](Proposals of, const std::string& name) -> const AnyAction* {
    const auto found = std::ranges::find(of, name, &Proposal::strategy);
    return found == of.end() || !found->action ? nullptr : &*found->action;
  };
  return std::ranges::all_of(strategies_, [&](const auto& s) {
    const AnyAction *now = action_of(seen.proposals, s->name()), *before = action_of(proposals_, s->name());
    return now && before ? *now == *before : now == before;
  });
}

// Fills in what every strategy proposes. Throws before anything that counts has changed.
void PortfolioLearner::propose(const Seen& seen) {
  if (seen.context.size() != columns())
    throw Error(Code::kMissingField,
                "found " + std::to_string(seen.context.size()) + " values, expected " + std::to_string(columns()) +
                    ", one for each column of the context",
                "context");
  context_.assign(seen.context.begin(), seen.context.end());
  proposals_.assign(seen.proposals.begin(), seen.proposals.end());
  const Seen kept{context_, proposals_};
  for (std::size_t i = 0; i < strategies_.size(); ++i) {
    StrategyRound& into = proposed_[i];
    into = {.name = strategies_[i]->name()};
    strategies_[i]->propose(kept, into);
  }
  if (!proposed_.front().awake)
    throw Error(Code::kMissingField,
                "expected a proposal of \"" + strategies_.front()->name() + "\": today has one in every round",
                path_of("proposals", strategies_.front()->name()));
  for (std::size_t k = 0; k < played_.size(); ++k) awake_[k] = proposed_[played_[k]].awake ? 1 : 0;
  round_.number = rounds() + 1;
  round_.context = context_;
  round_.outcome = nullptr;
  round_.held = false;
  round_.weights = {};
  round_.share.reset();
  round_.action = nullptr;
  round_.realised.reset();
  round_.today_loss.reset();
}

double PortfolioLearner::drawn_number() const {
  if (!u_) return KeyedRandom(key_, Purpose::kPortfolio, rounds() + 1).uniform(0);
  if (rule_.played() >= u_->size())
    throw Error(Code::kOutOfRange,
                "found " + std::to_string(u_->size()) + " numbers, expected one for each played round", "params.u");
  return (*u_)[rule_.played()];
}

const Round& PortfolioLearner::act(const Seen& seen) {
  if (rehearses())
    throw Error(Code::kOutOfRange,
                "found round " + std::to_string(rounds() + 1) + ", expected the outcomes of the " +
                    std::to_string(warm_) + " rehearsed rounds first: they are not decided",
                "warm");
  if (decided_) {
    if (!same_question(seen))
      throw Error(Code::kOutOfRange,
                  "found other proposals, or another context, than round " + std::to_string(round_.number) +
                      " was decided by, expected the same or none",
                  "proposals");
    return round_;
  }
  propose(seen);
  const double u = drawn_number();
  rule_.begin_play();
  rule_.decide(awake_);
  std::fill(weights_.begin(), weights_.end(), 0.0);
  for (std::size_t k = 0; k < played_.size(); ++k) weights_[played_[k]] = rule_.weights()[k];
  round_.weights = weights_;
  round_.share = rule_.share();
  round_.held = rule_.held();
  round_.pick = played_[rule_.pick(u)];
  round_.action = proposed_[round_.pick].action;
  decided_ = true;
  return round_;
}

// The losses of all that proposed, looked at before anything changes.
void PortfolioLearner::score(const AnyOutcome& y, std::optional<double> today) {
  if (takes_today() && !today)
    throw Error(Code::kMissingField, "expected the loss of what was done today, which is \"logged\"", "losses.today");
  if (!takes_today() && today)
    throw Error(Code::kUnknownField, "found the loss of today, expected none: it follows from the outcome",
                "losses.today");
  for (std::size_t i = 0; i < strategies_.size(); ++i) {
    StrategyRound& of = proposed_[i];
    of.loss = !of.awake ? kAsleep : i == 0 && today ? *today : strategies_[i]->loss(of, y);
  }
  for (std::size_t k = 0; k < played_.size(); ++k) losses_[k] = proposed_[played_[k]].loss;
  rule_.check(losses_, [&](std::size_t k) { return strategies_[played_[k]]->name(); });
}

// Where an oracle of the user's own may fail all strategies go back to where they were.
void PortfolioLearner::tell(const AnyOutcome& y) {
  const Seen kept{context_, proposals_};
  if (!can_fail_) {
    for (const auto& strategy : strategies_) strategy->told(kept, y);
    return;
  }
  const Json before = snapshot();
  try {
    for (const auto& strategy : strategies_) strategy->told(kept, y);
  } catch (const Error&) {
    restore(before, "state");
    throw;
  }
}

const Round& PortfolioLearner::observe(const AnyOutcome& y, std::optional<double> today) {
  if (!decided_) act();
  score(y, today);
  tell(y);
  const auto pick = static_cast<std::size_t>(std::ranges::find(played_, round_.pick) - played_.begin());
  const auto paid = rule_.observe(losses_, pick);
  for (std::size_t i = 0; i < strategies_.size(); ++i) {
    if (!proposed_[i].awake) continue;
    proposed_rounds_[i] += 1;
    if (strategies_[i]->shadow()) shadows_.add_one(i, proposed_[i].loss);
  }
  decided_ = false;
  round_.outcome = &y;
  round_.loss = paid.loss;
  round_.realised = paid.realised;
  round_.today_loss = today;
  round_.total = rule_.total();
  round_.gain = rule_.gain();
  round_.low = rule_.low();
  round_.oracle_calls = oracle_calls();
  return round_;
}

const Round& PortfolioLearner::rehearse(const Seen& seen, const AnyOutcome& y, std::optional<double> today) {
  if (decided_ || rule_.played() > 0)
    throw Error(Code::kOutOfRange,
                "found a rehearsed round after one that was decided, expected all of them before the first decision",
                "warm");
  propose(seen);
  score(y, today);
  rule_.decide(awake_);
  tell(y);
  rule_.rehearse(losses_);
  round_.outcome = &y;
  round_.loss = 0;
  AnyLearner::count_as_rehearsed();
  round_.today_loss = today;
  round_.total = 0;
  round_.oracle_calls = oracle_calls();
  return round_;
}

const Round& PortfolioLearner::certified() {
  rule_.begin_play();
  round_.today = rule_.today();
  round_.share_cost = rule_.share_cost();
  mixing_.clear();
  for (std::size_t k = 0; k < played_.size(); ++k) mixing_.push_back(rule_.mixing(k));
  round_.mixing = mixing_;
  return round_;
}

std::uint64_t PortfolioLearner::oracle_calls() const {
  std::uint64_t calls = 0;
  for (const auto& strategy : strategies_) {
    if (const AnyLearner* learner = strategy->learner()) calls += learner->round().oracle_calls;
  }
  return calls;
}

// The ledger of the rule is where that of every learner is: a run that goes on holds its files against it.
void PortfolioLearner::archive(Archive& a) {
  rule_.archive(a);
  a.open_shaped_list("strategies", strategies_.size());
  for (const auto& strategy : strategies_) {
    a.item();
    strategy->archive(a);
  }
  a.close_list();
  shadows_.archive(a, "shadows", "shadow_carries");
  a.field("proposed", proposed_rounds_, {0, static_cast<double>(rule_.played())});
  if (a.reading()) decided_ = false;
}

}  // namespace hannan::detail

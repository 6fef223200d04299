// The report of a portfolio: what it earned against today, what each strategy lost, and every statement of
// docs/theory-portfolio.md with what happened beside it. Statements on every path must hold: one that does not is a
// defect, and says so by "holds": false. Keys are public and keep their order.
#include <algorithm>
#include <cmath>

#include "hannan/certify/certificate.hpp"
#include "hannan/certify/share.hpp"
#include "hannan/runtime/best_known.hpp"
#include "hannan/runtime/portfolio_learner.hpp"

namespace hannan::detail {
namespace {

constexpr double kRounding = 1e-9;  // relative, of what is added up

struct Statement {
  const char* name;
  double value;
  std::optional<double> happened;  // none: it is about means
  const char* says;
  std::string of = {};        // the strategy that it is about
  std::string kind = "path";  // or "limit", "mean", "estimate", "before"
};

Json statement_json(const Statement& s, double slack) {
  Json json = Json::object({{"name", s.name}});
  if (!s.of.empty()) json.set("strategy", s.of);
  json.set("value", s.value).set("side", "upper").set("kind", s.kind);
  if (s.happened) json.set("happened", *s.happened);
  json.set("holds",
           s.happened && (s.kind == "path" || s.kind == "before") ? Json(*s.happened <= s.value + slack) : Json());
  return json.set("says", s.says);
}

// The certificate of a learner's own regret in the mean: the least proven one, or the estimate `run`.
struct OwnBound {
  double value = 0;
  std::string name;
  bool proven = false;
};
std::optional<OwnBound> own_bound(const RunFacts& run) {
  std::optional<OwnBound> found;
  const auto checks = certificate(run);
  for (const auto& check : checks) {
    if (check.side != BoundCheck::Side::kUpper || check.discounted || check.if_drawn) continue;
    if (!check.says.empty()) continue;  // it is no closed form
    if (!found || check.value < found->value) found = {check.value, check.name, true};
  }
  const BoundCheck* estimate = found ? nullptr : find_check(checks, "run");
  if (estimate && !estimate->if_drawn) found = {estimate->value, estimate->name, false};
  return found;
}

bool states_regret(const Strategy& strategy) {
  const std::string& kind = strategy.kind();
  return strategy.full() && !strategy.shadow() && strategy.full()->params().find_number("discount").value_or(1) == 1 &&
         (kind == "flipflop" || kind == "ada" || kind == "gftpl");
}

}  // namespace

bool PortfolioLearner::knows_best() const {
  return rule_.rehearsed() == 0 && std::ranges::any_of(strategies_, [](const auto& s) { return s->full() != nullptr; });
}

RunFacts PortfolioLearner::facts() {
  bool found = !knows_best();
  RunFacts run;
  run.ln_size = game().ln_size();
  run.rounds = rounds();
  run.total = rule_.total();
  for (const auto& strategy : strategies_) {
    if (!strategy->learner()) continue;
    const RunFacts inner = strategy->learner()->facts_aside();
    run.oracle_calls += inner.oracle_calls;
    run.search_nodes += inner.search_nodes;
    run.gap += left_unproven(inner);
    if (found || !strategy->full()) continue;
    found = true;
    run.best = inner.best;
    run.floor = inner.floor;
  }
  return run;
}

// One learner, named before the run: the least over several would be no certificate.
Json PortfolioLearner::fixed_json() {
  for (std::size_t k = 0; k < played_.size(); ++k) {
    Strategy& strategy = *strategies_[played_[k]];
    if (!states_regret(strategy)) continue;
    RunFacts own = strategy.learner()->facts_aside();
    own.gap = left_unproven(own);
    const auto bound = own_bound(own);
    if (!bound || own.rounds == 0 || own.noise_given) return {};
    const double value = rule_.strategies()[k] + bound->value;
    return Json::object({{"name", "fixed"},
                         {"strategy", strategy.name()},
                         {"value", value},
                         {"side", "upper"},
                         {"kind", bound->proven ? "mean" : "estimate"},
                         {"happened", rule_.total() + rule_.rehearsed_sums()[k] - own.best},
                         {"holds", nullptr},
                         {"says",
                          "the played loss and the loss of this learner in the rehearsal, less the best fixed action"
                          " of all rounds, in the mean over noise and pick"},
                         {"from", bound->name}});
  }
  return {};
}

Json PortfolioLearner::bounds_json() {
  const PortfolioRule& r = rule_;
  const auto& setting = r.setting();
  const double slack = kRounding * (setting.risk + r.share_state().beta() + std::abs(r.total()));
  Json all = Json::array();
  const auto add = [&](const Statement& s) { all.push_back(statement_json(s, slack)); };
  add({.name = "today",
       .value = r.today(),
       .happened = -r.gain(),
       .says =
           "the loss is above today's by at most this, in the mean over the pick; below 0: so much is surely gained"});
  add({.name = "share_cost",
       .value = r.share_cost(),
       .happened = r.total() - r.mixture(),
       .says = "the loss is above the mixture's by at most this"});
  const auto strategies = r.strategies();
  for (std::size_t k = 0; k < played_.size(); ++k)
    add({.name = "strategies",
         .value = strategies[k],
         .happened = r.total() - r.sums()[k],
         .says = "the loss is above this strategy's by at most this; where it slept it counts as the mixture",
         .of = strategies_[played_[k]]->name()});
  if (Json fixed = fixed_json(); !fixed.is_null()) all.push_back(std::move(fixed));
  if (const auto margin = r.drawn_margin(delta_))
    add({.name = "limit",
         .value = r.today() + *margin,
         .happened = -r.realised_gain(),
         .says = "the loss of what was drawn is above today's by at most this at every round at once, with probability"
                 " 1 - delta, if outcomes are not chosen after the pick",
         .kind = "limit"});
  if (setting.hard && setting.largest)
    add({.name = "hard",
         .value = *setting.hard,
         .happened = -r.realised_gain(),
         .says = "the loss of what was drawn is above today's by at most this"});
  const double wider = setting.largest ? 0.0 : 2 * r.largest_difference();
  add({.name = "risk",
       .value = setting.risk + wider,
       .happened = -r.low(),
       .says =
           setting.largest
               ? "known before the run: the loss is never above today's by more, in the mean over the pick"
               : "known before the run but for the largest difference of a round, which it contains twice: the loss is"
                 " never above today's by more, in the mean over the pick",
       .kind = "before"});
  return all;
}

Json PortfolioLearner::learners_json() {
  Json list = Json::array();
  for (const auto& strategy : strategies_) {
    if (AnyLearner* learner = strategy->learner()) list.push_back(learner->report());
  }
  return list;
}

// The weight is that of the coming round, were all of them to propose in it.
Json PortfolioLearner::strategies_json() {
  PortfolioRule next = rule_;
  next.begin_play();
  next.decide(std::vector<double>(played_.size(), 1.0));
  const auto certificates = rule_.strategies();
  Json list = Json::array();
  std::size_t k = 0;
  for (std::size_t i = 0; i < strategies_.size(); ++i) {
    const Strategy& strategy = *strategies_[i];
    Json row = Json::object({{"name", strategy.name()}, {"kind", strategy.kind()}});
    if (strategy.shadow()) {
      row.set("shadow", true).set("total", shadows_[i]).set("proposed", proposed_rounds_[i]);
    } else {
      row.set("total", rule_.sums()[k])
          .set("proposed", proposed_rounds_[i])
          .set("weight", next.weights()[k])
          .set("behind", rule_.total() - rule_.sums()[k])
          .set("certificate", certificates[k])
          .set("mixing", rule_.mixing(k))
          .set("rehearsed", rule_.rehearsed_sums()[k]);
      ++k;
    }
    list.push_back(std::move(row));
  }
  return list;
}

Json PortfolioLearner::report() {
  rule_.begin_play();
  const PortfolioRule& r = rule_;
  const Share& share = r.share_state();
  const RunFacts run = facts();
  const auto least = std::ranges::min_element(r.sums());
  Json json =
      Json::object({{"problem", game().kind()},
                    {"learner", kind()},
                    {"params", params()},
                    {"rounds", rounds()},
                    {"rehearsed_rounds", r.rehearsed()},
                    {"total", r.total()},
                    {"gain", r.gain()},
                    {"low", r.low()},
                    {"realised", r.realised()},
                    {"realised_gain", r.realised_gain()},
                    {"mixture", r.mixture()},
                    {"best", nullptr},
                    {"floor", nullptr},
                    {"regret", nullptr},
                    {"best_action", nullptr},
                    {"best_strategy", strategies_[played_[static_cast<std::size_t>(least - r.sums().begin())]]->name()},
                    {"behind", r.total() - *least}});
  json.set("oracle_calls", run.oracle_calls).set("search_nodes", run.search_nodes).set("oracle_gap", run.gap);
  json.set("strategies", strategies_json());
  json.set("gap", r.gap()).set("range", r.range()).set("squares", r.squares()).set("held_cost", r.held_cost());
  json.set("share", Json::object({{"A", Json(std::vector<double>(share.rates().begin(), share.rates().end()))},
                                  {"X", share.gains()},
                                  {"V", share.squares()},
                                  {"beta", share.beta()},
                                  {"start", share.start()},
                                  {"closed", share.closed()},
                                  {"excess", share.excess()},
                                  {"missed", share.missed()},
                                  {"epochs", share.epochs()}}));
  json.set("learners", learners_json());
  const bool reward = game().form() == Form::kReward;
  const double zero = game().loss_range() == LossRange::kUnknown ? 0.0 : static_cast<double>(r.played());
  const auto raw = [&](double loss) { return game().normaliser() * (reward ? zero - loss : loss); };
  json.set("raw", Json::object(
                      {{"unit", reward ? "reward" : "loss"}, {"total", raw(r.total())}, {"today", raw(r.sums()[0])}}));
  Json assumptions = Json::object({{"largest", r.setting().largest}, {"delta", delta_}});
  if (r.setting().hard && *r.setting().hard < r.setting().largest.value_or(share.beta()))
    assumptions.set("hard", "below the largest difference of a round: nothing but today is played");
  json.set("certificate", Json::object({{"bounds", bounds_json()}, {"assumptions", std::move(assumptions)}}));
  return json;
}

}  // namespace hannan::detail

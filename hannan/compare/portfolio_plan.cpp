// Fills in the parameters of a portfolio from the plan of a comparison. Invariant: the first strategy is the baseline
// of the comparison, so that what is at risk is at risk against what the gains are over.
#include "hannan/compare/portfolio_plan.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>

#include "hannan/compare/comparison.hpp"
#include "hannan/core/error.hpp"
#include "hannan/game/money.hpp"
#include "hannan/play/learner_group.hpp"
#include "hannan/runtime/default_strategies.hpp"

namespace hannan::detail {
namespace {

Json fixed_strategy(const std::string& name, const Json& action) {
  return Json::object({{"name", name}, {"kind", "fixed"}, {"action", action}});
}

// Of a strategy, which is an object or the word of its kind; null where it is neither.
const Json* kind_of(const Json& strategy) {
  if (strategy.is_string()) return &strategy;
  return strategy.is_object() ? strategy.find("kind") : nullptr;
}

// Whether a strategy takes these proposals; one of another kind with the name is refused where the list is read.
bool takes_proposals(const Json& strategy, const std::string& name) {
  const Json *own = strategy.is_object() ? strategy.find("name") : nullptr, *kind = kind_of(strategy);
  return own && *own == Json(name) && kind && *kind == Json("given");
}

// The rivals whose first is the baseline; null: they are not in the comparison, or something else is.
std::unique_ptr<RivalGroup> rivals_of_today(const ComparisonPlan& plan) {
  if (plan.as_logged || plan.rivals == Rivals::kNone) return nullptr;
  auto rivals = plan.problem->game().rivals();
  return rivals && rivals->place() == RivalGroup::Place::kToday ? std::move(rivals) : nullptr;
}

// The baseline of the comparison as a strategy; null where nothing is done today, or no action does it.
Json today_of(const ComparisonPlan& plan) {
  if (plan.as_logged) return Json::object({{"name", kAsLogged}, {"kind", "logged"}});
  const Game& game = plan.problem->game();
  if (const auto rivals = rivals_of_today(plan)) {
    const auto money = game.money();
    if (!money || !money->first_asks_nothing) return {};
    return fixed_strategy(rivals->names().front().name, game.action_json(game.first_actions(1).front()));
  }
  if (plan.fixed.empty()) return {};
  return fixed_strategy(plan.fixed.front().name, plan.fixed.front().action);
}

// The default strategies of the problem, with today's decision in front and, where that is a fixed action, the further
// ones behind it.
Json strategies_of(const ComparisonPlan& plan) {
  const Json today = today_of(plan);
  if (today.is_null())
    throw Error(Code::kMissingField, "found nothing that is done today, expected a log, or an action as --fixed", "-l");
  PortfolioOptions asked;
  const Json* action = today.find("action");
  // A word that is no action: the first of the list is taken out again, and no other is left out for it.
  asked.today = action ? *action : Json("logged");
  asked.columns = plan.portfolio.columns;
  const std::vector<StrategyParams> all = default_strategies(plan.problem->game(), asked);
  Json list = Json::array({today});
  const bool fixed = action && !rivals_of_today(plan);
  for (std::size_t i = 1; fixed && i < plan.fixed.size(); ++i)
    list.push_back(fixed_strategy(plan.fixed[i].name, plan.fixed[i].action));
  for (std::size_t i = 1; i < all.size(); ++i) list.push_back(all[i].json());
  return list;
}

// Strategies that are named begin with the baseline, where there is one.
void check_first(const ComparisonPlan& plan, const Json& strategies) {
  const Json today = today_of(plan);
  if (today.is_null() || !strategies.is_array() || strategies.size() == 0) return;
  const Json& first = strategies[0];
  const Json* kind = kind_of(first);
  const Json* params = first.is_object() ? first.find("params") : nullptr;
  const Json* action = first.is_object() ? first.find("action") : nullptr;
  if (!action && params && params->is_object()) action = params->find("action");
  const Json* wanted = today.find("action");
  const bool same = kind && *kind == today.at("kind") && (!wanted || (action && *action == *wanted));
  if (same) return;
  throw Error(Code::kUnavailable,
              "found " + dump(first) + ", expected what the others are held against, \"" +
                  today.at("name").as_string() + "\": " + dump(today),
              "--strategies");
}

// Shadows are named; today cannot be one, which the learner says itself.
Json with_shadows(const Json& strategies, const std::vector<std::string>& shadows) {
  if (!strategies.is_array()) return strategies;  // refused with its place where they are read
  Json list = Json::array();
  std::vector<std::string> left = shadows;
  for (Json one : strategies.as_array()) {
    const Json* name = one.is_object() ? one.find("name") : &one;
    if (name && name->is_string() && std::erase(left, name->as_string()) > 0) {
      if (!one.is_object()) one = Json::object({{"name", *name}, {"kind", *name}});
      one.set("shadow", true);
    }
    list.push_back(std::move(one));
  }
  if (left.empty()) return list;
  throw Error(Code::kUnknownName, "found \"" + left.front() + "\", expected the name of a strategy", "--shadow");
}

// What today's decision lost over the rounds that will be played, and whether each loss, the rehearsed ones included,
// is one that the largest difference covers.
struct Today {
  double loss = 0;
  std::uint64_t rounds = 0;
  bool covered = true;
};

// The largest difference is that between two losses by the rule of the problem. Of auctions the loss of what was logged
// has to be that of nothing asked for, of all others it has to lie where those of actions do.
class Cover {
 public:
  Cover(const ComparisonPlan& plan, const Json& today)
      : game_(plan.problem->game()), money_(game_.money()), largest_(plan.portfolio.largest) {
    needed_ = largest_ && *kind_of(today) == Json("logged");
  }
  bool needed() const { return needed_; }
  bool covers(double loss, const AnyOutcome& y) const {
    const bool unit = game_.loss_range() == LossRange::kUnitInterval;
    const double slack = 1e-9 * *largest_;  // as the learner has it
    if (!unit && money_ && money_->unasked) {
      const double rule = money_->unasked(y);
      return std::abs(loss - rule) <= slack + 1e-9 * std::abs(rule);
    }
    const double least = !unit && game_.form() == Form::kReward ? -*largest_ : 0.0;
    return loss >= least - slack && loss <= least + *largest_ + slack;
  }

 private:
  const Game& game_;
  std::shared_ptr<const Money> money_;
  std::optional<double> largest_;
  bool needed_ = false;
};

Today today_over_all(const ComparisonPlan& plan, const Json& today) {
  LearnerGroup group;
  group.join(plan.problem->turn<ReplayTurn>(
      "portfolio", Json::object({{"strategies", Json::array({today})}, {"risk", 1}, {"largest", nullptr}})));
  const Cover cover(plan, today);
  const auto source = plan.open_aside ? plan.open_aside() : plan.open_with_today(plan.as_logged);
  Today found;
  const auto play = [&] {
    if (!group.play_round(*source)) return false;
    found.covered = found.covered && (!cover.needed() || cover.covers(group[0].round().loss, group.outcome()));
    return true;
  };
  for (std::uint64_t t = 0; t < plan.rehearsed && play();) ++t;
  const double before = group[0].round().total;
  while ((plan.rounds == 0 || found.rounds < plan.rounds) && play()) ++found.rounds;
  found.loss = group[0].round().total - before;
  return found;
}

// Why a portfolio cannot be judged on this log; empty: it can.
std::string no_portfolio(const ComparisonPlan& plan, const LogDoubts& doubts) {
  for (const auto* why : {&*doubts.no_replay, &*doubts.question, &*doubts.censored}) {
    if (!why->empty()) return *why;
  }
  return plan.most ? "it leaves open what other decisions would have brought" : std::string();
}

[[noreturn]] void refuse(const std::string& why) {
  throw Error(Code::kUnavailable,
              "found a portfolio and a log that cannot tell (" + why + "), expected another learner", "-l");
}

}  // namespace

namespace {

// Strategies that are named say their columns themselves.
void take_segments(ComparisonPlan& plan) {
  if (plan.segments.is_null()) return;
  const auto named = [](const auto& one) { return one.kind == "portfolio" && one.params.find("strategies"); };
  if (!plan.portfolio.strategies.is_null() || std::ranges::any_of(plan.learners, named))
    throw Error(Code::kUnavailable,
                "found --by and named strategies, expected one of them: a strategy of the list has its own \"by\"",
                "--by");
  plan.portfolio.columns = std::exchange(plan.segments, Json());
}

}  // namespace

void take_risk(const std::string& text, double unit, PortfolioDefaults& into) {
  const bool share = text.ends_with('%');
  const char* const last = text.data() + text.size() - (share ? 1 : 0);
  double value = 0;
  const auto [end, failed] = std::from_chars(text.data(), last, value);
  if (failed != std::errc() || end != last || !std::isfinite(value) || !(value > 0))
    throw Error(Code::kOutOfRange, "found \"" + text + "\", expected an amount above 0, or a share such as 0.5%",
                "risk");
  if (share) {
    into.share = value / 100;
  } else {
    into.risk = value / unit;
  }
}

void check_named_portfolio(ComparisonPlan& plan, const LogDoubts& doubts) {
  if (std::ranges::none_of(plan.learners, [](const auto& one) { return one.kind == "portfolio"; })) {
    if (!plan.portfolio.asked) return;
    throw Error(Code::kUsage, "found no portfolio among the learners, expected one: -l portfolio", "-l");
  }
  if (const std::string why = no_portfolio(plan, doubts); !why.empty()) refuse(why);
  take_segments(plan);
}

void add_default_portfolio(ComparisonPlan& plan, const LogDoubts& doubts) {
  const std::string why = no_portfolio(plan, doubts);
  if (!why.empty() && plan.portfolio.asked) refuse(why);
  if (plan.portfolio.asked) take_segments(plan);
  const bool suits = why.empty() && plan.segments.is_null() && !plan.problem->game().sleeps();
  if (!plan.portfolio.asked && (!suits || today_of(plan).is_null())) return;
  SimulatedLearner first{.label = "portfolio", .kind = "portfolio", .params = Json::object({{"seed", plan.seed}})};
  try {
    first.params = portfolio_params(plan, std::move(first.params));
    plan.problem->turn<PromptTurn>(first.kind, first.params);
  } catch (const Error& e) {
    // Today earns nothing, so that a share of it is no amount, or beyond all sums: none was asked for, and none joins.
    const bool unfit =
        e.code() == Code::kMissingField || e.code() == Code::kBadOutcome || e.code() == Code::kOutOfRange;
    if (unfit && !plan.portfolio.asked) return;
    throw;
  }
  plan.learners.insert(plan.learners.begin(), std::move(first));
}

Json portfolio_params(const ComparisonPlan& plan, Json params) {
  const PortfolioDefaults& terms = plan.portfolio;
  const Game& game = plan.problem->game();
  const Json* named = params.find("strategies");
  if (named && params.find("risk")) {  // they are complete
    check_first(plan, *named);
    return params;
  }
  Json list = named ? *named : terms.strategies.is_null() ? strategies_of(plan) : terms.strategies;
  check_first(plan, list);
  for (const std::string& name : list.is_array() ? terms.given : std::vector<std::string>()) {
    if (std::ranges::none_of(list.as_array(), [&](const Json& one) { return takes_proposals(one, name); }))
      list.push_back(Json::object({{"name", name}, {"kind", "given"}}));
  }
  params.set("strategies", with_shadows(list, terms.shadows));
  if (!params.find("warm")) params.set("warm", plan.rehearsed);
  if (!params.find("track")) params.set("track", "end");  // nothing of it is drawn round by round
  if (!params.find("hard") && terms.hard) params.set("hard", *terms.hard);
  const bool ranged = !params.find("largest") && terms.largest, open = !params.find("risk") && !terms.risk;
  if (terms.risk && !params.find("risk")) params.set("risk", *terms.risk);
  const bool readable = list.is_array() && list.size() > 0 && kind_of(list[0]);  // else it is refused by the learner
  if (!readable || (!open && !(ranged && plan.as_logged))) {
    if (ranged) params.set("largest", terms.largest);
    return params;
  }
  const Today today = today_over_all(plan, list[0]);
  if (!params.find("largest")) params.set("largest", today.covered ? Json(terms.largest) : Json());
  if (!open) return params;
  const double zero = game.loss_range() == LossRange::kUnitInterval ? static_cast<double>(today.rounds) : 0.0;
  const double money = game.form() == Form::kReward ? zero - today.loss : today.loss;
  if (std::abs(money) > 0) params.set("risk", terms.share * std::abs(money));
  return params;
}

}  // namespace hannan::detail

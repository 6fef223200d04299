// The kinds of strategies (strategy.hpp). A learner among them has a key of its own, run + FNV-1a of its name as for
// the segment of that name, so that two learners of a portfolio draw independent noise. Cost: that of the learner.
#include "hannan/runtime/strategy.hpp"

#include <algorithm>

#include "hannan/contexts/segment_tree.hpp"
#include "hannan/core/error.hpp"
#include "hannan/game/money.hpp"
#include "hannan/runtime/make_game.hpp"
#include "hannan/runtime/registry.hpp"

namespace hannan::detail {
namespace {

// An error of a part of a strategy, with the strategy's path in front of the parameter's.
template <class Make>
auto at_strategy(const StrategyParams& params, Make&& make) {
  try {
    return make();
  } catch (const Error& e) {
    std::string_view at = e.at();
    if (at.starts_with("params.")) at.remove_prefix(7);
    if (at.starts_with(params.path)) throw;
    throw Error(e.code(), e.message(), at.empty() ? params.path : path_of(params.path, at));
  }
}

class FixedStrategy final : public Strategy {
 public:
  FixedStrategy(std::shared_ptr<const Game> game, StrategyParams params)
      : Strategy(std::move(game), std::move(params)),
        action_(
            shared_game()->parse_action(this->params().params.at("action"), path_of(this->params().path, "action"))) {}
  void propose(const PortfolioSeen&, StrategyRound& into) override { into.action = &action_; }

 private:
  AnyAction action_;
};

class LoggedStrategy final : public Strategy {
 public:
  using Strategy::Strategy;
  void propose(const PortfolioSeen&, StrategyRound&) override {}
};

class GivenStrategy final : public Strategy {
 public:
  using Strategy::Strategy;
  void propose(const PortfolioSeen& seen, StrategyRound& into) override {
    const auto found = std::ranges::find(seen.proposals, name(), &Proposal::strategy);
    into.awake = found != seen.proposals.end() && found->action.has_value();
    if (!into.awake) return;
    action_ = *found->action;
    into.action = &action_;
  }

 private:
  AnyAction action_;
};

class RuleStrategy final : public Strategy {
 public:
  RuleStrategy(std::shared_ptr<const Game> game, StrategyParams params, std::unique_ptr<RivalRule> rule)
      : Strategy(std::move(game), std::move(params)), rule_(std::move(rule)) {}
  // Copied: the rule decides anew when it is told the outcome, and the round is written after that.
  void propose(const PortfolioSeen&, StrategyRound& into) override {
    if (!rule_->action()) {
      into.other = rule_->proposal();
      return;
    }
    action_ = *rule_->action();
    into.action = &action_;
  }
  double loss(const StrategyRound&, const AnyOutcome& y) const override { return rule_->loss(y); }
  void told(const PortfolioSeen&, const AnyOutcome& y) override { rule_->observe(y); }
  void archive(Archive& a) override { rule_->archive(a); }

 private:
  std::unique_ptr<RivalRule> rule_;
  AnyAction action_;
};

Json problem_of(const Game& game) {
  return Json::object({{"kind", std::string(game.kind())}, {"params", game.params()}});
}

// What all learners have.
class LearnerStrategy : public Strategy {
 public:
  using Strategy::Strategy;
  Json params_json() final {
    StrategyParams settled = params();
    settled.params = learner()->params();
    if (params().tied == Tied::kAll) settled.problem = problem_of(learner()->game());
    return settled.json();
  }
};

class FullStrategy final : public LearnerStrategy {
 public:
  FullStrategy(const std::shared_ptr<const Game>& game, StrategyParams params, LearnerParams learner)
      : LearnerStrategy(game, std::move(params)), learner_(game, std::move(learner)) {}
  void propose(const PortfolioSeen&, StrategyRound& into) override {
    into.inner = &learner_.act();
    into.action = into.inner->action;
  }
  void told(const PortfolioSeen&, const AnyOutcome& y) override { learner_.observe(y); }
  void archive(Archive& a) override { learner_.archive_in(a); }
  AnyLearner* learner() override { return &learner_; }
  const PlainLearner* full() const override { return &learner_; }

 private:
  PlainLearner learner_;
};

class TiedStrategy final : public LearnerStrategy {
 public:
  struct Class {
    std::vector<AnyAction> actions;
    std::shared_ptr<const Game> listed;  // their losses as the outcomes
  };
  TiedStrategy(const std::shared_ptr<const Game>& game, StrategyParams params, Class tied, LearnerParams learner)
      : LearnerStrategy(game, std::move(params)),
        actions_(std::move(tied.actions)),
        learner_(tied.listed, std::move(learner)) {
    outcome_.as<std::vector<double>>().resize(actions_.size());
  }
  void propose(const PortfolioSeen&, StrategyRound& into) override {
    into.inner = &learner_.act();
    into.action = &actions_[static_cast<std::size_t>(into.inner->action->get<std::uint64_t>())];
  }
  void told(const PortfolioSeen&, const AnyOutcome& y) override {
    shared_game()->losses_of(actions_, y, outcome_.as<std::vector<double>>());
    learner_.observe(outcome_);
  }
  void archive(Archive& a) override { learner_.archive_in(a); }
  AnyLearner* learner() override { return &learner_; }

 private:
  std::vector<AnyAction> actions_;
  PlainLearner learner_;
  AnyOutcome outcome_;
};

class TreeStrategy final : public LearnerStrategy {
 public:
  TreeStrategy(const std::shared_ptr<const Game>& game, StrategyParams params, LearnerParams learner)
      : LearnerStrategy(game, std::move(params)), learner_(game, std::move(learner)) {}
  void propose(const PortfolioSeen& seen, StrategyRound& into) override {
    into.inner = &learner_.act(seen.context);
    into.action = into.inner->action;
  }
  void told(const PortfolioSeen& seen, const AnyOutcome& y) override { learner_.observe(seen.context, y); }
  void archive(Archive& a) override { learner_.archive_in(a); }
  AnyLearner* learner() override { return &learner_; }
  ContextLearner* tree() override { return &learner_; }

 private:
  ContextLearner learner_;
};

[[noreturn]] void refuse_kind(const Game& game, const StrategyParams& params) {
  std::string names = "fixed, logged, given";
  if (const auto rivals = game.rivals()) {
    for (const std::string_view name : rivals->rule_names()) names += ", " + std::string(name);
  }
  for (const LearnerKind& row : learner_kinds()) {
    if (!row.of_strategies) names += ", " + std::string(row.name);
  }
  throw Error(Code::kUnknownName, "found \"" + params.kind + "\", expected one of " + names,
              path_of(params.path, "kind"));
}

// Seed and run are those of the portfolio; what a record states of them again must be the same.
LearnerParams learner_of(const StrategyParams& params, Key key) {
  Json given = params.params;
  for (const auto& [name, wanted] : {std::pair{"seed", key.seed}, std::pair{"run", key.run}}) {
    const Json* found = given.find(name);
    if (found && *found != Json(wanted))
      throw Error(Code::kUnavailable,
                  "found another " + std::string(name) +
                      " than that of the portfolio, expected none: each strategy has "
                      "noise of its own by its name",
                  path_of(params.path, name));
    given.set(name, wanted);
  }
  LearnerParams learner = parse_learner(params.kind, given, params.path);
  if (learner.delayed)
    throw Error(Code::kUnavailable, "found delayed outcomes in a portfolio, expected them in order",
                path_of(params.path, "delayed"));
  learner.run_offset = hash_with(kPathBasis, params.name);
  learner.key.run += learner.run_offset;
  return learner;
}

// Learners on tied actions play their losses as a list.
std::unique_ptr<Strategy> tied_strategy(const std::shared_ptr<const Game>& game, const StrategyParams& params,
                                        LearnerParams learner) {
  TiedStrategy::Class tied{tied_actions(*game), nullptr};
  if (tied.actions.empty())
    throw Error(Code::kUnavailable,
                "found \"tied\" on \"" + std::string(game->kind()) +
                    "\", expected it where every coordinate of an action has the same grid",
                path_of(params.path, "tied"));
  if (!learner.segments.by.empty())
    throw Error(Code::kUnavailable, "found \"tied\" and \"by\", expected one of them", path_of(params.path, "tied"));
  const ProblemKind& listed = loss_kind();
  Json setting = Json::object({{std::string(listed.columns_param), tied.actions.size()}});
  if (game->loss_range() == LossRange::kUnknown) setting.set("range", "unknown");
  tied.listed = make_game(std::string(listed.name), setting, params.path);
  if (!params.problem.is_null() && params.problem != problem_of(*tied.listed))
    throw Error(Code::kUnavailable, "found another problem than that of the tied actions, expected that one or none",
                path_of(params.path, "problem"));
  if (learner.takes("perturbation") && learner.perturbation.empty()) learner.perturbation = "one-hot";
  return std::make_unique<TiedStrategy>(game, params, std::move(tied), std::move(learner));
}

}  // namespace

bool is_learner(std::string_view kind) {
  return std::ranges::any_of(learner_kinds(), [&](const LearnerKind& row) { return row.name == kind; });
}

std::vector<AnyAction> tied_actions(const Game& game) {
  const auto money = game.money();
  if (!money || money->amounts.owners == 0) return {};
  const auto& [lists, levels] = std::tie(money->amounts.lists, money->amounts.levels);
  if (std::ranges::any_of(lists, [&](const auto& list) { return list != lists.front(); })) return {};
  const double most = lists.empty() ? levels : static_cast<double>(lists.front().size());
  std::vector<AnyAction> all;
  for (int z = 0; z <= static_cast<int>(most); ++z) {
    try {
      all.push_back(game.parse_action(Json(std::vector<int>(money->amounts.owners, z)), "action"));
    } catch (const Error&) {  // no action: levels may begin at 1, places in a list end before its size
    }
  }
  return all;
}

std::unique_ptr<Strategy> make_strategy(const std::shared_ptr<const Game>& game, const StrategyParams& params,
                                        Key key) {
  return at_strategy(params, [&]() -> std::unique_ptr<Strategy> {
    if (!params.problem.is_null() && params.tied == Tied::kNo)
      throw Error(Code::kUnknownField, "found \"problem\", which a strategy that is not tied does not take",
                  path_of(params.path, "problem"));
    if (params.kind == "fixed") return std::make_unique<FixedStrategy>(game, params);
    if (params.kind == "logged") return std::make_unique<LoggedStrategy>(game, params);
    if (params.kind == "given") return std::make_unique<GivenStrategy>(game, params);
    if (is_learner(params.kind)) {
      LearnerParams learner = learner_of(params, key);
      if (params.tied == Tied::kAll) return tied_strategy(game, params, std::move(learner));
      if (!learner.segments.by.empty()) return std::make_unique<TreeStrategy>(game, params, std::move(learner));
      return std::make_unique<FullStrategy>(game, params, std::move(learner));
    }
    const auto rivals = game->rivals();
    auto rule = rivals ? rivals->rule(params.kind, params.tied) : nullptr;
    if (!rule) refuse_kind(*game, params);
    for (const auto& [name, value] : params.params.as_object())
      throw Error(Code::kUnknownField, "found \"" + name + "\", which a rule does not take",
                  path_of(params.path, name));
    return std::make_unique<RuleStrategy>(game, params, std::move(rule));
  });
}

}  // namespace hannan::detail

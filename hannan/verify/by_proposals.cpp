// The record of a portfolio (docs/record.md): a line has what every strategy proposed, what the learners among them
// did, the outcome, and which one was played with which weights.
//
// Every loss follows from proposal and outcome; weights, share, pick and losses of the play are computed again
// (recomputed_portfolio.hpp). Fixed actions and rules are derived again (recomputed_rules.hpp); each learner is
// followed by a driver of its own, as the record of an ordinary run that has the same outcomes, a tied one with the
// losses of its actions as outcomes. What others proposed and what was lost today are as the record says. Cost of a
// line: that of the learners' lines.
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "hannan/core/error.hpp"
#include "hannan/verify/driver.hpp"
#include "hannan/verify/portfolio_end.hpp"

namespace hannan::detail {
namespace {

constexpr double kStrategySlack = 1e-12;  // sums of weights that were made in another order
constexpr int kMostTied = 1'000'000;

// FNV-1a over the length of the name, 8 bytes from the lowest, and the name: what is added to the run of a learner.
std::uint64_t run_of(const std::string& name) {
  std::uint64_t hash = 0xcbf29ce484222325;
  const auto add = [&](unsigned char byte) { hash = (hash ^ byte) * 0x100000001b3; };
  for (int i = 0; i < 8; ++i) add(static_cast<unsigned char>(name.size() >> (8 * i)));
  for (const char c : name) add(static_cast<unsigned char>(c));
  return hash;
}

// The actions with the same number in every place. Levels may begin at 1, and where actions are a list of their own
// some numbers between are none.
std::vector<Json> tied_actions(const Game& game) {
  constexpr int kWidestHole = 1'000;
  std::vector<Json> all;
  const Json first = game.action_json(game.first_actions(1).front());
  for (int z = 0, missing = 0; first.is_array() && z < kMostTied && missing < kWidestHole; ++z) {
    Json same(std::vector<int>(first.size(), z));
    try {
      game.parse_action(same, "action");
      all.push_back(std::move(same));
      missing = 0;
    } catch (const Error&) {
      ++missing;
    }
  }
  return all;
}

class ByProposals final : public Turn {
 public:
  explicit ByProposals(RecordState& record)
      : record_(record), s_(record.setting), claims_(record.claims), rule_(*s_.portfolio, count_played()) {
    for (const auto& strategy : s_.portfolio->strategies) followed_.push_back(follow(strategy));
  }

  std::uint64_t lines() const override { return lines_; }
  std::uint64_t rounds() const override { return lines_; }

  void line(Fields& in) override {
    const bool warm = in.has("warm");
    if (warm && (!in.flag("warm") || rule_.played() > 0))
      claims_.reject("warm", "found a rehearsed round after a played one");
    if (!warm && lines_ < s_.portfolio->warm) claims_.reject("warm", "found none, expected a rehearsed round");
    const auto& proposals = in.list("proposals");
    if (proposals.size() != followed_.size())
      claims_.reject("proposals", "found another number than there are strategies");
    record_.read_outcome(in);
    const RecordedOutcome seen{in.need("outcome"), record_.outcome};
    ++lines_;
    follow_learners(in, proposals, seen);
    const double today = logged() ? today_loss(in) : 0;
    playing_ = !warm;
    score(proposals, seen, today);
    if (warm) {
      rule_.decide(awake_);
      rule_.rehearse(losses_);
    } else {
      check_play(in);
    }
    for (const auto& one : followed_) {
      if (one->rule) one->rule->observe(seen.json);
    }
  }

  EndFacts end(Fields& end, Verification& said) override {
    return check_portfolio_end(end, {.record = record_, .rule = rule_, .strategies = followed_}, said);
  }

 private:
  bool logged() const { return s_.portfolio->strategies.front().kind == "logged"; }
  std::size_t count_played() const {
    return static_cast<std::size_t>(
        std::ranges::count_if(s_.portfolio->strategies, [](const auto& one) { return !one.shadow; }));
  }

  std::unique_ptr<FollowedStrategy> follow(const RecordedPortfolio::Strategy& strategy) {
    auto made = std::make_unique<FollowedStrategy>(strategy, claims_.name());
    if (strategy.learns) {
      const Json problem =
          strategy.tied ? strategy.problem
                        : Json::object({{"kind", std::string(s_.problem->kind())}, {"params", s_.problem->params()}});
      RecordedSetting setting =
          read_header(Json::object({{"record", 1},
                                    {"program", s_.program},
                                    {"problem", problem},
                                    {"learner", Json::object({{"kind", strategy.kind}, {"params", strategy.params}})},
                                    {"data", nullptr}}));
      if (setting.key.seed != s_.key.seed || setting.key.run != s_.key.run || setting.delayed || setting.portfolio)
        claims_.reject("learner.params.strategies",
                       "found another seed or run, or a learner that cannot be a strategy");
      setting.key.run += run_of(strategy.name);
      made->tree = setting.contexts.has_value();
      made->listed = strategy.tied ? setting.problem : nullptr;
      if (strategy.tied) made->tied = tied_actions(*s_.problem);
      made->driver = std::make_unique<Driver>(std::move(setting), made->claims, record_.limits);
      made->claims.next_line();  // the header
    } else if (strategy.kind != "fixed" && strategy.kind != "logged" && strategy.kind != "given") {
      made->rule = recomputed_rule(*s_.problem, strategy.kind, strategy.tied);
      if (!made->rule)
        claims_.reject("learner.params.strategies", "found \"" + strategy.kind + "\", which is no strategy");
    }
    return made;
  }

  double today_loss(Fields& in) const {
    Fields losses = in.fields("losses");
    const double found = losses.number("today");
    losses.done();
    return found;
  }

  // Their lines of this round, with the number, the context and the outcome that they share.
  void follow_learners(Fields& in, const Json::Array& proposals, const RecordedOutcome& seen) {
    const bool some = std::ranges::any_of(followed_, [](const auto& one) { return one->driver != nullptr; });
    const bool tree = std::ranges::any_of(followed_, [](const auto& one) { return one->tree; });
    const Json context = tree ? in.need("context") : Json();
    if (!some) return;
    const auto& inner = in.list("inner");
    std::size_t place = 0;
    for (std::size_t i = 0; i < followed_.size(); ++i) {
      FollowedStrategy& one = *followed_[i];
      if (!one.driver) continue;
      if (place == inner.size()) claims_.reject("inner", "found fewer than there are learners");
      Fields(inner[place], path_of("inner", place));  // an object
      Json line = Json::object({{"t", lines_}, {"outcome", one.listed ? listed_losses(one, seen) : seen.json}});
      if (one.tree) line.set("context", context);
      for (const auto& [name, value] : inner[place].as_object()) {
        if (line.find(name)) claims_.reject("inner", "found \"" + name + "\", which the round has");
        line.append(name, value);
      }
      one.claims.next_line();
      one.claims.within(path_of("inner", place) + ".");
      one.driver->line(line);
      expect_choice(one, inner[place], proposals[i], i);
      ++place;
    }
    if (place != inner.size()) claims_.reject("inner", "found more than there are learners");
  }

  Json listed_losses(const FollowedStrategy& one, const RecordedOutcome& seen) {
    Json losses = Json::array();
    for (const Json& action : one.tied)
      losses.push_back(s_.problem->loss(s_.problem->parse_action(action, "proposals"), seen.outcome));
    AnyOutcome listed;
    one.listed->read_outcome(losses, "outcome", listed);
    for (std::size_t k = 0; k < one.tied.size(); ++k) {
      if (one.listed->loss(one.listed->parse_action(Json(k), "action"), listed) != losses[k].as_number())
        claims_.reject("learner.params.strategies", "found a problem that is not that of the tied actions' losses");
    }
    return losses;
  }

  // What the portfolio took over is what the learner chose.
  void expect_choice(const FollowedStrategy& one, const Json& inner, const Json& proposal, std::size_t i) const {
    Json chosen;
    if (one.tree) {
      const auto pick = static_cast<std::size_t>(inner.at("pick").as_number());
      chosen = inner.at("nodes")[pick].at("action");
    } else if (one.listed) {
      chosen = one.tied.at(static_cast<std::size_t>(inner.at("action").as_number()));
    } else {
      chosen = inner.at("action");
    }
    if (proposal != chosen)
      claims_.reject(path_of("proposals", i), "found " + dump(proposal) + ", but the learner chose " + dump(chosen));
  }

  void score(const Json::Array& proposals, const RecordedOutcome& seen, double today) {
    losses_.clear();
    awake_.clear();
    double least = 0, most = 0;
    for (std::size_t i = 0; i < followed_.size(); ++i) {
      FollowedStrategy& one = *followed_[i];
      const std::string at = path_of("proposals", i);
      double loss = std::numeric_limits<double>::quiet_NaN();
      if (one.strategy.kind == "logged") {
        if (!proposals[i].is_null()) claims_.reject(at, "found an action, expected null: today is logged");
        loss = today;
      } else if (one.rule) {
        const std::string wrong = one.rule->on_trust() ? "" : one.rule->objection(proposals[i]);
        if (!wrong.empty()) claims_.reject(at, wrong);
        loss = one.rule->loss(proposals[i], seen);
      } else if (one.strategy.kind == "fixed" && proposals[i] != one.strategy.params.at("action")) {
        claims_.reject(at, "found " + dump(proposals[i]) + ", expected the fixed action");
      } else if (!proposals[i].is_null()) {
        loss = s_.problem->loss(s_.problem->parse_action(proposals[i], at), seen.outcome);
      } else if (one.strategy.kind != "given") {
        claims_.reject(at, "found null, expected an action");
      }
      if (!std::isnan(loss)) one.proposed += playing() ? 1 : 0;
      if (one.strategy.shadow) {
        if (!std::isnan(loss) && playing()) one.total += loss;
        continue;
      }
      if (losses_.empty()) least = most = loss;
      if (!std::isnan(loss)) {
        least = std::min(least, loss);
        most = std::max(most, loss);
      }
      losses_.push_back(loss);
      awake_.push_back(!std::isnan(loss));
    }
    if (!awake_.front()) claims_.reject("proposals[0]", "found null, expected today's decision");
    if (s_.portfolio->largest && most - least > *s_.portfolio->largest * (1 + 1e-9))
      claims_.reject("outcome", "found losses that differ by more than the largest difference that is stated");
    if (!(std::max(std::abs(least), std::abs(most)) <= 1e100)) claims_.reject("outcome", "found a loss above 1e100");
    size_ += std::max(std::abs(least), std::abs(most));
    if (s_.any_range) claims_.measure({.unit = std::max(rule_.range(), most - least), .size = size_});
  }
  bool playing() const { return playing_; }

  void check_play(Fields& in) {
    rule_.begin_play();
    const auto decided = rule_.decide(awake_);
    std::vector<double> weights;
    std::vector<std::size_t> places;  // of all strategies, that of the played ones
    for (std::size_t i = 0; i < followed_.size(); ++i) {
      const bool shadow = followed_[i]->strategy.shadow;
      weights.push_back(shadow ? 0.0 : decided.weights[places.size()]);
      if (!shadow) places.push_back(i);
    }
    const auto found = in.numbers("weights");
    if (found.size() != weights.size()) claims_.reject("weights", "found another number than there are strategies");
    for (std::size_t i = 0; i < found.size(); ++i) claims_.expect_plain(path_of("weights", i), found[i], weights[i]);
    claims_.expect_plain("share", in.number("share"), decided.share);
    if (in.flag("held", false) != decided.held) claims_.reject("held", "found another answer than the account gives");
    const std::size_t pick = check_pick(in.integer("pick", kNatural), weights);
    const auto place = static_cast<std::size_t>(std::ranges::find(places, pick) - places.begin());
    const auto paid = rule_.observe(losses_, place);
    claims_.expect("loss", in.number("loss"), paid.loss);
    claims_.expect("realised", in.number("realised"), paid.realised);
  }

  // The first strategy whose weights up to it are above the number of the round; the last one with weight where none
  // is.
  std::size_t check_pick(std::int64_t found, const std::vector<double>& weights) const {
    const auto& given = s_.portfolio->u;
    if (given && rule_.played() >= given->size())
      claims_.reject("pick", "found a round without a number that was given");
    const double u = given ? (*given)[rule_.played()] : RoundWords(s_.key, DrawPurpose::kPortfolio, lines_).uniform(0);
    std::size_t last = 0;
    for (std::size_t i = 0; i < weights.size(); ++i) last = weights[i] > 0 ? i : last;
    double below = 0;
    for (std::size_t i = 0; i <= last; ++i) {
      const double above = below + weights[i];
      if (std::cmp_equal(found, i) && weights[i] > 0 && u >= below - kStrategySlack &&
          (i == last || u < above + kStrategySlack))
        return i;
      below = above;
    }
    claims_.reject("pick", "found " + std::to_string(found) + ", which is not the strategy that the number " +
                               number_text(u) + " of the round picks");
  }

  RecordState& record_;
  const RecordedSetting& s_;
  Claims& claims_;
  RecomputedPortfolio rule_;
  FollowedStrategies followed_;
  std::uint64_t lines_ = 0;
  bool playing_ = false;
  std::vector<double> losses_;  // of those that are played; NaN: it slept
  std::vector<bool> awake_;
  double size_ = 0;
};

}  // namespace

std::unique_ptr<Turn> turn_by_proposals(RecordState& record) { return std::make_unique<ByProposals>(record); }

}  // namespace hannan::detail

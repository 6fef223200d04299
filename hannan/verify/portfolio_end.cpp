// Every number of the end is computed again. A statement about the path that is below what happened, by more than
// rounding, is rejected: it is a theorem. Names and sentences of statements are the record's own and are held against
// those that docs/theory-portfolio.md has.
#include "hannan/verify/portfolio_end.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "hannan/verify/end_fields.hpp"

namespace hannan::detail {
namespace {

struct Expected {
  std::string name;
  double value;
  std::optional<double> happened;
  std::string kind = "path";
  std::string of = {};
  std::string from = {};
};

// What each statement says; a sentence with other words would claim something else.
std::string sentence(const std::string& name, bool known) {
  if (name == "today")
    return "the loss is above today's by at most this, in the mean over the pick; below 0: so much is surely gained";
  if (name == "share_cost") return "the loss is above the mixture's by at most this";
  if (name == "strategies")
    return "the loss is above this strategy's by at most this; where it slept it counts as the mixture";
  if (name == "fixed")
    return "the played loss and the loss of this learner in the rehearsal, less the best fixed action of all rounds, "
           "in "
           "the mean over noise and pick";
  if (name == "limit")
    return "the loss of what was drawn is above today's by at most this at every round at once, with probability 1 - "
           "delta, if outcomes are not chosen after the pick";
  if (name == "hard") return "the loss of what was drawn is above today's by at most this";
  if (known) return "known before the run: the loss is never above today's by more, in the mean over the pick";
  return "known before the run but for the largest difference of a round, which it contains twice: the loss is never "
         "above today's by more, in the mean over the pick";
}

class PortfolioEndCheck {
 public:
  PortfolioEndCheck(Fields& end, const PortfolioEnd& of)
      : end_(end), of_(of), r_(of.rule), s_(of.record.setting), claims_(of.record.claims) {
    r_.begin_play();  // a copy: more rehearsed rounds may follow
  }

  EndFacts run(Verification& said) {
    check_totals();
    check_learners(said);  // their reports, whose calls and bounds others rest on
    check_strategies();
    check_share();
    check_raw_numbers();
    check_certificate();
    said.total = r_.total();
    said.regret = r_.total() - least();
    said.best = said.floor = least();
    said.checked.push_back("the loss of every strategy in every round, from its proposal");
    said.checked.push_back("the weights, the share of the mixture and the pick of every round, and what was lost");
    said.checked.push_back("the proposals of fixed actions, rules and learners");
    said.checked.push_back("every statement against today, the mixture and each strategy, and that none is broken");
    for (const auto& one : of_.strategies) {
      const auto& [name, kind] = std::tie(one->strategy.name, one->strategy.kind);
      if (kind == "given") said.trusted.push_back("what strategy \"" + name + "\" proposed, which comes from outside");
      if (kind == "logged") said.trusted.push_back("what was lost by what is done today, which was logged");
      if (one->rule && one->rule->on_trust()) said.trusted.push_back("what the rule of \"" + name + "\" proposed");
    }
    return {};
  }

 private:
  void expect(const char* name, double expected) const {
    claims_.expect(std::string("end.") + name, end_.number(name), expected);
  }
  void expect_null(const char* name) const {
    if (!end_.need(name).is_null()) claims_.reject(std::string("end.") + name, "expected null");
  }
  double least() const {
    double found = std::numeric_limits<double>::infinity();
    for (std::size_t k = 0; k < played(); ++k) found = std::min(found, r_.sum(k));
    return found;
  }
  std::size_t played() const {
    return static_cast<std::size_t>(
        std::ranges::count_if(of_.strategies, [](const auto& one) { return !one->strategy.shadow; }));
  }
  // Of the k-th that is played.
  const FollowedStrategy& at(std::size_t k) const {
    for (const auto& one : of_.strategies) {
      if (!one->strategy.shadow && k-- == 0) return *one;
    }
    return *of_.strategies.front();
  }

  void check_totals() const {
    claims_.expect_count("end.rehearsed_rounds", end_.integer("rehearsed_rounds"), r_.rehearsed());
    expect("total", r_.total());
    expect("gain", r_.gain());
    expect("low", r_.low());
    expect("realised", r_.realised());
    expect("realised_gain", r_.realised_gain());
    expect("mixture", r_.mixture());
    for (const char* name : {"best", "floor", "regret", "best_action"}) expect_null(name);
    const std::string best = end_.word("best_strategy");
    bool known = false;
    for (std::size_t k = 0; k < played(); ++k) {
      if (at(k).strategy.name != best) continue;
      known = true;
      claims_.expect("end.best_strategy", r_.sum(k), least());
    }
    if (!known) claims_.reject("end.best_strategy", "found no strategy that is played");
    expect("behind", r_.total() - least());
    expect("gap", r_.gap());
    expect("range", r_.range());
    claims_.expect_plain("end.squares", end_.number("squares"), r_.squares());
    expect("held_cost", r_.held_cost());
  }

  void check_learners(Verification& said) {
    const auto& reports = end_.list("learners");
    std::size_t place = 0;
    std::int64_t calls = 0, nodes = 0;
    double gap = 0;
    for (const auto& one : of_.strategies) {
      if (!one->driver) continue;
      if (place == reports.size()) claims_.reject("end.learners", "found fewer than there are learners");
      one->claims.within(path_of("end.learners", place) + ".");
      one->claims.next_line();
      const Verification found = one->driver->end(reports[place]);
      const std::string of = "of strategy \"" + one->strategy.name + "\": ";
      for (const auto& what : found.trusted) said.trusted.push_back(of + what);
      for (const auto& what : found.recorded) said.recorded.push_back(of + what);
      said.choices_on_trust = said.choices_on_trust || found.choices_on_trust;
      calls += static_cast<std::int64_t>(reports[place].at("oracle_calls").as_number());
      nodes += static_cast<std::int64_t>(reports[place].at("search_nodes").as_number());
      gap += reports[place].find_number("oracle_gap").value_or(0.0);
      ++place;
    }
    if (place != reports.size()) claims_.reject("end.learners", "found more than there are learners");
    claims_.expect_count("end.oracle_calls", end_.integer("oracle_calls"), static_cast<std::uint64_t>(calls));
    claims_.expect_count("end.search_nodes", end_.integer("search_nodes"), static_cast<std::uint64_t>(nodes));
    expect("oracle_gap", gap);
  }

  // Weights are those of the round to come, in which all propose.
  void check_strategies() const {
    RecomputedPortfolio next = r_;
    next.begin_play();
    const auto weights = next.decide(std::vector<bool>(played(), true)).weights;
    const auto& list = end_.list("strategies");
    if (list.size() != of_.strategies.size()) claims_.reject("end.strategies", "found another number of strategies");
    std::size_t k = 0;
    for (std::size_t i = 0; i < list.size(); ++i) {
      const FollowedStrategy& one = *of_.strategies[i];
      Fields row(list[i], path_of("end.strategies", i));
      if (row.word("name") != one.strategy.name || row.word("kind") != one.strategy.kind)
        claims_.reject(row.at("name"), "found another strategy than the header's");
      claims_.expect_count(row.at("proposed"), row.integer("proposed"), one.proposed);
      if (one.strategy.shadow) {
        if (!row.flag("shadow")) claims_.reject(row.at("shadow"), "found a strategy that is played");
        claims_.expect(row.at("total"), row.number("total"), one.total.value());
      } else {
        claims_.expect(row.at("total"), row.number("total"), r_.sum(k));
        claims_.expect_plain(row.at("weight"), row.number("weight"), weights[k]);
        claims_.expect(row.at("behind"), row.number("behind"), r_.total() - r_.sum(k));
        claims_.expect(row.at("certificate"), row.number("certificate"), r_.strategy(k));
        claims_.expect(row.at("mixing"), row.number("mixing"), r_.mixing(k));
        claims_.expect(row.at("rehearsed"), row.number("rehearsed"), r_.rehearsed_sum(k));
        ++k;
      }
      row.done();
    }
  }

  void check_share() const {
    Fields share = end_.fields("share");
    const auto number = [&](const char* name, double expected) {
      claims_.expect(share.at(name), share.number(name), expected);
    };
    const auto money = share.numbers("A");
    if (money.size() != RecomputedPortfolio::kRates) claims_.reject("end.share.A", "found another number of rates");
    for (std::size_t i = 0; i < money.size(); ++i) {
      // Relative to itself: small rates hold little, and it counts.
      const double expected = r_.rate_money(i);
      if (std::abs(money[i] - expected) > 1e-8 * expected)
        claims_.reject_number(path_of("end.share.A", i), money[i], expected);
    }
    number("X", r_.share_gains());
    claims_.expect_plain(share.at("V"), share.number("V"), r_.share_squares());
    number("beta", r_.beta());
    number("start", r_.start());
    number("closed", r_.closed());
    number("excess", r_.excess());
    number("missed", r_.missed());
    claims_.expect_count("end.share.epochs", share.integer("epochs"), r_.epochs());
    share.done();
  }

  void check_raw_numbers() const {
    Fields raw = end_.fields("raw");
    const bool reward = s_.problem->form() == Form::kReward;
    if ((raw.choice("unit", {"reward", "loss"}) == "reward") != reward)
      claims_.reject("end.raw.unit", "found the other unit");
    const double zero = s_.any_range ? 0.0 : static_cast<double>(r_.played());
    const auto in_units = [&](double loss) { return s_.normaliser * (reward ? zero - loss : loss); };
    claims_.expect(raw.at("total"), raw.number("total"), in_units(r_.total()));
    claims_.expect(raw.at("today"), raw.number("today"), in_units(r_.sum(0)));
    raw.done();
  }

  // The learner whose regret against fixed actions is certified: the first of these on all actions.
  std::optional<Expected> fixed_statement() const {
    const auto& reports = end_.list("learners");
    std::size_t k = 0, place = 0;
    for (const auto& one : of_.strategies) {
      const std::string& kind = one->strategy.kind;
      const bool states = one->driver && !one->strategy.shadow && !one->tree && !one->listed &&
                          (kind == "flipflop" || kind == "ada" || kind == "gftpl") &&
                          !one->strategy.params.find("discount");
      if (states) return fixed_by(*one, k, reports[place]);
      if (one->driver) ++place;
      if (!one->strategy.shadow) ++k;
    }
    return std::nullopt;
  }
  std::optional<Expected> fixed_by(const FollowedStrategy& one, std::size_t k, const Json& report) const {
    if (one.strategy.params.find("alpha") || r_.rehearsed() + r_.played() == 0) return std::nullopt;
    const Json *found = nullptr, *run = nullptr;
    for (const Json& bound : report.at("certificate").at("bounds").as_array()) {
      if (bound.at("name").as_string() == "run") run = &bound;
      if (bound.at("side").as_string() != "upper" || bound.find("discounted") || bound.find("says")) continue;
      if (!found || bound.at("value").as_number() < found->at("value").as_number()) found = &bound;
    }
    if (!found && !run) return std::nullopt;
    const Json& from = found ? *found : *run;
    return Expected{.name = "fixed",
                    .value = r_.strategy(k) + from.at("value").as_number(),
                    .happened = r_.total() + r_.rehearsed_sum(k) - report.at("best").as_number(),
                    .kind = found ? "mean" : "estimate",
                    .of = one.strategy.name,
                    .from = from.at("name").as_string()};
  }

  std::vector<Expected> statements() const {
    std::vector<Expected> all{{.name = "today", .value = r_.today(), .happened = -r_.gain()},
                              {.name = "share_cost", .value = r_.share_cost(), .happened = r_.total() - r_.mixture()}};
    for (std::size_t k = 0; k < played(); ++k)
      all.push_back({.name = "strategies",
                     .value = r_.strategy(k),
                     .happened = r_.total() - r_.sum(k),
                     .of = at(k).strategy.name});
    if (const auto fixed = fixed_statement()) all.push_back(*fixed);
    if (const auto limit = r_.limit())
      all.push_back({.name = "limit", .value = *limit, .happened = -r_.realised_gain(), .kind = "limit"});
    const auto& p = *s_.portfolio;
    if (p.hard && p.largest) all.push_back({.name = "hard", .value = *p.hard, .happened = -r_.realised_gain()});
    all.push_back({.name = "risk",
                   .value = p.risk + (p.largest ? 0.0 : 2 * r_.largest_difference()),
                   .happened = -r_.low(),
                   .kind = "before"});
    return all;
  }

  void check_certificate() const {
    Fields certificate = end_.fields("certificate");
    const auto& bounds = certificate.list("bounds");
    const auto expected = statements();
    if (bounds.size() != expected.size())
      claims_.reject("end.certificate.bounds", "found another number of statements");
    const double slack = 1e-9 * (s_.portfolio->risk + r_.beta() + std::abs(r_.total()));
    for (std::size_t i = 0; i < expected.size(); ++i) {
      Fields bound(bounds[i], path_of("end.certificate.bounds", i));
      const Expected& e = expected[i];
      if (bound.word("name") != e.name || bound.word("strategy", "") != e.of || bound.word("kind") != e.kind ||
          bound.word("from", "") != e.from)
        claims_.reject(bound.at("name"), "found another statement than \"" + e.name + "\"");
      bound.choice("side", {"upper"});
      claims_.expect(bound.at("value"), bound.number("value"), e.value);
      if (e.happened) claims_.expect(bound.at("happened"), bound.number("happened"), *e.happened);
      const bool sure = e.kind == "path" || e.kind == "before";
      if (sure && !bound.flag("holds")) claims_.reject(bound.at("holds"), "found false, expected true: it is proven");
      if (!sure && !bound.need("holds").is_null())
        claims_.reject(bound.at("holds"), "expected null: one run cannot tell");
      if (sure && *e.happened > e.value + slack)
        claims_.reject(bound.at("value"), "found a statement that the run breaks");
      if (bound.word("says") != sentence(e.name, s_.portfolio->largest.has_value()))
        claims_.reject(bound.at("says"), "found another sentence than the one for \"" + e.name + "\"");
      bound.done();
    }
    Fields assumptions = certificate.fields("assumptions");
    if (assumptions.need("largest") != Json(s_.portfolio->largest))
      claims_.reject(assumptions.at("largest"), "found another");
    claims_.expect_plain(assumptions.at("delta"), assumptions.number("delta"), s_.portfolio->delta);
    const bool spent = s_.portfolio->hard && *s_.portfolio->hard < s_.portfolio->largest.value_or(r_.beta());
    constexpr const char* kSpent = "below the largest difference of a round: nothing but today is played";
    if (assumptions.word("hard", "") != (spent ? kSpent : ""))
      claims_.reject(assumptions.at("hard"), "found another warning");
    assumptions.done();
    certificate.done();
  }

  Fields& end_;
  const PortfolioEnd& of_;
  RecomputedPortfolio r_;
  const RecordedSetting& s_;
  Claims& claims_;
};

}  // namespace

EndFacts check_portfolio_end(Fields& end, const PortfolioEnd& of, Verification& said) {
  return PortfolioEndCheck(end, of).run(said);
}

}  // namespace hannan::detail

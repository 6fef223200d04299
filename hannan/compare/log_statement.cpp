// Statements without a replay: what was paid beside what another rule would have brought, or the means of tested
// prices. They become a Comparison whose players only state amounts, so that the pages, the texts and the judgement are
// those of every comparison. O(rounds).
#include "hannan/compare/log_statement.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <memory>
#include <utility>

#include "hannan/compare/comparison.hpp"
#include "hannan/compare/judged_players.hpp"
#include "hannan/compare/judgement.hpp"
#include "hannan/core/sum.hpp"
#include "hannan/problems/log_kinds.hpp"
#include "hannan/runtime/registry.hpp"

namespace hannan::detail {

namespace {

// Players that only state amounts, as losses by round, the last one the baseline.
class Statement {
 public:
  explicit Statement(std::size_t rounds) : rounds_(rounds) {
    assert(rounds > 0);
    all.rounds = rounds;
    // The same widths, powers of two, as a comparison that is thinned while it runs.
    while (rounds / all.width > Comparison::kMostPoints) all.width *= 2;
    for (std::size_t t = 1; t <= rounds; ++t) {
      if (is_point(t)) all.at.push_back(t);
    }
    all.best.resize(all.at.size());
  }
  void add_player(std::string_view name, const char* about, const std::vector<double>& losses) {
    assert(losses.size() == rounds_);
    ComparedPlayer player{.name = std::string(name),
                          .about = about,
                          .role = ComparedPlayer::Role::kRival,
                          .path = {},
                          .report = {},
                          .against = {}};
    Sum sum;
    for (std::size_t t = 1; t <= rounds_; ++t) {
      sum.add(losses[t - 1]);
      if (is_point(t)) player.path.push_back({.loss = sum.value(), .action = {}});
    }
    all.baseline = all.best_fixed = all.players.size();
    all.players.push_back(std::move(player));
  }

  Comparison all;

 private:
  bool is_point(std::size_t t) const { return t % all.width == 0 || t == rounds_; }
  std::size_t rounds_;
};

// The first kind that such a log is for, as a problem without a decision.
std::unique_ptr<AnyProblem> unplayed_problem(bool (*fits)(const LogUse&), const LogUse::Unplayed& of) {
  const std::string kind = first_log_kind(fits);
  return make_problem(kind, log_use(kind).unplayed(of), "params");
}

// By value: every caller gives a list that it still needs.
std::vector<double> times(double factor, std::vector<double> amounts) {
  for (double& amount : amounts) amount *= factor;
  return amounts;
}

}  // namespace

// Two players, "second price" and what was paid. The verdict is withheld whatever the gain: no_replay is a doubt that
// forbids, since bidders would have bid otherwise under another rule of payment.
ComparisonResult log_statement(const LogStatement& statement) {
  const bool reverse = statement.direction == Direction::kReverse;
  const std::size_t rounds = statement.paid.size();
  // Amounts are losses: costs, or earnings below 0. The problem has one bidder and no decision.
  const double sign = reverse ? 1 : -1;
  const auto problem =
      unplayed_problem([](const LogUse& use) { return use.in_money != LogShape::kNone; }, {.reverse = reverse});
  Statement made(rounds);
  made.add_player("second price",
                  reverse ? "every supplier at the best bid of another firm at or above its own; bids would change"
                          : "every winner at the best bid of another bidder at or below its own; bids would change",
                  times(sign, statement.second));
  made.add_player(kAsLogged, "what was paid: the winners' own bids", times(sign, statement.paid));
  auto& gains = made.all.gains.emplace_back(rounds);
  for (std::size_t t = 0; t < rounds; ++t) gains[t] = sign * (statement.paid[t] - statement.second[t]);
  LogDoubts doubts = statement.doubts;
  doubts.no_replay = std::string(kPaidOwnBids);
  ComparisonResult result = comparison_result(made.all, *problem, {.currency = statement.currency, .doubts = doubts});
  result.payment = "pay-as-bid";
  return result;
}

namespace {

// The problem of goods at posted prices, without a decision.
std::unique_ptr<AnyProblem> goods_problem(std::size_t goods) {
  return unplayed_problem([](const LogUse& use) { return use.posted != LogShape::kNone; }, {.owners = goods});
}

// With one interval in both places.
ResultJudgement judgement_of(const Judgement& judged, const JudgedNames& names) {
  ResultJudgement result = stated(judged, names);
  if (std::isfinite(judged.blocks.lo)) result.range = result.blocks = judged.blocks;
  return result;
}

std::string price_name(const PriceStatement& statement, const TestedPrice& price) {
  const std::string& good = statement.goods[price.good];
  return (good.empty() ? "price " : good + " at ") + number_text(price.price) + (price.today ? ", today" : "");
}

}  // namespace

// Prices that were not drawn at random: what was sold is stated and nothing else, as demand at another price is not
// known.
ComparisonResult posted_statement(const PostedStatement& statement) {
  Statement made(statement.sold.size());
  made.add_player(kAsLogged, "what was sold, at the prices of the log", times(-1, statement.sold));
  ComparisonResult result = comparison_result(made.all, *goods_problem(statement.goods),
                                              {.currency = statement.currency, .doubts = statement.doubts});
  const Judgement judged =
      judge_range({.gain = 0, .range = kExtended, .offers = statement.sold.size()},
                  {.doubts = {.log = statement.doubts, .best = BestRange::exact(), .most = std::optional(1.0)}});
  result.players[0].judgement = judgement_of(judged, {.player = std::string(kAsLogged),
                                                      .baseline = std::string(kAsLogged),
                                                      .money = 0,
                                                      .currency = statement.currency,
                                                      .reward = true});
  result.doubts = result.players[0].judgement->doubts;
  result.payment = "posted";
  return result;
}

// Prices drawn at random: each tested price is a player that would have earned its mean in every round. The first of
// the list is the best, and its doubts are those of the page.
ComparisonResult price_statement(const PriceStatement& statement) {
  const auto rounds = static_cast<double>(statement.earned.size());
  const TestedPrice* today = nullptr;
  std::vector<const TestedPrice*> judged;
  for (const TestedPrice& price : statement.prices) {
    if (price.today) today = &price;
    if (price.judged) judged.push_back(&price);
  }
  // Equal ones stay in the order of the list.
  std::ranges::sort(judged, [](const TestedPrice* a, const TestedPrice* b) {
    return a->judged->gain != b->judged->gain ? a->judged->gain > b->judged->gain : a < b;
  });
  Sum sum;
  for (const double earned : statement.earned) sum.add(earned);
  // The baseline over all offers: today's price where one is named, else what the mixture of the test earned.
  const double base = today ? rounds * today->mean : sum.value();
  const std::string baseline = today ? price_name(statement, *today) : std::string(kAsLogged);
  Statement made(statement.earned.size());
  for (const TestedPrice* price : judged)
    made.add_player(price_name(statement, *price), "the mean of the offers at this price, times all offers",
                    std::vector<double>(statement.earned.size(), -(base + price->judged->gain) / rounds));
  made.add_player(baseline,
                  today ? "the mean of the offers at today's price, times all offers" : "the log as it was run",
                  today ? std::vector<double>(statement.earned.size(), -today->mean) : times(-1, statement.earned));
  ComparisonResult result = comparison_result(made.all, *goods_problem(statement.goods.size()),
                                              {.currency = statement.currency, .doubts = statement.doubts});
  for (std::size_t i = 0; i < judged.size(); ++i) {
    const Judgement& found = *judged[i]->judged;
    ResultPlayer& player = result.players[i];
    player.good = statement.goods[judged[i]->good];
    player.price = judged[i]->price;
    player.money_interval = {base + found.blocks.lo, base + found.blocks.hi};
    player.over_baseline_interval = found.blocks;
    player.judgement = judgement_of(found, {.player = price_name(statement, *judged[i]),
                                            .baseline = baseline,
                                            .money = base,
                                            .currency = statement.currency,
                                            .reward = true});
  }
  ComparisonResult::PriceTest test{
      .baseline = baseline, .offers = rounds, .judged = static_cast<double>(judged.size()), .prices = {}};
  for (const TestedPrice& price : statement.prices) {
    test.prices.push_back({.good = statement.goods[price.good],
                           .price = price.price,
                           .offers = static_cast<double>(price.offers),
                           .sales = static_cast<double>(price.sales),
                           .mean = price.mean,
                           .today = price.today,
                           .range = price.judged ? std::optional(price.range) : std::nullopt});
  }
  result.doubts = result.players[0].judgement->doubts;
  result.payment = "posted";
  result.price_test = std::move(test);
  return result;
}

}  // namespace hannan::detail

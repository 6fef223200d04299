// Gains of each player in money against its baseline, in the order of rounds, given to judge() with all doubts.
#include "hannan/compare/judged_players.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "hannan/compare/round_scale.hpp"
#include "hannan/core/sum.hpp"
#include "hannan/io/amount_text.hpp"

namespace hannan::detail {

// The most that one round can gain or lose, in money: known in advance, as the anytime interval needs. Losses in [0,1]
// have the unit itself; in money it is the highest price times the units or buyers, and nothing where that is not
// bounded.
std::optional<double> largest_gain(const AnyProblem& problem, const MoneyScale& scale) {
  const double unit = problem.game().normaliser() * scale.unit;
  if (problem.game().loss_range() != LossRange::kUnknown) return unit;
  const auto money = problem.game().money();
  if (!money || !money->most_gain) return std::nullopt;
  return money->most_gain({.unit = unit, .outside = scale.outside, .largest = scale.largest});
}

JudgedPlayers::JudgedPlayers(const Comparison& comparison, const AnyProblem& problem, const MoneyScale& scale)
    : all_(comparison),
      problem_(problem),
      money_(problem.game().money()),
      scale_(scale),
      reward_(problem.game().form() == Form::kReward),
      unknown_range_(problem.game().loss_range() == LossRange::kUnknown),
      unit_(problem.game().normaliser() * scale.unit) {}

ResultJudgement stated(const Judgement& judged, const JudgedNames& names) {
  ResultJudgement result;
  result.recommendation = recommendation_name(judged.advice);
  result.says = sentence(judged, names);
  result.reason = judged.reason;
  result.doubts = stated(judged.doubts);
  result.gain = judged.gain;
  return result;
}

const Money::Shares* JudgedPlayers::shares() const { return money_ && money_->shares ? &*money_->shares : nullptr; }

// Losses in [0,1] of a reward: reward = 1 - loss in every round. In money the loss is the reward with its sign turned.
double JudgedPlayers::money(std::uint64_t rounds, double loss) const {
  if (!reward_) return unit_ * loss;
  return unit_ * ((unknown_range_ ? 0.0 : static_cast<double>(rounds)) - loss);
}

// Bonferroni counts every learner that is judged, not only this one (players).
ResultJudgement JudgedPlayers::player(std::size_t i) const {
  const ComparedPlayer& player = all_.players[i];
  const ComparedPlayer& base = all_.players[player.against.value_or(all_.baseline)];
  return judgement({.player = player.name,
                    .baseline = base.name,
                    .today = money(all_.rounds, base.path.back().loss),
                    .gains = all_.gains[i],
                    .most_gains = i < all_.most_gains.size() ? all_.most_gains[i] : std::vector<double>(),
                    .players = all_.gains.size(),
                    .at_risk = at_risk(i)});
}

// Stated only where the largest difference of a round is known beforehand: otherwise more may be lost.
std::optional<double> JudgedPlayers::at_risk(std::size_t player) const {
  if (!all_.portfolio || all_.portfolio->player != player) return std::nullopt;
  const Json& params = all_.players[player].report.at("params");
  if (!params.find_number("largest")) return std::nullopt;
  return params.at("risk").as_number() * unit_;
}

ResultJudgement JudgedPlayers::strategy(std::size_t k) const {
  const auto& strategies = all_.portfolio->strategies;
  return judgement({.player = strategies[k].name,
                    .baseline = strategies.front().name,
                    .today = money(all_.rounds, all_.players[all_.portfolio->player].path.back().portfolio->losses[0]),
                    .gains = strategies[k].gains,
                    .most_gains = {},
                    .players = all_.gains.size() + strategies.size() - 1});
}

std::vector<StatedDoubt> JudgedPlayers::doubts() const { return stated(forbidding(doubts_of(unit_), all_.rounds)); }

// Without a gain in either direction there is nothing to judge.
std::optional<double> JudgedPlayers::most_gain() const {
  if (!unknown_range_ || !replayed()) return unit_;  // where it is not replayed nothing is decided
  return largest_gain(problem_, scale_);
}

// Whether other decisions can be replayed on the log.
bool JudgedPlayers::replayed() const { return scale_.doubts.no_replay->empty() && scale_.doubts.question->empty(); }

// What the best fixed action earns or costs: a range where it is not proven.
Interval JudgedPlayers::best_money() const {
  const double found = money(all_.rounds, best_end()), least = money(all_.rounds, best_end() - all_.best_gap);
  return {std::min(found, least), std::max(found, least)};
}

ComparisonResult::Best JudgedPlayers::best() const {
  return {.proven = all_.best_gap == 0, .loss = {best_end() - all_.best_gap, best_end()}, .money = best_money()};
}

Doubts JudgedPlayers::doubts_of(std::optional<double> most) const {
  return {.log = scale_.doubts,
          .best = BestRange{.money = best_money(), .currency = scale_.currency},
          .most = std::move(most)};
}

// In money, or as shares of what it costs not to buy.
ResultJudgement JudgedPlayers::judgement(Judged of) const {
  if (replayed() && judged_by_shares(shares(), all_.scales.of, all_.scales.base)) return share_judgement(of);
  std::optional<double> most = most_gain();
  for (auto* gains : {&of.gains, &of.most_gains}) {
    for (double& gain : *gains) {
      gain *= unit_;
      // What was logged may lie beyond the cap of the data.
      if (most) most = std::max(*most, std::abs(gain));
    }
  }
  const JudgementTerms terms{.doubts = doubts_of(most),
                             .baseline = of.today,
                             .players = of.players,
                             .most_gains = of.most_gains,
                             .most_fixed = all_.most_fixed ? std::optional(*all_.most_fixed * unit_) : std::nullopt,
                             .at_risk = of.at_risk};
  const Judgement judged = judge(of.gains, terms);
  ResultJudgement result = stated(judged, {.player = of.player,
                                           .baseline = of.baseline,
                                           .money = of.today,
                                           .currency = scale_.currency,
                                           .reward = reward_});
  result.range = judged.range();
  result.anytime = judged.anytime;
  result.blocks = judged.blocks;
  if (of.gains.size() == all_.rounds && most) result.path = path(of.gains, terms);
  result.most_gain = judged.most_gain;
  if (judged.most_gain) result.most_blocks = judged.most_blocks;
  return result;
}

// Of the last rounds, as many as there are gains: each gain as a share of its round's scale. The gain is still in
// money; ranges are means of shares.
ResultJudgement JudgedPlayers::share_judgement(const Judged& of) const {
  const auto rounds = static_cast<double>(of.gains.size());
  const std::size_t first = all_.scales.of.size() - of.gains.size();
  double most = shares()->most;
  std::vector<double> shares(of.gains.size());
  Sum base, money;
  for (std::size_t t = 0; t < shares.size(); ++t) {
    const double scale = all_.scales.of[first + t];
    shares[t] = of.gains[t] / scale;
    base.add((reward_ ? -1 : 1) * all_.scales.base[first + t] / scale);
    money.add(of.gains[t] * unit_);
    most = std::max(most, std::abs(shares[t]));
  }
  const Judgement judged = judge(shares, {.doubts = doubts_of(most > 0 ? std::optional(most) : std::nullopt),
                                          .baseline = base.value(),
                                          .players = of.players,
                                          .money = money.value(),
                                          .at_risk = of.at_risk});
  const auto mean = [&](const Interval& range) { return Interval{range.lo / rounds, range.hi / rounds}; };
  const Interval shown = judged.advice == Recommendation::kKeep ? judged.blocks : judged.range();
  Judgement in_money = judged;
  in_money.gain = money.value();
  const std::string range = judged.has_range()
                                ? fmt::format(" (95 % range {} to {})", percent_difference_text(shown.lo / rounds),
                                              percent_difference_text(shown.hi / rounds))
                                : std::string();
  ResultJudgement result = stated(in_money, {.player = of.player,
                                             .baseline = of.baseline,
                                             .money = of.today,
                                             .currency = scale_.currency,
                                             .reward = reward_,
                                             .with_range = false});
  result.says += fmt::format("; gain per round {} of {}{}", percent_difference_text(judged.gain / rounds),
                             reward_ ? "the value" : "what it costs not to buy", range);
  result.shares = {.gain = judged.gain / rounds,
                   .range = mean(shown),
                   .anytime = mean(judged.anytime),
                   .blocks = mean(judged.blocks)};
  return result;
}

// The range as it would have been printed after some of the points, the last among them: sum_upper is expensive. Null
// below 40 rounds.
ResultJudgement::Path JudgedPlayers::path(const std::vector<double>& gains, const JudgementTerms& terms) const {
  constexpr std::size_t kMostRanges = 128;
  std::vector<std::uint64_t> at;
  const std::size_t step = (all_.at.size() + kMostRanges - 1) / kMostRanges;
  for (std::size_t i = (all_.at.size() - 1) % step; i < all_.at.size(); i += step) at.push_back(all_.at[i]);
  const auto known = [](const Interval& of) {
    return std::isfinite(of.lo) && std::isfinite(of.hi) ? std::optional(of) : std::nullopt;
  };
  ResultJudgement::Path path{.round = {at.begin(), at.end()}, .range = {}, .blocks = {}};
  for (const Judgement& judged : ranges_over_time(gains, terms, at)) {
    path.range.push_back(known(judged.range()));
    path.blocks.push_back(known(judged.blocks));
  }
  return path;
}

// The action was chosen on the first rounds and is judged on the others alone, so that one player is judged and no
// selection is to be paid for.
ComparisonResult::HeldOut JudgedPlayers::held_out() const {
  const HeldOut& held = *all_.held_out;
  const std::string from = std::to_string(held.from),
                    name = std::string(held.proven ? "the best" : "the best that was found") + " of the first " + from +
                           " rounds";
  const std::uint64_t rounds = held.gains.size();
  const double today = money(rounds, held.base_loss);
  return {.from = static_cast<double>(held.from),
          .rounds = static_cast<double>(rounds),
          .action = held.action,
          .proven = held.proven,
          .money = money(rounds, held.loss),
          .baseline = today,
          .judgement = judgement({.player = name,
                                  .baseline = all_.players[all_.baseline].name,
                                  .today = today,
                                  .gains = held.gains,
                                  .most_gains = {},
                                  .players = 1})};
}

}  // namespace hannan::detail

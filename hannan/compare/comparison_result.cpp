// Money, intervals and paths of a comparison.
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "hannan/compare/block_bootstrap.hpp"
#include "hannan/compare/comparison.hpp"
#include "hannan/compare/judged_players.hpp"
#include "hannan/compare/portfolio_result.hpp"
#include "hannan/compare/weak_class.hpp"
#include "hannan/io/amount_text.hpp"
#include "hannan/runtime/best_known.hpp"

namespace hannan::detail {
namespace {

// Built for one call of result(): it holds references to all that it is given. Figures are in money, by
// JudgedPlayers::money; paths are in losses, and both are indexed by the points of all_.at.
class Account {
 public:
  Account(const Comparison& comparison, const AnyProblem& problem, const MoneyScale& scale)
      : all_(comparison),
        problem_(problem),
        scale_(scale),
        judged_(comparison, problem, scale),
        reward_(judged_.reward()),
        unit_(judged_.unit()) {
    // Blocks of neighbouring rounds for the bootstrap, about kBlocks of them unless a length was stated; a block is a
    // whole number of points of the paths.
    const std::uint64_t wanted = scale.block > 0 ? scale.block : (all_.rounds + kBlocks - 1) / kBlocks;
    group_ = std::max<std::uint64_t>(1, (wanted + all_.width / 2) / all_.width);
    // The first tenth ends at the first point that is not before it; the last begins behind the last point
    // that is not after nine tenths.
    while (first_end_ + 1 < all_.at.size() && 10 * all_.at[first_end_] < all_.rounds) ++first_end_;
    last_begin_ = all_.at.size() - 1;
    while (last_begin_ > 0 && 10 * all_.at[last_begin_] > 9 * all_.rounds) --last_begin_;
  }

  ComparisonResult result() const {
    ComparisonResult result;
    result.problem = problem_.kind();
    result.params = problem_.params();
    result.rounds = all_.rounds;
    if (reward_) result.unit = "reward";
    result.normaliser = unit_ / scale_.unit;
    result.cap = scale_.unit;
    result.currency = scale_.currency;
    result.seed = static_cast<double>(scale_.seed);
    result.baseline = all_.players[all_.baseline].name;
    result.blocks = {.length = static_cast<double>(group_ * all_.width),
                     .count = static_cast<double>(blocks(all_.players[0], nullptr).size()),
                     .resamples = kResamples,
                     .level = kLevel};
    result.first_tenth = {1, static_cast<double>(all_.at[first_end_])};
    result.last_tenth = {static_cast<double>(last_start() + 1), static_cast<double>(all_.rounds)};
    result.points = {.round = {all_.at.begin(), all_.at.end()}, .best = all_.best, .time = all_.times};
    for (std::size_t i = 0; i < all_.players.size(); ++i) {
      ResultPlayer& player = result.players.emplace_back(player_of(all_.players[i]));
      if (i < all_.gains.size()) player.judgement = judged_.player(i);
      if (i < all_.uncontested.gains.size())
        player.uncontested = {.rounds = static_cast<double>(all_.uncontested.rounds),
                              .gain = all_.uncontested.gains[i] * unit_};
    }
    if (all_.portfolio) result.portfolio = portfolio_result(all_, judged_);
    result.doubts = all_.gains.empty() ? judged_.doubts() : result.players[0].judgement->doubts;
    result.best = judged_.best();
    result.rehearsed = static_cast<double>(all_.rehearsed);
    if (all_.most_fixed) result.most_fixed_gain = *all_.most_fixed * unit_;
    if (all_.held_out) result.holdout = judged_.held_out();
    result.weak_class = weak_class(all_, judged_.doubts_of(1.0));
    return result;
  }

 private:
  // Chosen: enough blocks for a bootstrap, each long enough to hold the dependence of neighbouring rounds.
  static constexpr std::uint64_t kBlocks = 100;

  // Of so many rounds with so much loss in all.
  double money(std::uint64_t rounds, double loss) const { return judged_.money(rounds, loss); }
  // Rounds before the last tenth.
  std::uint64_t last_start() const { return all_.at.size() < 2 ? 0 : all_.at[last_begin_]; }

  // Stretches of group_ points: money of a player, less that of another where there is one.
  std::vector<Block> blocks(const ComparedPlayer& player, const ComparedPlayer* less) const {
    // At the loop's head rounds, loss and other are the totals up to the end of the last block.
    std::vector<Block> list;
    std::uint64_t rounds = 0;
    double loss = 0, other = 0;
    for (std::size_t i = 0; i < all_.at.size(); ++i) {
      if ((i + 1) % group_ != 0 && i + 1 != all_.at.size()) continue;
      const std::uint64_t more = all_.at[i] - rounds;
      double amount = money(more, player.path[i].loss - loss);
      if (less) amount -= money(more, less->path[i].loss - other);
      list.push_back({.rounds = more, .amount = amount});
      rounds = all_.at[i];
      loss = player.path[i].loss;
      if (less) other = less->path[i].loss;
    }
    return list;
  }

  // Money, its interval, the gain over the baseline, the first and the last tenth, regret and the path of one player.
  ResultPlayer player_of(const ComparedPlayer& player) const {
    static constexpr const char* kRoles[] = {"learner", "rival", "hindsight"};
    const ComparedPlayer& base = base_of(player);
    const ComparedPoint& end = player.path.back();
    const double before_last = all_.at.size() < 2 ? 0 : player.path[last_begin_].loss;
    const auto a_round = [&](std::uint64_t rounds, double part) {
      return money(rounds, part) / static_cast<double>(rounds);
    };
    ResultPlayer result;
    result.name = player.name;
    result.about = player.about;
    result.role = kRoles[static_cast<std::size_t>(player.role)];
    result.loss = end.loss;
    result.money = money(all_.rounds, end.loss);
    result.money_interval = block_bootstrap(blocks(player, nullptr), scale_.seed);
    result.over_baseline = result.money - money(all_.rounds, base.path.back().loss);
    result.over_baseline_interval = block_bootstrap(blocks(player, &base), scale_.seed);
    result.first_tenth = a_round(all_.at[first_end_], player.path[first_end_].loss);
    result.last_tenth = a_round(all_.rounds - last_start(), end.loss - before_last);
    result.regret = end.loss + player.rehearsed - best_end(player);
    result.regret_range = {result.regret, result.regret + best_gap(player)};
    result.bound = bound_value(end);
    result.calls = static_cast<double>(end.calls);
    result.final_action = end.action;
    if (end.bound) result.bound_of = end.bound->word();
    if (player.against) result.against = base.name;
    if (!end.depths.empty()) result.segments = segments_of(player, result);
    if (!player.report.is_null()) result.report = with_best_range(player.report, problem_.game());
    result.series = series(player);
    return result;
  }

  // L* as the second pass priced it: a sum over rounds, where a learner's own is a sum over its tables. With a
  // rehearsal the regret, like the bounds on it, is of all rounds, the rehearsed ones included; a portfolio is charged
  // for none of these, and its regret is of the played ones.
  double best_end(const ComparedPlayer& player) const {
    return of_all(player) ? all_.best_of_all->found : all_.players[all_.best_fixed].path.back().loss;
  }
  double best_gap(const ComparedPlayer& player) const { return of_all(player) ? all_.best_of_all->gap : all_.best_gap; }
  bool of_all(const ComparedPlayer& player) const { return all_.best_of_all && !is_portfolio(player); }
  static bool is_portfolio(const ComparedPlayer& player) {
    return player.report.is_object() && player.report.find("best_strategy");
  }

  const ComparedPlayer& base_of(const ComparedPlayer& player) const {
    return all_.players[player.against.value_or(all_.baseline)];
  }

  // Of a learner with a decision for every segment: what the segments were worth, and where its weight lies at the end.
  ResultSegments segments_of(const ComparedPlayer& player, const ResultPlayer& figures) const {
    // Money of a loss is a cost: less is better, so the gain has the other sign.
    const double gain = (reward_ ? 1 : -1) * figures.over_baseline;
    const Interval range = figures.over_baseline_interval;
    const Interval better = reward_ ? range : Interval{-range.hi, -range.lo};
    const std::vector<double>& end = player.path.back().depths;
    std::vector<double> depths;
    for (std::size_t d = 0; d < end.size(); ++d) {
      const double before = all_.at.size() < 2 ? 0 : player.path[last_begin_].depths[d];
      depths.push_back((end[d] - before) / static_cast<double>(all_.rounds - last_start()));
    }
    const std::string& over = base_of(player).name;
    return {.says = fmt::format("segments {} {} [{}, {}] over {}", reward_ ? "earned" : "saved",
                                money_difference_text(gain, scale_.currency), money_difference_text(better.lo, ""),
                                money_difference_text(better.hi, ""), over),
            .gain = gain,
            .interval = better,
            .over = over,
            .by = player.report.at("params").at("by"),
            .depths = std::move(depths)};
  }

  static std::optional<double> bound_value(const ComparedPoint& point) {
    return point.bound ? std::optional(point.bound->value) : std::nullopt;
  }

  // One entry a point. Learners alone have bounds and rates; actions in hindsight do not change and stand once, as the
  // final action.
  ResultSeries series(const ComparedPlayer& player) const {
    const bool learner = player.role == ComparedPlayer::Role::kLearner;
    ResultSeries series;
    for (std::size_t i = 0; i < player.path.size(); ++i) {
      const ComparedPoint& point = player.path[i];
      series.loss.emplace_back(point.loss);
      series.money.emplace_back(money(all_.at[i], point.loss));
      // What learners know of the best is of all rounds.
      const bool known = all_.best[i] && !(all_.rehearsed > 0 && is_portfolio(player));
      series.regret.push_back(known ? std::optional(point.loss + player.rehearsed - *all_.best[i]) : std::nullopt);
      if (player.role != ComparedPlayer::Role::kHindsight) series.action.push_back(point.action);
      if (!player.path.back().depths.empty()) series.depths.push_back(point.depths);
      if (!learner) continue;
      series.bound.push_back(bound_value(point));
      series.rate.push_back(point.rate);
      series.regime.push_back(point.regime);
      series.calls.emplace_back(static_cast<double>(point.calls));
    }
    return series;
  }

  const Comparison& all_;
  const AnyProblem& problem_;
  const MoneyScale& scale_;
  JudgedPlayers judged_;
  bool reward_;
  double unit_;              // money of a loss of 1
  std::uint64_t group_ = 1;  // points a block
  std::size_t first_end_ = 0, last_begin_ = 0;
};

}  // namespace

ComparisonResult comparison_result(const Comparison& comparison, const AnyProblem& problem, const MoneyScale& scale) {
  return Account(comparison, problem, scale).result();
}

}  // namespace hannan::detail

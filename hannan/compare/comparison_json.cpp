// Money, intervals and paths of a comparison.
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "hannan/compare/block_bootstrap.hpp"
#include "hannan/compare/comparison.hpp"
#include "hannan/compare/judged_json.hpp"
#include "hannan/compare/weak_class.hpp"
#include "hannan/io/amount_text.hpp"
#include "hannan/runtime/best_known.hpp"

namespace hannan::detail {
namespace {

// Built for one call of json(): it holds references to all that it is given. Figures are in money, by
// JudgedJson::money; paths are in losses, and both are indexed by the points of all_.at.
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

  Json json() const {
    Json players = Json::array();
    for (std::size_t i = 0; i < all_.players.size(); ++i) {
      Json player = player_json(all_.players[i]);
      if (i < all_.gains.size()) player.set("judgement", judged_.player(i));
      if (i < all_.uncontested.gains.size())
        player.set("uncontested",
                   Json::object({{"rounds", all_.uncontested.rounds}, {"gain", all_.uncontested.gains[i] * unit_}}));
      players.push_back(std::move(player));
    }
    Json doubts = all_.gains.empty() ? judged_.doubts() : players[0].at("judgement").at("doubts");
    std::vector<double> rounds(all_.at.begin(), all_.at.end());
    Json best = Json::array();
    for (const auto& value : all_.best) best.push_back(value);
    Json series = Json::object({{"round", Json(rounds)}, {"best", std::move(best)}});
    if (!all_.times.empty()) series.set("time", Json(all_.times));
    Json json = Json::object({{"version", 1},
                              {"doubts", std::move(doubts)},
                              {"best", judged_.best()},
                              {"problem", problem_.kind()},
                              {"params", problem_.params()},
                              {"rounds", all_.rounds},
                              {"unit", reward_ ? "reward" : "loss"},
                              {"normaliser", unit_ / scale_.unit},
                              {"cap", scale_.unit},
                              {"currency", scale_.currency},
                              {"seed", scale_.seed},
                              {"baseline", all_.players[all_.baseline].name},
                              {"blocks", Json::object({{"length", group_ * all_.width},
                                                       {"count", blocks(all_.players[0], nullptr).size()},
                                                       {"resamples", kResamples},
                                                       {"level", kLevel}})},
                              {"first_tenth", Json::array({Json(1), Json(all_.at[first_end_])})},
                              {"last_tenth", Json::array({Json(last_start() + 1), Json(all_.rounds)})},
                              {"series", std::move(series)},
                              {"players", std::move(players)}});
    if (all_.rehearsed > 0) json.set("rehearsed", all_.rehearsed);
    if (all_.most_fixed) json.set("most_fixed_gain", *all_.most_fixed * unit_);
    if (all_.held_out) json.set("holdout", judged_.held_out());
    if (Json weak = weak_class_json(all_, judged_.doubts_of(1.0)); !weak.is_null())
      json.set("weak_class", std::move(weak));
    return json;
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
  Json player_json(const ComparedPlayer& player) const {
    static constexpr const char* kRoles[] = {"learner", "rival", "hindsight"};
    const ComparedPlayer& base = base_of(player);
    const double loss = player.path.back().loss, total = money(all_.rounds, loss);
    const double before_last = all_.at.size() < 2 ? 0 : player.path[last_begin_].loss;
    const auto a_round = [&](std::uint64_t rounds, double part) {
      return money(rounds, part) / static_cast<double>(rounds);
    };
    Json json = Json::object({{"name", player.name},
                              {"about", player.about},
                              {"role", kRoles[static_cast<std::size_t>(player.role)]},
                              {"loss", loss},
                              {"money", total},
                              {"money_interval", pair_of(block_bootstrap(blocks(player, nullptr), scale_.seed))},
                              {"over_baseline", total - money(all_.rounds, base.path.back().loss)},
                              {"over_baseline_interval", pair_of(block_bootstrap(blocks(player, &base), scale_.seed))},
                              {"first_tenth_a_round", a_round(all_.at[first_end_], player.path[first_end_].loss)},
                              {"last_tenth_a_round", a_round(all_.rounds - last_start(), loss - before_last)},
                              {"regret", regret(player)},
                              {"regret_range", pair_of({regret(player), regret(player) + best_gap()})},
                              {"bound", bound_value(player.path.back())},
                              {"calls", player.path.back().calls},
                              {"final_action", player.path.back().action}});
    // What it covers: "limit", every round at once with the stated certainty; "path", for sure; "mean", the expected
    // regret alone.
    if (const auto& bound = player.path.back().bound) json.set("bound_of", bound->word());
    if (player.against) json.set("against", base.name);
    if (!player.path.back().depths.empty()) json.set("segments", segments_json(player));
    if (!player.report.is_null()) json.set("report", with_best_range(player.report, problem_.game()));
    json.set("series", series(player));
    return json;
  }

  // L* as the second pass priced it: a sum over rounds, where a learner's own is a sum over its tables. With a
  // rehearsal the regret, like the bounds on it, is of all rounds, the rehearsed ones included.
  double best_end() const {
    return all_.best_of_all ? all_.best_of_all->found : all_.players[all_.best_fixed].path.back().loss;
  }
  double best_gap() const { return all_.best_of_all ? all_.best_of_all->gap : all_.best_gap; }
  double regret(const ComparedPlayer& player) const { return player.path.back().loss + player.rehearsed - best_end(); }

  const ComparedPlayer& base_of(const ComparedPlayer& player) const {
    return all_.players[player.against.value_or(all_.baseline)];
  }

  // Of a learner with a decision for every segment: what the segments were worth, and where its weight lies at the end.
  Json segments_json(const ComparedPlayer& player) const {
    const ComparedPlayer& base = base_of(player);
    const double gain = money(all_.rounds, player.path.back().loss) - money(all_.rounds, base.path.back().loss);
    const Interval range = block_bootstrap(blocks(player, &base), scale_.seed);
    // Money of a loss is a cost: less is better, so the gain has the other sign.
    const double sign = reward_ ? 1 : -1;
    const Interval better = reward_ ? range : Interval{-range.hi, -range.lo};
    const std::vector<double>& end = player.path.back().depths;
    std::vector<double> depths;
    for (std::size_t d = 0; d < end.size(); ++d) {
      const double before = all_.at.size() < 2 ? 0 : player.path[last_begin_].depths[d];
      depths.push_back((end[d] - before) / static_cast<double>(all_.rounds - last_start()));
    }
    const std::string says =
        fmt::format("segments {} {} [{}, {}] over {}", reward_ ? "earned" : "saved",
                    money_difference_text(sign * gain, scale_.currency), money_difference_text(better.lo, ""),
                    money_difference_text(better.hi, ""), base.name);
    return Json::object({{"says", says},
                         {"gain", sign * gain},
                         {"interval", pair_of(better)},
                         {"over", base.name},
                         {"by", player.report.at("params").at("by")},
                         {"depths", Json(depths)}});
  }

  static Json bound_value(const ComparedPoint& point) { return point.bound ? Json(point.bound->value) : Json(); }

  // One entry a point. Learners alone have bounds and rates; actions in hindsight do not change and stand once, as the
  // final action.
  Json series(const ComparedPlayer& player) const {
    Json loss = Json::array(), earned = Json::array(), regret = Json::array(), bound = Json::array(),
         rate = Json::array(), regime = Json::array(), calls = Json::array(), action = Json::array();
    for (std::size_t i = 0; i < player.path.size(); ++i) {
      const ComparedPoint& point = player.path[i];
      loss.push_back(point.loss);
      earned.push_back(money(all_.at[i], point.loss));
      regret.push_back(all_.best[i] ? Json(point.loss + player.rehearsed - *all_.best[i]) : Json());
      bound.push_back(bound_value(point));
      rate.push_back(point.rate);
      regime.push_back(point.regime);
      calls.push_back(point.calls);
      action.push_back(point.action);
    }
    Json json = Json::object({{"loss", std::move(loss)}, {"money", std::move(earned)}, {"regret", std::move(regret)}});
    if (player.role == ComparedPlayer::Role::kLearner) {
      json.set("bound", std::move(bound))
          .set("rate", std::move(rate))
          .set("regime", std::move(regime))
          .set("calls", std::move(calls));
    }
    // Of learners by segment: the weight of each depth, summed up to each round.
    if (!player.path.empty() && !player.path.back().depths.empty()) {
      Json depths = Json::array();
      for (const ComparedPoint& point : player.path) depths.push_back(Json(point.depths));
      json.set("depths", std::move(depths));
    }
    if (player.role != ComparedPlayer::Role::kHindsight) json.set("action", std::move(action));
    return json;
  }

  const Comparison& all_;
  const AnyProblem& problem_;
  const MoneyScale& scale_;
  JudgedJson judged_;
  bool reward_;
  double unit_;              // money of a loss of 1
  std::uint64_t group_ = 1;  // points a block
  std::size_t first_end_ = 0, last_begin_ = 0;
};

}  // namespace

Json comparison_json(const Comparison& comparison, const AnyProblem& problem, const MoneyScale& scale) {
  return Account(comparison, problem, scale).json();
}

}  // namespace hannan::detail

// Money, intervals and paths of a comparison.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "hannan/compare/block_bootstrap.hpp"
#include "hannan/compare/comparison.hpp"
#include "hannan/compare/judgement.hpp"
#include "hannan/compare/round_scale.hpp"
#include "hannan/compare/weak_class.hpp"
#include "hannan/core/money_text.hpp"
#include "hannan/core/sum.hpp"

namespace hannan::detail {
namespace {

Json or_null(const std::optional<double>& number) {
  if (!number) return {};
  return *number;
}
// Of a list of numbers, or of lists of them; 0 of none.
double highest(const Json& prices) {
  if (prices.is_number()) return prices.as_number();
  double top = 0;
  for (const Json& price : prices.as_array()) top = std::max(top, highest(price));
  return top;
}
// Likewise the lowest.
double lowest(const Json& prices) {
  if (prices.is_number()) return prices.as_number();
  double least = std::numeric_limits<double>::infinity();
  for (const Json& price : prices.as_array()) least = std::min(least, lowest(price));
  return least;
}
Json pair_of(const Interval& range) { return Json::array({Json(range.lo), Json(range.hi)}); }

class Account {
 public:
  Account(const Comparison& comparison, const AnyProblem& problem, const MoneyScale& scale)
      : all_(comparison),
        problem_(problem),
        scale_(scale),
        reward_(problem.game().form() == Form::kReward),
        unknown_range_(problem.game().loss_range() == LossRange::kUnknown),
        unit_(problem.describe().at("normaliser").as_number() * scale.unit) {
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
      if (i < all_.gains.size()) {
        const ComparedPlayer& base = base_of(all_.players[i]);
        player.set("judgement", judgement_json({.player = all_.players[i].name,
                                                .baseline = base.name,
                                                .today = money(all_.rounds, base.path.back().loss),
                                                .gains = all_.gains[i],
                                                .most_gains = i < all_.most_gains.size() ? all_.most_gains[i]
                                                                                         : std::vector<double>(),
                                                .players = all_.gains.size()}));
      }
      if (i < all_.uncontested.gains.size())
        player.set("uncontested",
                   Json::object({{"rounds", all_.uncontested.rounds}, {"gain", all_.uncontested.gains[i] * unit_}}));
      players.push_back(std::move(player));
    }
    std::vector<double> rounds(all_.at.begin(), all_.at.end());
    Json best = Json::array();
    for (const auto& value : all_.best) best.push_back(or_null(value));
    Json series = Json::object({{"round", Json(rounds)}, {"best", std::move(best)}});
    if (!all_.times.empty()) series.set("time", Json(all_.times));
    Json json = Json::object({{"version", 1},
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
    if (all_.most_fixed) json.set("most_fixed_gain", *all_.most_fixed * unit_);
    if (all_.held_out) json.set("holdout", holdout_json(*all_.held_out));
    if (Json weak = weak_class_json(all_, problem_); !weak.is_null()) json.set("weak_class", std::move(weak));
    return json;
  }

 private:
  static constexpr std::uint64_t kBlocks = 100;

  // Of so many rounds with so much loss in all.
  double money(std::uint64_t rounds, double loss) const {
    if (!reward_) return unit_ * loss;
    return unit_ * ((unknown_range_ ? 0.0 : static_cast<double>(rounds)) - loss);
  }
  std::uint64_t last_start() const { return all_.at.size() < 2 ? 0 : all_.at[last_begin_]; }

  // Stretches of group_ points: money of a player, less that of another where there is one.
  std::vector<Block> blocks(const ComparedPlayer& player, const ComparedPlayer* less) const {
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
                              {"regret", loss - best_end()},
                              {"bound", or_null(player.path.back().bound)},
                              {"calls", player.path.back().calls},
                              {"final_action", player.path.back().action}});
    if (player.against) json.set("against", base.name);
    if (!player.path.back().depths.empty()) json.set("segments", segments_json(player));
    if (!player.report.is_null()) json.set("report", player.report);
    json.set("series", series(player));
    return json;
  }

  // The largest gain of a round in money, where it is known in advance: that of a loss of 1, or s times the highest
  // price on the lists (docs/judgement.md). Without a gain in either direction there is nothing to judge.
  std::optional<double> most_gain() const {
    if (!unknown_range_) return unit_;
    if (!scale_.untold.empty()) return unit_;  // nothing is decided
    const Json params = problem_.params();
    const Json *prices = params.find("prices"), *shares = params.find("shares"), *ceilings = params.find("ceilings"),
               *units = params.find("units");
    if (scale_.largest > 0 && problem_.kind() == "item-pricing" && prices)
      return unit_ * scale_.largest * highest(*prices);
    if (scale_.largest > 0 && problem_.kind() == "first-price-bidding") return unit_ * scale_.largest;
    if (problem_.kind() != "vcg-reserves" || !units) return std::nullopt;
    double top = 0;
    if (prices) top = highest(*prices);
    if (shares) top = (1 - lowest(*shares)) * scale_.outside;
    if (ceilings) top = scale_.outside - lowest(*ceilings);
    if (!(top > 0)) return std::nullopt;
    return unit_ * units->as_number() * top;
  }

  struct Judged {
    std::string player, baseline;
    double today;  // money of the baseline
    std::vector<double> gains, most_gains;
    std::size_t players;
  };
  // In money, or as shares of what it costs not to buy. Null where no gain of a round has a limit that is known in
  // advance.
  Json judgement_json(Judged of) const {
    if (scale_.untold.empty() && judged_by_shares(problem_, all_.scales.of, all_.scales.base))
      return share_judgement(of);
    std::optional<double> most = most_gain();
    if (!most) return {};
    for (auto* gains : {&of.gains, &of.most_gains}) {
      for (double& gain : *gains) {
        gain *= unit_;
        // What was logged may lie beyond the cap of the data.
        most = std::max(*most, std::abs(gain));
      }
    }
    const JudgementTerms terms{.most = *most,
                               .baseline = of.today,
                               .players = of.players,
                               .replay = scale_.untold.empty(),
                               .why = scale_.untold,
                               .hidden = scale_.hidden,
                               .most_gains = of.most_gains,
                               .most_fixed = all_.most_fixed ? std::optional(*all_.most_fixed * unit_) : std::nullopt};
    const Judgement judged = judge(of.gains, terms);
    Json json = Json::object({{"recommendation", recommendation_name(judged.advice)},
                              {"says", sentence(judged, {.player = of.player,
                                                         .baseline = of.baseline,
                                                         .money = of.today,
                                                         .currency = scale_.currency,
                                                         .reward = reward_,
                                                         .with_range = scale_.untold.empty()})},
                              {"reason", judged.reason},
                              {"gain", judged.gain},
                              {"range", pair_of(judged.range())},
                              {"anytime", pair_of(judged.anytime)},
                              {"blocks", pair_of(judged.blocks)}});
    if (of.gains.size() == all_.rounds) json.set("path", path_json(of.gains, terms));
    if (judged.most_gain) json.set("most_gain", *judged.most_gain).set("most_blocks", pair_of(judged.most_blocks));
    return json;
  }

  // Of the last rounds, as many as there are gains: each gain as a share of its round's scale. The gain is still in
  // money; ranges are means of shares.
  Json share_judgement(const Judged& of) const {
    const auto rounds = static_cast<double>(of.gains.size());
    const std::size_t first = all_.scales.of.size() - of.gains.size();
    double most = most_share(problem_);
    std::vector<double> shares(of.gains.size());
    Sum base, money;
    for (std::size_t t = 0; t < shares.size(); ++t) {
      const double scale = all_.scales.of[first + t];
      shares[t] = of.gains[t] / scale;
      base.add((reward_ ? -1 : 1) * all_.scales.base[first + t] / scale);
      money.add(of.gains[t] * unit_);
      most = std::max(most, std::abs(shares[t]));
    }
    if (!(most > 0)) return {};
    Judgement judged =
        judge(shares, {.most = most, .baseline = base.value(), .players = of.players, .hidden = scale_.hidden});
    if (judged.advice == Recommendation::kDeploy && !(money.value() > 0)) {
      judged.advice = Recommendation::kCannotTell;
      judged.reason = "as a share it gains, in money it does not";
    }
    const auto mean = [&](const Interval& range) {
      return pair_of({.lo = range.lo / rounds, .hi = range.hi / rounds});
    };
    const Interval shown = judged.advice == Recommendation::kKeep ? judged.blocks : judged.range();
    Judgement in_money = judged;
    in_money.gain = money.value();
    const std::string range = std::isfinite(shown.lo)
                                  ? fmt::format(" (95 % range {} to {})", percent_difference_text(shown.lo / rounds),
                                                percent_difference_text(shown.hi / rounds))
                                  : std::string();
    const std::string says = sentence(in_money, {.player = of.player,
                                                 .baseline = of.baseline,
                                                 .money = of.today,
                                                 .currency = scale_.currency,
                                                 .reward = reward_,
                                                 .with_range = false}) +
                             fmt::format("; gain per round {} of {}{}", percent_difference_text(judged.gain / rounds),
                                         reward_ ? "the value" : "what it costs not to buy", range);
    return Json::object({{"recommendation", recommendation_name(judged.advice)},
                         {"says", says},
                         {"reason", judged.reason},
                         {"gain", money.value()},
                         {"range", Json()},
                         {"anytime", Json()},
                         {"blocks", Json()},
                         {"shares", Json::object({{"gain", judged.gain / rounds},
                                                  {"range", mean(shown)},
                                                  {"anytime", mean(judged.anytime)},
                                                  {"blocks", mean(judged.blocks)}})}});
  }

  // The range as it would have been printed after some of the points, the last among them: sum_upper is expensive. Null
  // below 40 rounds.
  Json path_json(const std::vector<double>& gains, const JudgementTerms& terms) const {
    constexpr std::size_t kMostRanges = 128;
    std::vector<std::uint64_t> at;
    const std::size_t step = (all_.at.size() + kMostRanges - 1) / kMostRanges;
    for (std::size_t i = (all_.at.size() - 1) % step; i < all_.at.size(); i += step) at.push_back(all_.at[i]);
    Json range = Json::array(), blocks = Json::array();
    const auto known = [](const Interval& of) {
      return std::isfinite(of.lo) && std::isfinite(of.hi) ? pair_of(of) : Json();
    };
    for (const Judgement& judged : ranges_over_time(gains, terms, at)) {
      range.push_back(known(judged.range()));
      blocks.push_back(known(judged.blocks));
    }
    return Json::object({{"round", Json(std::vector<double>(at.begin(), at.end()))},
                         {"range", std::move(range)},
                         {"blocks", std::move(blocks)}});
  }

  Json holdout_json(const HeldOut& held) const {
    const std::string from = std::to_string(held.from), name = "the best of the first " + from + " rounds";
    const std::uint64_t rounds = held.gains.size();
    const double today = money(rounds, held.base_loss);
    return Json::object({{"from", held.from},
                         {"rounds", rounds},
                         {"action", held.action},
                         {"money", money(rounds, held.loss)},
                         {"baseline", today},
                         {"judgement", judgement_json({.player = name,
                                                       .baseline = all_.players[all_.baseline].name,
                                                       .today = today,
                                                       .gains = held.gains,
                                                       .most_gains = {},
                                                       .players = 1})}});
  }

  // L* as the second pass priced it: a sum over rounds, where a learner's own is a sum over its tables.
  double best_end() const { return all_.players[all_.best_fixed].path.back().loss; }

  const ComparedPlayer& base_of(const ComparedPlayer& player) const {
    return all_.players[player.against.value_or(all_.baseline)];
  }

  // Of a learner with a decision for every segment: what the segments were worth, and where its weight lies at the end.
  Json segments_json(const ComparedPlayer& player) const {
    const ComparedPlayer& base = base_of(player);
    const double gain = money(all_.rounds, player.path.back().loss) - money(all_.rounds, base.path.back().loss);
    const Interval range = block_bootstrap(blocks(player, &base), scale_.seed);
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

  Json series(const ComparedPlayer& player) const {
    Json loss = Json::array(), earned = Json::array(), regret = Json::array(), bound = Json::array(),
         rate = Json::array(), regime = Json::array(), calls = Json::array(), action = Json::array();
    for (std::size_t i = 0; i < player.path.size(); ++i) {
      const ComparedPoint& point = player.path[i];
      loss.push_back(point.loss);
      earned.push_back(money(all_.at[i], point.loss));
      regret.push_back(all_.best[i] ? or_null(point.loss - *all_.best[i]) : or_null({}));
      bound.push_back(or_null(point.bound));
      rate.push_back(or_null(point.rate));
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
  bool reward_;
  bool unknown_range_;
  double unit_;              // money of a loss of 1
  std::uint64_t group_ = 1;  // points a block
  std::size_t first_end_ = 0, last_begin_ = 0;
};

}  // namespace

Json comparison_json(const Comparison& comparison, const AnyProblem& problem, const MoneyScale& scale) {
  return Account(comparison, problem, scale).json();
}

}  // namespace hannan::detail

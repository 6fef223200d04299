// Whether a rival without a class is ahead of the best classifier in hindsight beyond chance: judge() on the
// differences, Bonferroni over the rivals; of those ahead the one with the fewest mistakes is named.
#include "hannan/compare/weak_class.hpp"

#include <fmt/format.h>

#include <string>
#include <utility>

#include "hannan/compare/judgement.hpp"

namespace hannan::detail {
std::optional<ComparisonResult::WeakClass> weak_class(const Comparison& comparison, const Doubts& doubts) {
  const auto rounds = static_cast<double>(comparison.rounds);
  const double best = comparison.players[comparison.best_fixed].path.back().loss;
  const Comparison::RivalGains* ahead = nullptr;
  Judgement judged;
  const auto loss_of = [&](const Comparison::RivalGains& rival) {
    return comparison.players[rival.player].path.back().loss;
  };
  for (const auto& rival : comparison.over_best) {
    if (ahead && loss_of(*ahead) <= loss_of(rival)) continue;
    Judgement found = judge(rival.gains, {.doubts = doubts, .baseline = best, .players = comparison.over_best.size()});
    if (found.advice != Recommendation::kDeploy) continue;
    ahead = &rival;
    judged = std::move(found);
  }
  if (!ahead) return std::nullopt;
  const std::string& rival = comparison.players[ahead->player].name;
  const Interval range = judged.range();
  return ComparisonResult::WeakClass{
      .says = fmt::format("the best {} in hindsight errs {:.1f} %, {} {:.1f} %: this class is too weak for these data",
                          comparison.action_class.one, 100 * best / rounds, rival, 100 * loss_of(*ahead) / rounds),
      .name = comparison.action_class.name,
      .best = best / rounds,
      .rival = rival,
      .errs = loss_of(*ahead) / rounds,
      .range = {range.lo / rounds, range.hi / rounds}};
}

}  // namespace hannan::detail

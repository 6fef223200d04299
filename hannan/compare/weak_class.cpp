// Whether a rival without a class is ahead of the best classifier in hindsight beyond chance: judge() on the
// differences, Bonferroni over the rivals; of those ahead the one with the fewest mistakes is named.
#include "hannan/compare/weak_class.hpp"

#include <fmt/format.h>

#include <array>
#include <string>
#include <utility>

#include "hannan/compare/judgement.hpp"

namespace hannan::detail {
namespace {

std::string class_of(const AnyProblem& problem) {
  const Json params = problem.params();
  const Json* name = params.find("hypotheses");
  return name && name->is_string() ? name->as_string() : "predictions";
}

// "tree of depth 2" for trees2.
std::string one_of(const std::string& class_name) {
  static constexpr std::array<std::pair<std::string_view, std::string_view>, 7> kWords{{{"thresholds", "threshold"},
                                                                                        {"stumps", "stump"},
                                                                                        {"rectangles", "rectangle"},
                                                                                        {"halfplanes", "halfplane"},
                                                                                        {"trees2", "tree of depth 2"},
                                                                                        {"trees3", "tree of depth 3"},
                                                                                        {"votes", "vote"}}};
  for (const auto& [name, word] : kWords) {
    if (name == class_name) return std::string(word);
  }
  return "classifier";
}

}  // namespace

Json weak_class_json(const Comparison& comparison, const AnyProblem& problem, const Doubts& doubts) {
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
  if (!ahead) return {};
  const std::string class_name = class_of(problem), &rival = comparison.players[ahead->player].name;
  const Interval range = judged.range();
  return Json::object(
      {{"says",
        fmt::format("the best {} in hindsight errs {:.1f} %, {} {:.1f} %: this class is too weak for these data",
                    one_of(class_name), 100 * best / rounds, rival, 100 * loss_of(*ahead) / rounds)},
       {"class", class_name},
       {"best", best / rounds},
       {"rival", rival},
       {"errs", loss_of(*ahead) / rounds},
       {"range", Json::array({Json(range.lo / rounds), Json(range.hi / rounds)})}});
}

}  // namespace hannan::detail

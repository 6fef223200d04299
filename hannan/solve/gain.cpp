// Rows of a group are kept as distinct outcomes with weights count / rows: means and variances are sums over them.
#include "hannan/solve/gain.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "hannan/core/sum.hpp"
#include "hannan/solve/active_game.hpp"

namespace hannan::detail {
namespace {

constexpr double kFreshDelta = 0.05;
constexpr std::size_t kMostWritten = 1000;  // groups that are written one by one

// Of one row: what the best on average loses more than the mixture.
double difference(const Game& game, const Solved& solved, const AnyOutcome& y) {
  Sum sum(game.loss(solved.best_average.action, y));
  for (const MixedAction& one : solved.strategy) sum.add(-one.probability * game.loss(one.action, y));
  return sum.value();
}

Json errors(const ScenarioSet& set, const Solved& solved) {
  const ListedScenarios& groups = set.groups();
  const auto losses = scenario_losses(groups, solved.best_average.action, solved.base_low);
  const auto g = static_cast<std::size_t>(std::max_element(losses.begin(), losses.end()) - losses.begin());
  const auto rows = static_cast<double>(set.rows[g]);
  if (rows < 2) return {};
  Sum mean, square;
  std::vector<std::pair<double, double>> terms;
  for (const auto& [outcome, weight] : groups.data(g)) {
    terms.emplace_back(weight, difference(groups.game(), solved, groups.outcome(outcome)));
    mean.add(weight * terms.back().second);
  }
  for (const auto& [weight, value] : terms) square.add(weight * (value - mean.value()) * (value - mean.value()));
  const double error = std::sqrt(square.value() / (rows - 1));
  if (!(error > 0)) return {};
  return (solved.best_average.worst - solved.upper) / error;
}

double row_range(const ListedScenarios& groups, std::size_t g) {
  if (groups.game().loss_range() == LossRange::kUnitInterval) return 1;
  double least = std::numeric_limits<double>::infinity(), most = -least;
  for (const WeightedPlace& point : groups.data(g)) {
    const LossSpread spread = groups.game().spread(groups.outcome(point.outcome));
    least = std::min(least, spread.least);
    most = std::max(most, spread.most);
  }
  return most - least;
}

double fresh(const ScenarioSet& set, const Solved& solved) {
  const ListedScenarios& groups = set.groups();
  const double log_pairs = groups.game().ln_size() + std::log(2 * static_cast<double>(groups.size()) / kFreshDelta);
  double most = -std::numeric_limits<double>::infinity();
  for (std::size_t g = 0; g < groups.size(); ++g) {
    const double error = row_range(groups, g) * std::sqrt(log_pairs / (2 * static_cast<double>(set.rows[g])));
    most = std::max(most, solved.losses[g] + error);
  }
  return most;
}

class HeldRows {
 public:
  HeldRows(const ListedScenarios& held, const GameOracle& oracle, const SolveOptions& options)
      : held_(held), game_(held, oracle, options), cap_(options.cap) {}  // the game finds the held bases

  Json json(const Solved& solved, const std::vector<std::uint64_t>& rows) const {
    const auto mixture = mixed(solved.strategy);
    const auto alone = scenario_losses(held_, solved.best_single.action, game_.base_low());
    const auto mean = scenario_losses(held_, solved.best_average.action, game_.base_low());
    Json frontier = Json::array();
    for (const FrontierPoint& point : solved.frontier) {
      const auto losses = mixed(point.strategy);
      frontier.push_back(Json::array({worst(losses, cap_), game_.average(losses)}));
    }
    Json held = Json::object({{"worst", worst(mixture, cap_)},
                              {"worst_best_single", worst(alone, cap_)},
                              {"worst_best_average", worst(mean, cap_)},
                              {"average", game_.average(mixture)},
                              {"average_best_single", game_.average(alone)},
                              {"average_best_average", game_.average(mean)},
                              {"frontier", std::move(frontier)}});
    if (held_.size() > kMostWritten) return held;
    held.set("rows", Json(rows));
    held.set("losses", Json(mixture));
    return held.set("losses_best_average", Json(mean));
  }

 private:
  std::vector<double> mixed(std::span<const MixedAction> strategy) const {
    std::vector<Sum> sums(held_.size());
    for (const MixedAction& one : strategy) {
      const auto row = scenario_losses(held_, one.action, game_.base_low());
      for (std::size_t g = 0; g < row.size(); ++g) sums[g].add(one.probability * row[g]);
    }
    std::vector<double> losses;
    losses.reserve(sums.size());
    for (const Sum& sum : sums) losses.push_back(sum.value());
    return losses;
  }

  const ListedScenarios& held_;
  ActiveGame game_;
  double cap_;
};

}  // namespace

Json gain_json(const ScenarioSet& set, const GameOracle& oracle, const SolveOptions& options, const Solved& solved) {
  if (!set.grouped()) return {};
  Json held;
  if (set.held) held = HeldRows(*set.held, oracle, options).json(solved, set.held_rows);
  Json gain = Json::object({{"errors", errors(set, solved)},
                            {"fresh", options.base == Base::kZero ? Json(fresh(set, solved)) : Json()},
                            {"held", std::move(held)}});
  if (set.rows.size() <= kMostWritten) gain.set("rows", Json(set.rows));
  return gain;
}

}  // namespace hannan::detail

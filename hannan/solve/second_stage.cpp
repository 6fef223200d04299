// Solve the programme on what was met, keep its mixture if it is within the limit, add the response that breaks the
// limit, ask the oracle at the prices. It ends when average and bound meet, when neither an action nor a response is
// new (no response enters twice), or after its calls. A programme is good to about 1e-9 a row: a mixture above the
// limit by less than 5e-9 is kept, and what is published of it is computed from it.
#include "hannan/solve/second_stage.hpp"

#include <algorithm>
#include <limits>

namespace hannan::detail {

MetMixture met_mixture(const ActiveGame& game, std::vector<double> p, double cap) {
  MetMixture mixture;
  mixture.losses = game.mixed(p);
  mixture.p = std::move(p);
  mixture.worst = worst(mixture.losses, cap);
  mixture.average = game.average(mixture.losses);
  return mixture;
}

namespace {

// The weights (shares + sum of price_k B_k) / (1 + lam), and lam.
double priced_weights(const ActiveGame& game, std::span<const double> shares, std::span<const double> prices,
                      std::vector<double>& weights) {
  weights.assign(shares.begin(), shares.end());
  double lam = 0;
  for (std::size_t k = 0; k < prices.size(); ++k) {
    if (prices[k] == 0) continue;
    lam += prices[k];
    const SparseMixture& response = game.response(k);
    for (std::size_t i = 0; i < response.at.size(); ++i) weights[response.at[i]] += prices[k] * response.weight[i];
  }
  for (double& weight : weights) weight /= 1 + lam;
  return lam;
}

// A better average, by more than the programme makes of its own rounding; or as good a one with fewer actions. So the
// exact mixture of the first stage stays where there is nothing to gain.
bool better(const MetMixture& found, const MetMixture& kept, double rounding) {
  const auto actions = [](const MetMixture& mixture) {
    return mixture.p.size() - static_cast<std::size_t>(std::count(mixture.p.begin(), mixture.p.end(), 0.0));
  };
  if (found.average < kept.average - rounding) return true;
  return found.average <= kept.average && actions(found) < actions(kept);
}

}  // namespace

SecondStage least_average(ActiveGame& game, std::span<const double> shares, double cap, MetMixture start,
                          const StageLimits& limits) {
  const double limit = limits.worst, origin = game.origin();
  const double kept_within = limit + 5 * game.rounding(limit + origin);
  SecondStage stage{
      .mixture = std::move(start), .average_lower = -std::numeric_limits<double>::infinity(), .witness = {}};
  std::vector<double> averages;
  for (const double average : game.averages()) averages.push_back(average / game.unit());
  AverageProgramme programme(game.products(), averages, limit / game.unit());
  std::vector<double> weights;
  for (std::uint64_t call = 0; call < limits.calls; ++call) {
    if (limits.stop && limits.stop()) break;
    const auto answer = programme.solve();
    if (!answer) break;
    MetMixture found = met_mixture(game, answer->actions, cap);
    bool grown = false;
    if (found.worst > limit && !game.full()) {
      SparseMixture broken = response(found.losses, cap);
      if (!game.has_response(broken)) {
        programme.add_response(game.products_of(game.add_response(std::move(broken))));
        grown = true;
      }
    }
    if (found.worst <= kept_within && better(found, stage.mixture, 10 * game.rounding(found.average + origin)))
      stage.mixture = std::move(found);
    const double lam = priced_weights(game, shares, answer->responses, weights);
    const Reply reply = game.ask(weights);
    const double bound = (reply.lower - origin) * (1 + lam) - lam * limit;
    if (bound > stage.average_lower) {
      stage.average_lower = bound;
      stage.witness = {.price = lam, .opponent = {}};
      for (std::size_t g = 0; lam > 0 && g < weights.size(); ++g)
        stage.witness.opponent.push_back(std::max(0.0, (weights[g] * (1 + lam) - shares[g]) / lam));
    }
    if (reply.is_new) {
      programme.add_action(game.products()[reply.action], game.averages()[reply.action] / game.unit());
      grown = true;
    }
    if (stage.mixture.average - stage.average_lower <= limits.tolerance || !grown || game.full()) break;
  }
  return stage;
}

}  // namespace hannan::detail

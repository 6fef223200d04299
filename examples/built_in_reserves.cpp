// A built-in problem from C++, by its name: reserve prices for two bidders on 20 levels, learned from random bids.
#include <hannan/hannan.hpp>
#include <hannan/problems.hpp>

#include <array>
#include <cstdio>

using hannan::Game;

int main() {
  const auto auction = hannan::built_in("vcg-reserves", R"({"bidders": 2, "levels": 20})");
  const auto oracle = auction->oracles().front();        // the default
  const auto matrix = auction->perturbations().front();  // likewise
  const hannan::Key key{.seed = 1};
  const hannan::Setting<Game> setting{auction, oracle, matrix, hannan::seeded(hannan::Noise{}, key)};
  const double size =
      hannan::noise_size(setting, hannan::seeded(hannan::Noise{}, key, hannan::Purpose::kNoiseSize)).value;
  hannan::Learner<Game> learner(setting, hannan::flipflop({.noise_size = size}));

  for (std::uint64_t t = 1; t <= 1000; ++t) {
    const hannan::KeyedRandom chance(key, hannan::Purpose::kStream, t);
    const std::array bids = {chance.uniform(0), 0.5 * chance.uniform(1)};
    learner.observe(hannan::outcome_of(*auction, bids));
  }
  const auto best = hannan::action_numbers(*auction, learner.best_action());
  const double bound = hannan::bounds::flipflop({size, *matrix->gamma(), *learner.best(), *learner.leader_regret()});
  std::printf("regret %.3f against reserves %d/20 and %d/20; at most %.3f on average is proven\n", *learner.regret(),
              best[0], best[1], bound);
  return *learner.regret() <= bound ? 0 : 1;
}

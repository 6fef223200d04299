// A built-in problem from typed C++: reserve prices for two bidders on 20 levels, learned from random bids.
#include <hannan/hannan.hpp>

#include <cstdio>
#include <memory>

using hannan::VcgReserves;

int main() {
  const auto auction = std::make_shared<const VcgReserves>(VcgReserves::Parts{.bidders = 2, .levels = 20});
  const auto oracle = VcgReserves::oracles(auction).front();        // the default
  const auto matrix = VcgReserves::perturbations(auction).front();  // likewise
  const hannan::Key key{.seed = 1};
  const hannan::Setting<VcgReserves> setting{auction, oracle, matrix, hannan::seeded(hannan::Laplace{}, key)};
  const double size =
      hannan::noise_size(setting, hannan::seeded(hannan::Laplace{}, key, hannan::Purpose::kNoiseSize)).value;
  hannan::Learner<VcgReserves> learner(setting, hannan::flipflop({.noise_size = size}));

  for (std::uint64_t t = 1; t <= 1000; ++t) {
    const hannan::KeyedRandom chance(key, hannan::Purpose::kStream, t);
    learner.observe({chance.uniform(0), 0.5 * chance.uniform(1)});
  }
  const auto& best = learner.best_action();
  const double bound = hannan::bounds::flipflop({size, *matrix->gamma(), *learner.best(), *learner.leader_regret()});
  std::printf("regret %.3f against reserves %d/20 and %d/20; at most %.3f on average is proven\n", *learner.regret(),
              best[0], best[1], bound);
  return *learner.regret() <= bound ? 0 : 1;
}

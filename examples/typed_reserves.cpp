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
  const auto sizing = hannan::seeded(hannan::Laplace{}, key, hannan::Purpose::kNoiseSize);
  const double size = hannan::monte_carlo_noise_size<VcgReserves>({oracle, matrix, sizing.fill}).value;
  hannan::Perturber<VcgReserves> perturber(oracle, matrix, hannan::seeded(hannan::Laplace{}, key));
  hannan::FlipFlop<VcgReserves> learner({auction, oracle, std::move(perturber), size, {}});

  hannan::Ledger<VcgReserves> ledger(hannan::Track::kEvery);
  for (std::uint64_t t = 1; t <= 1000; ++t) {
    const hannan::KeyedRandom chance(key, hannan::Purpose::kStream, t);
    const VcgReserves::Outcome bids{chance.uniform(0), 0.5 * chance.uniform(1)};
    ledger.before(learner, bids);
    ledger.after(learner, learner.observe(bids).loss);
  }
  const auto& best = learner.seen().peek().action;
  const double bound = hannan::bounds::flipflop({size, *matrix->gamma(), *ledger.best(), *ledger.leader_regret()});
  std::printf("regret %.3f against reserves %d/20 and %d/20; at most %.3f on average is proven\n", *ledger.regret(),
              best[0], best[1], bound);
  return *ledger.regret() <= bound ? 0 : 1;
}

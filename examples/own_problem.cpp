// A game of your own. Every morning a kiosk orders x papers, then y people ask for one. A paper too
// many costs 0.3, a customer sent away 1; losses are scaled into [0,1].
#include <hannan/hannan.hpp>

#include <cmath>
#include <cstdio>

struct Kiosk {
  using Action = int;   // papers ordered, 0..kMost
  using Outcome = int;  // papers asked for, 0..kMost
  static constexpr int kMost = 20;
  double loss(int x, int y) const { return (x > y ? 0.3 * (x - y) : y - x) / kMost; }
  double ln_size() const { return std::log(kMost + 1.0); }
};

// Its oracle: keep how often each demand came, and find the order that is best in hindsight.
struct BestOrder {
  using History = hannan::Tally<int>;
  static constexpr bool kSigned = true;  // demands may have negative weights: it tries every order
  History empty(const Kiosk&) const { return {}; }
  void add(const Kiosk&, History& h, int demand, double weight) const { h.add(demand, weight); }
  hannan::Answer<int> best(const Kiosk& kiosk, hannan::Evidence<History> e, std::size_t) const {
    hannan::Answer<int> least;
    for (int x = 0; x <= Kiosk::kMost; ++x) {
      double value = 0;
      for (const auto& [demand, weight] : e.data) value += weight * kiosk.loss(x, demand);
      for (const auto& [demand, weight] : e.noise) value += e.scale * weight * kiosk.loss(x, demand);
      if (x == 0 || value < least.value) least = {.action = x, .value = value, .floor = value, .rest = value};
    }
    return least;
  }
};

int main() {
  const auto kiosk = std::make_shared<const Kiosk>();
  const auto oracle = hannan::make_oracle("best order", kiosk, BestOrder{});
  // The noise is fake customers: one column for each demand there can be, hence gamma = 1.
  hannan::OutcomeColumns<Kiosk>::Parts fake{.problem = kiosk, .gamma = 1.0};
  for (int y = 0; y <= Kiosk::kMost; ++y) fake.columns.push_back({{1.0, y}});
  const auto matrix = std::make_shared<const hannan::OutcomeColumns<Kiosk>>(fake);
  const hannan::Key key{.seed = 7};
  const hannan::Setting<Kiosk> setting{kiosk, oracle, matrix, hannan::seeded(hannan::Noise{}, key)};
  const double size =
      hannan::noise_size(setting, hannan::seeded(hannan::Noise{}, key, hannan::Purpose::kNoiseSize)).value;
  hannan::Learner<Kiosk> learner(setting, hannan::flipflop({.noise_size = size}));

  for (std::uint64_t day = 1; day <= 1000; ++day) {
    const hannan::KeyedRandom chance(key, hannan::Purpose::kStream, day);
    const int demand = static_cast<int>(chance.below(0, 8) + chance.below(1, 8)) + (day % 7 < 2 ? 6 : 0);
    learner.act();            // papers to order this morning
    learner.observe(demand);  // and what it cost to have ordered them
  }
  const double bound = hannan::bounds::flipflop({size, 1.0, *learner.best(), *learner.leader_regret()});
  std::printf("lost %.3f, best order (%d a day) %.3f, regret %.3f; at most %.3f on average is proven\n",
              learner.total(), learner.best_action(), *learner.best(), *learner.regret(), bound);
  return *learner.regret() <= bound ? 0 : 1;
}

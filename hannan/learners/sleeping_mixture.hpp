// Exponential weights over experts of which some are asleep in a round (docs/theory.md, sleeping experts).
//
// The weights are those of the awake alone, renormalised; a sleeper is booked with the mixture's own mean loss h. Then
// h is the mean of the booked losses under the weights of all K, and the usual identities hold for the booked totals.
// At eta = infinity: uniform over the awake of least booked total; the mix loss is then the increase of the least
// total. Asleep is written as NaN. Cost O(K) a round.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "hannan/core/archive.hpp"

namespace hannan::detail {

class SleepingMixture {
 public:
  explicit SleepingMixture(std::size_t size) : totals_(size, 0.0), weights_(size, 0.0), awake_(size, 1.0) {}

  // 1 for awake, 0 for asleep; at least one is awake.
  void set_awake(std::span<const double> awake) { awake_.assign(awake.begin(), awake.end()); }
  // Fills the weights; totals within the tie window of this unit are equal.
  void set_rate(double eta, double unit);
  std::span<const double> weights() const { return weights_; }

  struct Charge {
    double expected;
    double mix;
  };
  // Adds the losses, NaN where the expert is asleep, and says what the mixture paid.
  Charge charge(std::span<const double> losses);

  void archive(Archive& a);

 private:
  std::vector<double> totals_;  // booked
  std::vector<double> weights_;
  std::vector<double> awake_;
  std::vector<double> scratch_;
  double best_ = 0;  // the least total of all K
  double eta_ = 0;
  double spread_ = 1;  // of all totals before the round (core/weights_of_totals.hpp)
};

}  // namespace hannan::detail

// The rates of schedules.hpp; `best` is L*_{t-1} as the learner knows it and `round` is t, from 1. sqrt is correctly
// rounded everywhere, so rates have the same bits on every machine.
#include "hannan/schedules/schedules.hpp"

#include <algorithm>
#include <cmath>

namespace hannan::schedules {

Schedule small_loss(SmallLoss with) {
  return [with](RateInput in) {
    const double rate = with.c / std::sqrt(in.best + 1);
    return with.gamma > 0 ? std::min(1 / with.gamma, rate) : rate;
  };
}

Schedule fixed(double eta) {
  return [eta](RateInput) { return eta; };
}

Schedule anytime(double ln_size) {
  return [ln_size](RateInput in) { return std::sqrt(8 * ln_size / static_cast<double>(in.round)); };
}

Schedule hedge_small(double ln_size) {
  return [ln_size](RateInput in) { return std::sqrt(2 * ln_size / (in.best + 1)); };
}

Schedule hutter_poland(double ln_size) {
  return [ln_size](RateInput in) { return std::min(1.0, std::sqrt(ln_size / (in.best + 1))); };
}

}  // namespace hannan::schedules

// Learning rates, each one line of mathematics.
//
//   small_loss     eta_t = min{1/gamma, c/sqrt(L*_{t-1} + 1)}   gftpl; gamma = 0 means no cap
//   fixed          eta_t = eta
//   anytime        eta_t = sqrt(8 ln K / t)                      hedge
//   hedge_small    eta_t = sqrt(2 ln K / (L*_{t-1} + 1))         hedge
//   hutter_poland  eta_t = min{1, sqrt(ln K / (L*_{t-1} + 1))}   fpl
//
// A schedule is a function of the round (from 1) and of L*, the best total loss before it; any function of yours will
// do, if it is positive. Constant time, nothing thrown, any number of threads.
#pragma once

#include <cstdint>
#include <functional>

namespace hannan {

// What a rate may depend on.
struct RateInput {
  std::uint64_t round = 1;  // t
  double best = 0;          // L*_{t-1}
};

// The rate eta_t, positive; infinity is no noise.
using Schedule = std::function<double(RateInput)>;

}  // namespace hannan

namespace hannan::schedules {

// gamma of the perturbation, and the tuning constant c > 0.
struct SmallLoss {
  double gamma;
  double c;
};
// The formulas above; ln_size is ln K.
Schedule small_loss(SmallLoss with);
Schedule fixed(double eta);
Schedule anytime(double ln_size);
Schedule hedge_small(double ln_size);
Schedule hutter_poland(double ln_size);

}  // namespace hannan::schedules

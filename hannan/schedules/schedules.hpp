// Learning rates, each one line of mathematics.
//
//   small_loss     eta_t = min{1/gamma, c/sqrt(L*_{t-1} + 1)}   gftpl; gamma = 0 means no cap
//   fixed          eta_t = eta
//   anytime        eta_t = sqrt(8 ln K / t)                      hedge
//   hedge_small    eta_t = sqrt(2 ln K / (L*_{t-1} + 1))         hedge
//   hutter_poland  eta_t = min{1, sqrt(ln K / (L*_{t-1} + 1))}   fpl
#pragma once

#include "hannan/core/schedule.hpp"

namespace hannan::schedules {

struct SmallLoss {
  double gamma;
  double c;
};
Schedule small_loss(SmallLoss with);
Schedule fixed(double eta);
Schedule anytime(double ln_size);
Schedule hedge_small(double ln_size);
Schedule hutter_poland(double ln_size);

}  // namespace hannan::schedules

// A learning rate as a function of the round (from 1) and of L*, the best total loss before it.
#pragma once

#include <cstdint>
#include <functional>

namespace hannan {

struct RateInput {
  std::uint64_t round = 1;
  double best = 0;  // L*_{t-1}
};

using Schedule = std::function<double(RateInput)>;

}  // namespace hannan

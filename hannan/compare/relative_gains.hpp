// Gains of rounds whose losses have no cap, for a verdict (docs/judgement.md, forecasts).
//
//   gain   D_t = a_t - p_t, in the unit of the loss: of today's forecast over the combined one
//   share  s_t = (a_t - p_t) / (a_t + p_t), 0 where both are 0: within [-1,1] in any unit
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace hannan::detail {

struct RelativeGains {
  std::vector<double> gains, shares;
};
// Losses of rounds, none below 0; lists of one length.
inline RelativeGains relative_gains(std::span<const double> today, std::span<const double> ours) {
  RelativeGains made;
  for (std::size_t t = 0; t < today.size(); ++t) {
    const double gain = today[t] - ours[t], sum = today[t] + ours[t];
    made.gains.push_back(gain);
    made.shares.push_back(sum > 0 ? gain / sum : 0);
  }
  return made;
}

}  // namespace hannan::detail

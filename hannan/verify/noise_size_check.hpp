// M as the end of a record states it: bounds rest on it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "hannan/verify/claims.hpp"
#include "hannan/verify/noise_forms.hpp"
#include "hannan/verify/setting.hpp"

namespace hannan::detail {

// None where the law and the perturbation do not go together, which given noise need not.
std::optional<RecomputedSize> known_noise_size(const RecordedSetting& setting);

// M as an upper limit, whatever the learner took for it. What is within the error of computing it again
// is added to `on_trust`.
struct StatedNoiseSize {
  const RecordedSetting& setting;
  double M;
};
void check_upper_noise_size(const StatedNoiseSize& stated, const Claims& claims, std::vector<std::string>& on_trust);

}  // namespace hannan::detail

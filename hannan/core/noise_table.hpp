// One draw of noise prepared for questions about single actions: whatever the perturbation wants to
// keep of it, and a range that no action's noise leaves.
#pragma once

#include <vector>

namespace hannan {

struct NoiseTable {
  std::vector<double> values;
  double least = 0;
  double most = 0;
};

}  // namespace hannan

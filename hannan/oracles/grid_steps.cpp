#include "hannan/oracles/grid_steps.hpp"

#include <algorithm>
#include <utility>

namespace hannan {

GridSteps::GridSteps(std::vector<std::size_t> domains) : domains_(std::move(domains)), strides_(domains_.size()) {
  std::size_t size = 1;
  for (std::size_t c = domains_.size(); c-- > 0; size *= domains_[c]) strides_[c] = size;
  steps_ = LongSums(size);
}

void GridSteps::add_table(std::size_t coordinate, std::span<const double> values) {
  double before = 0;
  for (std::size_t d = 0; d < values.size(); ++d) {
    add(d * strides_[coordinate], values[d] - before);
    before = values[d];
  }
}

void GridSteps::read(std::span<double> out) const {
  std::copy(steps_.values().begin(), steps_.values().end(), out.begin());
  for (std::size_t c = domains_.size(); c-- > 0;) {
    const std::size_t stride = strides_[c], box = stride * domains_[c];
    for (double* start = out.data(); start != out.data() + out.size(); start += box) {
      // Every value of the coordinate takes over what stands at the one before.
      for (double* to = start + stride; to != start + box; to += stride) {
        const double* from = to - stride;
        for (std::size_t k = 0; k < stride; ++k) to[k] += from[k];
      }
    }
  }
}

}  // namespace hannan

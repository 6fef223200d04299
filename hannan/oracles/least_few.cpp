// The few least of a long list with one heap (least_few.hpp). Invariant: the heap holds the least `few` of what was
// read, by (value, index), the worst on top. Blocks that cannot improve it are skipped by their least value.
#include "hannan/oracles/least_few.hpp"

#include <algorithm>
#include <utility>

#include "hannan/oracles/argmin.hpp"

namespace hannan {

std::vector<std::size_t> least_few(std::span<const double> data, std::span<const double> noise, double scale,
                                   std::size_t few) {
  // 128: chosen, small enough that a skipped block wastes little and a scan still runs in vectors.
  constexpr std::size_t kSumBlock = 128;
  const bool plain = noise.empty() || scale == 0;
  std::vector<std::pair<double, std::size_t>> heap;  // the worst of the few on top
  heap.reserve(std::min(few, data.size()));
  for (std::size_t start = 0; few > 0 && start < data.size(); start += kSumBlock) {
    const std::size_t size = std::min(kSumBlock, data.size() - start);
    const auto block = data.subspan(start, size);
    const auto block_noise = plain ? noise.first(0) : noise.subspan(start, size);
    if (heap.size() == few && !(least_value(block, block_noise, scale) < heap.front().first)) continue;
    for (std::size_t k = start; k < start + size; ++k) {
      const std::pair candidate(plain ? data[k] : data[k] + scale * noise[k], k);
      if (heap.size() == few) {
        if (!(candidate < heap.front())) continue;
        std::pop_heap(heap.begin(), heap.end());
        heap.back() = candidate;
      } else {
        heap.push_back(candidate);
      }
      std::push_heap(heap.begin(), heap.end());
    }
  }
  std::sort_heap(heap.begin(), heap.end());
  std::vector<std::size_t> order;
  order.reserve(heap.size());
  for (const auto& [value, k] : heap) order.push_back(k);
  return order;
}

}  // namespace hannan

// The few least of a long list (least_few.hpp), block by block in the order of their least values.
//
// Invariant: `kept` is a heap of the least `few` of what was read, by (value, index), the worst on top; blocks that
// were not read have a least value of at least that of the front of `blocks`. So the search ends where that is above
// the worst of the kept.
#include "hannan/oracles/least_few.hpp"

#include <algorithm>
#include <functional>
#include <utility>

#include "hannan/oracles/argmin.hpp"

namespace hannan::detail {

std::vector<std::size_t> least_few(std::span<const double> data, std::span<const double> noise, double scale,
                                   std::size_t few) {
  // 128: chosen, small enough that a block read in vain wastes little and a scan still runs in vectors.
  constexpr std::size_t kSumBlock = 128;
  using Entry = std::pair<double, std::size_t>;
  const bool plain = noise.empty() || scale == 0;
  std::vector<Entry> blocks;  // least value and start; the least in front
  blocks.reserve(data.size() / kSumBlock + 1);
  for (std::size_t start = 0; few > 0 && start < data.size(); start += kSumBlock) {
    const std::size_t size = std::min(kSumBlock, data.size() - start);
    blocks.emplace_back(
        least_value(data.subspan(start, size), plain ? noise.first(0) : noise.subspan(start, size), scale), start);
  }
  std::make_heap(blocks.begin(), blocks.end(), std::greater<>());
  std::vector<Entry> kept;
  kept.reserve(std::min(few, data.size()));
  while (!blocks.empty() && (kept.size() < few || !(blocks.front().first > kept.front().first))) {
    const std::size_t start = blocks.front().second, end = std::min(start + kSumBlock, data.size());
    std::pop_heap(blocks.begin(), blocks.end(), std::greater<>());
    blocks.pop_back();
    for (std::size_t k = start; k < end; ++k) {
      const Entry entry(plain ? data[k] : data[k] + scale * noise[k], k);
      if (kept.size() == few) {
        if (!(entry < kept.front())) continue;
        std::pop_heap(kept.begin(), kept.end());
        kept.back() = entry;
      } else {
        kept.push_back(entry);
      }
      std::push_heap(kept.begin(), kept.end());
    }
  }
  std::sort_heap(kept.begin(), kept.end());
  std::vector<std::size_t> order;
  order.reserve(kept.size());
  for (const auto& [value, k] : kept) order.push_back(k);
  return order;
}

}  // namespace hannan::detail

// The leaves of reserve_boxes.hpp: open profiles at every action of a small box.
#include <algorithm>

#include "hannan/problems/vcg_reserves/reserve_boxes.hpp"

namespace hannan::detail {

void ReserveBoxes::tabulate(const BoxLists& box, std::span<const std::uint32_t> open, std::span<double> grid) {
  if (open.empty()) return;
  if (units_ == 1) {
    tabulate_one_unit(box, open, grid);
  } else {
    tabulate_units(box, open, grid);
  }
}

// As vcg_steps.cpp, on the box's own grid: the winner a is the first who stays, its price is set by the next who does.
void ReserveBoxes::tabulate_one_unit(const BoxLists& box, std::span<const std::uint32_t> open, std::span<double> grid) {
  index(box);
  std::vector<std::size_t> strides(box.size());
  std::size_t size = 1;
  for (std::size_t c = box.size(); c-- > 0; size *= box[c].size()) strides[c] = size;
  Scope scope;
  for (const std::uint32_t p : open) {
    const auto& profile = evidence_.profiles()[p];
    find_scope(evidence_.bids_of(profile), box, scope);
    const auto bid = [&](std::size_t k) { return k < scope.size ? scope.at[k].bid->bid : 0.0; };
    std::size_t corner = 0;  // where all before a have left
    for (std::size_t a = 0; a < scope.size; ++a) {
      const Member& winner = scope.at[a];
      const auto& list = box[bidder_of(*winner.bid)];
      const std::size_t stride = strides[bidder_of(*winner.bid)];
      // Steps of f over the winner's own reserves, from a point on where others left.
      const auto put = [&](std::size_t at, auto&& f) {
        double before = 0;
        for (std::size_t d = 0; d < winner.staying; ++d) {
          const double now = f(unit(list[d]));
          if (now != before) grid[at + d * stride] -= profile.weight * (now - before);
          before = now;
        }
        if (winner.open() && before != 0) grid[at + winner.staying * stride] += profile.weight * before;
      };
      std::size_t b = a + 1, at = corner;
      put(at, [&](double z) { return std::max(z, bid(b)); });
      for (; b < scope.size && scope.at[b].open(); ++b) {
        at += strides[bidder_of(*scope.at[b].bid)] * scope.at[b].staying;
        put(at, [&](double z) { return std::max(z, bid(b + 1)) - std::max(z, bid(b)); });
      }
      if (!winner.open()) break;
      corner += stride * winner.staying;
    }
  }
  for (std::size_t c = 0; c < box.size(); ++c) {
    const std::size_t stride = strides[c], block = stride * box[c].size();
    for (std::size_t start = 0; start < grid.size(); start += block) {
      for (std::size_t k = start + stride; k < start + block; ++k) grid[k] += grid[k - stride];
    }
  }
}

// The response of the last bidder for all combinations of the others.
void ReserveBoxes::tabulate_units(const BoxLists& box, std::span<const std::uint32_t> open, std::span<double> grid) {
  const std::size_t last = box.size() - 1, width = box[last].size();
  std::vector<std::size_t> at(box.size(), 0);
  std::vector<int> reserves;
  for (const auto& list : box) reserves.push_back(list.front() + 1);
  for (std::size_t start = 0; start < grid.size(); start += width) {
    for (const std::uint32_t p : open) {
      const auto& profile = evidence_.profiles()[p];
      const Response r = respond(evidence_.bids_of(profile), reserves, evidence_.auction(), static_cast<int>(last));
      for (std::size_t d = 0; d < width; ++d)
        grid[start + d] -= profile.weight * r.at(box[last][d] + 1, evidence_.auction().levels);
    }
    for (std::size_t c = last; c-- > 0;) {
      if (++at[c] == box[c].size()) at[c] = 0;
      reserves[c] = box[c][at[c]] + 1;
      if (at[c] > 0) break;
    }
  }
}

}  // namespace hannan::detail

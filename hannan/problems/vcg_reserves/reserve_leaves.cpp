// The leaves of reserve_boxes.hpp: open profiles at every action of a small box.
//
// Exact values on the box's grid, the last bidder running fastest: point (d_0, ..., d_(n-1)) is at sum of d_c *
// strides[c], a number below grid.size() = product of the list sizes. One unit: O(scope^2 + steps) a profile and one
// running sum per coordinate, O(n points). Several units: one response of the last bidder per profile and row, O(points
// / |D_last| * open profiles * bids).
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
  Scope scope = new_scope();
  std::vector<int> left;  // bidders who left, where they have several bids
  for (const std::uint32_t p : open) {
    const auto& profile = evidence_.profiles()[p];
    find_scope(evidence_.bids_of(profile), scope);
    const auto bid = [&](std::size_t k) { return k < scope.size ? scope.at[k].bid->bid : scope.floor; };
    // The next member of a bidder who has not left.
    left.clear();
    const auto next = [&](std::size_t k) {
      while (++k < scope.size && scope.several &&
             std::find(left.begin(), left.end(), scope.at[k].bid->bidder) != left.end()) {
      }
      return k;
    };
    // Invariant: corner is the point at which every open bid before a stands at the first place it leaves from, all
    // other coordinates at 0. It exists, because an open bid has staying < size; a bid that is not open ends the loop.
    std::size_t corner = 0;  // where all before a have left
    for (std::size_t a = 0; a < scope.size; a = next(a)) {
      const Member& winner = scope.at[a];
      const auto& list = list_of(box, *winner.bid);
      const bool bound = winner.bid->bidder != kNoReserve;
      const std::size_t stride = bound ? strides[bidder_of(*winner.bid)] : 0;
      // Steps of f over the winner's own reserves, from a point on where others left.
      const auto put = [&](std::size_t at, auto&& f) {
        double before = 0;
        for (std::size_t d = 0; d < winner.staying; ++d) {
          const double now = f(bound ? unit(*winner.bid, list[d]) + scope.shift : -kInfinity);
          if (now != before) grid[at + d * stride] -= profile.weight * (now - before);
          before = now;
        }
        // From the first place at which the winner leaves its payment is taken back; the next winner's corner is there.
        if (winner.open() && before != 0) grid[at + winner.staying * stride] += profile.weight * before;
      };
      const std::size_t left_before = left.size();
      std::size_t b = next(a), at = corner;
      put(at, [&](double z) { return std::max(z, bid(b)); });
      // A second bid of the winner's own leaves only at reserves above it, where it does not matter.
      // Each b that may leave hands the price over to the next: the difference is added from the place on where b has
      // left.
      while (b < scope.size && scope.at[b].open() && scope.at[b].bid->bidder != winner.bid->bidder) {
        at += strides[bidder_of(*scope.at[b].bid)] * scope.at[b].staying;
        if (scope.several) left.push_back(scope.at[b].bid->bidder);
        const std::size_t after = next(b);
        put(at, [&](double z) { return std::max(z, bid(after)) - std::max(z, bid(b)); });
        b = after;
      }
      left.resize(left_before);
      if (!winner.open()) break;
      if (scope.several) left.push_back(winner.bid->bidder);
      corner += stride * winner.staying;
    }
  }
  // Running sums along each coordinate turn steps into values. Blocks of stride * size points share the coordinates
  // before c.
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
      const BidProfile bids = evidence_.bids_of(profile);
      const Auction& auction = evidence_.auction();
      if (!has_response(bids, auction)) {
        for (std::size_t d = 0; d < width; ++d) {
          reserves[last] = box[last][d] + 1;
          grid[start + d] -= profile.weight * revenue(bids, reserves, auction);
        }
        continue;
      }
      const Response r = respond(bids, reserves, auction, static_cast<int>(last));
      for (std::size_t d = 0; d < width; ++d) {
        const int z = box[last][d] + 1;
        grid[start + d] -= profile.weight * r.at(z, auction.price(static_cast<int>(last), z, bids.shift));
      }
    }
    // Counts the places of the bidders before the last, the last of them fastest: the next row of the grid.
    for (std::size_t c = last; c-- > 0;) {
      if (++at[c] == box[c].size()) at[c] = 0;
      reserves[c] = box[c][at[c]] + 1;
      if (at[c] > 0) break;
    }
  }
}

}  // namespace hannan::detail

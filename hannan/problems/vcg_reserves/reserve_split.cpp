// Where a box of reserve_boxes.hpp is split: at the reserves that its open profiles leave in the middle.
//
// leaving[c][k], k in 1..size-1: the weight of the open profiles with a bid of bidder c that leaves from place k on.
// The box is split there, so that both halves resolve such profiles. Any split is correct; the choice only decides how
// many nodes follow. Cost: O(open profiles * scope + sum of list sizes).
#include <algorithm>

#include "hannan/problems/vcg_reserves/reserve_boxes.hpp"

namespace hannan::detail {

// What the bound takes the revenue for at one action.
double ReserveBoxes::bounded(const Scope& scope, const BoxLists& box, const std::vector<int>& full) const {
  // The bids of the pair that stay are those that would at a cell of this place alone.
  Range at[2] = {{0, 0}, {0, 0}};
  double reserve[2] = {0, 0};
  for (std::size_t side = 0; side < std::min<std::size_t>(scope.matter, 2); ++side) {
    const RankedBid& bid = *scope.at[scope.pair[side]].bid;
    const auto& list = box[bidder_of(bid)];
    const auto place = std::lower_bound(list.begin(), list.end(), full[bidder_of(bid)]) - list.begin();
    at[side] = {static_cast<std::size_t>(place), static_cast<std::size_t>(place) + 1};
    reserve[side] = unit(bid, full[bidder_of(bid)]) + scope.shift;
  }
  const Corner c = corner(scope, box, at, Side::kAbove);
  double sum = c.others;
  for (std::size_t side = 0; side < 2; ++side) {
    if (c.pays[side] > 0) sum += c.pays[side] * std::max(reserve[side], c.price);
  }
  return sum;
}

BoxSplit ReserveBoxes::split(const BoxLists& box, std::span<const std::uint32_t> open,
                             const std::vector<int>& likeliest) {
  // Both chosen: they steer the search, and no bound depends on them. kEven keeps profiles in play that happen to be
  // exact at this one action; the first few open members are those that decide a profile's winners and price.
  constexpr double kEven = 0.1;         // weight of a profile that is exact at the likeliest action
  constexpr std::size_t kCredited = 5;  // open members
  index(box);
  std::vector<std::vector<double>> leaving(box.size());  // [bidder][place]: weight of the profiles it leaves from there
  for (std::size_t c = 0; c < box.size(); ++c) leaving[c].assign(box[c].size() + 1, 0.0);
  std::vector<int> reserves = likeliest;
  for (int& reserve : reserves) ++reserve;
  Scope scope = new_scope();
  for (const std::uint32_t p : open) {
    const auto& profile = evidence_.profiles()[p];
    const auto bids = evidence_.bids_of(profile);
    find_scope(bids, scope);
    double weight = -profile.weight;
    if (weight < 0) {
      const double given_away = bounded(scope, box, likeliest) - revenue(bids, reserves, evidence_.auction());
      weight = profile.weight * (kEven + std::max(given_away, 0.0));
    }
    for (std::size_t k = 0, credited = 0; k < scope.size && credited < kCredited; ++k) {
      if (!scope.at[k].open()) continue;
      leaving[bidder_of(*scope.at[k].bid)][scope.at[k].staying] += weight;
      ++credited;
    }
  }
  BoxSplit best = BoxModel::split(box, open, likeliest);  // if there is nothing to resolve
  double most = 0;
  for (std::size_t c = 0; c < box.size(); ++c) {
    double total = 0;
    for (const double weight : leaving[c]) total += weight;
    if (total <= most) continue;
    most = total;
    // The weighted median: at stays in 1..size-1, so neither half is empty. A list of one place has no open member, its
    // total is 0, and it is passed over.
    double sum = leaving[c][1];
    std::size_t at = 1;
    while (at + 1 < box[c].size() && sum < total / 2) sum += leaving[c][++at];
    best = {c, at};
  }
  return best;
}

}  // namespace hannan::detail

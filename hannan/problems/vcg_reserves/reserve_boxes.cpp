#include "hannan/problems/vcg_reserves/reserve_boxes.hpp"

#include <algorithm>

namespace hannan::detail {

namespace {

constexpr double kMostPairEntries = 4e6;  // of all pair tables: 32 MB, a sweep of some 5 ms

// Steps to values: running sums along both members of a table.
void add_up_steps(double* table, std::size_t rows, std::size_t width) {
  for (std::size_t r = 0; r < rows; ++r) {
    double* row = table + r * width;
    for (std::size_t k = 1; k < width; ++k) row[k] += row[k - 1];
  }
  for (std::size_t r = 1; r < rows; ++r) {
    double* row = table + r * width;
    for (std::size_t k = 0; k < width; ++k) row[k] += row[k - width];
  }
}

}  // namespace

bool ReserveBoxes::suits(std::size_t bidders, std::size_t levels) {
  const auto n = static_cast<double>(bidders), m = static_cast<double>(levels);
  return n * (n - 1) / 2 * m * m <= kMostPairEntries;
}

ReserveBoxes::ReserveBoxes(ReserveModel& evidence)
    : EvidenceBoxes(evidence),
      levels_(evidence.auction().levels),
      units_(static_cast<std::size_t>(evidence.auction().units)),
      stride_(static_cast<std::size_t>(evidence.auction().levels) + 1) {
  const std::size_t n = evidence.coordinates();
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = i + 1; j < n; ++j) groups_.push_back({i, j});
  }
  reached_.resize(n * stride_);
  for (int z = 1; z <= evidence.auction().levels; ++z) units_of_.push_back(static_cast<double>(z) / levels_);
}

void ReserveBoxes::index(const BoxLists& box) {
  for (std::size_t i = 0; i < box.size(); ++i) {
    std::uint32_t count = 0;
    for (std::size_t level = 0; level < stride_; ++level) {
      // Position d is reserve d + 1.
      while (count < box[i].size() && static_cast<std::size_t>(box[i][count]) < level) ++count;
      reached_[i * stride_ + level] = count;
    }
  }
}

void ReserveBoxes::find_scope(std::span<const RankedBid> bids, const BoxLists& box, Scope& scope) const {
  scope.size = scope.matter = scope.open = 0;
  scope.pair[0] = scope.pair[1] = scope.first_open = kMostBids;
  std::size_t sure = 0, winners = 0;  // the first `winners` of the scope may win
  double lowest = 2;                  // reserve of a possible winner
  for (const RankedBid& bid : bids) {
    const std::size_t staying = reached(bid.bidder, bid.level);
    if (staying == 0) continue;
    if (sure >= units_ && bid.bid <= lowest) break;
    const auto& list = box[bidder_of(bid)];
    scope.at[scope.size++] = {&bid, staying, list.size(), false};
    if (sure < units_) {
      lowest = std::min(lowest, unit(list.front()));
      winners = scope.size;
    }
    if (staying == list.size() && ++sure > units_) break;
  }
  const double least_price = sure > units_ ? scope.at[scope.size - 1].bid->bid : 0.0;
  for (std::size_t k = 0; k < scope.size; ++k) {
    Member& member = scope.at[k];
    if (member.open()) {
      if (scope.open++ == 0) scope.first_open = k;
    } else {
      const auto& list = box[bidder_of(*member.bid)];
      if (k >= winners || list.size() == 1 || unit(list.back()) <= least_price) continue;
    }
    member.matters = true;
    if (scope.matter < 2) scope.pair[scope.matter] = k;
    ++scope.matter;
  }
}

ReserveBoxes::Corner ReserveBoxes::corner(const Scope& scope, const BoxLists& box, const bool (&stays)[2],
                                          Side side) const {
  Corner corner;
  double reserves[kMostBids];
  std::size_t count = 0, outside = 0;
  for (std::size_t k = 0; k < scope.size; ++k) {
    const Member& member = scope.at[k];
    const bool first = k == scope.pair[0], second = k == scope.pair[1];
    if ((first && !stays[0]) || (second && !stays[1])) continue;
    if (side == Side::kBelow && member.open() && !first && !second) continue;
    if (count == units_) {
      corner.price = member.bid->bid;
      corner.price_level = member.bid->level;
      // A reserve that a bid reaches by the grid's slack alone may exceed it by as much.
      if (side == Side::kAbove && scope.matter > 2)
        corner.price = std::max(corner.price, static_cast<double>(member.bid->level) / levels_);
      break;
    }
    ++count;
    if (first || second) {
      corner.pays[second ? 1 : 0] = true;
    } else {
      const auto& list = box[bidder_of(*member.bid)];
      reserves[outside++] = unit(side == Side::kAbove ? list[member.staying - 1] : list.front());
    }
  }
  for (std::size_t k = 0; k < outside; ++k) corner.others += std::max(reserves[k], corner.price);
  return corner;
}

ReserveBoxes::View ReserveBoxes::view(const Scope& scope, const BoxLists& box, const BoxLayout& layout,
                                      std::span<double> tables) const {
  const std::size_t n = box.size();
  std::size_t p = scope.matter > 0 ? bidder_of(*scope.at[scope.pair[0]].bid) : 0;
  std::size_t q = scope.matter > 1 ? bidder_of(*scope.at[scope.pair[1]].bid) : (p == 0 ? 1 : 0);
  const std::size_t i = std::min(p, q), j = std::max(p, q);
  const std::size_t group = i * n - i * (i + 1) / 2 + (j - i - 1);
  const std::size_t row = box[j].size();
  return {.entries = tables.data() + layout.tables[group],
          .group = group,
          .stride = {p == i ? row : 1, q == i ? row : 1},
          .size = {box[p].size(), box[q].size()}};
}

ReserveBoxes::Range ReserveBoxes::range(const Scope& scope, const View& view, std::size_t side, bool stays) {
  if (side >= scope.matter) return {0, view.size[side]};
  const std::size_t staying = scope.at[scope.pair[side]].staying;
  return stays ? Range{0, staying} : Range{staying, view.size[side]};
}

void ReserveBoxes::add_combinations(const View& view, const Scope& scope, const BoxLists& box, Side side,
                                    double factor) const {
  for (const bool stays : {true, false}) {
    const Range first = range(scope, view, 0, stays);
    if (first.from == first.to || (!stays && scope.matter == 0)) continue;
    const Corner with = corner(scope, box, {stays, true}, side);
    const Range second = range(scope, view, 1, true);
    if (second.to == view.size[1]) {
      add_corner(view, scope, box, {first, second}, with, factor);
      continue;
    }
    const Corner without = corner(scope, box, {stays, false}, side);
    if (with == without) {  // one rectangle
      add_corner(view, scope, box, {first, {0, view.size[1]}}, with, factor);
      continue;
    }
    add_corner(view, scope, box, {first, second}, with, factor);
    add_corner(view, scope, box, {first, {second.to, view.size[1]}}, without, factor);
  }
}

// x runs over p's reserves, y over q's, within the ranges. Payments are the price up to some place and then the
// reserve.
void ReserveBoxes::add_corner(const View& view, const Scope& scope, const BoxLists& box, const Range (&ranges)[2],
                              const Corner& corner, double factor) const {
  double low[2] = {0, 0}, high[2] = {0, 0};  // payments at both ends
  std::size_t rises[2] = {0, 0};             // the first place whose reserve exceeds the price
  const std::vector<int>* lists[2] = {nullptr, nullptr};
  for (std::size_t side = 0; side < 2; ++side) {
    if (!corner.pays[side]) continue;
    const RankedBid& bid = *scope.at[scope.pair[side]].bid;
    lists[side] = &box[bidder_of(bid)];
    rises[side] = reached(bid.bidder, corner.price_level);
    low[side] = std::max(unit(lists[side]->front()), corner.price);
    high[side] = std::max(unit((*lists[side])[ranges[side].to - 1]), corner.price);
  }
  double* const t = view.entries;
  const std::size_t sx = view.stride[0], sy = view.stride[1];
  const std::size_t x0 = ranges[0].from * sx, y0 = ranges[1].from * sy, x1 = ranges[0].to * sx, y1 = ranges[1].to * sy;
  const bool right = ranges[0].to < view.size[0], above = ranges[1].to < view.size[1];
  t[x0 + y0] += factor * (corner.others + low[0] + low[1]);
  if (right) t[x1 + y0] -= factor * (corner.others + high[0] + low[1]);
  if (above) t[x0 + y1] -= factor * (corner.others + low[0] + high[1]);
  if (right && above) t[x1 + y1] += factor * (corner.others + high[0] + high[1]);
  const auto rise = [&](std::size_t side, double* from, double* to, std::size_t stride) {
    const auto& list = *lists[side];
    double before = low[side];
    for (std::size_t d = std::max<std::size_t>(rises[side], 1); d < ranges[side].to; ++d) {
      const double now = unit(list[d]), step = factor * (now - before);
      from[d * stride] += step;
      if (to) to[d * stride] -= step;
      before = now;
    }
  };
  if (lists[0]) rise(0, t + y0, above ? t + y1 : nullptr, sx);
  if (lists[1]) rise(1, t + x0, right ? t + x1 : nullptr, sy);
}

// Uses up the scope's pair.
void ReserveBoxes::add_one_open(Scope& scope, const BoxLists& box, BoxTables& into, std::vector<char>& touched,
                                double factor) const {
  // What happens if the open one stays, and if it leaves.
  struct Way {
    Corner corner;  // others: winners who do not matter
    bool wins[kMostBids] = {};
  };
  Way ways[2];
  const std::size_t count = scope.open == 0 ? 1 : 2;
  for (std::size_t w = 0; w < count; ++w) {
    Way& way = ways[w];
    std::size_t winners = 0;
    for (std::size_t k = 0; k < scope.size; ++k) {
      if (k == scope.first_open && w == 1) continue;
      if (winners == units_) {
        way.corner.price = scope.at[k].bid->bid;
        way.corner.price_level = scope.at[k].bid->level;
        break;
      }
      way.wins[k] = true;
      ++winners;
    }
    for (std::size_t k = 0; k < scope.size; ++k) {
      if (way.wins[k] && !scope.at[k].matters)
        way.corner.others += std::max(unit(box[bidder_of(*scope.at[k].bid)].front()), way.corner.price);
    }
  }
  bool first = true;  // its table takes what does not belong to a winner who stays for sure
  for (std::size_t k = 0; k < scope.size; ++k) {
    if (!scope.at[k].matters || k == scope.first_open) continue;
    scope.matter = count;
    scope.pair[0] = count == 1 ? k : scope.first_open;
    scope.pair[1] = count == 1 ? kMostBids : k;
    const View table = view(scope, box, into.layout, into.exact);
    touched[table.group] = 1;
    for (std::size_t w = 0; w < count; ++w) {
      Corner corner = ways[w].corner;
      if (!first) corner.others = 0;
      corner.pays[count - 1] = ways[w].wins[k];
      if (count == 2) corner.pays[0] = first && ways[w].wins[scope.first_open];
      const Range own = count == 1 ? Range{0, table.size[0]} : range(scope, table, 0, w == 0);
      add_corner(table, scope, box, {own, {0, table.size[1]}}, corner, factor);
    }
    first = false;
  }
}

void ReserveBoxes::fill(const BoxLists& box, std::span<const std::uint32_t> parts, BoxTables& into) {
  if (groups_.empty()) {
    into.open.assign(parts.begin(), parts.end());
    return;
  }
  index(box);
  std::vector<char> exact(groups_.size(), 0), loose(groups_.size(), 0);
  Scope scope;
  for (const std::uint32_t p : parts) {
    const auto& profile = evidence_.profiles()[p];
    find_scope(evidence_.bids_of(profile), box, scope);
    if (scope.size == 0) continue;
    const bool resolved = scope.resolved();
    if (!resolved) into.open.push_back(p);
    if (resolved && scope.matter > 2) {
      add_one_open(scope, box, into, exact, -profile.weight);
      continue;
    }
    const View table = view(scope, box, into.layout, resolved ? into.exact : into.loose);
    (resolved ? exact : loose)[table.group] = 1;
    const Side side = profile.weight > 0 ? Side::kAbove : Side::kBelow;
    add_combinations(table, scope, box, side, -profile.weight);
  }
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    const std::size_t rows = box[groups_[g][0]].size(), width = box[groups_[g][1]].size();
    if (exact[g]) add_up_steps(into.exact.data() + into.layout.tables[g], rows, width);
    if (loose[g]) add_up_steps(into.loose.data() + into.layout.tables[g], rows, width);
  }
}

bool ReserveBoxes::is_leaf(const BoxLists& box, std::size_t open) const {
  if (groups_.empty()) return true;  // one bidder
  const double points = points_in(box);
  if (points > leaf_points) return false;
  return units_ == 1 || points == 1 ||
         points / static_cast<double>(box.back().size()) * static_cast<double>(open) <= leaf_work;
}

// What the bound takes the revenue for at one action.
double ReserveBoxes::bounded(const Scope& scope, const BoxLists& box, const std::vector<int>& full) const {
  bool stays[2] = {true, true};
  double reserve[2] = {0, 0};
  for (std::size_t side = 0; side < 2; ++side) {
    const RankedBid& bid = *scope.at[scope.pair[side]].bid;
    stays[side] = full[bidder_of(bid)] < bid.level;
    reserve[side] = unit(full[bidder_of(bid)]);
  }
  const Corner c = corner(scope, box, stays, Side::kAbove);
  double sum = c.others;
  for (std::size_t side = 0; side < 2; ++side) {
    if (c.pays[side]) sum += std::max(reserve[side], c.price);
  }
  return sum;
}

BoxSplit ReserveBoxes::split(const BoxLists& box, std::span<const std::uint32_t> open,
                             const std::vector<int>& likeliest) {
  constexpr double kEven = 0.1;         // weight of a profile that is exact at the likeliest action
  constexpr std::size_t kCredited = 3;  // open members
  index(box);
  std::vector<std::vector<double>> leaving(box.size());  // [bidder][place]: weight of the profiles it leaves from there
  for (std::size_t c = 0; c < box.size(); ++c) leaving[c].assign(box[c].size() + 1, 0.0);
  std::vector<int> reserves = likeliest;
  for (int& reserve : reserves) ++reserve;
  Scope scope;
  for (const std::uint32_t p : open) {
    const auto& profile = evidence_.profiles()[p];
    const auto bids = evidence_.bids_of(profile);
    find_scope(bids, box, scope);
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
    double sum = leaving[c][1];
    std::size_t at = 1;
    while (at + 1 < box[c].size() && sum < total / 2) sum += leaving[c][++at];
    best = {c, at};
  }
  return best;
}

}  // namespace hannan::detail

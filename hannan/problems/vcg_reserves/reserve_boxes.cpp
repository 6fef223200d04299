// Tables of a box of reserves: which profiles are decided in it, which are bounded, and the steps both write into the
// tables of pairs of bidders. Definitions (scope, member, pair) and the proof of the bound are in reserve_boxes.hpp.
//
// Positions and places. A position d in 0..D-1 of a bidder is its reserve number d + 1. A place is an index into the
// list of the positions that the box still has, 0..size-1; lists rise, so "reaches so many reserves" is a place too: a
// bid of that many stays at the places before it and leaves from it on, and size means it always stays.
//
// Invariants. Resolved profiles are written exactly, the others nowhere above what they add to the evidence (weight >
// 0: revenue from above, weight < 0: from below). Tables hold steps until the end of fill(), values afterwards. Cost of
// fill: O(bids of the scope * combinations + |D_p| + |D_q|) a profile, and one sweep over the tables touched.
#include "hannan/problems/vcg_reserves/reserve_boxes.hpp"

#include <algorithm>

namespace hannan::detail {

namespace {

constexpr double kMostPairEntries = 4e6;  // of all pair tables: 32 MB, a sweep of some 5 ms

// Steps to values: running sums along both members of a table. Four rows at a time: a sum waits for the one before it.
void add_up_steps(double* table, std::size_t rows, std::size_t width) {
  std::size_t first = 0;
  for (; first + 4 <= rows; first += 4) {
    double* row = table + first * width;
    double sums[4] = {row[0], row[width], row[2 * width], row[3 * width]};
    for (std::size_t k = 1; k < width; ++k) {
      for (std::size_t r = 0; r < 4; ++r) row[r * width + k] = sums[r] += row[r * width + k];
    }
  }
  for (; first < rows; ++first) {
    double* row = table + first * width;
    for (std::size_t k = 1; k < width; ++k) row[k] += row[k - 1];
  }
  for (std::size_t r = 1; r < rows; ++r) {
    double* row = table + r * width;
    for (std::size_t k = 0; k < width; ++k) row[k] += row[k - width];
  }
}

}  // namespace

// All pairs of the whole grid at m^2 entries each: the root box has the largest tables.
bool ReserveBoxes::suits(std::size_t bidders, std::size_t levels) {
  const auto n = static_cast<double>(bidders), m = static_cast<double>(levels);
  return n * (n - 1) / 2 * m * m <= kMostPairEntries;
}

ReserveBoxes::ReserveBoxes(ReserveModel& evidence)
    : EvidenceBoxes(evidence),
      units_(static_cast<std::size_t>(evidence.auction().units)),
      stride_(static_cast<std::size_t>(evidence.auction().levels) + 1) {
  const std::size_t n = evidence.coordinates();
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = i + 1; j < n; ++j) groups_.push_back({i, j});
  }
  ends_.resize(n);
  reached_.resize(n * stride_);
  reserves_of_.resize(n * stride_);
  // By position, so that searches need no division by m and no test for price lists. A row has m + 1 places, one
  // unused.
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t d = 0; d < evidence.domain(i); ++d) {
      reserves_of_[i * stride_ + d] = evidence.auction().price(static_cast<int>(i), static_cast<int>(d) + 1, 0.0);
    }
  }
  for (const auto& profile : evidence.profiles()) most_bids_ = std::max(most_bids_, profile.size);
}

ReserveBoxes::Scope ReserveBoxes::new_scope() const {
  Scope scope;
  scope.at.resize(most_bids_);
  return scope;
}

void ReserveBoxes::index(const BoxLists& box) {
  for (std::size_t i = 0; i < box.size(); ++i) {
    const double* reserves = reserves_of_.data() + i * stride_;
    ends_[i] = {.size = box[i].size(),
                .lowest = reserves[static_cast<std::size_t>(box[i].front())],
                .highest = reserves[static_cast<std::size_t>(box[i].back())]};
    std::uint32_t count = 0;
    for (std::size_t level = 0; level < stride_; ++level) {
      // Position d is reserve d + 1.
      while (count < box[i].size() && static_cast<std::size_t>(box[i][count]) < level) ++count;
      reached_[i * stride_ + level] = count;
    }
  }
}

void ReserveBoxes::find_scope(const BidProfile& profile, Scope& scope) const {
  scope.size = scope.matter = scope.open = 0;
  scope.pair[0] = scope.pair[1] = scope.first_open = kMostRanked;
  scope.floor = profile.floor;
  scope.shift = profile.shift;
  scope.several = profile.several;
  // Bids come highest first. Behind the s-th who stays for sure no bid wins any more; a lower one can then only set the
  // price, and only if it exceeds some possible winner's lowest reserve. Behind the (s+1)-th who stays for sure nothing
  // at all matters, so the loop ends there.
  std::size_t sure = 0, winners = 0;  // the first `winners` of the scope may win
  double lowest = kInfinity;          // reserve of a possible winner
  for (const RankedBid& bid : profile.bids) {
    const bool bound = bid.bidder != kNoReserve;
    const std::size_t staying = bound ? reached(bid.bidder, bid.level) : 1;
    if (staying == 0) continue;
    if (sure >= units_ && bid.bid <= lowest) break;
    const std::size_t size = bound ? ends_[bidder_of(bid)].size : 1;
    scope.at[scope.size++] = {&bid, staying, size, false};
    if (sure < units_) {
      lowest = std::min(lowest, lowest_reserve(scope, bid));
      winners = scope.size;
    }
    if (staying == size && ++sure > units_) break;
  }
  // Whoever stays for sure sets at least this price: a winner whose highest reserve is not above it pays the price.
  const double least_price = sure > units_ ? scope.at[scope.size - 1].bid->bid : profile.floor;
  for (std::size_t k = 0; k < scope.size; ++k) {
    Member& member = scope.at[k];
    if (member.open()) {
      if (scope.open++ == 0) scope.first_open = k;
    } else {
      if (k >= winners || member.size == 1) continue;
      if (ends_[bidder_of(*member.bid)].highest + scope.shift <= least_price) continue;
    }
    member.matters = true;
    if (scope.several) {  // count a bidder once
      bool counted = false;
      for (std::size_t j = 0; j < k && !counted; ++j)
        counted = scope.at[j].matters && scope.at[j].bid->bidder == member.bid->bidder;
      if (counted) continue;
    }
    if (scope.matter < 2) scope.pair[scope.matter] = k;
    ++scope.matter;
  }
}

ReserveBoxes::Corner ReserveBoxes::corner(const Scope& scope, const BoxLists& box, const Range (&cells)[2],
                                          Side side) const {
  Corner corner{.price = scope.floor};
  std::size_t count = 0;
  const auto bidder_at = [&](std::size_t which) {
    return which < scope.matter ? scope.at[scope.pair[which]].bid->bidder : kNoReserve;
  };
  const int p = bidder_at(0), q = bidder_at(1);
  // In S', and of which of the pair?
  const auto of_pair = [&](const Member& member) {
    const int bidder = member.bid->bidder;
    return bidder == kNoReserve ? 2 : bidder == p ? 0 : bidder == q ? 1 : 2;
  };
  // A bid of the pair stays on a whole cell or nowhere in it, as cells end where bids leave: staying >= to, or staying
  // <= from. Others: all who may stay (above), or only those who surely do (below).
  const auto counts = [&](const Member& member, int which) {
    if (which < 2) return member.staying >= cells[which].to;
    return side == Side::kAbove || !member.open();
  };
  std::size_t behind = 0;
  for (; behind < scope.size; ++behind) {
    const Member& member = scope.at[behind];
    const int which = of_pair(member);
    if (!counts(member, which)) continue;
    // The (s+1)-th of S' sets the price c; `behind` stays at its index, so that the loop below sees the winners only.
    if (count == units_) {
      corner.price = member.bid->bid;
      corner.price_level = member.bid->level;
      // A reserve that a bid reaches by the grid's slack alone may exceed it by as much.
      if (side == Side::kAbove && scope.matter > 2)
        corner.price = std::max(corner.price, evidence_.auction().reach(*member.bid));
      break;
    }
    ++count;
    if (which < 2) ++corner.pays[which];
  }
  for (std::size_t k = 0; k < behind; ++k) {
    const Member& member = scope.at[k];
    const int which = of_pair(member);
    if (which < 2 || !counts(member, which)) continue;
    double reserve = lowest_reserve(scope, *member.bid);
    if (side == Side::kAbove && member.bid->bidder != kNoReserve)
      reserve = unit(*member.bid, box[bidder_of(*member.bid)][member.staying - 1]) + scope.shift;
    corner.others += std::max(reserve, corner.price);
  }
  return corner;
}

ReserveBoxes::View ReserveBoxes::view(const Scope& scope, const BoxLists& box, const BoxLayout& layout,
                                      std::span<double> tables) const {
  const std::size_t n = box.size();
  std::size_t p = scope.matter > 0 ? bidder_of(*scope.at[scope.pair[0]].bid) : 0;
  std::size_t q = scope.matter > 1 ? bidder_of(*scope.at[scope.pair[1]].bid) : (p == 0 ? 1 : 0);
  const std::size_t i = std::min(p, q), j = std::max(p, q);
  // The number of the pair (i, j), i < j, in the order of groups_: before row i stand (n-1) + ... + (n-i) pairs. Rows
  // of its table run over i, so i has the stride of a row and j the stride 1.
  const std::size_t group = i * n - i * (i + 1) / 2 + (j - i - 1);
  const std::size_t row = box[j].size();
  return {.entries = tables.data() + layout.tables[group],
          .group = group,
          .stride = {p == i ? row : 1, q == i ? row : 1},
          .size = {box[p].size(), box[q].size()}};
}

void ReserveBoxes::find_cells(const View& view, std::size_t side, Scope& scope) {
  // Invariant: the cells in `all` cover 0..from without gaps; at the end 0..size.
  auto& all = scope.cells[side];
  all.clear();
  std::size_t from = 0;
  if (!scope.several && side < scope.matter) {
    from = scope.at[scope.pair[side]].staying;
    all.push_back({0, from});
    if (from < view.size[side]) all.push_back({from, view.size[side]});
    return;
  }
  const int bidder = side < scope.matter ? scope.at[scope.pair[side]].bid->bidder : kNoReserve;
  // A bidder's lower bids leave at lower places.
  for (std::size_t k = bidder == kNoReserve ? 0 : scope.size; k-- > 0;) {
    const Member& member = scope.at[k];
    if (member.bid->bidder != bidder || member.staying <= from) continue;
    all.push_back({from, member.staying});
    from = member.staying;
  }
  if (from < view.size[side]) all.push_back({from, view.size[side]});
}

void ReserveBoxes::add_combinations(const View& view, Scope& scope, const BoxLists& box, Side side,
                                    double factor) const {
  find_cells(view, 0, scope);
  find_cells(view, 1, scope);
  const auto& seconds = scope.cells[1];
  for (const Range& first : scope.cells[0]) {
    // Neighbours on which the revenue is the same function are one rectangle.
    Range run = seconds.front();
    Corner same = corner(scope, box, {first, run}, side);
    for (std::size_t k = 1; k < seconds.size(); ++k) {
      const Corner next = corner(scope, box, {first, seconds[k]}, side);
      if (next == same) {
        run.to = seconds[k].to;
        continue;
      }
      add_corner(view, scope, box, {first, run}, same, factor);
      run = seconds[k];
      same = next;
    }
    add_corner(view, scope, box, {first, run}, same, factor);
  }
}

// x runs over p's reserves, y over q's, within the ranges. Payments are the price up to some place and then the
// reserve.
void ReserveBoxes::add_corner(const View& view, const Scope& scope, const BoxLists& box, const Range (&ranges)[2],
                              const Corner& corner, double factor) const {
  double low[2] = {0, 0}, high[2] = {0, 0};  // payments at both ends
  std::size_t rises[2] = {0, 0};             // the first place whose reserve exceeds the price
  const std::vector<int>* lists[2] = {nullptr, nullptr};
  // What the bids of p or q pay in all at a place of its list.
  const auto paid = [&](std::size_t side, std::size_t place) {
    const double reserve = unit(*scope.at[scope.pair[side]].bid, (*lists[side])[place]) + scope.shift;
    return corner.pays[side] * std::max(reserve, corner.price);
  };
  for (std::size_t side = 0; side < 2; ++side) {
    if (corner.pays[side] == 0) continue;
    const RankedBid& bid = *scope.at[scope.pair[side]].bid;
    lists[side] = &box[bidder_of(bid)];
    rises[side] =
        reached(bid.bidder, evidence_.auction().level_of(bid.bidder, corner.price, scope.shift, corner.price_level));
    low[side] = paid(side, ranges[side].from);
    high[side] = paid(side, ranges[side].to - 1);
  }
  // A function u + f(x) + g(y) on the rectangle [x0,x1) x [y0,y1) as second differences: its value at the lower corner,
  // the rises of f along y0 and of g along x0, and the negatives of all that on the far edges x1 and y1, where they lie
  // within the table. Two running sums (add_up_steps) restore it inside and 0 outside.
  double* const t = view.entries;
  const std::size_t sx = view.stride[0], sy = view.stride[1];
  const std::size_t x0 = ranges[0].from * sx, y0 = ranges[1].from * sy, x1 = ranges[0].to * sx, y1 = ranges[1].to * sy;
  const bool right = ranges[0].to < view.size[0], above = ranges[1].to < view.size[1];
  t[x0 + y0] += factor * (corner.others + low[0] + low[1]);
  if (right) t[x1 + y0] -= factor * (corner.others + high[0] + low[1]);
  if (above) t[x0 + y1] -= factor * (corner.others + low[0] + high[1]);
  if (right && above) t[x1 + y1] += factor * (corner.others + high[0] + high[1]);
  const auto rise = [&](std::size_t side, double* from, double* to, std::size_t stride) {
    double before = low[side];
    // Before rises[side] all places pay the price, which is low[side]: no step. The first place has none either.
    for (std::size_t d = std::max(rises[side], ranges[side].from + 1); d < ranges[side].to; ++d) {
      const double now = paid(side, d), step = factor * (now - before);
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
    std::vector<char> wins;
  };
  Way ways[2];
  const std::size_t count = scope.open == 0 ? 1 : 2;
  for (std::size_t w = 0; w < count; ++w) {
    Way& way = ways[w];
    way.wins.assign(scope.size, 0);
    way.corner.price = scope.floor;
    std::size_t winners = 0;
    for (std::size_t k = 0; k < scope.size; ++k) {
      if (k == scope.first_open && w == 1) continue;
      if (winners == units_) {
        way.corner.price = scope.at[k].bid->bid;
        way.corner.price_level = scope.at[k].bid->level;
        break;
      }
      way.wins[k] = 1;
      ++winners;
    }
    for (std::size_t k = 0; k < scope.size; ++k) {
      if (way.wins[k] && !scope.at[k].matters)
        way.corner.others += std::max(lowest_reserve(scope, *scope.at[k].bid), way.corner.price);
    }
  }
  // matter > 2 and at most one is open, so some k below is not the open one, and the constant finds a table.
  bool first = true;  // its table takes what does not belong to a winner who stays for sure
  for (std::size_t k = 0; k < scope.size; ++k) {
    if (!scope.at[k].matters || k == scope.first_open) continue;
    scope.matter = count;
    scope.pair[0] = count == 1 ? k : scope.first_open;
    scope.pair[1] = count == 1 ? kMostRanked : k;
    const View table = view(scope, box, into.layout, into.exact);
    touched[table.group] = 1;
    for (std::size_t w = 0; w < count; ++w) {
      Corner corner = ways[w].corner;
      if (!first) corner.others = 0;
      corner.pays[count - 1] = ways[w].wins[k];
      if (count == 2) corner.pays[0] = first ? ways[w].wins[scope.first_open] : 0;
      const std::size_t leaves = scope.at[scope.first_open == kMostRanked ? k : scope.first_open].staying;
      const Range own = count == 1 ? Range{0, table.size[0]} : w == 0 ? Range{0, leaves} : Range{leaves, table.size[0]};
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
  Scope scope = new_scope();
  for (const std::uint32_t p : parts) {
    const auto& profile = evidence_.profiles()[p];
    find_scope(evidence_.bids_of(profile), scope);
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
  // With several units a leaf costs a response per open profile and row of the grid, not a fixed time per action.
  const double points = points_in(box);
  if (points > leaf_points) return false;
  return units_ == 1 || points == 1 ||
         points / static_cast<double>(box.back().size()) * static_cast<double>(open) <= leaf_work;
}

}  // namespace hannan::detail

// Unit-demand buyers in a box of prices; unit_demand_boxes.hpp has candidates and the bound. Weights here are those of
// money as a loss, so revenue of a real buyer has weight < 0 and is bounded from above, and the other way round.
// Utilities are whole ticks, so comparisons are exact. Cost: O(k log k) for the candidates, O(|D| * candidates) a side,
// O(|D_p| |D_q|) a table.
#include "hannan/problems/item_pricing/unit_demand_boxes.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace hannan::detail {

namespace {

// 4e6: chosen, what a box at the root takes; as for reserve prices.
constexpr double kMostEntries = 4e6;  // of all pair tables: 32 MB
constexpr std::int64_t kNone = std::numeric_limits<std::int64_t>::min();
constexpr int kNoPrice = std::numeric_limits<int>::max();

int lowest(const std::vector<int>& list) { return list.front() + 1; }
int highest(const std::vector<int>& list) { return list.back() + 1; }
std::size_t item_of(int item) { return static_cast<std::size_t>(item); }
std::int64_t utility(std::int64_t ticks, int price) { return ticks - price * ItemPricing::kTicks; }

}  // namespace

bool UnitDemandBoxes::suits(std::size_t items, std::size_t levels) {
  const auto k = static_cast<double>(items), m = static_cast<double>(levels);
  return items > 1 && k * (k - 1) / 2 * m * m <= kMostEntries;
}

UnitDemandBoxes::UnitDemandBoxes(UnitDemandModel& evidence) : EvidenceBoxes(evidence) {
  for (std::size_t i = 0; i < evidence.coordinates(); ++i) {
    for (std::size_t j = i + 1; j < evidence.coordinates(); ++j) groups_.push_back({i, j});
  }
}

// Candidates are the items that the buyer can buy somewhere in the box, by falling greatest utility. sure_ is what
// items beyond the first two give at least: a pair whose best utility is below it is never what is bought.
void UnitDemandBoxes::find_candidates(std::uint32_t part, const BoxLists& box) {
  // sure = the utility that the buyer has at least, whatever the prices: of an item that it can afford even at its
  // highest.
  std::int64_t sure = kNone;
  for (const Wish& wish : evidence_.wishes(part)) {
    const int most = highest(box[item_of(wish.item)]);
    if (most <= wish.level) sure = std::max(sure, utility(wish.ticks, most));
  }
  candidates_.clear();
  for (const Wish& wish : evidence_.wishes(part)) {
    const int least = lowest(box[item_of(wish.item)]);
    if (least <= wish.level && utility(wish.ticks, least) >= sure) candidates_.push_back(&wish);
  }
  const auto reach = [&](const Wish* w) { return utility(w->ticks, lowest(box[item_of(w->item)])); };
  // Of equal reach in the order of the wishes, which is that of their addresses.
  std::sort(candidates_.begin(), candidates_.end(),
            [&](const Wish* a, const Wish* b) { return std::pair(-reach(a), a) < std::pair(-reach(b), b); });
  sure_ = kNone;
  for (std::size_t k = 2; k < candidates_.size(); ++k) {
    const Wish& wish = *candidates_[k];
    const int most = highest(box[item_of(wish.item)]);
    if (most <= wish.level) sure_ = std::max(sure_, utility(wish.ticks, most));
  }
}

// For one item of the pair, at each of its prices: utility and price of buying it, and what a third item could be sold
// for instead, at most or at least.
void UnitDemandBoxes::prepare(Side& side, const Wish* wish, const BoxLists& box, bool at_most) {
  const auto& list = box[side.item];
  side.utility.assign(list.size(), kNone);
  side.price.assign(list.size(), 0);
  side.outside.assign(list.size(), at_most ? 0 : kNoPrice);
  for (std::size_t d = 0; d < list.size(); ++d) {
    const int price = list[d] + 1;
    if (wish && price <= wish->level) {
      side.price[d] = price;
      side.utility[d] = utility(wish->ticks, price);
    }
    for (std::size_t k = 2; k < candidates_.size(); ++k) {
      const Wish& other = *candidates_[k];
      const auto& prices = box[item_of(other.item)];
      int cap = other.level;
      if (side.utility[d] != kNone) {
        const std::int64_t ahead = other.ticks - side.utility[d];
        // Another item is bought at z only if v - z reaches this side's utility: z <= ahead / kTicks, in whole grid
        // units.
        if (ahead < ItemPricing::kTicks) continue;
        cap = static_cast<int>(std::min<std::int64_t>(cap, ahead / ItemPricing::kTicks));
      }
      if (lowest(prices) > cap) continue;
      if (at_most) {
        // Positions are prices - 1: the highest position <= cap - 1. lowest(prices) <= cap was tested, so above - 1
        // exists.
        const auto above = std::upper_bound(prices.begin(), prices.end(), cap - 1);
        side.outside[d] = std::max(side.outside[d], *(above - 1) + 1);
      } else {
        side.outside[d] = std::min(side.outside[d], lowest(prices));
      }
    }
  }
}

// weight < 0: what came, money to be bounded from above; otherwise from below. Exact where no third item matters.
void UnitDemandBoxes::add_pair(double weight, double* table) const {
  const Side &p = sides_[0], &q = sides_[1];  // p has the lower index: it wins where utilities and prices are equal
  for (std::size_t x = 0; x < p.price.size(); ++x) {
    for (std::size_t y = 0; y < q.price.size(); ++y, ++table) {
      const bool second = q.utility[y] > p.utility[x] || (q.utility[y] == p.utility[x] && q.price[y] > p.price[x]);
      const std::int64_t best = second ? q.utility[y] : p.utility[x];
      const int price = second ? q.price[y] : p.price[x];
      const bool possible = best >= sure_;
      if (weight < 0) {
        *table += weight * std::max(possible ? price : 0, std::min(p.outside[x], q.outside[y]));
      } else {
        const int least = std::min(possible ? price : kNoPrice, std::max(p.outside[x], q.outside[y]));
        *table += weight * (least == kNoPrice ? 0 : least);
      }
    }
  }
}

// A buyer goes into the table of its two best candidates. With two or fewer the table is exact and the buyer is
// resolved; otherwise it stays open and is looked at again in smaller boxes.
void UnitDemandBoxes::fill(const BoxLists& box, std::span<const std::uint32_t> parts, BoxTables& into) {
  const std::size_t n = box.size();
  for (const std::uint32_t part : parts) {
    find_candidates(part, box);
    if (candidates_.empty()) continue;
    const bool resolved = candidates_.size() <= 2;
    if (!resolved) into.open.push_back(part);
    const Wish* first = candidates_[0];
    const Wish* second = candidates_.size() > 1 ? candidates_[1] : nullptr;
    const std::size_t a = item_of(first->item), b = second ? item_of(second->item) : (a == 0 ? 1 : 0);
    const std::size_t i = std::min(a, b), j = std::max(a, b);
    if (a > b) std::swap(first, second);
    sides_[0].item = i;
    sides_[1].item = j;
    const double weight = evidence_.weight(part);
    prepare(sides_[0], first, box, weight < 0);
    prepare(sides_[1], second, box, weight < 0);
    // Pairs (i, j), i < j, in order: (n-1) + ... + (n-i) of them stand before row i. n >= 2 by suits().
    const std::size_t group = i * n - i * (i + 1) / 2 + (j - i - 1);
    add_pair(weight, (resolved ? into.exact : into.loose).data() + into.layout.tables[group]);
  }
}

bool UnitDemandBoxes::is_leaf(const BoxLists& box, std::size_t open) const {
  const double points = points_in(box);
  return points == 1 || (points <= leaf_points && points * static_cast<double>(open) <= leaf_work);
}

// All open buyers at every action of a small box; the last item runs fastest, as the grid is laid out.
void UnitDemandBoxes::tabulate(const BoxLists& box, std::span<const std::uint32_t> open, std::span<double> grid) {
  if (open.empty()) return;
  std::vector<std::size_t> at(box.size(), 0);
  std::vector<int> full;
  for (const auto& list : box) full.push_back(list.front());
  for (double& total : grid) {
    for (const std::uint32_t part : open) total += evidence_.weight(part) * evidence_.paid(part, full);
    for (std::size_t c = box.size(); c-- > 0;) {
      if (++at[c] == box[c].size()) at[c] = 0;
      full[c] = box[c][at[c]];
      if (at[c] > 0) break;
    }
  }
}

}  // namespace hannan::detail

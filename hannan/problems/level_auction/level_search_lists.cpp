// What a search takes from the bounds of the first bidder's lists, and leaves with them (list_bounds.hpp).
//
// A list's bound is a sum of lower bounds of parts of the evidence: outcomes (ListBounds), noise outcomes times the
// scale, the noise tables of the list itself, and the least tables of the other bidders, minimised apart. The minimum
// of a sum is at least the sum of minima, so no completion of the list is below it; rounding is taken off at the end.
// Cost: O(C(m,s) s) a search and O(C(m,s) s) a node that fixes the first bidder.
#include <algorithm>
#include <utility>

#include "hannan/oracles/chain_program.hpp"
#include "hannan/problems/level_auction/level_search.hpp"

namespace hannan::detail {

// Of each list of the first bidder: what the outcomes, those of the noise and the tables are at least, each by itself.
void LevelModel::bound_lists(const Evidence<LevelHistory>& evidence) {
  double others = 0;
  // Coordinate i * s + j of tables_ starts at (i * s + j) * choices, the layout of LevelHistory::tables.
  for (std::size_t i = 1; i < rule_.n(); ++i) {
    std::vector<std::vector<double>> costs(rule_.s());
    for (std::size_t j = 0; j < rule_.s(); ++j) {
      const auto table = std::span(tables_).subspan((i * rule_.s() + j) * rule_.choices(), rule_.choices());
      costs[j].assign(table.begin(), table.end());
    }
    others += ChainProgram(RisingWords{.length = rule_.s(), .values = rule_.choices()}, std::move(costs)).least();
  }
  list_bounds_.assign(first_.bounds().begin(), first_.bounds().end());
  for (std::size_t k = 0; k < list_bounds_.size(); ++k) {
    double sum = list_bounds_[k] + others;
    if (evidence.scale > 0) sum += evidence.scale * evidence.noise.first.bounds()[k];
    for (std::size_t j = 0; j < rule_.s(); ++j) sum += noise(j, first_.lists()[k][j]);
    list_bounds_[k] = sum - rounding_slack(sum);
  }
  // What was proven for this very noise at this scale covers outcomes and noise together and may be sharper.
  const auto& [data, noise, scale] = evidence;
  if (scale == 0 || !data.noisy.belong_to(noise.tally, noise.tables, scale)) return;
  for (std::size_t k = 0; k < list_bounds_.size(); ++k)
    list_bounds_[k] = std::max(list_bounds_[k], data.noisy.lists.bounds()[k]);
}

void LevelModel::leave_bounds(const Evidence<LevelHistory>& evidence) const {
  const auto& [data, noise, scale] = evidence;
  if (first_.empty() || scale < 0) return;
  // A scale below 0 turns the noise around: the bounds above were not made, and there is nothing to keep.
  data.first.searched();
  data.noisy.lists.searched();
  if (scale > 0 && !data.noisy.belong_to(noise.tally, noise.tables, scale)) {
    data.noisy = {noise.tally, noise.tables, scale, std::move(data.noisy.lists)};
    data.noisy.lists.forget();
  }
  ListBounds& lists = scale > 0 ? data.noisy.lists : data.first;
  for (const auto& [list, least] : found_) lists.found(list, least - rounding_slack(least));
}

// While the first bidder is being fixed: the least of the lists that a position leaves.
void LevelModel::raise_to_lists(const std::vector<int>& partial, BoundTable& bounds) const {
  const std::size_t s = rule_.s();
  std::vector<double> least(s * rule_.choices(), kInfinity);
  for (std::size_t k = 0; k < list_bounds_.size(); ++k) {
    const auto list = first_.lists()[k];
    const bool left =
        std::equal(list.begin(), list.end(), partial.begin(), [](int d, int at) { return at < 0 || at == d; });
    for (std::size_t j = 0; left && j < s; ++j) {
      double& now = least[j * rule_.choices() + static_cast<std::size_t>(list[j])];
      now = std::min(now, list_bounds_[k]);
    }
  }
  for (std::size_t c = 0; c < s; ++c) {
    if (partial[c] >= 0) continue;
    for (std::size_t d = 0; d < rule_.choices(); ++d)
      bounds[c][d] = std::max(bounds[c][d], least[c * rule_.choices() + d]);
  }
}

}  // namespace hannan::detail

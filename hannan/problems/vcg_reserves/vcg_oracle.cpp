// The search oracle of eager reserves: evidence to model, model to box search or search by values, answer to action.
// Invariant of a history: warm and both frontiers belong to the tally and tables as they are; what cannot be carried
// over (scaling, tables) is forgotten. Forgetting changes how long a search takes, never its choice when it finishes.
#include "hannan/problems/vcg_reserves/vcg_oracle.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "hannan/core/error.hpp"
#include "hannan/oracles/box_search.hpp"
#include "hannan/oracles/grid_answer.hpp"
#include "hannan/oracles/shaped_tables.hpp"
#include "hannan/problems/vcg_reserves/reserve_boxes.hpp"
#include "hannan/problems/vcg_reserves/reserve_frontier.hpp"
#include "hannan/problems/vcg_reserves/vcg_search.hpp"

namespace hannan::detail {

void ReserveSearch::History::scale(double factor) {
  tally.scale(factor);
  for (auto& table : tables) {
    for (double& value : table) value *= factor;
  }
  forget_frontiers();  // their floors are those of the old weights
}

void ReserveSearch::History::clear() {
  tally.clear();
  for (auto& table : tables) std::fill(table.begin(), table.end(), 0.0);
  warm = {};
  forget_frontiers();
}

void ReserveSearch::History::forget_frontiers() {
  frontier.forget();
  noisy_frontier.forget();
}

// Outcomes of a saved tally are checked one by one, since a state may come from another problem or from a damaged file.
// A flag says whether a frontier follows; states from before frontiers have no flag, and searches then start from
// nothing.
void ReserveSearch::History::archive(Archive& a) {
  const auto fits = [&](const VcgReserves::Outcome& bids) { return problem->allows_outcome(bids); };
  tally.archive(a);
  for (const auto& [bids, weight] : tally) {
    if (a.reading() && !fits(bids))
      a.refuse("tally", problem->money()
                            ? "found a list that is no round of bids in money"
                            : "found a profile that is not " + std::to_string(tables.size()) + " bids in [0,1]");
  }
  std::vector<std::size_t> domains;
  for (const auto& table : tables) domains.push_back(table.size());
  archive_tables(a, "tables", tables);
  warm.archive(a);
  double kept = 1;
  a.later_field("frontier_kept", kept);
  if (kept == 0) return forget_frontiers();  // a state of an earlier version
  a.open("frontier");
  frontier.archive(a, domains, fits);
  a.close();
  a.later_field("noisy_frontier_kept", kept);
  if (kept == 0) return noisy_frontier.forget();
  a.open("noisy_frontier");
  noisy_frontier.archive(a, domains, fits);
  a.close();
}

std::size_t ReserveSearch::suitable_pool(const VcgReserves& p) const {
  return warm && ReserveBoxes::suits(p.coordinates(), static_cast<std::size_t>(p.levels())) ? 0 : kLargePool;
}

ReserveSearch::History ReserveSearch::empty(const VcgReserves& p) const {
  History zero{.problem = &p, .tally = {}, .tables = {}, .warm = {}, .frontier = {}, .noisy_frontier = {}};
  for (std::size_t i = 0; i < p.coordinates(); ++i) zero.tables.emplace_back(p.domain(i), 0.0);
  return zero;
}

void ReserveSearch::add(const VcgReserves&, History& h, const VcgReserves::Outcome& y, double weight) const {
  h.tally.add(y, weight);
  h.warm.advance();
  h.frontier.add(y, weight);
  h.noisy_frontier.add(y, weight);
}

// A table changes the value of every action, and a frontier's floors hold for the old tables only.
void ReserveSearch::add_table(const VcgReserves&, History& h, std::size_t bidder,
                              std::span<const double> values) const {
  for (std::size_t d = 0; d < values.size(); ++d) h.tables[bidder][d] += values[d];
  h.forget_frontiers();
}

// Evidence to profiles and tables, then boxes where the pair tables fit the memory, else values one after another. Both
// are exact; boxes have the tighter bound.
Answer<VcgReserves::Action> ReserveSearch::best(const VcgReserves& p, Evidence<History> e, std::size_t keep) const {
  ReserveModel model({.bidders = p.bidders(), .auction = p.auction(), .normaliser = p.normaliser()});
  const auto pour = [&](const History& h, double scale) {
    for (const auto& [bids, weight] : h.tally) model.add(p.prepare(bids), scale * weight);
    for (std::size_t i = 0; i < h.tables.size(); ++i) model.add_table(i, h.tables[i], scale);
  };
  pour(e.data, 1.0);
  if (e.scale != 0) pour(e.noise, e.scale);
  const SearchRequest request{.keep = keep, .limits = {nodes}, .hints = e.data.warm.hints(e.scale)};
  SearchResult found;
  if (ReserveBoxes::suits(p.coordinates(), static_cast<std::size_t>(p.levels()))) {
    ReserveBoxes boxes(model);
    boxes.leaf_points = leaf_points;
    const auto raise = [&](Frontier& frontier, const VcgReserves::Outcome& y, double weight) {
      raise_frontier(p, y, weight, frontier);
    };
    const auto run = [&](std::uint64_t most, const FrontierUse& use) {
      return box_search(boxes, {.keep = keep, .limits = {most}, .hints = request.hints}, {}, use);
    };
    // Plain evidence goes on from the last plain search; noise made of tables alone from the last search with noise, if
    // tables and scale are the same. Noise that comes as outcomes starts anew.
    if (warm && e.scale == 0) {
      found = e.data.frontier.search(request, raise, run);
    } else if (warm && e.noise.tally.empty()) {
      found = e.data.noisy_frontier.search_noisy({e.noise.tables, e.scale}, request, raise, run);
    } else {
      found = box_search(boxes, request);
    }
  } else {
    found = branch_bound(model, request);
  }
  e.data.warm.remember(e.scale, found.pool);
  return answer_of(found, keep, [&](const std::vector<int>& positions) {
    VcgReserves::Action x;
    p.action_at(positions, x);
    return x;
  });
}

}  // namespace hannan::detail

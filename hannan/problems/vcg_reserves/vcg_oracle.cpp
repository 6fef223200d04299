#include "hannan/problems/vcg_reserves/vcg_oracle.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "hannan/core/error.hpp"
#include "hannan/oracles/grid_answer.hpp"
#include "hannan/oracles/shaped_tables.hpp"
#include "hannan/problems/vcg_reserves/vcg_search.hpp"

namespace hannan::detail {

void ReserveSearch::History::clear() {
  tally.clear();
  for (auto& table : tables) std::fill(table.begin(), table.end(), 0.0);
  warm = {};
}

void ReserveSearch::History::archive(Archive& a) {
  tally.archive(a);
  for (const auto& [bids, weight] : tally) {
    const bool fits = bids.size() == tables.size() &&
                      std::all_of(bids.begin(), bids.end(), [](double bid) { return bid >= 0 && bid <= 1; });
    if (a.reading() && !fits)
      a.refuse("tally", "found a profile that is not " + std::to_string(tables.size()) + " bids in [0,1]");
  }
  archive_tables(a, "tables", tables);
  warm.archive(a);
}

ReserveSearch::History ReserveSearch::empty(const VcgReserves& p) const {
  return {.tally = {},
          .tables = std::vector<std::vector<double>>(p.coordinates(), std::vector<double>(p.domain(0), 0.0)),
          .warm = {}};
}

void ReserveSearch::add(const VcgReserves&, History& h, const VcgReserves::Outcome& y, double weight) const {
  h.tally.add(y, weight);
  h.warm.advance();
}

void ReserveSearch::add_table(const VcgReserves&, History& h, std::size_t bidder,
                              std::span<const double> values) const {
  for (std::size_t d = 0; d < values.size(); ++d) h.tables[bidder][d] += values[d];
}

Answer<VcgReserves::Action> ReserveSearch::best(const VcgReserves& p, Evidence<History> e, std::size_t keep) const {
  ReserveModel model({.bidders = p.bidders(), .auction = p.auction(), .normaliser = p.normaliser()});
  const auto pour = [&](const History& h, double scale) {
    for (const auto& [bids, weight] : h.tally) model.add(bids, scale * weight);
    for (std::size_t i = 0; i < h.tables.size(); ++i) model.add_table(i, h.tables[i], scale);
  };
  pour(e.data, 1.0);
  if (e.scale != 0) pour(e.noise, e.scale);
  const SearchResult found =
      branch_bound(model, {.keep = keep, .limits = {nodes}, .hints = e.data.warm.hints(e.scale)});
  e.data.warm.remember(e.scale, found.pool);
  return answer_of(found, keep, [&](const std::vector<int>& positions) {
    VcgReserves::Action x;
    p.action_at(positions, x);
    return x;
  });
}

}  // namespace hannan::detail

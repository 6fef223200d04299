// Curves from difference arrays, and the least combination of them (formulas and costs in first_price_search.hpp). All
// arrays run item after item: position z of item j is entry first_entry(j) + z. A prefix sum restarts at every item.
#include "hannan/problems/first_price_bidding/first_price_search.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "hannan/oracles/curve_sums.hpp"

namespace hannan::detail {

static_assert(BidBudget::kNotAllowed == kDead);

namespace {

using Search = FirstPriceSearch;

std::size_t first_entry(const FirstPriceBidding& p, std::size_t item) {
  std::size_t at = 0;
  for (std::size_t j = 0; j < item; ++j) at += p.domain(j);
  return at;
}

// The evidence of every position, in losses.
// At position z of item j all rounds with first_win <= z are won, so the running sums of values and weights are exactly
// what that position wins; the curve is minus its gain, plus the noise table.
void fill_curves(const FirstPriceBidding& p, const Evidence<Search::History>& e,
                 std::vector<std::vector<double>>& curves) {
  curves.resize(p.items());
  const bool shade = p.parts().mode == FirstPriceBidding::Mode::kShade;
  std::size_t at = 0;
  for (std::size_t j = 0; j < curves.size(); ++j) {
    const auto& grid = p.parts().grids[j];
    curves[j].resize(grid.size());
    double values = 0, weights = 0;
    for (std::size_t z = 0; z < grid.size(); ++z, ++at) {
      values += e.data.values[at];
      weights += e.data.weights[at];
      double table = e.data.tables[at];
      if (e.scale != 0) {
        values += e.scale * e.noise.values[at];
        weights += e.scale * e.noise.weights[at];
        table += e.scale * e.noise.tables[at];
      }
      curves[j][z] = table - (shade ? (1 - grid[z]) * values : values - grid[z] * weights);
    }
  }
}

// One a thread, as in oracles/separable.hpp.
struct CurveBuffers {
  CurveSums sums;
  std::vector<int> positions;
};
CurveBuffers& curve_buffers() {
  thread_local CurveBuffers kept;
  return kept;
}

}  // namespace

void FirstPriceSearch::History::scale(double factor) {
  values.scale(factor);
  weights.scale(factor);
  for (double& value : tables) value *= factor;
}

void FirstPriceSearch::History::clear() {
  values.clear();
  weights.clear();
  std::fill(tables.begin(), tables.end(), 0.0);
}

void FirstPriceSearch::History::archive(Archive& a) {
  values.archive(a, "values", "value_carries");
  weights.archive(a, "weights", "weight_carries");
  a.field("tables", tables);
}

FirstPriceSearch::History FirstPriceSearch::empty(const FirstPriceBidding& p) const {
  const std::size_t size = first_entry(p, p.items());
  return {LongSums(size), LongSums(size), std::vector<double>(size, 0.0), std::nullopt};
}

// A round changes one entry of each array an item, wherever the bid lies: O(items log m), whatever the grid's length.
void FirstPriceSearch::add(const FirstPriceBidding& p, History& h, const FirstPriceBidding::Outcome& y,
                           double weight) const {
  std::size_t at = 0;
  for (std::size_t j = 0; j < y.size(); ++j) {
    const std::size_t from = p.first_win(j, y[j]);
    if (from < p.domain(j)) {
      h.values.add_one(at + from, weight * y[j].value);
      h.weights.add_one(at + from, weight);
    }
    at += p.domain(j);
  }
}

void FirstPriceSearch::add_table(const FirstPriceBidding& p, History& h, std::size_t coordinate,
                                 std::span<const double> values) const {
  const std::size_t at = first_entry(p, coordinate);
  for (std::size_t z = 0; z < values.size(); ++z) h.tables[at + z] += values[z];
}

// Without a budget each curve has its own minimum. With one, a dynamic programme over the states of the budget; the
// programme and its buffers are kept in the history, since their size depends on the problem alone.
void FirstPriceSearch::choose(const FirstPriceBidding& p, Evidence<History> e, Answer<Action>& answer) const {
  if (p.chain().all()) {
    auto& [sums, positions] = curve_buffers();
    sums.constant = 0;
    fill_curves(p, e, sums.curves);
    // Exact: the floor is the sum of the curves' minima.
    answer.floor = answer.rest = smallest_choice(sums, positions);
    answer.value = sums.at(positions);
    answer.action = positions;
    return;
  }
  if (!e.data.search) e.data.search.emplace(History::Search{ChainProgram(p.chain()), {}});
  auto& [program, choice] = *e.data.search;
  fill_curves(p, e, program.costs());
  program.solve();
  answer.floor = answer.rest = program.least();
  program.first_within(program.least() + tie_window(answer.floor), choice);
  answer.value = program.value(choice);
  answer.action = choice;
}

Answer<FirstPriceSearch::Action> FirstPriceSearch::best(const FirstPriceBidding& p, Evidence<History> e,
                                                        std::size_t keep) const {
  Answer<Action> answer;
  choose(p, e, answer);
  if (keep == 0) return answer;
  if (p.chain().all()) {
    RankedSums found = smallest_sums(curve_buffers().sums, keep);
    answer.rest = found.rest;
    for (auto& entry : found.pool) answer.pool.push_back({std::move(entry.positions), entry.value});
    return answer;
  }
  answer.pool.push_back({answer.action, answer.value});
  answer.rest = std::numeric_limits<double>::infinity();
  // keep + 1 words hold keep of which the choice is not one; the next beyond the pool is the proven rest.
  for (auto& [word, value] : e.data.search->program.best(keep + 1)) {
    if (word == answer.action) continue;
    if (answer.pool.size() == keep) {
      answer.rest = value;
      break;
    }
    answer.pool.push_back({std::move(word), value});
  }
  return answer;
}

}  // namespace hannan::detail

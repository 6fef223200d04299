#include "pricing_mip.hpp"

#include <cmath>
#include <map>

#include "programme.hpp"

namespace hannan::detail::mip {
namespace {

using Kind = Programme::Kind;
using Row = Programme::Row;

struct Grid {
  int items, levels;
  int column(int item, int price) const { return item * levels + price - 1; }
};

// A bundle that m can buy at all, with what it earns at prices 1..m, in money.
struct Market {
  std::vector<int> items;
  std::vector<double> revenue;
};

void add_bundle(Programme& programme, const Grid& grid, const Market& market) {
  const int m = grid.levels, size = static_cast<int>(market.items.size());
  Row one{.entries = {}, .bound = 1, .sense = Row::kEqual};
  Row price{.entries = {}, .bound = 0, .sense = Row::kEqual};
  std::vector<Row> cheap(market.items.size(), Row{.entries = {}, .bound = 0});
  for (int p = size; p <= m; ++p) {
    const int w = programme.add_column(-market.revenue[static_cast<std::size_t>(p - 1)], Kind::kInteger);
    one.entries.emplace_back(w, 1.0);
    price.entries.emplace_back(w, p);
    for (std::size_t i = 0; i < cheap.size(); ++i) {
      cheap[i].entries.emplace_back(w, 1.0);
      cheap[i].entries.emplace_back(grid.column(market.items[i], p - size + 1), -1.0);
      programme.add_row(cheap[i]);
    }
  }
  const int none = programme.add_column(0, Kind::kInteger), beyond = programme.add_column(0);
  one.entries.emplace_back(none, 1.0);
  price.entries.emplace_back(none, m + 1);
  price.entries.emplace_back(beyond, size * m - m - 1);
  for (const int item : market.items) {
    for (int z = 1; z <= m; ++z) price.entries.emplace_back(grid.column(item, z), -z);
  }
  programme.add_row(one);
  programme.add_row(price);
  programme.add_row({.entries = {{beyond, 1.0}, {none, -1.0}}, .bound = 0});
}

}  // namespace

PricingAnswer solve_pricing(const PricingTask& task) {
  const int m = task.levels;
  const Grid grid{.items = static_cast<int>(task.tables.size()), .levels = m};
  std::map<std::uint32_t, Market> markets;
  for (const auto& [bundle, value, weight] : task.buyers) {
    Market& market = markets[bundle];
    market.revenue.resize(static_cast<std::size_t>(m));
    market.items.clear();
    for (int j = 0; j < grid.items; ++j) {
      if ((bundle >> j & 1U) != 0) market.items.push_back(j);
    }
    const int level = static_cast<int>(std::floor(m * value + 1e-9));
    for (int p = 1; p <= level; ++p) market.revenue[static_cast<std::size_t>(p - 1)] += weight * p / m;
  }

  Programme programme;
  for (int j = 0; j < grid.items; ++j) {
    Row one{.entries = {}, .bound = 1, .sense = Row::kEqual};
    const auto lone = markets.find(std::uint32_t{1} << j);
    for (int z = 1; z <= m; ++z) {
      const auto at = static_cast<std::size_t>(z - 1);
      const double earned = lone == markets.end() ? 0 : lone->second.revenue[at];
      one.entries.emplace_back(
          programme.add_column(task.tables[static_cast<std::size_t>(j)][at] - earned, Kind::kInteger), 1.0);
    }
    programme.add_row(one);
  }
  for (const auto& [bundle, market] : markets) {
    const auto size = static_cast<int>(market.items.size());
    if (size >= 2 && size <= m) add_bundle(programme, grid, market);
  }

  const auto solution = programme.minimise();
  PricingAnswer answer{
      .prices = std::vector<int>(task.tables.size(), 1), .value = solution.value, .optimal = solution.optimal};
  for (int j = 0; !solution.columns.empty() && j < grid.items; ++j) {
    for (int z = 1; z <= m; ++z) {
      if (solution.columns[static_cast<std::size_t>(grid.column(j, z))] > 0.5)
        answer.prices[static_cast<std::size_t>(j)] = z;
    }
  }
  return answer;
}

}  // namespace hannan::detail::mip

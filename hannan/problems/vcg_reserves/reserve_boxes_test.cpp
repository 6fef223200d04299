#include "hannan/problems/vcg_reserves/reserve_boxes.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <string>

#include "hannan/oracles/box_search.hpp"
#include "tests/dice.hpp"

namespace hannan::detail {
namespace reserve_boxes_test {

// HANNAN_BOX_TRIALS raises the number of random instances.
std::uint64_t reserve_trials() {
  const char* asked = std::getenv("HANNAN_BOX_TRIALS");
  return asked ? std::strtoull(asked, nullptr, 10) : 1500;
}

// Weights of both signs or not, noise or not, bids on the grid or not, one unit or several.
ReserveModel draw_evidence(Dice& dice) {
  const int n = dice.below(8) ? 3 + dice.below(3) : 1 + dice.below(2),
            m = n == 5 ? 2 + dice.below(3) : 1 + dice.below(7);
  const int s = dice.below(2) ? 1 : 1 + dice.below(n + 1);
  ReserveModel model({.bidders = n, .auction = {.levels = m, .units = s}, .normaliser = double(std::min(n, s))});
  const bool negative = dice.below(3) == 0, grid = dice.below(4) == 0;
  const double noise = dice.below(2) ? 0.0 : std::pow(10.0, 3 * dice.unit() - 2);
  std::vector<double> bids(static_cast<std::size_t>(n)), table(static_cast<std::size_t>(m));
  for (int t = 20 + dice.below(100); t > 0; --t) {
    for (double& b : bids) b = grid ? dice.below(m + 1) / double(m) : dice.unit();
    model.add(bids, negative ? 2 * dice.unit() - 0.7 : 1.0);
  }
  for (std::size_t i = 0; noise > 0 && i < bids.size(); ++i) {
    for (double& v : table) v = grid ? std::floor(4 * dice.real()) / 4 : dice.real();
    model.add_table(i, table, noise);
  }
  return model;
}

template <class F>
void for_each_action(const BoxLists& box, F&& f) {
  std::vector<std::size_t> at(box.size(), 0);
  std::vector<int> full(box.size());
  while (true) {
    for (std::size_t c = 0; c < box.size(); ++c) full[c] = box[c][at[c]];
    f(full);
    std::size_t c = box.size();
    while (c > 0 && ++at[c - 1] == box[c - 1].size()) at[--c] = 0;
    if (c == 0) return;
  }
}

BoxLists all_reserves(const ReserveModel& model) {
  BoxLists box(model.coordinates());
  for (auto& list : box) {
    for (int d = 0; d < model.auction().levels; ++d) list.push_back(d);
  }
  return box;
}

TEST(ReserveBoxes, SearchAgreesWithEnumeration) {
  std::uint64_t searched = 0, stopped = 0;
  for (std::uint64_t seed = 0; seed < reserve_trials(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Dice dice(400'000 + seed);
    ReserveModel model = draw_evidence(dice);
    std::vector<Found> all;
    for_each_action(all_reserves(model), [&](const std::vector<int>& x) { all.push_back({x, model.value(x)}); });
    double least = kInfinity;
    std::vector<double> values;
    for (const auto& found : all) values.push_back(found.value);
    std::sort(values.begin(), values.end());
    least = values[0];
    ReserveBoxes boxes(model);
    boxes.leaf_points = 1 + dice.below(12);
    boxes.leaf_work = 1 + dice.below(100);
    const std::size_t keep = static_cast<std::size_t>(dice.below(6)), kept = std::max<std::size_t>(keep, 1);
    const std::uint64_t nodes = dice.below(4) ? 100'000 : static_cast<std::uint64_t>(dice.below(6));
    const std::size_t bytes = dice.below(4) ? std::size_t{1} << 20 : 0;
    const auto found = box_search(boxes, {.keep = keep, .limits = {.nodes = nodes}, .hints = {}}, {.bytes = bytes});
    searched += found.nodes > 1;
    stopped += !found.finished;
    EXPECT_LE(found.floor, least + 1e-10);
    EXPECT_GE(found.pool[0].value, least);
    for (const auto& one : all) {
      const bool in =
          std::any_of(found.pool.begin(), found.pool.end(), [&](auto& f) { return f.positions == one.positions; });
      if (!in) {
        EXPECT_LE(found.rest, one.value + 1e-10);
      }
    }
    if (found.finished) {
      const auto choice =
          std::find_if(all.begin(), all.end(), [&](auto& f) { return f.value <= least + tie_window(least); });
      EXPECT_EQ(found.pool[0].positions, choice->positions);
      EXPECT_NEAR(found.floor, least, 1e-12);
      ASSERT_EQ(found.pool.size(), std::min(kept, all.size()));
      for (std::size_t k = 1; k < found.pool.size(); ++k) EXPECT_NEAR(found.pool[k].value, values[k], 2e-9);
      EXPECT_GE(found.rest, found.pool.back().value - 2e-9);
    }
    if (HasFailure()) return;
  }
  EXPECT_GT(searched, reserve_trials() / 3);
  EXPECT_GT(stopped, reserve_trials() / 50);
}

// In random boxes: resolved profiles are exact, open ones nowhere above what they are; and leaves are exact.
TEST(ReserveBoxes, TablesAreExactWhereResolvedAndNeverAboveElsewhere) {
  int exact = 0, loose = 0;
  for (std::uint64_t seed = 0; seed < 2 * reserve_trials(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Dice dice(600'000 + seed);
    const int n = 2 + dice.below(3), m = 2 + dice.below(4), s = 1 + dice.below(n);
    ReserveModel model({.bidders = n, .auction = {.levels = m, .units = s}, .normaliser = 1.0});
    std::vector<double> bids(static_cast<std::size_t>(n));
    for (double& b : bids) b = dice.below(2) ? dice.unit() : dice.below(m + 1) / double(m);
    const double weight = dice.below(3) ? 1.5 : -0.5;
    model.add(bids, weight);
    BoxLists box(bids.size());
    for (auto& list : box) {
      for (int d = 0; d < m; ++d) {
        if (dice.below(2)) list.push_back(d);
      }
      if (list.empty()) list.push_back(dice.below(m));
    }
    ReserveBoxes boxes(model);
    const BoxLayout layout(boxes.groups(), box);
    std::vector<double> resolved(layout.tables.back(), 0.0), open(resolved);
    BoxTables tables{.layout = layout, .exact = resolved, .loose = open, .open = {}};
    std::vector<std::uint32_t> parts;
    for (std::uint32_t p = 0; p < boxes.parts(); ++p) parts.push_back(p);
    boxes.fill(box, parts, tables);
    std::vector<double> grid(static_cast<std::size_t>(points_in(box)), 0.0);
    boxes.tabulate(box, parts, grid);
    std::size_t k = 0;
    for_each_action(box, [&](const std::vector<int>& x) {
      double sum = boxes.constant();
      for (std::size_t g = 0; g < boxes.groups().size(); ++g) {
        std::size_t at[2];
        for (std::size_t j = 0; j < 2; ++j) {
          const auto& list = box[boxes.groups()[g][j]];
          at[j] = static_cast<std::size_t>(std::find(list.begin(), list.end(), x[boxes.groups()[g][j]]) - list.begin());
        }
        const std::size_t entry = layout.tables[g] + at[0] * box[boxes.groups()[g][1]].size() + at[1];
        sum += resolved[entry] + open[entry];
      }
      const double value = model.value(x);
      EXPECT_LE(sum, value + 1e-12);
      if (tables.open.empty()) {
        EXPECT_NEAR(sum, value, 1e-12);
      }
      EXPECT_NEAR(boxes.constant() + grid[k++], value, 1e-12);
    });
    (tables.open.empty() ? exact : loose) += 1;
    if (HasFailure()) return;
  }
  EXPECT_GT(exact, 500);
  EXPECT_GT(loose, 100);
}

// 2^30 actions under noise: a bound that became loose would need thousands of nodes.
TEST(ReserveBoxes, NeedFewNodesForAPerturbedSearch) {
  Dice dice(1);
  ReserveModel model({.bidders = 6, .auction = {.levels = 32, .units = 1}, .normaliser = 1});
  std::vector<double> bids(6), table(32);
  for (int t = 0; t < 200; ++t) {
    for (double& b : bids) b = dice.unit();
    model.add(bids, 1.0);
  }
  for (std::size_t i = 0; i < 6; ++i) {
    for (double& v : table) v = std::log(1 - dice.unit());
    model.add_table(i, table, 10.0);
  }
  ReserveBoxes boxes(model);
  const auto result = box_search(boxes, {});
  EXPECT_TRUE(result.finished);
  EXPECT_LT(result.nodes, 20U);
}

}  // namespace reserve_boxes_test
}  // namespace hannan::detail

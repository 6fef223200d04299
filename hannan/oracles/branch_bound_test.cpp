#include "hannan/oracles/branch_bound.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "hannan/core/keyed_random.hpp"
#include "tests/search_result_check.hpp"

namespace hannan::detail {
namespace branch_bound_test {

using Grid = std::vector<std::vector<double>>;

// sum of one table per coordinate and one per pair, some pairs of positions forbidden.
struct PairModel {
  std::vector<std::size_t> domains;
  Grid single;                           // [c][d]
  std::vector<std::vector<Grid>> pairs;  // [c][e][d][f] for c < e
  std::uint64_t bounds_taken = 0;

  std::size_t coordinates() const { return domains.size(); }
  std::size_t domain(std::size_t c) const { return domains[c]; }

  double value(const std::vector<int>& x) const {
    double sum = 0;
    for (std::size_t c = 0; c < x.size(); ++c) {
      sum += single[c][static_cast<std::size_t>(x[c])];
      for (std::size_t e = c + 1; e < x.size(); ++e) sum += pair(c, x[c], e, x[e]);
    }
    return sum;
  }
  void line(const std::vector<int>& x, std::size_t c, std::span<double> out) const {
    auto y = x;
    for (std::size_t d = 0; d < domains[c]; ++d) {
      y[c] = static_cast<int>(d);
      out[d] = value(y);
    }
  }
  // Relaxed: every term takes its least value on its own, but for the coordinate in question.
  void bound(const std::vector<int>& partial, BoundTable& out) {
    ++bounds_taken;
    for (std::size_t c = 0; c < partial.size(); ++c) {
      if (partial[c] >= 0) continue;
      auto fixed = partial;
      for (std::size_t d = 0; d < domains[c]; ++d) {
        fixed[c] = static_cast<int>(d);
        out[c][d] = relaxed(fixed);
      }
    }
  }

 private:
  double pair(std::size_t c, int d, std::size_t e, int f) const {
    return pairs[c][e][static_cast<std::size_t>(d)][static_cast<std::size_t>(f)];
  }
  std::vector<int> choices(const std::vector<int>& partial, std::size_t c) const {
    if (partial[c] >= 0) return {partial[c]};
    std::vector<int> all(domains[c]);
    for (std::size_t d = 0; d < all.size(); ++d) all[d] = static_cast<int>(d);
    return all;
  }
  double relaxed(const std::vector<int>& partial) const {
    double sum = 0;
    for (std::size_t c = 0; c < partial.size(); ++c) {
      double least = kInfinity;
      for (int d : choices(partial, c)) least = std::min(least, single[c][static_cast<std::size_t>(d)]);
      sum += least;
      for (std::size_t e = c + 1; e < partial.size(); ++e) {
        least = kInfinity;
        for (int d : choices(partial, c)) {
          for (int f : choices(partial, e)) least = std::min(least, pair(c, d, e, f));
        }
        sum += least;
      }
    }
    return sum;
  }
};

// steps > 0: values are multiples of 1/steps, so that ties abound; forbidden: share of closed pairs.
struct Recipe {
  std::uint64_t seed;
  int steps = 0;
  double forbidden = 0;
};

PairModel make_model(Recipe recipe) {
  KeyedRandom random(Key{99}, Purpose::kTest, recipe.seed);
  std::uint64_t next = 0;
  const auto number = [&] { return random.uniform(next++); };
  const auto term = [&] {
    const double u = 2 * number() - 1;
    return recipe.steps > 0 ? std::floor(u * recipe.steps) / recipe.steps : u;
  };
  PairModel model;
  const std::size_t n = 1 + static_cast<std::size_t>(number() * 4);
  for (std::size_t c = 0; c < n; ++c) model.domains.push_back(1 + static_cast<std::size_t>(number() * 4));
  model.single.resize(n);
  model.pairs.assign(n, std::vector<Grid>(n));
  for (std::size_t c = 0; c < n; ++c) {
    for (std::size_t d = 0; d < model.domains[c]; ++d) model.single[c].push_back(term());
    for (std::size_t e = c + 1; e < n; ++e) {
      model.pairs[c][e].assign(model.domains[c], std::vector<double>(model.domains[e]));
      for (auto& row : model.pairs[c][e]) {
        for (auto& entry : row) entry = number() < recipe.forbidden ? kInfinity : term();
      }
    }
  }
  return model;
}

std::vector<Found> enumerate(const PairModel& model) {
  std::vector<Found> all;
  std::vector<int> x(model.domains.size(), 0);
  while (true) {
    if (const double v = model.value(x); v < kInfinity) all.push_back({x, v});
    std::size_t c = x.size();
    while (c > 0 && static_cast<std::size_t>(++x[c - 1]) == model.domains[c - 1]) x[--c] = 0;
    if (c == 0) return all;
  }
}

// Everything a result claims, held against the full list.
void expect_true(const SearchResult& result, const std::vector<Found>& all, std::size_t keep) {
  if (all.empty()) {
    EXPECT_TRUE(result.pool.empty());
    EXPECT_TRUE(!result.finished || result.floor == kInfinity);
    return;
  }
  expect_enumerated(result, all, keep, 1e-12);
}

TEST(BranchBound, AgreesWithEnumerationOnRandomPairModels) {
  for (std::uint64_t seed = 0; seed < 600; ++seed) {
    auto model = make_model({.seed = seed});
    const auto all = enumerate(model);
    for (std::size_t keep : {0, 1, 2, 7, 400}) expect_true(branch_bound(model, {.keep = keep}), all, keep);
  }
}

TEST(BranchBound, SendsTiesToTheSmallestAssignment) {
  for (std::uint64_t seed = 0; seed < 600; ++seed) {
    for (int steps : {1, 2}) {
      auto model = make_model({.seed = 1000 + seed, .steps = steps});
      const auto all = enumerate(model);
      for (std::size_t keep : {1, 3, 10}) expect_true(branch_bound(model, {.keep = keep}), all, keep);
    }
  }
}

TEST(BranchBound, RespectsForbiddenCombinations) {
  int empty = 0;
  for (std::uint64_t seed = 0; seed < 600; ++seed) {
    auto model = make_model({.seed = 5000 + seed, .steps = 2, .forbidden = 0.4});
    const auto all = enumerate(model);
    empty += all.empty();
    for (std::size_t keep : {1, 4}) expect_true(branch_bound(model, {.keep = keep}), all, keep);
  }
  EXPECT_GT(empty, 0);  // wholly infeasible ones were among them
}

TEST(BranchBound, StaysHonestWhenTheLimitStopsIt) {
  int stopped = 0;
  for (std::uint64_t seed = 0; seed < 600; ++seed) {
    auto model = make_model({.seed = 9000 + seed, .forbidden = 0.1});
    const auto all = enumerate(model);
    for (std::uint64_t nodes : {0, 1, 2, 5}) {
      const auto result = branch_bound(model, {.keep = 3, .limits = {.nodes = nodes}});
      stopped += !result.finished;
      if (!result.pool.empty() || all.empty()) expect_true(result, all, 3);
    }
  }
  EXPECT_GT(stopped, 100);
}

TEST(BranchBound, ChoosesTheSameWhateverTheHints) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    auto model = make_model({.seed = 3000 + seed, .steps = 2});
    const auto plain = branch_bound(model, {});
    auto all = enumerate(model);
    for (const auto& hint : {all.front(), all.back(), all[all.size() / 2]}) {
      const auto hinted = branch_bound(model, {.hints = {hint.positions}});
      EXPECT_EQ(hinted.pool[0].positions, plain.pool[0].positions);
    }
    const auto bad = branch_bound(model, {.hints = {{-1}, {99, 99, 99, 99}, {}}});
    EXPECT_EQ(bad.pool[0].positions, plain.pool[0].positions);
  }
}

// 12 coordinates of 16 positions that all tie: 2^48 assignments, and one bound is enough.
TEST(BranchBound, PaysNothingForAPlateau) {
  PairModel model;
  model.domains.assign(12, 16);
  model.single.assign(12, std::vector<double>(16, 0.1));
  model.pairs.assign(12, std::vector<Grid>(12, Grid(16, std::vector<double>(16, 0.0))));
  for (std::size_t keep : {1, 16}) {
    const auto result = branch_bound(model, {.keep = keep});
    EXPECT_TRUE(result.finished);
    EXPECT_EQ(result.nodes, 1U);
    EXPECT_EQ(result.pool[0].positions, std::vector<int>(12, 0));
    EXPECT_EQ(result.pool.size(), keep);
  }
}

// A model that solves every node whose free coordinates are two or fewer by itself.
struct FinishingPairModel : PairModel {
  int finished = 0;
  bool finish(const std::vector<int>& partial, std::size_t, double cut, LeafSink& sink) {
    if (std::count(partial.begin(), partial.end(), -1) > 2) return false;
    ++finished;
    for (const auto& found : enumerate(*this)) {
      bool completes = true;
      for (std::size_t c = 0; c < partial.size(); ++c)
        completes = completes && (partial[c] < 0 || partial[c] == found.positions[c]);
      if (!completes) continue;
      if (found.value <= cut) {
        sink(found.positions, found.value);
      } else {
        sink.rest(found.value);
      }
    }
    return true;
  }
};

TEST(BranchBound, LetsTheModelFinishNodesItCanSolve) {
  int used = 0;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    FinishingPairModel model{make_model({.seed = 7000 + seed, .steps = 3})};
    const auto all = enumerate(model);
    for (std::size_t keep : {1, 5}) expect_true(branch_bound(model, {.keep = keep}), all, keep);
    used += model.finished;
  }
  EXPECT_GT(used, 300);
}

}  // namespace branch_bound_test
}  // namespace hannan::detail

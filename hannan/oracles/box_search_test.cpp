#include "hannan/oracles/box_search.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <memory>
#include <string>

#include "hannan/oracles/box_node.hpp"
#include "hannan/oracles/dual_bound.hpp"
#include "tests/dice.hpp"
#include "tests/search_result_check.hpp"
#include "tests/search_threads_check.hpp"

namespace hannan::detail {
namespace box_search_test {

// A sum of terms, each a random function of one to four coordinates. A term is resolved in a box that leaves at most as
// many of its coordinates open as a group has members; else the table of one group gets the least it can be.
class TermModel final : public BoxModel {
 public:
  struct Recipe {
    std::uint64_t seed;
    int steps = 0;  // > 0: values are multiples of 1/steps, so that ties abound
    std::size_t width = 2;
  };

  explicit TermModel(const Recipe& recipe) {
    Dice dice(recipe.seed);
    const auto number = [&] {
      return recipe.steps > 0 ? std::floor(dice.real() * recipe.steps) / recipe.steps : dice.real();
    };
    const std::size_t n = 1 + static_cast<std::size_t>(dice.below(5));
    for (std::size_t c = 0; c < n; ++c) {
      domains_.push_back(1 + static_cast<std::size_t>(dice.below(5)));
      own_.emplace_back(domains_[c]);
      for (double& v : own_[c]) v = dice.below(3) ? 0.0 : number();
    }
    constant_ = number();
    leaf_ = 1 + dice.below(20);
    const std::size_t width = std::min(recipe.width, n);
    std::vector<std::size_t> group;
    list_groups(width, 0, group);
    for (int t = dice.below(12); t > 0; --t) {
      Term term;
      for (std::size_t c = 0; c < n && term.members.size() < 4; ++c) {
        if (dice.below(2)) term.members.push_back(c);
      }
      std::size_t size = 1;
      for (const std::size_t c : term.members) size *= domains_[c];
      for (std::size_t k = 0; k < size; ++k) term.values.push_back(number());
      terms_.push_back(std::move(term));
    }
  }

  std::unique_ptr<BoxModel> clone() const override { return std::make_unique<TermModel>(*this); }
  std::size_t coordinates() const override { return domains_.size(); }
  std::size_t domain(std::size_t c) const override { return domains_[c]; }
  const Groups& groups() const override { return groups_; }
  std::uint32_t parts() const override { return static_cast<std::uint32_t>(terms_.size()); }
  double constant() const override { return constant_; }
  std::span<const double> own(std::size_t c) const override { return own_[c]; }
  double value(const std::vector<int>& full) override {
    double sum = constant_;
    for (std::size_t c = 0; c < full.size(); ++c) sum += own_[c][static_cast<std::size_t>(full[c])];
    for (const Term& term : terms_) sum += at(term, full);
    return sum;
  }
  void line(const std::vector<int>& full, std::size_t c, std::span<double> out) override {
    auto x = full;
    for (std::size_t d = 0; d < out.size(); ++d) {
      x[c] = static_cast<int>(d);
      out[d] = value(x);
    }
  }
  void fill(const BoxLists& box, std::span<const std::uint32_t> parts, BoxTables& into) override {
    for (const std::uint32_t p : parts) {
      const Term& term = terms_[p];
      std::vector<std::size_t> open;
      for (const std::size_t c : term.members) {
        if (box[c].size() > 1) open.push_back(c);
      }
      const std::size_t g = group_with(open);
      const bool resolved = std::includes(groups_[g].begin(), groups_[g].end(), open.begin(), open.end());
      if (!resolved) into.open.push_back(p);
      double* entry = (resolved ? into.exact : into.loose).data() + into.layout.tables[g];
      BoxLists inner = box;
      std::vector<int> x;
      each(box, groups_[g], [&](const std::vector<int>& given) {
        for (std::size_t j = 0; j < given.size(); ++j) inner[groups_[g][j]] = {given[j]};
        double least = kInfinity;
        each(inner, all(), [&](const std::vector<int>& full) { least = std::min(least, at(term, full)); });
        *entry++ += least;
      });
    }
  }
  bool is_leaf(const BoxLists& box, std::size_t) const override { return points_in(box) <= leaf_; }
  void tabulate(const BoxLists& box, std::span<const std::uint32_t> open, std::span<double> grid) override {
    std::size_t k = 0;
    each(box, all(), [&](const std::vector<int>& full) {
      for (const std::uint32_t p : open) grid[k] += at(terms_[p], full);
      ++k;
    });
  }

  std::vector<Found> enumerate() {
    BoxLists box;
    for (const std::size_t d : domains_) {
      box.emplace_back();
      for (std::size_t k = 0; k < d; ++k) box.back().push_back(static_cast<int>(k));
    }
    std::vector<Found> list;
    each(box, all(), [&](const std::vector<int>& full) { list.push_back({full, value(full)}); });
    return list;
  }

 private:
  struct Term {
    std::vector<std::size_t> members;
    std::vector<double> values;
  };

  void list_groups(std::size_t width, std::size_t from, std::vector<std::size_t>& group) {
    if (group.size() == width) {
      groups_.push_back(group);
      return;
    }
    for (std::size_t c = from; c < domains_.size(); ++c) {
      group.push_back(c);
      list_groups(width, c + 1, group);
      group.pop_back();
    }
  }
  // The first group with all of these, or else with the first of them.
  std::size_t group_with(const std::vector<std::size_t>& open) const {
    const std::size_t width = groups_[0].size();
    const std::vector<std::size_t> some(open.begin(),
                                        open.begin() + static_cast<std::ptrdiff_t>(std::min(width, open.size())));
    std::size_t g = 0;
    while (!std::includes(groups_[g].begin(), groups_[g].end(), some.begin(), some.end())) ++g;
    return g;
  }
  std::vector<std::size_t> all() const {
    std::vector<std::size_t> list;
    for (std::size_t c = 0; c < domains_.size(); ++c) list.push_back(c);
    return list;
  }
  // Every combination of the listed positions of these coordinates, the last running fastest.
  template <class F>
  static void each(const BoxLists& box, const std::vector<std::size_t>& coordinates, F&& f) {
    std::vector<std::size_t> at(coordinates.size(), 0);
    std::vector<int> given(coordinates.size());
    while (true) {
      for (std::size_t j = 0; j < at.size(); ++j) given[j] = box[coordinates[j]][at[j]];
      f(given);
      std::size_t j = at.size();
      while (j > 0 && ++at[j - 1] == box[coordinates[j - 1]].size()) at[--j] = 0;
      if (j == 0) return;
    }
  }
  double at(const Term& term, const std::vector<int>& full) const {
    std::size_t k = 0;
    for (const std::size_t c : term.members) k = k * domains_[c] + static_cast<std::size_t>(full[c]);
    return term.values[k];
  }

  std::vector<std::size_t> domains_;
  std::vector<std::vector<double>> own_;
  double constant_ = 0, leaf_ = 1;
  Groups groups_;
  std::vector<Term> terms_;
};

// Everything a result claims, held against the full list. There is always a choice, and it is no better than the best.
void expect_true(const SearchResult& result, const std::vector<Found>& all, std::size_t keep) {
  EXPECT_GE(result.pool[0].value, std::ranges::min_element(all, {}, &Found::value)->value);
  expect_enumerated(result, all, keep, 1e-10);
}

// HANNAN_BOX_TRIALS raises the number of random instances.
std::uint64_t trials() {
  const char* asked = std::getenv("HANNAN_BOX_TRIALS");
  return asked ? std::strtoull(asked, nullptr, 10) : 800;
}

TEST(BoxSearch, AgreesWithEnumerationOnRandomSums) {
  std::uint64_t nodes = 0;
  for (std::uint64_t seed = 0; seed < trials(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    TermModel model({.seed = seed, .steps = static_cast<int>(seed % 3), .width = 1 + seed % 4});
    const auto all = model.enumerate();
    for (std::size_t keep : {0, 1, 2, 5, 300}) {
      const auto result = box_search(model, {.keep = keep}, {.bytes = seed % 7 == 0 ? std::size_t{0} : 1U << 20});
      EXPECT_TRUE(result.finished);
      expect_true(result, all, keep);
      nodes += result.nodes;
    }
    if (HasFailure()) return;
  }
  EXPECT_GT(nodes, 15 * trials());  // not all of them are one leaf
}

TEST(BoxSearch, StaysHonestWhenTheLimitStopsIt) {
  int stopped = 0;
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    TermModel model({.seed = 100'000 + seed, .steps = static_cast<int>(seed % 2), .width = 1 + seed % 3});
    const auto all = model.enumerate();
    for (std::uint64_t nodes : {0, 1, 2, 5}) {
      const auto result = box_search(model, {.keep = 3, .limits = {.nodes = nodes}});
      stopped += !result.finished;
      expect_true(result, all, 3);
    }
    if (HasFailure()) return;
  }
  EXPECT_GT(stopped, 300);
}

TEST(BoxSearch, ChoosesTheSameWhateverTheHints) {
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    TermModel model({.seed = 200'000 + seed, .steps = 2});
    const auto plain = box_search(model, {});
    const auto all = model.enumerate();
    for (const auto& hint : {all.front(), all.back(), all[all.size() / 2]}) {
      const auto hinted = box_search(model, {.hints = {hint.positions}});
      EXPECT_EQ(hinted.pool[0].positions, plain.pool[0].positions);
    }
    const auto bad = box_search(model, {.hints = {{-1}, {99, 99, 99, 99}, {}}});
    EXPECT_EQ(bad.pool[0].positions, plain.pool[0].positions);
  }
}

// With ties, few and many of the best, node limits, and no memory for tables.
TEST(BoxSearch, ThreadsChangeNothing) {
  std::uint64_t nodes = 0;
  for (std::uint64_t seed = 0; seed < 80; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    TermModel model({.seed = 400'000 + seed, .steps = static_cast<int>(seed % 3), .width = 1 + seed % 3});
    for (const std::size_t keep : {1, 60}) {
      for (const std::uint64_t most : {12, 100'000}) {
        nodes += expect_same_on_threads(model, {.request = {.keep = keep, .limits = {.nodes = most}, .hints = {}},
                                                .bytes = seed % 5 == 0 ? std::size_t{0} : 1U << 20});
      }
    }
    if (HasFailure()) return;
  }
  EXPECT_GT(nodes, 1600U);  // not all of them are one leaf
}

// The memory limit counts on it.
TEST(BoxNode, ABoxWithoutTablesHoldsNoMemoryForThem) {
  BoxNode node;
  node.tables.resize(1000);
  node.messages.resize(100);
  node.open.resize(10);
  EXPECT_EQ(node.bytes(), 1100 * sizeof(double) + 10 * sizeof(std::uint32_t));
  node.drop();
  EXPECT_EQ(node.bytes(), 0U);
  EXPECT_EQ(node.tables.capacity() + node.messages.capacity() + node.open.capacity(), 0U);
}

// The bound of the whole grid and of every position of it, sweep after sweep, by one group and by all.
TEST(DualBound, NoAssignmentIsBelowItAndItNeverFalls) {
  int exact = 0, raised = 0;
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    TermModel model({.seed = 300'000 + seed, .width = 1 + seed % 3});
    const auto all = model.enumerate();
    BoxLists box;
    for (std::size_t c = 0; c < model.coordinates(); ++c) {
      box.emplace_back();
      for (std::size_t d = 0; d < model.domain(c); ++d) box.back().push_back(static_cast<int>(d));
    }
    const BoxLayout layout(model.groups(), box);
    std::vector<double> tables(layout.tables.back(), 0.0), messages(layout.messages.back(), 0.0);
    std::vector<std::uint32_t> parts(model.parts());
    for (std::uint32_t p = 0; p < parts.size(); ++p) parts[p] = p;
    BoxTables into{.layout = layout, .exact = tables, .loose = tables, .open = {}};
    model.fill(box, parts, into);
    DualBound dual(model);
    dual.start(box, tables, messages);
    double least = kInfinity, last = -kInfinity;
    for (const auto& found : all) least = std::min(least, found.value);
    for (int sweep = 0; sweep < 5; ++sweep) {
      const double bound = dual.sweep();
      EXPECT_LE(bound, least + 1e-10);
      EXPECT_GE(bound, last - 1e-10);
      last = bound;
      const auto levels = [&] {
        std::vector<double> of_all;
        for (std::size_t c = 0; c < box.size(); ++c) {
          for (std::size_t d = 0; d < box[c].size(); ++d) of_all.push_back(dual.level(c, d));
        }
        return of_all;
      };
      const auto expect_below = [&] {
        for (const auto& found : all) {
          for (std::size_t c = 0; c < found.positions.size(); ++c)
            EXPECT_LE(dual.level(c, static_cast<std::size_t>(found.positions[c])), found.value + 1e-10);
        }
      };
      expect_below();
      const auto before = levels();
      const double by_all = dual.raise_levels();
      const bool overlap = model.groups().size() > 1 && model.groups()[0].size() > 2;  // coordinates share groups
      EXPECT_EQ(by_all == -kInfinity, overlap);
      EXPECT_LE(by_all, least + 1e-10);
      expect_below();
      const auto after = levels();
      for (std::size_t k = 0; k < after.size(); ++k) {
        EXPECT_GE(after[k], before[k]);
        raised += sweep > 0 && after[k] > before[k] + 1e-9;
      }
    }
    exact += last > least - 1e-9;
    if (HasFailure()) return;
  }
  EXPECT_GT(exact, 300);  // and often it is exact
  EXPECT_GT(raised, 1000);
}

}  // namespace box_search_test
}  // namespace hannan::detail

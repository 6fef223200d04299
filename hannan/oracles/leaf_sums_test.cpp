#include "hannan/oracles/leaf_sums.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <utility>

#include "tests/dice.hpp"

namespace hannan::detail {
namespace leaf_sums_test {

// Own numbers, a constant and groups; nothing is open.
class Tables final : public BoxModel {
 public:
  Tables(std::vector<std::vector<double>> own, Groups groups) : own_(std::move(own)), groups_(std::move(groups)) {}
  std::unique_ptr<BoxModel> clone() const override { return std::make_unique<Tables>(*this); }
  std::size_t coordinates() const override { return own_.size(); }
  std::size_t domain(std::size_t c) const override { return own_[c].size(); }
  const Groups& groups() const override { return groups_; }
  std::uint32_t parts() const override { return 0; }
  double constant() const override { return 0.1; }
  std::span<const double> own(std::size_t c) const override { return own_[c]; }
  double value(const std::vector<int>&) override { return 0; }
  void line(const std::vector<int>&, std::size_t, std::span<double>) override {}
  void fill(const BoxLists&, std::span<const std::uint32_t>, BoxTables&) override {}
  bool is_leaf(const BoxLists&, std::size_t) const override { return true; }
  void tabulate(const BoxLists&, std::span<const std::uint32_t>, std::span<double>) override {}

 private:
  std::vector<std::vector<double>> own_;
  Groups groups_;
};

// The sums of leaf_sums.hpp, entry by entry at one assignment (places in the lists).
double plainly(const Tables& model, const BoxLists& box, const std::vector<double>& tables,
               const std::vector<std::size_t>& at) {
  const BoxLayout layout(model.groups(), box);
  double up_to = model.constant();
  for (std::size_t c = 0; c < box.size(); ++c) {
    const bool last = c + 1 == box.size();
    const double own = model.own(c)[static_cast<std::size_t>(box[c][at[c]])];
    double sum = last ? own : up_to + own;
    for (std::size_t g = 0; g < model.groups().size(); ++g) {
      const auto& group = model.groups()[g];
      if (group.back() != c) continue;
      std::size_t place = 0;
      for (const std::size_t member : group) place = place * box[member].size() + at[member];
      sum += tables[layout.tables[g] + place];
    }
    up_to = last ? sum + up_to : sum;
  }
  return up_to;
}

// Lists of one to four of five positions, so that groups have any number of members with several positions left; bit by
// bit, as the same sums are taken in the same order.
TEST(LeafSums, AreTheSumsOfOneAssignmentAfterAnother) {
  Dice dice(3);
  const Groups groups{{0}, {0, 1}, {2}, {0, 2}, {1, 2, 3}, {3}, {0, 3}, {1, 4}, {0, 1, 2, 4}, {2, 3, 4}, {4}};
  for (int trial = 0; trial < 200; ++trial) {
    std::vector<std::vector<double>> own(5, std::vector<double>(5));
    for (auto& numbers : own) {
      for (double& number : numbers) number = dice.unit() - 0.5;
    }
    const Tables model(std::move(own), groups);
    BoxLists box(5);
    for (auto& list : box) {
      const int size = trial % 4 == 0 ? 1 + dice.below(4) : 1 + dice.below(2);
      for (int d = 0; d < size; ++d) list.push_back(d + (5 - size) / 2);
    }
    std::vector<double> tables(BoxLayout(groups, box).tables.back());
    for (double& entry : tables) entry = dice.unit() - 0.5;
    std::vector<double> grid(static_cast<std::size_t>(points_in(box)));
    for (double& value : grid) value = dice.unit();
    const std::vector<double> open = grid;
    LeafSums(model).add(box, tables, grid);
    std::vector<std::size_t> at(5, 0);
    for (std::size_t k = 0; k < grid.size(); ++k) {
      EXPECT_EQ(grid[k], open[k] + plainly(model, box, tables, at)) << "trial " << trial << ", assignment " << k;
      for (std::size_t c = 5; c-- > 0;) {
        if (++at[c] < box[c].size()) break;
        at[c] = 0;
      }
    }
  }
}

}  // namespace leaf_sums_test
}  // namespace hannan::detail
